"""The methods that find schedules along a front; `study` uses one of them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import ClassVar, Final, NamedTuple

import numpy as np

from core.engines.front.known import NO_PROOFS, Proofs
from core.engines.front.tighten import tighten
from core.engines.front.wish import Wish
from core.engines.peak.capped import cap_peak, keeps
from core.engines.recover import polish
from core.engines.recover.along import NO_PROGRESSION, Progression, recover_along, recover_within
from core.engines.recover.settling import settle
from core.engines.recover.waiting import waiting_longer, waiting_within
from core.engines.relaxed import MAKESPAN, Front, lower_bound
from core.engines.relaxed.fitting import fitted_within, has_single_tasks
from core.engines.relaxed.front import Placements
from core.engines.rivals import basic_seeds, nsga2, weighted_sweep
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Budget, Effort, Stopwatch
from core.vocabulary.ranges import Range
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

GENERATION_COUNT: Final = Range(1, 1e9, "generations")
SPACING: Final = Range(0.001, 2.0, "of the front's extent")
DEFAULT_SPACING: Final = 0.01
# The number of slower vertices, beyond the least energy, that become schedules. Only power caps
# need them: `python -m benchmarks wishes` measures what they get. Each takes time to be made.
SLOWER_CORNERS: Final = 8
# The number of weights in the sweep, as published.
WEIGHTS: Final = 1000


@dataclass(frozen=True, slots=True)
class StudyProgress:
    """How far a phase is. `phase` is its name in the `seconds` of a study, `spent` is how much is
    spent of what is `allowed`, and `points` are the (joules, seconds) achieved, if the phase knows
    them.

    Amounts are seconds or units of work for polish, generations for evolution, weights for the
    sweep, points of the front for recovery, schedules for verification.
    """

    phase: str
    spent: float
    allowed: float
    points: FloatArray = field(default_factory=lambda: np.empty((0, 2)))


@dataclass(frozen=True, slots=True, eq=False)
class StudyRun:
    """A running study: its front, the budget of polish or evolution, and the callbacks to stop it
    and to report its progress.
    """

    front: Front
    clock: Stopwatch
    effort: Effort
    should_stop: Callable[[], bool]
    report: Callable[[StudyProgress], None] | None

    @property
    def system(self) -> System:
        return self.front.system

    def budget(self) -> Budget:
        """A budget of all that is allowed, starting now."""
        return self.effort.budget(self.should_stop)

    def telling(self, phase: str) -> Callable[[int, int], None] | None:
        """A callback that reports how much of a phase is done; None if nobody listens."""
        report = self.report
        return report and (lambda done, all_: report(StudyProgress(phase, done, all_)))

    def polishing(self, spent: float, points: FloatArray) -> None:
        """Report the progress of polish."""
        if self.report is not None:
            self.report(StudyProgress("polish", spent, self.effort.allowed, points))


class Found(NamedTuple):
    """The schedules found, the progression before polish, and the proofs found with them."""

    schedules: list[Schedule]
    progression: Progression = NO_PROGRESSION
    proofs: Proofs = NO_PROOFS


@dataclass(frozen=True, slots=True)
class Method(ABC):
    """A method that finds schedules, with its own parameters. `name` is its name for users."""

    name: ClassVar[str]
    counts_work: ClassVar[bool] = False
    """Whether its budget can be units of work instead of seconds; such methods are compiled."""

    @abstractmethod
    def run(self, study: StudyRun, /) -> Found:
        """The schedules found; if stopped early, those found so far. Raises `NoScheduleFound` if
        there are none.
        """


@dataclass(frozen=True, slots=True)
class Lp(Method):
    """Takes points of the exact front at a spacing, rounds, assigns and polishes them, and proves
    more by patterns. It settles a small system instead, whatever the budget.

    With a `wish` it also rounds within the wish's energy limit, and polishes only where the front
    meets the wish.

    >>> study(load_sample("two-by-two"), Lp(spacing=0.5)).verified
    True
    """

    name: ClassVar[str] = "lp"
    counts_work: ClassVar[bool] = True
    spacing: float = DEFAULT_SPACING
    wish: Wish | None = None

    def run(self, study: StudyRun) -> Found:
        front, system, wish = study.front, study.system, self.wish
        schedules, progression = recover_along(
            system,
            front.points,
            front.placements,
            self.spacing,
            should_stop=study.should_stop,
            report=study.telling("recover"),
        )
        if wish is not None:
            schedules += self._recovered_for(wish, study)
        study.clock.lap("recover")
        if wish is not None and np.isfinite(wish.peak_limit):
            return self._capped(wish, study, schedules, progression)
        if not study.effort.allowed:
            return Found(schedules, progression)
        settled = settle(system, study.should_stop)
        if settled is not None:
            study.clock.lap("settle")
            schedules += settled.schedules
            return Found(schedules, progression, Proofs(settled=settled))
        budget, proofs = study.budget(), NO_PROOFS
        if has_single_tasks(system):
            proofs = Proofs(fitted_within(budget, lower_bound(system, MAKESPAN)))
            study.clock.lap("bound")
        if wish is None:
            schedules += _slower_schedules(study)
        schedules, patterns = tighten(
            proofs.of(front),
            schedules,
            budget,
            study.clock,
            wish=wish,
            seed=study.effort.seed,
            report=study.polishing,
        )
        return Found(schedules, progression, replace(proofs, patterns=patterns))

    def _capped(
        self, wish: Wish, study: StudyRun, schedules: list[Schedule], progression: Progression
    ) -> Found:
        """The schedules, and one that keeps the wish's cap at every moment, if one is found. Where
        the fastest schedule keeps it, polish makes it faster.
        """
        proofs, watts = NO_PROOFS, wish.peak_limit
        fastest = min(schedules, key=lambda one: one.makespan)
        if study.effort.allowed:
            settled = settle(study.system, study.should_stop)
            proofs = Proofs(settled=settled)
            if settled is not None:
                schedules += settled.schedules
            elif keeps(fastest, watts):
                bound = lower_bound(study.system, MAKESPAN)
                schedules.append(polish(fastest, bound, study.budget(), seed=study.effort.seed))
                study.clock.lap("polish")
        capped = cap_peak(study.system, watts, schedules, study.should_stop)
        study.clock.lap("cap")
        if capped.schedule is not None:
            schedules.append(capped.schedule)
        return Found(schedules, progression, replace(proofs, peaks=(capped.proof,)))

    def _recovered_for(self, wish: Wish, study: StudyRun) -> list[Schedule]:
        """Schedules that are not along the front: within a wish's energy limit, or slower."""
        front = study.front
        schedules: list[Schedule] = []
        if np.isfinite(wish.energy_limit):
            schedules += recover_within(front, wish.energy_limit)
        if wish.beyond(front):
            points, placements = _slower_vertices(front)
            schedules += recover_along(
                study.system, points, placements, self.spacing, should_stop=study.should_stop
            )[0]
            schedules += waiting_within(study.system, wish.power_limit)
        return schedules


