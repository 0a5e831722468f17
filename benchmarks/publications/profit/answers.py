"""The environment of the profit figures, and the profit there at one price of a bag."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.publications.stand_ins import stand_in
from core.capabilities.profit.earn import Earnings, Profit, earn, earnings
from core.capabilities.profit.program import ProfitBound
from core.capabilities.profit.terms import Terms, ratio_price
from core.engines.recover import assign, round_rows
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Effort
from core.vocabulary.system import System

MACHINES_A_TYPE: Final = 40
BAG_TIMES: Final = 10
"""In multiples of the tasks of nine: 11,000 tasks."""
IDLE_FRACTION: Final = 0.05
RATIOS: Final = (1.01, 1.2, 1.5)
PHASES: Final = "published phases"
OURS: Final = "ours, polished"
ENERGY_PRICE: Final = 1.0
"""Money for each joule, so that money a second equals watts."""


@dataclass(frozen=True, eq=False)
class ProfitAtRatio:
    """The most profit if a bag's price is `ratio` times the cost of the least energy.

    `published` are the earnings of the three published phases, without polish; `profit` has the
    bound and Wattfront's best schedule.
    """

    ratio: float
    profit: Profit
    published: Earnings

    @property
    def bound(self) -> FloatArray:
        """(joules, seconds) of the divisible optimum."""
        return np.array([self.profit.bound_energy, self.profit.bound_period])

    @property
    def earned(self) -> tuple[Earnings, ...]:
        """The earnings of the published phases, then Wattfront's, if running pays."""
        ours = self.profit.earnings
        return (self.published,) if ours is None else (self.published, ours)


def environment() -> System:
    """The nine environment of the profit experiments, without idle power."""
    return enlarged(stand_in("nine"))


def enlarged(nine: System) -> System:
    """The system with ten times the tasks and machines."""
    machines = np.full(len(nine.machine_types), MACHINES_A_TYPE, np.int64)
    return nine.with_counts(BAG_TIMES * nine.task_counts, machines)


def terms_at(front: Front, ratio: float, power_cap: float = np.inf) -> Terms:
    return Terms(ratio_price(front, ratio, ENERGY_PRICE), ENERGY_PRICE, power_cap=power_cap)


def answer(front: Front, ratio: float, seconds: float, power_cap: float = np.inf) -> ProfitAtRatio:
    """The bound and the schedules for the front's system; Wattfront's is polished for so many
    seconds.
    """
    found = earn(front.system, terms_at(front, ratio, power_cap), effort=Effort(seconds))
    return ProfitAtRatio(ratio, found, published_phases(front.system, found.bound))


def published_phases(system: System, bound: ProfitBound) -> Earnings:
    """The earnings of the divisible optimum after it is rounded and assigned."""
    return earnings(assign(system, round_rows(bound.placed, system.task_counts)), bound.terms)


def point(earned: Earnings) -> FloatArray:
    """(joules, seconds) of one bag, with its period."""
    return np.array([earned.energy, earned.period])


def kilowatts(watts: float) -> str:
    return f"{watts / 1e3:.3f} kW"


def place(joules_seconds: FloatArray) -> str:
    """A point of the plane in words."""
    joules, seconds = joules_seconds.tolist()
    return f"{joules / 1e6:.2f} MJ, {seconds:,.0f} s"
