"""The ways from a lower bound to one schedule; `solve` asks one of them.

They have names and no parameters, so `solve` takes a name: the face, the command and study files
say the same word.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal, NamedTuple

from core.front.proofs import NO_PROOFS, Proofs
from core.front.proven import raised, share_above
from core.model.budget import Effort, Stopwatch
from core.model.schedule import Schedule
from core.model.system import System
from core.model.tolerances import INSTANT
from core.recover import assign, polish, round_rows
from core.recover.settling import Settled, settle
from core.relaxed import Bound
from core.relaxed.fitting import fitted_within
from core.rivals import RIVALS, Rival

Aim = Literal["makespan", "energy"]
AIMS: Final[tuple[Aim, ...]] = ("makespan", "energy")
PHASES: Final = ("bound", "round", "assign", "polish")


@dataclass(frozen=True, slots=True)
class SolveProgress:
    """How far a polish is: seconds spent of those allowed, and the best gap so far."""

    spent: float
    allowed: float
    gap: float


@dataclass(frozen=True, slots=True, eq=False)
class SolveRun:
    """A search for one schedule under way: its bound, and what it may spend."""

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
        """What is minimised: seconds of makespan, or joules."""
        return schedule.makespan if self.aim == "makespan" else schedule.energy


class Solved(NamedTuple):
    """A schedule, the bound as far as it was proven, and what else was proven on the way."""

    schedule: Schedule
    bound: Bound
    proofs: Proofs = NO_PROOFS


class SolveMethod(ABC):
    """A way to one schedule."""

    counts_work: ClassVar[bool] = False
    """Whether it can be given units of work instead of seconds; it is compiled if so."""
    aims: ClassVar[tuple[Aim, ...]] = AIMS

    @abstractmethod
    def run(self, asked: SolveRun, /) -> Solved:
        """Stopping early gives the best so far; raises `NoScheduleFound` where there is none."""


class RoundedBound(SolveMethod):
    """The published way: rounding, then assignment."""

    def run(self, asked: SolveRun) -> Solved:
        return Solved(_assigned(asked), raised(asked.bound))


class PolishedBound(SolveMethod):
    """The published way, then polish; a small system it settles instead."""

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
    """What a rival finds; it knows the makespan alone."""

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
    """By what share a value of a schedule of this makespan is above the bound at most."""
    waiting = bound.system.total_idle_power * makespan if bound.objective.energy else 0.0
    return share_above(value, bound.value, waiting)


def _assigned(asked: SolveRun) -> Schedule:
    placed = round_rows(asked.bound.placed, asked.system.task_counts)
    asked.clock.lap("round")
    schedule = assign(asked.system, placed)
    asked.clock.lap("assign")
    return schedule


def _best_of_all(settled: Settled, bound: Bound, asked: SolveRun) -> Solved:
    """The best of all schedules, which is the bound, but for what sums may be off."""
    best = settled.fastest if asked.aim == "makespan" else settled.thriftiest
    least = asked.value(best) * (1 - settled.rounding)
    bound = replace(bound, value=max(bound.value, least))
    return Solved(best, bound, Proofs(settled=settled))


def _polished(schedule: Schedule, bound: Bound, asked: SolveRun) -> Solved:
    """Polished as the bound guides it, until no schedule of whole tasks can be better."""
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
