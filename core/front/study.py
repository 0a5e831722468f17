"""One what-if about energy and makespan: what is provably impossible, and what was achieved."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from core.front.known import Known
from core.front.proofs import NO_PROOFS, Proofs
from core.front.proven import Proven
from core.front.tighten import tighten
from core.front.wish import Wish
from core.kernels import load_kernels
from core.model.arrays import BoolArray, FloatArray
from core.model.budget import DEFAULT_SECONDS, Budget, Stopwatch, never
from core.model.ranges import Range
from core.model.schedule import Schedule
from core.model.system import System
from core.plane.boundaries import loose_boundary, staircase
from core.plane.filling import coarse_to_fine
from core.plane.points import nadir, non_dominated
from core.plane.polygons import area_above, area_between
from core.recover.along import (
    NO_PROGRESSION,
    Progression,
    points_of,
    recover_along,
    recover_within,
)
from core.recover.settling import settle
from core.recover.waiting import waiting_longer, waiting_within
from core.relaxed import MAKESPAN, Front, lower_bound, trace_front
from core.relaxed.fitting import fitted_within, has_single_tasks
from core.relaxed.placements import Placements
from core.rivals import basic_seeds, nsga2, weighted_sweep
from core.verify.judge import verify

if TYPE_CHECKING:
    import pandas as pd

METHODS: Final = ("lp", "bound", "paper", "nsga2", "nsga2-seeded")
GENERATION_COUNT: Final = Range(1, 1e9, "generations")
SPACING: Final = Range(0.001, 2.0, "of the front's extent")
DEFAULT_SPACING: Final = 0.01
# Of the corners beyond the least energy, where few look, so many become schedules.
SLOWER_CORNERS: Final = 8
# Whoever asks to stop waits no longer than this for what was found to be verified.
LAST_CHECKS_SECONDS: Final = 1.0
# As published: how many weights are swept, and NSGA-II's generations from either kind of seed.
WEIGHTS: Final = 1000
GENERATIONS: Final = {"nsga2": 1_000_000, "nsga2-seeded": 1_000}


@dataclass(frozen=True, slots=True)
class StudyProgress:
    """How far a phase is, by its name in the `seconds` of a study: how much is spent of what is
    allowed, and the (joules, seconds) achieved, as far as the phase knows them.

    What is spent are seconds or units of work of polish, generations of evolution, weights of the
    sweep, points of the front for recovery, schedules to verify.
    """

    phase: str
    spent: float
    allowed: float
    points: FloatArray = field(default_factory=lambda: np.empty((0, 2)))


@dataclass(frozen=True, slots=True)
class Areas:
    """Joule-seconds up to a nadir: above all that is proven (`outer`), dominated by schedules
    (`inner`), and `between`, where the true front is. `loose` is what would be between, were only
    the vertices known and not the proofs of the edges.
    """

    outer: float
    inner: float
    between: float
    loose: float


@dataclass(frozen=True, eq=False)
class Study:
    """The front of a system, schedules along it, and how near they come.

    `points[k]` is (joules, seconds) of `schedules[k]`, by rising energy; where `on_front`, no other
    is as good in both. `verified` says that an independent check agrees with every one of them.
    `progression` says how the schedules began, before polish. `seconds` says what each phase took.
    `proofs` are part of what is `proven`; schedules that settle the system are among the
    `schedules`.
    """

    method: str
    front: Front
    schedules: Sequence[Schedule]
    points: FloatArray
    on_front: BoolArray
    progression: Progression
    verified: bool
    seconds: Mapping[str, float]
    proofs: Proofs = NO_PROOFS

    @property
    def system(self) -> System:
        return self.front.system

    @cached_property
    def achieved(self) -> FloatArray:
        """(joules, seconds) of the schedules that no other dominates, by rising energy."""
        return self.points[self.on_front]

    @cached_property
    def nadir(self) -> FloatArray:
        """(joules, seconds): the largest of either among vertices and undominated schedules."""
        return nadir(np.concatenate([self.front.points, self.achieved]))

    @property
    def outer(self) -> FloatArray:
        """The lower left boundary of what is possible at all, up to the nadir."""
        return self.proven.boundary(self.nadir)

    @property
    def inner(self) -> FloatArray:
        """The staircase of what is known to be possible."""
        return staircase(self.achieved)

    def areas(self, common_nadir: FloatArray | None = None) -> Areas:
        """Areas up to the study's own nadir, or up to one that makes several studies comparable."""
        corner = self.nadir if common_nadir is None else common_nadir
        outer = self.proven.boundary(corner)
        whole = area_above(outer, corner)
        if not len(self.achieved):
            return Areas(whole, 0.0, whole, area_above(loose_boundary(self.front.points), corner))
        between = area_between(outer, self.achieved, corner)
        loose = area_between(loose_boundary(self.front.points), self.achieved, corner)
        return Areas(whole, area_above(self.inner, corner), between, loose)

    @cached_property
    def gaps(self) -> list[float | None]:
        """Of each undominated schedule, the share of the bound that its energy is above it at most;
        None where nothing above 0 is proven.
        """
        found = self.proven.energy_gaps(self.achieved).tolist()
        return [gap if math.isfinite(gap) else None for gap in found]

    def to_frame(self) -> "pd.DataFrame":
        """The schedules as a pandas frame, a row each, numbered as in `schedules`.

        `energy` (joules), `makespan` (seconds); `energy_gap` and `time_gap`, by what share each is
        above the proven bound at most (infinity where nothing above 0 is proven); `on_front`,
        whether no other schedule is as good in both.

        >>> frame = study(load_sample("two-by-two")).to_frame()
        >>> float(frame[frame.makespan <= 12].energy.min())
        1360.0
        """
        import pandas as pd

        energy, makespan = self.points.T
        return pd.DataFrame(
            {
                "energy": energy,
                "makespan": makespan,
                "energy_gap": self.proven.energy_gaps(self.points),
                "time_gap": self.proven.time_gaps(self.points),
                "on_front": self.on_front,
            },
            pd.RangeIndex(len(self.points), name="schedule"),
        )

    def with_known(self, known: Known) -> Self:
        """With the schedules and proofs that are known besides; itself if it has them all."""
        proofs = self.proofs.joined(known.proofs)
        whole = self if proofs is self.proofs else replace(self, proofs=proofs)
        points, first = np.unique(
            np.concatenate([self.points, known.points]), axis=0, return_index=True
        )
        if len(points) == len(self.points):
            return whole
        schedules = (*self.schedules, *known.schedules)
        return replace(
            whole,
            schedules=[schedules[place] for place in first.tolist()],
            points=points,
            on_front=non_dominated(points),
        )

    @cached_property
    def proven(self) -> Proven:
        """All that is proven of the system; every bound and gap is asked of it."""
        return self.proofs.of(self.front)


