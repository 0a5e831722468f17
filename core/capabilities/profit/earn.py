"""The most profitable schedule found, its upper bound, and the profit of running nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from core.capabilities.profit.program import (
    CapTooLow,
    ProfitBound,
    Regime,
    divisible_makespan,
    energy_and_regime,
    most_profit,
    placed_total,
)
from core.capabilities.profit.proof import money_at_cap
from core.capabilities.profit.sweep import most_of
from core.capabilities.profit.terms import Terms, keeps_terms
from core.engines.kernels import load_kernels
from core.engines.recover import assign, round_rows
from core.engines.recover.along import recover_along
from core.engines.recover.polish_along import polish_along
from core.engines.recover.settling import Settled, settle
from core.engines.relaxed import Front, met_bound, trace_front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import USUAL_EFFORT, Budget, Effort, Stopwatch, never
from core.vocabulary.power import peak_power
from core.vocabulary.say.words import settled as settled_value
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME

Phase = Literal["bound", "recover", "polish", "verify"]

# Schedules are sought between these multiples of the divisible optimum's makespan, at this spacing
# along the front. Set by judgement; `python -m benchmarks profit` measures the gaps that result.
_NEAR = (0.9, 1.15)
_SPACING = 0.02


@dataclass(frozen=True, eq=False)
class Earnings:
    """What one schedule earns when batches follow one another.

    A batch begins every `period` seconds. That is the makespan, or longer if the power cap demands
    waiting, or if each batch loses money but the cap can be kept only while machines work; infinity
    if no period keeps the cap. `energy` is the joules of the machines in a period, `power` the
    average watts that the cap limits, `profit` money a second.
    """

    schedule: Schedule
    period: float
    energy: float
    power: float
    profit: float


@dataclass(frozen=True, slots=True)
class ProfitProgress:
    """The current phase, what it has spent of what is allowed (both 0 if unknown), and the best
    profit so far in money a second; None before there is a schedule.
    """

    phase: Phase
    spent: float = 0.0
    allowed: float = 0.0
    profit: float | None = None


@dataclass(frozen=True, eq=False)
class Profit:
    """The bound on profit and the best schedule found; `earnings` is None if running nothing is
    best. Otherwise its period is finite.

    `most` is the upper bound in money a second: that of `bound`, or a lower one for whole tasks.

    `bound_energy` and `bound_period` are joules and seconds of the divisible optimum (0 and
    infinity if it does not run), and `regime` is its regime. `idle_profit` is the profit, in money
    a second, of running nothing with all machines on, `off_profit` with all machines off.
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
        """Whether the proposal makes a loss."""
        return self.value < 0

    @property
    def better_switched_off(self) -> bool:
        """Whether all machines off would be better than the proposal: then batches are run, or
        machines kept on, only because an agreement asks for it.
        """
        return self.value < self.off_profit

    @property
    def value(self) -> float:
        """The profit of the proposal, in money a second."""
        return self.idle_profit if self.earnings is None else self.earnings.profit

    @property
    def machine_values(self) -> FloatArray:
        """Money a second that one more machine of each type would earn, less its standing costs and
        the price of its idle power under the cap.
        """
        system, terms = self.system, self.bound.terms
        return (
            self.bound.machine_prices
            - terms.standing_rates(system)
            - self.bound.cap_price * system.idle_power
        )

    @cached_property
    def peak(self) -> float:
        """The most watts at any moment, of those that the cap limits on average."""
        terms = self.bound.terms
        if self.earnings is None:
            return terms.metered(self.system.total_idle_power)
        return terms.metered(peak_power(self.earnings.schedule))

    @cached_property
    def flow(self) -> float:
        """An upper bound on income and costs (money a second), whose difference is the profit."""
        terms = self.bound.terms
        traded = (terms.price + terms.overhead) / met_bound(self.system)
        return traded + terms.standing_costs(self.system)

    def settled(self, a_second: float) -> float:
        """A profit in money a second; 0 if it is only what rounding leaves of income and costs."""
        return settled_value(a_second, self.flow)

    @property
    def gap(self) -> float:
        """The gap: how far the profit is below its upper bound at most, in money a second."""
        return max(self.most - self.value, 0.0)


