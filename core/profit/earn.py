"""The most profitable schedule found, its proven bound, and what running nothing would earn."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.budget import Budget, Stopwatch, never
from core.front.polish import polish_along
from core.front.recovery import recover_along
from core.profit.program import ProfitBound, most_profit
from core.profit.terms import Terms
from core.recover import assign, round_rows
from core.relaxed import Front, trace_front
from core.schedule import Schedule
from core.system import FloatArray, System
from core.verify import verify

# How far from the divisible optimum's makespan schedules are looked for, as a share.
_NEAR = (0.9, 1.15)
_SPACING = 0.02
# A divisible optimum is on the front if no more than this share of energy could be saved.
_ON_FRONT = 1e-7


@dataclass(frozen=True, eq=False)
class Earnings:
    """What one schedule earns when bags follow one another.

    A bag begins every `period` seconds: the makespan, or longer where running on at once would
    break the power cap. `energy` is joules a period at the machines, `power` the watts on average
    that the cap is about, `profit` money a second.
    """

    schedule: Schedule
    period: float
    energy: float
    power: float
    profit: float


@dataclass(frozen=True, eq=False)
class Profit:
    """The bound on profit and the best schedule found; no `earnings` where not to run is best.

    `bound_energy` and `bound_period` are joules and seconds of the divisible optimum (0 and
    infinity where it does not run), `on_front` says whether that is on the front of energy and
    makespan. `idle_profit` is money a second for running nothing with all machines on.
    """

    system: System
    bound: ProfitBound
    bound_energy: float
    bound_period: float
    on_front: bool
    earnings: Earnings | None
    idle_profit: float
    verified: bool
    seconds: Mapping[str, float]

    @property
    def value(self) -> float:
        """Money a second of what is proposed."""
        return self.idle_profit if self.earnings is None else self.earnings.profit

    @property
    def machine_values(self) -> FloatArray:
        """Money a second that one machine more of each type would earn, its standing costs and its
        share of the power cap taken off.
        """
        system, terms = self.system, self.bound.terms
        return (
            self.bound.machine_prices
            - terms.standing_rates(system)
            - self.bound.cap_price * system.idle_power
        )

    @property
    def gap(self) -> float:
        """At most so much more money a second could be earned."""
        return max(self.bound.value - self.value, 0.0)


def earnings(schedule: Schedule, terms: Terms) -> Earnings:
    """What a schedule earns on these terms, waiting for the next bag where the cap demands it."""
    system = schedule.system
    idle = system.total_idle_power
    dynamic = float((schedule.placed * np.where(system.can_run, system.dynamic_energy, 0.0)).sum())
    period = schedule.makespan
    if np.isfinite(terms.cap) and dynamic > 0:
        period = max(period, dynamic / (terms.cap - idle) if terms.cap > idle else np.inf)
    costs = float((schedule.placed * np.where(system.can_run, terms.task_costs(system), 0.0)).sum())
    energy = dynamic + idle * period
    at_site = 1.0 if terms.cap_at_machines else terms.pue
    return Earnings(
        schedule,
        period,
        energy,
        at_site * (dynamic / period + idle),
        (terms.revenue - costs) / period - terms.standing_costs(system),
    )


def earn(
    system: System,
    terms: Terms,
    *,
    seconds: float,
    threads: int = 1,
    seed: int = 0,
    should_stop: Callable[[], bool] = never,
) -> Profit:
    """The most profitable schedule found in so many seconds of polish, verified.

    Raises `NoPowerData` without APC, `CapTooLow` where idle machines alone break the cap.
    """
    clock = Stopwatch()
    bound = most_profit(system, terms)
    clock.lap("bound")
    idle_profit = -terms.standing_costs(system)
    if not bound.runs:
        return Profit(system, bound, 0.0, np.inf, False, None, idle_profit, True, clock.seconds)
    first = assign(system, round_rows(bound.placed, system.task_counts))
    found = [first]
    clock.lap("recover")
    if seconds:
        found += _polished(first, bound, Budget(seconds, threads, should_stop), seed)
        clock.lap("polish")
    best = max((earnings(schedule, terms) for schedule in found), key=lambda each: each.profit)
    verified = verify(best.schedule, system).ok
    clock.lap("verify")
    period = 1 / bound.rate
    energy = float((bound.placed * np.where(system.can_run, system.dynamic_energy, 0.0)).sum())
    energy += system.total_idle_power * period
    front = trace_front(system)
    on_front = energy <= front.least_energy(period * (1 + _ON_FRONT)) * (1 + _ON_FRONT)
    return Profit(
        system,
        bound,
        energy,
        period,
        bool(on_front and period <= front.makespan[0] * (1 + _ON_FRONT)),
        best if best.profit > idle_profit else None,
        idle_profit,
        verified,
        clock.seconds,
    )


def _polished(first: Schedule, bound: ProfitBound, budget: Budget, seed: int) -> list[Schedule]:
    """Schedules about the divisible optimum, polished in money, the cap at its price included."""
    system, terms = first.system, bound.terms
    dearer = terms.energy_price + bound.cap_price / terms.pue
    money = replace(terms, energy_price=dearer).money(system)
    front = trace_front(money)
    busy = np.where(bound.placed > 0, system.etc, 0.0) * bound.placed
    machines = np.maximum(system.machine_counts, 1)
    makespan = float((busy.sum(axis=0) / machines).max())
    schedules = [_of(money, first), *_recovered(front, makespan)]
    schedules += polish_along(front, schedules, budget, seed=seed, near=makespan)
    return [_of(system, schedule) for schedule in schedules]


def _recovered(front: Front, makespan: float) -> list[Schedule]:
    """Schedules along the part of a front that is about a makespan."""
    low, high = (factor * makespan for factor in _NEAR)
    near = np.flatnonzero((front.makespan >= low) & (front.makespan <= high))
    if not len(near):
        return []
    placements = front.placements.chosen(near)
    return recover_along(front.system, front.points[near], placements, _SPACING)[0]


def _of(system: System, schedule: Schedule) -> Schedule:
    """The same schedule of a system with other costs."""
    return Schedule(system, schedule.machine_type, schedule.machines, schedule.tasks)