def study(
    system: System,
    *,
    method: str = METHODS[0],
    spacing: float = DEFAULT_SPACING,
    seconds: float = DEFAULT_SECONDS,
    threads: int = 1,
    work: float | None = None,
    seed: int = 0,
    generations: int | None = None,
    front: Front | None = None,
    wish: Wish | None = None,
    should_stop: Callable[[], bool] = never,
    report: Callable[[StudyProgress], None] | None = None,
) -> Study:
    """The front, and schedules along it, verified; stopping early gives the best so far, as much of
    it as is soon verified. `report` is told how far it is, phase by phase.

    "lp" fills the exact front to a spacing, rounds, assigns, and for `seconds` polishes, and proves
    more by patterns; a small system it settles instead, whatever the `seconds`. With `work` it does
    not look at the clock but counts so many units of `Work`, on one thread, so that the
    same again gives the same. "bound" is the front alone; "paper" is the published way: weights,
    filling, rounding, assignment. "nsga2" evolves the published seeds, "nsga2-seeded" what "paper"
    gives, for `generations` (by default as many as published) or `seconds`; 0 seconds are for
    neither polish nor evolution. A `front` that is known is not traced again. With a `wish` "lp"
    rounds within its energy limit, too, and polish keeps to where the front meets it.

    Raises `NoPowerData` for a system without APC. The other methods but "bound" raise
    `NoScheduleFound` if stopped before there is a schedule.

    >>> found = study(load_sample("two-by-two"))
    >>> found.achieved[0].tolist(), found.achieved[-1].tolist()
    ([900.0, 30.0], [1430.0, 11.0])
    """
    if method not in METHODS:
        raise ValueError(f"no method '{method}'; there are {', '.join(METHODS)}")
    if work is not None and method != "lp":
        raise ValueError(f"work is not counted for '{method}'")
    allowed = seconds if work is None else work
    if allowed and method == "lp":
        load_kernels()
    clock = Stopwatch()

    def telling(phase: str) -> Callable[[int, int], None] | None:
        return report and (lambda done, all_: report(StudyProgress(phase, done, all_)))

    if front is None:
        front = trace_front(system, Budget(should_stop=should_stop))
    clock.lap("bound")
    schedules: list[Schedule] = []
    progression, proofs = NO_PROGRESSION, NO_PROOFS
    if method in ("lp", "paper", "nsga2-seeded"):
        points, placements = front.points, front.placements
        if method != "lp":
            sweep = weighted_sweep(
                system, WEIGHTS, budget=Budget(should_stop=should_stop), report=telling("sweep")
            )
            points, placements = sweep.points, sweep.placements
            clock.lap("sweep")
        schedules, progression = recover_along(
            system,
            points,
            placements,
            spacing,
            should_stop=should_stop,
            report=telling("recover"),
        )
        if method == "lp" and wish is not None:
            schedules += _recovered_for(wish, front, spacing, should_stop)
        clock.lap("recover")
    if allowed and method == "lp":
        proofs = Proofs(settled=settle(system, should_stop))
    if proofs.settled is not None:
        schedules += proofs.settled.schedules
        clock.lap("settle")
    elif allowed:
        budget = Budget.allowing(seconds, threads, work, should_stop)
        if method == "lp":
            if has_single_tasks(system):
                proofs = Proofs(fitted_within(budget, lower_bound(system, MAKESPAN)))
                clock.lap("bound")
            if wish is None:
                schedules += _a_few_slower(front, should_stop)
            schedules, patterns = tighten(
                proofs.of(front),
                schedules,
                budget,
                clock,
                wish=wish,
                seed=seed,
                report=report
                and (lambda spent, best: report(StudyProgress("polish", spent, allowed, best))),
            )
            proofs = replace(proofs, patterns=patterns)
        elif method in GENERATIONS:
            schedules += nsga2(
                system,
                schedules or basic_seeds(system, budget),
                generations=generations or GENERATIONS[method],
                budget=budget,
                seed=seed,
                report=telling("evolve"),
            )
            clock.lap("evolve")
    schedules, points = _sorted(schedules)
    checked, verified = _checked(system, schedules, points, should_stop, telling("verify"))
    schedules, points = [schedules[place] for place in checked], points[checked]
    clock.lap("verify")
    return Study(
        method,
        front,
        schedules,
        points,
        non_dominated(points),
        progression,
        verified,
        clock.seconds,
        proofs,
    )


