"""Prices that change with the hour of the day."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.calendar import HOURS_OF_DAY
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import DAY, HOUR

HOUR_OF_DAY: Final = Range(0.0, HOURS_OF_DAY - 1e-9, "")
DailySteps = tuple[tuple[float, float], ...]
"""Hours of the day, in any order, and the value from each hour on."""


def at_hour(steps: DailySteps, hour: float) -> float:
    """The value at an hour; before the first hour the last value of the day holds."""
    ordered = sorted(steps)
    return next((value for begin, value in reversed(ordered) if begin <= hour), ordered[-1][1])


def by_hour_of_day(seconds: FloatArray, spent: FloatArray) -> FloatArray:
    """What is spent in each hour of the day; `spent` are the sums until so many rising `seconds`
    after a midnight, evenly in between.
    """
    hours = np.arange(np.floor(seconds[0] / HOUR), np.ceil(seconds[-1] / HOUR) + 1)
    each = np.diff(np.interp(hours * HOUR, seconds, spent))
    of_day = (hours[:-1] % HOURS_OF_DAY).astype(np.int64)
    return np.asarray(np.bincount(of_day, each, minlength=HOURS_OF_DAY))


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

    @property
    def of_hours(self) -> FloatArray:
        """The mean price in each hour of the day, in money a joule."""
        return np.asarray(np.diff(self.spent(HOUR * np.arange(HOURS_OF_DAY + 1.0))) / HOUR)

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
