"""Day tariffs: prices of electricity by the hour, and the cost of a batch by its start."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.power import power_curve
from core.vocabulary.say.words import DAY, HOUR
from core.vocabulary.schedule import Schedule
from core.vocabulary.tolerances import SAME

DailySteps = tuple[tuple[float, float], ...]
"""Hours of the day, and the price from each hour on."""
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
            raise ValueError("a tariff has a price from second 0 on, and one for each later step")
        if (np.diff(begins) <= 0).any() or begins[-1] >= DAY:
            raise ValueError("the steps of a tariff must be in order, within a day of 86,400 s")
        if not (np.isfinite(price).all() and (price >= 0).all()):
            raise ValueError("prices must be 0 or more, and finite")

    @classmethod
    def of_day(cls, steps: Iterable[tuple[float, float]]) -> Self:
        """The tariff of these hours and prices (money a joule), in any order; before the first hour
        the last price holds.
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
        """The mean price over the day, in money a joule."""
        return float(self.price @ np.diff(self.begins, append=DAY)) / DAY

    def at(self, seconds: FloatArray) -> FloatArray:
        """The price so many seconds after midnight, in money a joule; all days are the same."""
        step = np.searchsorted(self.begins, seconds % DAY, side="right") - 1
        price: FloatArray = self.price[step]
        return price

    def spent(self, seconds: FloatArray) -> FloatArray:
        """The cost of one watt from midnight until so many seconds later; later days repeat the
        first.
        """
        days, rest = np.divmod(seconds, DAY)
        until = np.append(0.0, np.cumsum(self.price * np.diff(self.begins, append=DAY)))
        step = np.searchsorted(self.begins, rest, side="right") - 1
        spent: FloatArray = (
            days * until[-1] + until[step] + self.price[step] * (rest - self.begins[step])
        )
        return spent


@dataclass(frozen=True, slots=True)
class Start:
    """A start in seconds after midnight, and the cost of electricity with it."""

    second: float
    cost: float


@dataclass(frozen=True, eq=False)
class Starts:
    """The cost of electricity by the second of the day at which a batch begins. It is linear
    between `seconds`, the last of which is the end of the day. Rounding errors add up along the
    day; `cost_from` is more exact for one start.
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
    """The cost of electricity of a schedule that begins so many seconds after midnight."""
    times, (watts,) = power_curve(schedule)
    return float(watts @ np.diff(tariff.spent(second + times)))


def starts(schedule: Schedule, tariff: DayTariff) -> Starts:
    """The cost of electricity for every start of the day.

    The cost is linear between the starts at which a change of power coincides with a change of
    price. There its slope changes by the product of the two changes.
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
    # Rounding errors must not make a cost negative.
    return Starts(seconds, np.maximum(costs, 0.0))
