"""Prices of electricity that change over the day: when to begin a batch, and what it then costs."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from core.model.arrays import BoolArray, FloatArray
from core.model.power import power_curve
from core.model.schedule import Schedule
from core.model.tolerances import SAME
from core.say.words import DAY, HOUR

Steps = tuple[tuple[float, float], ...]
"""Hours of the day, and the price from each on."""
HOURS: Final = 24.0


@dataclass(frozen=True, eq=False)
class DayTariff:
    """From second `begins[k]` of a day on, a joule costs `price[k]`; the first begins at 0."""

    begins: FloatArray
    price: FloatArray

    def __post_init__(self) -> None:
        begins, price = np.asarray(self.begins, float), np.asarray(self.price, float)
        object.__setattr__(self, "begins", begins)
        object.__setattr__(self, "price", price)
        if begins.shape != price.shape or not len(begins) or begins[0] != 0:
            raise ValueError("a tariff is a price from second 0 on, and one for each later step")
        if (np.diff(begins) <= 0).any() or begins[-1] >= DAY:
            raise ValueError("the steps of a tariff are in order, within a day of 86,400 s")
        if not (np.isfinite(price).all() and (price >= 0).all()):
            raise ValueError("prices are 0 or more, and finite")

    @classmethod
    def of_day(cls, steps: Iterable[tuple[float, float]]) -> Self:
        """From hours of the day and money a joule, in any order; until the first of them the price
        of the last holds.
        """
        ordered = sorted(steps)
        if ordered and ordered[0][0] > 0:
            ordered = [(0.0, ordered[-1][1]), *ordered]
        return cls(
            np.array([hour * HOUR for hour, _ in ordered]),
            np.array([price for _, price in ordered]),
        )

    @property
    def mean(self) -> float:
        """Money a joule, on average over the day."""
        return float(self.price @ np.diff(self.begins, append=DAY)) / DAY

    def at(self, seconds: FloatArray) -> FloatArray:
        """Money a joule so many seconds after midnight, days later included."""
        step = np.searchsorted(self.begins, seconds % DAY, side="right") - 1
        price: FloatArray = self.price[step]
        return price

    def spent(self, seconds: FloatArray) -> FloatArray:
        """Money for one watt from midnight until so many seconds later, days later included."""
        days, rest = np.divmod(seconds, DAY)
        until = np.append(0.0, np.cumsum(self.price * np.diff(self.begins, append=DAY)))
        step = np.searchsorted(self.begins, rest, side="right") - 1
        spent: FloatArray = (
            days * until[-1] + until[step] + self.price[step] * (rest - self.begins[step])
        )
        return spent


@dataclass(frozen=True, slots=True)
class Start:
    """When to begin, in seconds after midnight, and what the electricity then costs."""

    second: float
    cost: float


@dataclass(frozen=True, eq=False)
class Starts:
    """What the electricity costs for every second of the day to begin: linear between `seconds`,
    of which the last is the end of the day. Rounding adds up along the day; `cost_from` knows more
    digits of one start.
    """

    seconds: FloatArray
    costs: FloatArray

    @property
    def best(self) -> Start:
        """The cheapest; of equal ones the earliest."""
        return self._first(self.costs <= self.costs.min() + self._rounding)

    @property
    def worst(self) -> Start:
        """The dearest; of equal ones the earliest."""
        return self._first(self.costs >= self.costs.max() - self._rounding)

    @property
    def _rounding(self) -> float:
        return SAME * float(np.abs(self.costs).max())

    def _first(self, those: BoolArray) -> Start:
        place = int(np.argmax(those))
        return Start(float(self.seconds[place]), float(self.costs[place]))


def cost_from(schedule: Schedule, tariff: DayTariff, second: float) -> float:
    """Money for the electricity of a schedule begun so many seconds after midnight."""
    times, (watts,) = power_curve(schedule)
    return float(watts @ np.diff(tariff.spent(second + times)))


def starts(schedule: Schedule, tariff: DayTariff) -> Starts:
    """What it costs to begin at any second of the day.

    The cost is linear between the starts at which some change of power meets some change of price,
    and bends there by the product of the two changes.
    """
    times, (watts,) = power_curve(schedule)
    falls = -np.diff(watts, prepend=0.0, append=0.0)
    rises_of_price = np.diff(tariff.price, prepend=tariff.price[-1])
    meetings = ((tariff.begins[:, None] - times) % DAY).ravel()
    order = np.argsort(meetings)
    order = order[meetings[order] > 0]
    seconds = np.concatenate([[0.0], meetings[order], [DAY]])
    bends = np.append(falls @ tariff.at(times), (rises_of_price[:, None] * falls).ravel()[order])
    slopes = np.cumsum(bends)
    at_midnight = watts @ np.diff(tariff.spent(times))
    costs = at_midnight + np.append(0.0, np.cumsum(slopes * np.diff(seconds)))
    # Nothing costs less than nothing, whatever rounding says.
    return Starts(seconds, np.maximum(costs, 0.0))
