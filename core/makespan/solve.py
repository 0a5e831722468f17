"""From a system to a verified schedule and the bound that says how good it is, by any method."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from core.front.known import Known
from core.front.proofs import NO_PROOFS, Proofs
from core.front.proven import raised, share_above
from core.kernels import load_kernels
from core.model.budget import DEFAULT_SECONDS, Budget, Stopwatch, never
from core.model.schedule import Schedule
from core.model.system import NoPowerData, System
from core.model.tolerances import INSTANT
from core.recover import assign, polish, round_rows
from core.recover.settling import Settled, settle
from core.relaxed import ENERGY, MAKESPAN, Bound, lower_bound
from core.relaxed.fitting import fitted_within
from core.rivals import RIVALS
from core.verify.judge import verify
from core.verify.verdict import Verdict

Aim = Literal["makespan", "energy"]
AIMS: Final[tuple[Aim, ...]] = ("makespan", "energy")
METHODS: Final = ("lp", "paper", *(name for name in RIVALS if name != "integer-program"))
PHASES: Final = ("bound", "round", "assign", "polish")


@dataclass(frozen=True, slots=True)
class SolveProgress:
    """How far a polish is: seconds spent of those allowed, and the best gap so far."""

    spent: float
    allowed: float
    gap: float


@dataclass(frozen=True, eq=False)
class Solution:
    """A schedule, the proven bound on what any schedule could reach, and an independent verdict.

    `proofs` are part of what the bound was proven by, for other questions about the system.
    `seconds` says what each of `PHASES` took; a rival's time counts as "assign".
    """

    method: str
    aim: Aim
    bound: Bound
    schedule: Schedule
    verdict: Verdict
    seconds: Mapping[str, float]
    proofs: Proofs = NO_PROOFS

    @property
    def value(self) -> float:
        """What was minimised: seconds of makespan, or joules."""
        return self.schedule.makespan if self.aim == "makespan" else self.schedule.energy

    @property
    def gap(self) -> float:
        """At most by this share is the schedule above `bound.value`; infinity where nothing above 0
        is proven and not met.
        """
        return _gap(self.bound, self.value, self.schedule.makespan)

    def with_known(self, known: Known) -> "Solution":
        """With what is known besides: a schedule, judged anew, if that is better, and a bound, if
        more is proven.
        """
        least = known.least_makespan if self.aim == "makespan" else known.least_energy
        best = known.fastest if self.aim == "makespan" else known.thriftiest
        mine = self
        if least > self.bound.value:
            mine = replace(self, bound=replace(self.bound, value=least))
        if best is None:
            return mine
        other = replace(mine, schedule=best, verdict=verify(best, best.system))
        return other if other.verdict.ok and other.value < self.value else mine


def solve(
    system: System,
    *,
    minimise: Aim = "makespan",
    method: str = "lp",
    seconds: float = DEFAULT_SECONDS,
    threads: int = 1,
    work: float | None = None,
    seed: int = 0,
    should_stop: Callable[[], bool] = never,
    report: Callable[[SolveProgress], None] | None = None,
) -> Solution:
    """The best schedule that `method` finds, re-verified.

    "lp" bounds, rounds, assigns, and polishes for `seconds`, or settles a small system. With `work`
    it does not look at the clock but counts so many units of `Work`, on one thread, so
    that the same again gives the same. "paper" is the same without polish; the other `METHODS` are
    rivals, which know only the makespan. Stopping early gives the best so far. Raises `NoPowerData`
    when energy is asked of a system without APC, and `NoScheduleFound` when a rival
    ends with nothing.

    >>> solution = solve(load_sample("two-by-two"), minimise="energy")
    >>> solution.value, solution.bound.value, solution.gap
    (900.0, 900.0, 0.0)
    """
    if method not in METHODS:
        raise ValueError(f"no method '{method}'; there are {', '.join(METHODS)}")
    if minimise == "energy" and system.apc is None:
        raise NoPowerData
    if minimise == "energy" and method in RIVALS:
        raise ValueError(f"'{method}' minimises the makespan only; for energy use lp or paper")
    if work is not None and method != "lp":
        raise ValueError(f"work is not counted for '{method}'")
    allowed = seconds if work is None else work
    polished = method == "lp" and allowed > 0
    if polished:
        load_kernels()
    clock = Stopwatch(PHASES)
    if minimise == "energy":
        bound = lower_bound(system, ENERGY, then=MAKESPAN)
    else:
        bound = lower_bound(system, MAKESPAN)
    proven, proofs = raised(bound), NO_PROOFS
    clock.lap("bound")
    if method in RIVALS:
        rival = RIVALS[method]
        longest = seconds if rival.anytime else float("inf")
        schedule = rival.solve(system, seconds=longest, threads=threads, should_stop=should_stop)
        clock.lap("assign")
    else:
        placed = round_rows(bound.placed, system.task_counts)
        clock.lap("round")
        schedule = assign(system, placed)
        clock.lap("assign")
        if polished:
            proofs = Proofs(settled=settle(system, should_stop))
        if proofs.settled is not None:
            proven, schedule = _proven_best(proven, proofs.settled, minimise)
            clock.lap("polish")
        elif polished:
            budget = Budget.allowing(seconds, threads, work, should_stop)
            proofs = Proofs(fitted_within(budget, bound))
            if proofs.fitted is not None:
                proven = replace(proven, value=max(proven.value, proofs.fitted.soonest))
            clock.lap("bound")
            best = float(schedule.makespan if minimise == "makespan" else schedule.energy)
            waiting = schedule.makespan

            def tell(_spent: float, value: float) -> None:
                nonlocal best
                best = min(best, value)
                if report is not None:
                    report(SolveProgress(budget.used, allowed, _gap(proven, best, waiting)))

            def over() -> bool:
                return should_stop() or _gap(proven, best, waiting) == 0

            # It is guided by what tasks in parts prove, and ends where whole ones can do no better.
            left = replace(budget, seconds=max(budget.left, INSTANT), should_stop=over)
            schedule = polish(schedule, bound, left, seed=seed, report=tell)
            clock.lap("polish")
    verdict = verify(schedule, system)
    return Solution(method, minimise, proven, schedule, verdict, clock.seconds, proofs)


def _gap(bound: Bound, value: float, makespan: float) -> float:
    """By what share a value of a schedule of this makespan is above the bound at most."""
    waiting = bound.system.total_idle_power * makespan if bound.objective.energy else 0.0
    return share_above(value, bound.value, waiting)


def _proven_best(bound: Bound, settled: Settled, aim: Aim) -> tuple[Bound, Schedule]:
    """The best of all schedules, which is the bound, but for what sums may be off."""
    best = settled.fastest if aim == "makespan" else settled.thriftiest
    value = best.makespan if aim == "makespan" else best.energy
    return replace(bound, value=max(bound.value, value * (1 - settled.rounding))), best
