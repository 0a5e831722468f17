"""The terms of profit: what a batch earns and costs, in any currency, with all rates a second."""

from dataclasses import dataclass, replace

import numpy as np

from core.engines.relaxed import Front
from core.engines.verify.judge import verify
from core.vocabulary.arrays import FloatArray
from core.vocabulary.ranges import POWER
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME


@dataclass(frozen=True, slots=True)
class Terms:
    """`price` is money for a batch, `overhead` what each batch costs in addition; `energy_price` is
    money for a joule, with its carbon; `pue` the joules that the site draws for each joule at the
    machines.

    `wear` is money for a busy second and `depreciation` money for each second, busy or not, of one
    machine of each type. `power_cap` is average watts, of the whole site or, if `cap_at_machines`,
    of the machines alone.
    """

    price: float
    energy_price: float = 1.0
    pue: float = 1.0
    overhead: float = 0.0
    wear: tuple[float, ...] = ()
    depreciation: tuple[float, ...] = ()
    power_cap: float = np.inf
    cap_at_machines: bool = False

    def __post_init__(self) -> None:
        amounts = (self.price, self.energy_price, self.overhead, *self.wear, *self.depreciation)
        if not all(0 <= amount < np.inf for amount in amounts):
            raise ValueError("prices and costs must be 0 or more, and finite")
        if not 1 <= self.pue < np.inf:
            raise ValueError(f"the PUE is 1 or more, not {self.pue:g}")
        if not self.power_cap >= 0:
            raise ValueError(f"the power cap is 0 W or more, not {self.power_cap:g}")

    @property
    def revenue(self) -> float:
        """The price of a batch less its overhead; may be negative."""
        return self.price - self.overhead

    @property
    def cap(self) -> float:
        """The average watts that the machines may draw."""
        return self.power_cap if self.cap_at_machines else self.power_cap / self.pue

    def metered(self, watts: float) -> float:
        """The watts to which the cap applies, if the machines draw so many."""
        return watts if self.cap_at_machines else self.pue * watts

    def spare_power(self, system: System) -> float:
        """The average watts that tasks may draw above idle machines; infinity without a cap.
        Negative if the cap is below idle power, so that tasks must draw less than idle machines.
        """
        spare = self.cap - system.total_idle_power
        return 0.0 if abs(spare) <= SAME * system.total_idle_power else spare

    def keeps_cap(self, joules: float, seconds: float) -> bool:
        """Whether the machines may draw so many joules in so many seconds."""
        return bool(np.isinf(seconds) or joules <= self.cap * seconds * (1 + SAME))

    def task_costs(self, system: System) -> FloatArray:
        """The cost of one task on each machine type, without idle power; infinity where it cannot
        run.
        """
        possible = np.isfinite(system.etc)
        wear = _rate_of_each_type(self.wear, len(system.machine_types)) * np.where(
            possible, system.etc, 0.0
        )
        joules = np.where(possible, system.dynamic_energy, 0.0)
        return np.where(possible, self.energy_price * self.pue * joules + wear, np.inf)

    def standing_costs(self, system: System) -> float:
        """Money a second that all machines cost without running anything."""
        return float(system.machine_counts @ self.standing_rates(system))

    def standing_rates(self, system: System) -> FloatArray:
        """Money a second that one machine of each type costs without running anything."""
        depreciation = _rate_of_each_type(self.depreciation, len(system.machine_types))
        return self.energy_price * self.pue * system.idle_power + depreciation

    def depreciation_of_all(self, system: System) -> float:
        """Money a second that all machines cost even when switched off."""
        return float(
            system.machine_counts @ _rate_of_each_type(self.depreciation, len(system.machine_types))
        )

    def money(self, system: System) -> "Priced":
        """The system with money in place of joules: its "energy" is what the tasks cost.

        Standing costs are left out. Large amounts are in a unit that keeps them in the range of
        joules. If tasks have negative costs, machines have twice that as idle cost: with exactly
        that cost, schedules would often tie.
        """
        can_run = np.isfinite(system.etc)
        rates = np.full(system.etc.shape, np.nan)
        np.divide(self.task_costs(system), system.etc, out=rates, where=can_run)
        shift = 2 * np.maximum(-np.where(can_run, rates, 0.0).min(axis=0), 0.0)
        dearest = float(np.where(can_run, rates + shift, 0.0).max(initial=float(shift.max())))
        # A power of two, because division by it has no rounding errors.
        unit = 2.0 ** np.ceil(np.log2(dearest / POWER.high)) if dearest > POWER.high else 1.0
        idle = (shift / unit).tolist()
        priced = replace(system.with_idle_power(idle), apc=(rates + shift) / unit)
        return Priced(priced, float(unit))


@dataclass(frozen=True, eq=False, slots=True)
class Priced:
    """A system with money in place of joules, in a `unit` of so much money."""

    system: System
    unit: float


def keeps_terms(schedule: Schedule, terms: Terms, period: float) -> bool:
    """Whether the schedule can be run every `period` seconds: the judge accepts it, it ends within
    the period, and its average power over the period keeps the cap.
    """
    verdict = verify(schedule, schedule.system)
    waiting = period - verdict.makespan
    if not verdict.ok or verdict.energy is None or waiting < -SAME * period:
        return False
    idle = schedule.system.total_idle_power
    joules = verdict.energy + (idle * waiting if idle else 0.0)
    return terms.keeps_cap(joules, period)


def ratio_price(front: Front, ratio: float, energy_price: float) -> float:
    """The price of a batch that is `ratio` times the cost of the least energy."""
    return ratio * energy_price * front.least_joules


def _rate_of_each_type(rates: tuple[float, ...], types: int) -> FloatArray:
    if rates and len(rates) != types:
        raise ValueError(f"give a rate for each of {types} machine types, not {len(rates)}")
    return np.array(rates or (0.0,) * types)
