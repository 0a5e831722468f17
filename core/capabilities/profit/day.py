"""The cost of one batch by its start, and what it earns, under a day tariff."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.capabilities.profit.earn import earnings
from core.capabilities.profit.terms import Terms
from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.power import power_curve
from core.vocabulary.prices.day import DayTariff
from core.vocabulary.say.words import DAY
from core.vocabulary.schedule import Schedule
from core.vocabulary.tolerances import SAME


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


@dataclass(frozen=True, eq=False)
class Day:
    """One schedule that may begin at any second of a day; `before` is its profit on free energy."""

    schedule: Schedule
    tariff: DayTariff
    starts: Starts
    before: float

    @cached_property
    def best(self) -> Start:
        """The cheapest start; of equal ones the earliest."""
        return self.at(self.starts.best.second)

    @cached_property
    def worst(self) -> Start:
        """The most expensive start; of equal ones the earliest."""
        return self.at(self.starts.worst.second)

    def at(self, second: float) -> Start:
        """The start so many seconds after midnight."""
        return Start(second, cost_from(self.schedule, self.tariff, second))

    def profit(self, start: Start) -> float:
        """The profit of the one batch, in money."""
        return self.before - start.cost


def day_of(schedule: Schedule, terms: Terms, tariff: DayTariff) -> Day:
    """All starts of a schedule on these terms, whose price of energy and cap are ignored. `tariff`
    is money for a joule at the machines, PUE included.
    """
    free = earnings(schedule, replace(terms, energy_price=0.0, power_cap=np.inf))
    return Day(schedule, tariff, starts(schedule, tariff), free.profit * free.period)
