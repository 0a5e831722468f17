"""What one batch earns when electricity costs more at some hours of the day than at others."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.model.schedule import Schedule
from core.profit.day_tariff import DayTariff, Start, Starts, cost_from, starts
from core.profit.earn import earnings
from core.profit.terms import Terms


@dataclass(frozen=True, eq=False)
class Day:
    """One schedule, begun at any second of the day; `before` is money that it leaves before its
    electricity is paid.
    """

    schedule: Schedule
    tariff: DayTariff
    starts: Starts
    before: float

    @cached_property
    def best(self) -> Start:
        """The cheapest; of equal ones the earliest."""
        return self.at(self.starts.best.second)

    @cached_property
    def worst(self) -> Start:
        """The dearest; of equal ones the earliest."""
        return self.at(self.starts.worst.second)

    def at(self, second: float) -> Start:
        """So many seconds after midnight."""
        return Start(second, cost_from(self.schedule, self.tariff, second))

    def profit(self, start: Start) -> float:
        """Money for the one batch."""
        return self.before - start.cost


def day_of(schedule: Schedule, terms: Terms, tariff: DayTariff) -> Day:
    """On these terms, but for their price of energy and their cap; `tariff` is money for a joule at
    the machines, whatever else the site draws for it included.
    """
    free = earnings(schedule, replace(terms, energy_price=0.0, power_cap=np.inf))
    return Day(schedule, tariff, starts(schedule, tariff), free.profit * free.period)