def _recovered_for(
    wish: Wish, front: Front, spacing: float, should_stop: Callable[[], bool]
) -> list[Schedule]:
    """Schedules that those along the front are without: made for an energy limit, or slower."""
    schedules: list[Schedule] = []
    if np.isfinite(wish.energy_limit):
        schedules += recover_within(front, wish.energy_limit)
    if wish.beyond(front):
        points, placements = _slower(front)
        schedules += recover_along(
            front.system, points, placements, spacing, should_stop=should_stop
        )[0]
        schedules += waiting_within(front.system, wish.power_limit)
    return schedules


def _slower(front: Front) -> tuple[FloatArray, Placements]:
    """The corners beyond the least energy, and the vertex that has it."""
    points = np.concatenate([front.slower, front.points[:1]])
    return points, front.slower_placements.followed_by(front.placements)


def _a_few_slower(front: Front, should_stop: Callable[[], bool]) -> list[Schedule]:
    """Schedules beyond the least energy, for those who need less power: they take more energy."""
    points, placements = _slower(front)
    few = np.unique(np.linspace(0, len(points) - 1, SLOWER_CORNERS).astype(np.int64))
    recovered, _ = recover_along(
        front.system, points[few], placements.chosen(few), SPACING.high, should_stop=should_stop
    )
    return recovered + waiting_longer(front)


def sweep_idle_power(
    system: System, fractions: Sequence[float], should_stop: Callable[[], bool] = never
) -> list[Front]:
    """The front at each of these idle powers, given as fractions of the mean power; stopping early
    leaves out those that are not begun.
    """
    budget = Budget(should_stop=should_stop)
    return [
        trace_front(system.with_idle_fraction(fraction), budget)
        for fraction in fractions
        if not should_stop()
    ]


def _checked(
    system: System,
    schedules: list[Schedule],
    points: FloatArray,
    should_stop: Callable[[], bool],
    report: Callable[[int, int], None] | None,
) -> tuple[list[int], bool]:
    """Which schedules were verified, and whether all of these passed: all there are, unless asked
    to stop, which leaves `LAST_CHECKS_SECONDS`. The best come first, both ends before all others.
    """
    best = non_dominated(points)
    front, rest = np.flatnonzero(best), np.flatnonzero(~best)
    order = [*front[coarse_to_fine(len(front))].tolist(), *rest.tolist()]
    until, verified = math.inf, True
    for done, place in enumerate(order):
        if should_stop():
            until = min(until, time.perf_counter() + LAST_CHECKS_SECONDS)
        if done >= 2 and time.perf_counter() >= until:
            return sorted(order[:done]), verified
        verified &= verify(schedules[place], system).ok
        if report is not None:
            report(done + 1, len(order))
    return sorted(order), verified


def _sorted(schedules: list[Schedule]) -> tuple[list[Schedule], FloatArray]:
    """By rising energy, then makespan; of those with equal points one."""
    points, first = np.unique(points_of(schedules), axis=0, return_index=True)
    return [schedules[place] for place in first], points