@dataclass(frozen=True, slots=True)
class BoundOnly(Method):
    """Only the front of the bound, without schedules.

    >>> front: Front = study(load_sample("two-by-two"), BoundOnly()).front
    >>> round(front.least_energy(20.0), 6)
    1100.0
    """

    name: ClassVar[str] = "bound"

    def run(self, _: StudyRun, /) -> Found:
        return Found([])


@dataclass(frozen=True, slots=True)
class Paper(Method):
    """The published method: a sweep of weights, filling to a spacing, rounding, assignment.

    >>> study(load_sample("two-by-two"), Paper()).verified
    True
    """

    name: ClassVar[str] = "paper"
    spacing: float = DEFAULT_SPACING

    def run(self, study: StudyRun) -> Found:
        sweep = weighted_sweep(
            study.system,
            WEIGHTS,
            budget=Budget(should_stop=study.should_stop),
            report=study.telling("sweep"),
        )
        study.clock.lap("sweep")
        schedules, progression = recover_along(
            study.system,
            sweep.points,
            sweep.placements,
            self.spacing,
            should_stop=study.should_stop,
            report=study.telling("recover"),
        )
        study.clock.lap("recover")
        return Found(schedules, progression)


@dataclass(frozen=True, slots=True)
class Nsga2(Method):
    """NSGA-II from the published seeds, for so many generations or until the budget is spent.

    >>> study(load_sample("two-by-two"), Nsga2(generations=1)).verified
    True
    """

    name: ClassVar[str] = "nsga2"
    generations: int = 1_000_000

    def run(self, study: StudyRun) -> Found:
        return _improved_by_evolution(Found([]), self.generations, study)


@dataclass(frozen=True, slots=True)
class SeededNsga2(Method):
    """NSGA-II from the schedules of the published method, for so many generations or until the
    budget is spent.

    >>> study(load_sample("two-by-two"), SeededNsga2(generations=1)).verified
    True
    """

    name: ClassVar[str] = "nsga2-seeded"
    generations: int = 1_000
    spacing: float = DEFAULT_SPACING

    def run(self, study: StudyRun) -> Found:
        return _improved_by_evolution(Paper(self.spacing).run(study), self.generations, study)


METHODS: Final[Mapping[str, type[Method]]] = {
    method.name: method for method in (Lp, BoundOnly, Paper, Nsga2, SeededNsga2)
}

GENERATIONS: Final = {method.name: method().generations for method in (Nsga2, SeededNsga2)}
"""As published."""


def method_named(name: str, **parameters: object) -> Method:
    """The method of this name, with those parameters that it has and that are not None."""
    method = METHODS.get(name)
    if method is None:
        raise ValueError(f"there is no method '{name}'; give one of {', '.join(METHODS)}")
    own = {field.name for field in fields(method)}
    given = {name: value for name, value in parameters.items() if value is not None}
    return method(**{name: value for name, value in given.items() if name in own})


def _improved_by_evolution(begun: Found, generations: int, study: StudyRun) -> Found:
    if not study.effort.allowed:
        return begun
    budget = study.budget()
    evolved = nsga2(
        study.system,
        begun.schedules or basic_seeds(study.system, budget),
        generations=generations,
        budget=budget,
        seed=study.effort.seed,
        report=study.telling("evolve"),
    )
    study.clock.lap("evolve")
    return begun._replace(schedules=[*begun.schedules, *evolved])


def _slower_vertices(front: Front) -> tuple[FloatArray, Placements]:
    """The slower vertices, and the vertex of the least energy."""
    points = np.concatenate([front.slower, front.points[:1]])
    return points, front.slower_placements.followed_by(front.placements)


def _slower_schedules(study: StudyRun) -> list[Schedule]:
    """Schedules that are slower than the thriftiest: they draw less power, but take more energy."""
    points, placements = _slower_vertices(study.front)
    few = np.unique(np.linspace(0, len(points) - 1, SLOWER_CORNERS).astype(np.int64))
    recovered, _ = recover_along(
        study.system,
        points[few],
        placements.chosen(few),
        SPACING.high,
        should_stop=study.should_stop,
    )
    return recovered + waiting_longer(study.front)
