"""The methods that find one schedule, given a lower bound; `solve` uses one of them.

They have names and no parameters, so `solve` takes a name: the face, the command and study files
say the same word.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal, NamedTuple

from core.engines.front.known import NO_PROOFS, Proofs
from core.engines.front.proven import raised, share_above
from core.engines.recover import assign, polish, round_rows
from core.engines.recover.settling import Settled, settle
from core.engines.relaxed import Bound
from core.engines.relaxed.fitting import fitted_within
from core.engines.rivals import RIVALS, Rival
from core.vocabulary.budget import Effort, Stopwatch
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import INSTANT

Aim = Literal["makespan", "energy"]
AIMS: Final[tuple[Aim, ...]] = ("makespan", "energy")
PHASES: Final = ("bound", "round", "assign", "polish")


@dataclass(frozen=True, slots=True)
class SolveProgress:
    """The progress of polish: seconds spent of those allowed, and the best gap so far."""

    spent: float
    allowed: float
    gap: float


@dataclass(frozen=True, slots=True, eq=False)
class SolveRun:
    """A running search for one schedule: its bound and its budget."""

    bound: Bound
    aim: Aim
    clock: Stopwatch
    effort: Effort
    should_stop: Callable[[], bool]
    report: Callable[[SolveProgress], None] | None

    @property
    def system(self) -> System:
        return self.bound.system

    def value(self, schedule: Schedule) -> float:
        """The value to minimise: seconds of makespan, or joules."""
        return schedule.makespan if self.aim == "makespan" else schedule.energy


class Solved(NamedTuple):
    """A schedule, its lower bound, and the proofs found with it."""

    schedule: Schedule
    bound: Bound
    proofs: Proofs = NO_PROOFS


class SolveMethod(ABC):
    """A method that finds one schedule."""

    counts_work: ClassVar[bool] = False
    """Whether its budget can be units of work instead of seconds; such methods are compiled."""
    aims: ClassVar[tuple[Aim, ...]] = AIMS

    @abstractmethod
    def run(self, asked: SolveRun, /) -> Solved:
        """The best schedule found; if stopped early, the best so far. Raises `NoScheduleFound` if
        there is none.
        """


class RoundedBound(SolveMethod):
    """The published method: rounding, then assignment."""

    def run(self, asked: SolveRun) -> Solved:
        return Solved(_assigned(asked), raised(asked.bound))


class PolishedBound(SolveMethod):
    """The published method, then polish; it settles a small system instead."""

    counts_work: ClassVar[bool] = True

    def run(self, asked: SolveRun) -> Solved:
        schedule, bound = _assigned(asked), raised(asked.bound)
        if not asked.effort.allowed:
            return Solved(schedule, bound)
        settled = settle(asked.system, asked.should_stop)
        found = (
            _polished(schedule, bound, asked)
            if settled is None
            else _best_of_all(settled, bound, asked)
        )
        asked.clock.lap("polish")
        return found


@dataclass(frozen=True, slots=True)
class ByRival(SolveMethod):
    """The schedule of a rival, which minimises only the makespan."""

    rival: Rival
    aims: ClassVar[tuple[Aim, ...]] = ("makespan",)

    def run(self, asked: SolveRun) -> Solved:
        effort = asked.effort
        schedule = self.rival.solve(
            asked.system,
            seconds=effort.seconds if self.rival.anytime else float("inf"),
            threads=effort.threads,
            should_stop=asked.should_stop,
        )
        asked.clock.lap("assign")
        return Solved(schedule, raised(asked.bound))


_METHODS: Final[Mapping[str, SolveMethod]] = {
    "lp": PolishedBound(),
    "paper": RoundedBound(),
    **{name: ByRival(rival) for name, rival in RIVALS.items() if name != "integer-program"},
}
METHODS: Final = tuple(_METHODS)


def solve_method(name: str) -> SolveMethod:
    """The method of this name."""
    if name not in _METHODS:
        raise ValueError(f"there is no method '{name}'; give one of {', '.join(METHODS)}")
    return _METHODS[name]


def gap_above(bound: Bound, value: float, makespan: float) -> float:
    """How far the value of a schedule of this makespan is above the bound at most, as a share of
    it.
    """
    waiting = bound.system.total_idle_power * makespan if bound.objective.energy else 0.0
    return share_above(value, bound.value, waiting)


def _assigned(asked: SolveRun) -> Schedule:
    placed = round_rows(asked.bound.placed, asked.system.task_counts)
    asked.clock.lap("round")
    schedule = assign(asked.system, placed)
    asked.clock.lap("assign")
    return schedule


def _best_of_all(settled: Settled, bound: Bound, asked: SolveRun) -> Solved:
    """The best of all schedules, whose value is the bound, less the rounding errors of sums."""
    best = settled.fastest if asked.aim == "makespan" else settled.thriftiest
    least = asked.value(best) * (1 - settled.rounding)
    bound = replace(bound, value=max(bound.value, least))
    return Solved(best, bound, Proofs(settled=settled))


def _polished(schedule: Schedule, bound: Bound, asked: SolveRun) -> Solved:
    """The schedule after polish, which ends when no schedule of whole tasks can be better."""
    budget = asked.effort.budget(asked.should_stop)
    proofs = Proofs(fitted_within(budget, asked.bound))
    if proofs.fitted is not None:
        bound = replace(bound, value=max(bound.value, proofs.fitted.soonest))
    asked.clock.lap("bound")
    best, waiting = asked.value(schedule), schedule.makespan

    def tell(_spent: float, value: float) -> None:
        nonlocal best
        best = min(best, value)
        if asked.report is not None:
            gap = gap_above(bound, best, waiting)
            asked.report(SolveProgress(budget.used, asked.effort.allowed, gap))

    def over() -> bool:
        return asked.should_stop() or gap_above(bound, best, waiting) == 0

    left = replace(budget, seconds=max(budget.left, INSTANT), should_stop=over)
    polished = polish(schedule, asked.bound, left, seed=asked.effort.seed, report=tell)
    return Solved(polished, bound, proofs)
