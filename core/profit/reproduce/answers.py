"""The environment of the profit figures, and what is earned there at one price of a bag."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.model.arrays import FloatArray
from core.model.budget import Effort
from core.model.system import System
from core.profit.earn import Earnings, Profit, earn, earnings
from core.profit.program import ProfitBound
from core.profit.terms import Terms, ratio_price
from core.recover import assign, round_rows
from core.relaxed import Front
from core.reproduce.stand_ins import stand_in

MACHINES_A_TYPE: Final = 40
BAG_TIMES: Final = 10
"""So many times the tasks of nine: 11,000."""
IDLE_FRACTION: Final = 0.05
RATIOS: Final = (1.01, 1.2, 1.5)
PHASES: Final = "published phases"
OURS: Final = "ours, polished"
ENERGY_PRICE: Final = 1.0
"""Money a joule, so that money a second reads as watts."""


@dataclass(frozen=True, eq=False)
class ProfitAtRatio:
    """The most profit when a bag's price is `ratio` times what the least energy costs.

    `published` is what the schedule of the published three phases earns, unpolished; `profit` holds
    the bound and the best schedule of ours.
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
        """What is earned, the published phases first; ours only where it pays to run."""
        ours = self.profit.earnings
        return (self.published,) if ours is None else (self.published, ours)


def environment() -> System:
    """The nine environment as the profit experiments have it, without idle power."""
    return enlarged(stand_in("nine"))


def enlarged(nine: System) -> System:
    """The same with ten times the tasks and machines."""
    machines = np.full(len(nine.machine_types), MACHINES_A_TYPE, np.int64)
    return nine.with_counts(BAG_TIMES * nine.task_counts, machines)


def terms_at(front: Front, ratio: float, power_cap: float = np.inf) -> Terms:
    return Terms(ratio_price(front, ratio, ENERGY_PRICE), ENERGY_PRICE, power_cap=power_cap)


def answer(front: Front, ratio: float, seconds: float, power_cap: float = np.inf) -> ProfitAtRatio:
    """Bound and schedules on the front's system, ours polished for so many seconds."""
    found = earn(front.system, terms_at(front, ratio, power_cap), effort=Effort(seconds))
    return ProfitAtRatio(ratio, found, published_phases(front.system, found.bound))


def published_phases(system: System, bound: ProfitBound) -> Earnings:
    """What the divisible optimum earns once it is rounded and assigned."""
    return earnings(assign(system, round_rows(bound.placed, system.task_counts)), bound.terms)


def point(earned: Earnings) -> FloatArray:
    """(joules, seconds) of one bag, run as its schedule says."""
    return np.array([earned.energy, earned.period])


def kilowatts(watts: float) -> str:
    return f"{watts / 1e3:.3f} kW"


def place(joules_seconds: FloatArray) -> str:
    """A point of the plane as a person reads it."""
    joules, seconds = joules_seconds.tolist()
    return f"{joules / 1e6:.2f} MJ, {seconds:,.0f} s"
