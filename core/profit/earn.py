"""The most profitable schedule found, its proven bound, and what running nothing would earn."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from core.kernels import load_kernels
from core.model.arrays import FloatArray, IntArray
from core.model.budget import USUAL_EFFORT, Budget, Effort, Stopwatch, never
from core.model.schedule import Schedule
from core.model.system import System
from core.model.tolerances import SAME, SAME_OPTIMUM
from core.profit.check import holds
from core.profit.program import CapTooLow, ProfitBound, most_profit
from core.profit.proof import money_at_cap
from core.profit.regime import Regime
from core.profit.terms import Terms
from core.profit.whole_tasks import most_of
from core.recover import assign, round_rows
from core.recover.along import recover_along
from core.recover.polish_along import polish_along
from core.recover.settling import Settled, settle
from core.relaxed import Front, met_bound, trace_front

Phase = Literal["bound", "recover", "polish", "verify"]

# Schedules are looked for within these multiples of the divisible optimum's makespan.
_NEAR = (0.9, 1.15)
_SPACING = 0.02


@dataclass(frozen=True, eq=False)
class Earnings:
    """What one schedule earns when batches follow one another.

    A batch begins every `period` seconds: the makespan, or longer where running on at once would
    break the power cap, or where only work keeps it and each batch loses money; infinity where none
    keeps the cap. `energy` is joules a period at the machines, `power` the watts on average
    that the cap is about, `profit` money a second.
    """

    schedule: Schedule
    period: float
    energy: float
    power: float
    profit: float


@dataclass(frozen=True, slots=True)
class ProfitProgress:
    """What is being done, the seconds it has spent of those allowed (0 where nobody knows), and
    money a second that is known to be earned; None before there is a schedule.
    """

    phase: Phase
    spent: float = 0.0
    allowed: float = 0.0
    profit: float | None = None


@dataclass(frozen=True, eq=False)
class Profit:
    """The bound on profit and the best schedule found; no `earnings` where running nothing is best.

    `most` is money a second that no schedule earns more than: the bound, or less where it matters
    that tasks are whole.

    `bound_energy` and `bound_period` are joules and seconds of the divisible optimum (0 and
    infinity where it does not run), `regime` says in which way that runs. `idle_profit` is money a
    second for running nothing with all machines on, `off_profit` with all of them switched off.
    """

    system: System
    bound: ProfitBound
    most: float
    bound_energy: float
    bound_period: float
    regime: Regime
    earnings: Earnings | None
    idle_profit: float
    off_profit: float
    verified: bool
    seconds: Mapping[str, float]

    @property
    def on_front(self) -> bool:
        """Whether the divisible optimum is on the front of energy and makespan."""
        return self.regime is Regime.RUNS_ON_FRONT

    @property
    def loses(self) -> bool:
        """Whether what is proposed costs more than it brings."""
        return self.value < 0

    @property
    def better_switched_off(self) -> bool:
        """Whether to switch all machines off would be better than what is proposed: then batches
        are run, or machines kept on, only because an agreement asks for it.
        """
        return self.value < self.off_profit

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

    @cached_property
    def flow(self) -> float:
        """Money a second that no schedule exceeds in what comes in, and what is due whatever runs:
        the size of the sums that profits are differences of.
        """
        terms = self.bound.terms
        traded = (terms.price + terms.overhead) / met_bound(self.system)
        return traded + terms.standing_costs(self.system)

    @property
    def gap(self) -> float:
        """At most so much more money a second could be earned."""
        return max(self.most - self.value, 0.0)


def earnings(schedule: Schedule, terms: Terms) -> Earnings:
    """What a schedule earns on these terms, waiting for the next batch where the cap demands it."""
    system = schedule.system
    idle = system.total_idle_power
    dynamic = _total(schedule.placed, system.dynamic_energy)
    costs = _total(schedule.placed, terms.task_costs(system))
    period = _best_period(
        schedule.makespan, dynamic, terms.spare_power(system), terms.revenue - costs
    )
    at_site = 1.0 if terms.cap_at_machines else terms.pue
    return Earnings(
        schedule,
        period,
        dynamic + (idle * period if idle else 0.0),
        at_site * (dynamic / period + idle),
        (terms.revenue - costs) / period - terms.standing_costs(system),
    )


def _tell_nobody(progress: ProfitProgress) -> None:
    pass


def earn(
    system: System,
    terms: Terms,
    *,
    effort: Effort = USUAL_EFFORT,
    known: Sequence[Schedule] = (),
    should_stop: Callable[[], bool] = never,
    report: Callable[[ProfitProgress], None] | None = None,
) -> Profit:
    """The most profitable schedule found with so much `effort` of polish, verified.

    Schedules of the system that are `known` are candidates, too. `report` is told of every phase,
    and from time to time how far polish is.
    Raises `NoPowerData` without APC, `CapTooLow` where no schedule keeps the cap, or none that was
    found.

    >>> found: Profit = earn(load_sample("two-by-two"), Terms(price=2000.0))
    >>> round(found.value, 3), round(found.most, 3)
    (53.333, 53.333)
    """
    must_work = terms.spare_power(system) < 0
    if effort.allowed or must_work:
        load_kernels()
    clock = Stopwatch()
    tell = report or _tell_nobody
    tell(ProfitProgress("bound"))
    bound = most_profit(system, terms)
    clock.lap("bound")
    best, verified = None, True
    settled: Settled | None = None
    by_money: Settled | None = None
    if bound.runs or must_work:
        tell(ProfitProgress("recover"))
        found = [assign(system, round_rows(bound.placed, system.task_counts)), *known]
        if must_work:
            found += _frugal(system)
        if effort.allowed or must_work:
            others, settled, by_money = _all_considered(system, bound, should_stop)
            found += others
        best = _best(found, terms)
        clock.lap("recover")
        if effort.allowed:
            budget = effort.budget(should_stop)
            polished = _polished(best, bound, budget, effort.seed, tell)
            best = _best([best.schedule, *polished], terms)
            clock.lap("polish")
        if must_work and not np.isfinite(best.period):
            least = min(schedule.energy / schedule.makespan for schedule in found)
            raise CapTooLow(terms, least, proven=settled is not None)
        tell(ProfitProgress("verify", profit=best.profit))
        verified = holds(best.schedule, terms, best.period)
        clock.lap("verify")
    energy, regime = _energy_and_regime(system, bound)
    idle_profit = 0.0 - terms.standing_costs(system)  # not -0.0
    return Profit(
        system,
        bound,
        most_of(bound, system, by_money),
        energy,
        1 / bound.rate if bound.runs else np.inf,
        regime,
        best if best and (must_work or best.profit > idle_profit) else None,
        idle_profit,
        0.0 - terms.depreciation_of_all(system),
        verified,
        clock.seconds,
    )


def _frugal(system: System) -> list[Schedule]:
    """Schedules slower than the thriftiest, along corners where less power is drawn."""
    front = trace_front(system)
    points = np.concatenate([front.slower, front.points[:1]])
    placements = front.slower_placements.followed_by(front.placements)
    return recover_along(system, points, placements, _SPACING)[0]


def _all_considered(
    system: System, bound: ProfitBound, should_stop: Callable[[], bool]
) -> tuple[list[Schedule], Settled | None, Settled | None]:
    """Of a small system the schedules that matter of all, by energy and by money, and what says
    so of each.
    """
    settled = settle(system, should_stop)
    if settled is None:
        return [], None, None
    money = money_at_cap(system, bound.terms, bound.cap_price)
    by_money = settle(money.system, should_stop)
    found = [*settled.schedules, *(() if by_money is None else by_money.schedules)]
    return [_of(system, schedule) for schedule in found], settled, by_money


def _energy_and_regime(system: System, bound: ProfitBound) -> tuple[float, Regime]:
    """Joules a period of the divisible optimum, and in which way it runs."""
    if not bound.runs:
        return 0.0, Regime.DOES_NOT_RUN
    period = 1 / bound.rate
    energy = _total(bound.placed, system.dynamic_energy) + system.total_idle_power * period
    if period > _makespan(system, bound.placed) * (1 + SAME_OPTIMUM):
        return energy, Regime.THROTTLED
    front = trace_front(system)
    slower = period > front.makespan[0] * (1 + SAME_OPTIMUM)
    if slower or energy > front.least_energy(period * (1 + SAME_OPTIMUM)) * (1 + SAME_OPTIMUM):
        return energy, Regime.RUNS_OFF_FRONT
    return energy, Regime.RUNS_ON_FRONT


def _best_period(makespan: float, dynamic: float, spare: float, gain: float) -> float:
    """Seconds from batch to batch at which most is earned: so long that joules above idle power
    average to no more than there is to spare; infinity if there are no such.

    Where that is less than nothing, work must save it, and no wait may be longer than that allows.
    """
    if spare < 0:
        longest = dynamic / spare
        if longest < makespan * (1 - SAME):
            return np.inf
        return makespan if gain >= 0 else max(longest, makespan)
    if dynamic <= 0 or np.isinf(spare):
        return makespan
    return max(makespan, dynamic / spare) if spare > 0 else np.inf


def _best(found: Sequence[Schedule], terms: Terms) -> Earnings:
    """Of the schedule that earns most; of one that keeps the cap, if there is one."""
    every = (earnings(schedule, terms) for schedule in found)
    return max(every, key=lambda each: (np.isfinite(each.period), each.profit))


def _polished(
    first: Earnings,
    bound: ProfitBound,
    budget: Budget,
    seed: int,
    tell: Callable[[ProfitProgress], None],
) -> list[Schedule]:
    """Schedules about the divisible optimum, polished in money, the cap at its price included."""
    system, terms = first.schedule.system, bound.terms
    priced = money_at_cap(system, terms, bound.cap_price)
    money, unit = priced.system, priced.unit
    front = trace_front(money)
    makespan = _makespan(system, bound.placed)

    def report(spent: float, points: FloatArray) -> None:
        """`points` are money and seconds; where there is a cap, they do not tell what keeps it."""
        profit = first.profit
        if np.isinf(terms.power_cap):
            costs = unit * (points[:, 0] - money.total_idle_power * points[:, 1])
            earned = (terms.revenue - costs) / points[:, 1] - bound.standing_costs
            profit = max(profit, float(earned.max()))
        tell(ProfitProgress("polish", spent, budget.seconds, profit))

    schedules = [_of(money, first.schedule), *_recovered(front, makespan)]
    schedules += polish_along(front, schedules, budget, seed=seed, near=makespan, report=report)
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


def _makespan(system: System, placed: FloatArray) -> float:
    """Seconds that a divisible schedule takes."""
    busy = (placed * np.where(placed > 0, system.etc, 0.0)).sum(axis=0)
    return float((busy / np.maximum(system.machine_counts, 1)).max())


def _total(placed: FloatArray | IntArray, amounts: FloatArray) -> float:
    """The sum over all tasks of what each amounts to where it is placed."""
    return float((placed * np.where(placed > 0, amounts, 0.0)).sum())