def earnings(schedule: Schedule, terms: Terms) -> Earnings:
    """What a schedule earns on these terms, with the best period that keeps the cap."""
    system = schedule.system
    idle = system.total_idle_power
    dynamic = placed_total(schedule.placed, system.dynamic_energy)
    costs = placed_total(schedule.placed, terms.task_costs(system))
    period = _best_period(
        schedule.makespan, dynamic, terms.spare_power(system), terms.revenue - costs
    )
    return Earnings(
        schedule,
        period,
        dynamic + (idle * period if idle else 0.0),
        terms.metered(dynamic / period + idle),
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
    """The most profitable schedule found, batch after batch, verified.

    Parameters
    ----------
    system : System
        A system with powers.
    terms : Terms
        What a batch earns and what energy, wear and power cost.
    effort : Effort
        Seconds or units of work of polish, threads, and the seed of random numbers.
    known : sequence of Schedule
        Schedules of the system that are candidates, too.
    should_stop : callable
        Asked from time to time; stopping gives the best so far.
    report : callable, optional
        Told how far it is.

    Returns
    -------
    Profit
        The profit (money a second), an upper bound on it, and the schedule that earns it.

    Raises
    ------
    NoPowerData
        If the system has no powers.
    CapTooLow
        If no schedule keeps the power cap, or none that was found.

    Examples
    --------
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
            found += _schedules_of_little_power(system, should_stop)
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
        verified = keeps_terms(best.schedule, terms, best.period)
        clock.lap("verify")
    energy, regime = energy_and_regime(system, bound)
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


def _schedules_of_little_power(system: System, should_stop: Callable[[], bool]) -> list[Schedule]:
    """Schedules that are slower than the thriftiest and draw less power."""
    front = trace_front(system)
    points = np.concatenate([front.slower, front.points[:1]])
    placements = front.slower_placements.followed_by(front.placements)
    return recover_along(system, points, placements, _SPACING, should_stop=should_stop)[0]


def _all_considered(
    system: System, bound: ProfitBound, should_stop: Callable[[], bool]
) -> tuple[list[Schedule], Settled | None, Settled | None]:
    """For a small system, the best schedules by energy and by money, and both settled results."""
    settled = settle(system, should_stop)
    if settled is None:
        return [], None, None
    money = money_at_cap(system, bound.terms, bound.cap_price)
    by_money = settle(money.system, should_stop)
    found = [*settled.schedules, *(() if by_money is None else by_money.schedules)]
    return [_same_schedule_for(system, schedule) for schedule in found], settled, by_money


def _best_period(makespan: float, dynamic: float, spare: float, gain: float) -> float:
    """The period, in seconds, that earns most while the average power above idle power is at most
    `spare`; infinity if there is none.

    A negative `spare` can be kept only by tasks that draw less than idle machines, and the period
    may not be longer than they allow.
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
    """The earnings of the best schedule; schedules that keep the cap come first."""
    every = (earnings(schedule, terms) for schedule in found)
    return max(every, key=lambda each: (np.isfinite(each.period), each.profit))


def _polished(
    first: Earnings,
    bound: ProfitBound,
    budget: Budget,
    seed: int,
    tell: Callable[[ProfitProgress], None],
) -> list[Schedule]:
    """Schedules near the divisible optimum, polished for least money, the cap at its price."""
    system, terms = first.schedule.system, bound.terms
    priced = money_at_cap(system, terms, bound.cap_price)
    money, unit = priced.system, priced.unit
    front = trace_front(money)
    makespan = divisible_makespan(system, bound.placed)

    def report(spent: float, points: FloatArray) -> None:
        """Report the best profit; `points` are money and seconds. With a cap they do not say what
        keeps it, so the first profit is reported.
        """
        profit = first.profit
        if np.isinf(terms.power_cap):
            costs = unit * (points[:, 0] - money.total_idle_power * points[:, 1])
            earned = (terms.revenue - costs) / points[:, 1] - bound.standing_costs
            profit = max(profit, float(earned.max()))
        tell(ProfitProgress("polish", spent, budget.seconds, profit))

    schedules = [
        _same_schedule_for(money, first.schedule),
        *_schedules_near(front, makespan, budget.should_stop),
    ]
    schedules += polish_along(front, schedules, budget, seed=seed, near=makespan, report=report)
    return [_same_schedule_for(system, schedule) for schedule in schedules]


def _schedules_near(
    front: Front, makespan: float, should_stop: Callable[[], bool]
) -> list[Schedule]:
    """Schedules along the part of a front near a makespan."""
    low, high = (factor * makespan for factor in _NEAR)
    near = np.flatnonzero((front.makespan >= low) & (front.makespan <= high))
    if not len(near):
        return []
    placements = front.placements.chosen(near)
    points = front.points[near]
    return recover_along(front.system, points, placements, _SPACING, should_stop=should_stop)[0]


def _same_schedule_for(system: System, schedule: Schedule) -> Schedule:
    """The schedule for a system that differs only in its costs."""
    return Schedule(system, schedule.machine_type, schedule.machines, schedule.tasks)
