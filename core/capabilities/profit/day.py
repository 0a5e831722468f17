"""What one batch earns under a day tariff, by its start."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.capabilities.profit.day_tariff import DayTariff, Start, Starts, cost_from, starts
from core.capabilities.profit.earn import earnings
from core.capabilities.profit.terms import Terms
from core.vocabulary.schedule import Schedule


@dataclass(frozen=True, eq=False)
class Day:
    """One schedule that may begin at any second of the day; `before` is its profit before its
    electricity is paid.
    """

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
