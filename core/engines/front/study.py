"""A study of energy and makespan: what is proven impossible, what was achieved, and its answer to a
wish.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from core.engines.front.known import NO_PROOFS, Known, Proofs, timed_peaks
from core.engines.front.methods import Lp, Method, StudyProgress, StudyRun, method_named
from core.engines.front.proven import Proven
from core.engines.front.wish import Wish
from core.engines.kernels import load_kernels
from core.engines.peak.capped import keeps
from core.engines.recover.along import Progression, points_of
from core.engines.relaxed import Front, trace_front
from core.engines.verify.judge import verify
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.budget import USUAL_EFFORT, Budget, Effort, Stopwatch, never
from core.vocabulary.plane.boundaries import loose_boundary, staircase
from core.vocabulary.plane.points import nadir, non_dominated
from core.vocabulary.plane.polygons import area_above, area_between, coarse_to_fine
from core.vocabulary.power import peak_power
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

if TYPE_CHECKING:
    import pandas as pd


# After a request to stop, schedules are verified for at most this long.
LAST_CHECKS_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Areas:
    """Areas up to a nadir, in joule-seconds: above the proven bounds (`outer`), dominated by
    schedules (`inner`), and `between` both, where the true Pareto front is. `loose` is the area
    between if only the vertices were known, without the proofs of the edges.
    """

    outer: float
    inner: float
    between: float
    loose: float


@dataclass(frozen=True, eq=False)
class Study:
    """The front of the bound of a system, schedules along it, and their gaps.

    `points[k]` is (joules, seconds) of `schedules[k]`, by rising energy; where `on_front`, no other
    schedule dominates. `verified` says that the judge agrees with all of them. `progression` are
    the steps to the schedules before polish, `seconds` the time of each phase. `proofs` are part of
    what is `proven`; schedules that settle the system are among the `schedules`.
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
        """The largest joules and seconds of vertices and schedules on the Pareto front."""
        return nadir(np.concatenate([self.front.points, self.achieved]))

    @property
    def outer(self) -> FloatArray:
        """The lower left boundary of what is not proven impossible, up to the nadir."""
        return self.proven.boundary(self.nadir)

    @property
    def inner(self) -> FloatArray:
        """The staircase of the schedules found, up to the nadir."""
        return staircase(self.achieved)

    def areas(self, common_nadir: FloatArray | None = None) -> Areas:
        """Areas up to the study's own nadir, or up to one that several studies have in common."""
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
        """The gap in energy of each schedule on the Pareto front, as a share of its lower bound;
        None where the bound is not above 0.
        """
        found = self.proven.energy_gaps(self.achieved).tolist()
        return [gap if math.isfinite(gap) else None for gap in found]

    def to_frame(self) -> "pd.DataFrame":
        """The schedules as a pandas frame, one row each, numbered as in `schedules`.

        Its columns are `energy` (joules), `makespan` (seconds), their gaps `energy_gap` and
        `time_gap` as shares of the lower bounds (infinity where a bound is not above 0), and
        `on_front`, whether no other schedule dominates.

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
        """The study with further schedules and proofs; itself if it has all of them."""
        proofs = self.proofs.joined(known.proofs)
        whole = self if proofs is self.proofs else replace(self, proofs=proofs)
        schedules = (*self.schedules, *known.schedules)
        points = np.concatenate([self.points, known.points])
        first = _distinct(points, schedules)
        if len(first) == len(self.points):
            return whole
        points = points[first]
        return replace(
            whole,
            schedules=[schedules[place] for place in first.tolist()],
            points=points,
            on_front=non_dominated(points),
        )

    @cached_property
    def proven(self) -> Proven:
        """All that is proven of the system; every bound and gap comes from it."""
        return self.proofs.of(self.front)


def study(
    system: System,
    method: Method | str = Lp.name,
    *,
    effort: Effort = USUAL_EFFORT,
    front: Front | None = None,
    should_stop: Callable[[], bool] = never,
    report: Callable[[StudyProgress], None] | None = None,
) -> Study:
    """The front of energy and makespan, and schedules along it, verified.

    Parameters
    ----------
    system : System
        A system with powers.
    method : Method or str
        A method with parameters of its own, such as ``Lp(spacing=0.05)``, or its name. "lp" alone
        can count work.
    effort : Effort
        Seconds or units of work of polish, threads, and the seed of random numbers.
    front : Front, optional
        The front, if it is known; it is not traced again.
    should_stop : callable
        Asked from time to time; stopping gives the best so far, as much of it
        as is soon verified.
    report : callable, optional
        Told how far it is.

    Returns
    -------
    Study
        Schedules in the order of their makespans (s), their energies (J), and the lower bound.

    Raises
    ------
    NoPowerData
        If the system has no powers.
    NoScheduleFound
        If a method other than "bound" and "lp" is stopped before there is a schedule.
    ValueError
        If there is no such method, or it cannot do what is asked.

    Examples
    --------
    >>> found: Study = study(load_sample("two-by-two"), effort=Effort(seconds=1))
    >>> found.achieved[0].tolist(), found.achieved[-1].tolist()
    ([900.0, 30.0], [1430.0, 11.0])
    """
    if isinstance(method, str):
        method = method_named(method)
    effort.refuse_work_for(method.name, unless=method.counts_work)
    if method.counts_work and effort.allowed:
        load_kernels()
    clock = Stopwatch()
    if front is None:
        front = trace_front(system, Budget(should_stop=should_stop))
    clock.lap("bound")
    run = StudyRun(front, clock, effort, should_stop, report)
    found = method.run(run)
    schedules, points = _sorted(found.schedules)
    checked, verified = _checked(system, schedules, points, should_stop, run.telling("verify"))
    schedules, points = [schedules[place] for place in checked], points[checked]
    clock.lap("verify")
    return Study(
        method.name,
        front,
        schedules,
        points,
        non_dominated(points),
        found.progression,
        verified,
        clock.seconds,
        found.proofs,
    )


def sweep_idle_power(
    system: System, fractions: Sequence[float], should_stop: Callable[[], bool] = never
) -> list[Front]:
    """The front of the bound at each of these idle powers, which are fractions of the mean power.
    If stopped early, the fronts not begun are left out.
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
    """The schedules that were verified, and whether all of them passed. After a request to stop,
    `LAST_CHECKS_SECONDS` remain; both ends come first, then the other schedules on the Pareto
    front.
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
    """The schedules by rising energy, then makespan; only one of those with equal points."""
    points = points_of(schedules)
    first = _distinct(points, schedules)
    return [schedules[place] for place in first.tolist()], points[first]


def _distinct(points: FloatArray, schedules: Sequence[Schedule]) -> IntArray:
    """The places of all but one of the schedules with equal points, by rising energy, then
    makespan; schedules that wait are equal only if their peaks are.
    """
    key = np.column_stack([points, timed_peaks(schedules)])
    return np.asarray(np.unique(key, axis=0, return_index=True)[1])


class Possible(Enum):
    """Whether a wish can be met."""

    YES = "met"
    UNKNOWN = "no schedule found meets it, but it is not proven impossible"
    NO = "proven impossible"


@dataclass(frozen=True, eq=False)
class Pick:
    """The best schedule that meets the wish, or the one nearest to meeting it.

    `value` is what the wish minimises, and `bound` is a lower bound on it for all schedules that
    meet the wish (infinity if none can). `slower_than_fastest` (seconds) and
    `dearer_than_thriftiest` (joules) compare the schedule with the two ends of what was achieved.
    """

    wish: Wish
    schedule: Schedule
    index: int
    possible: Possible
    value: float
    bound: float
    slower_than_fastest: float
    dearer_than_thriftiest: float

    @property
    def gap(self) -> float:
        """How far `value` is above `bound`, as a share of the bound; infinity where the wish is not
        met.
        """
        if self.possible is not Possible.YES:
            return np.inf
        return self.value / self.bound - 1 if self.bound > 0 else 0.0


def _above(schedules: Sequence[Schedule], watts: float, asked: BoolArray) -> FloatArray:
    """By how many watts the peak of each schedule that is asked for exceeds a cap."""
    above = np.zeros(len(schedules))
    for k in np.flatnonzero(asked).tolist():
        if not keeps(schedules[k], watts):
            above[k] = peak_power(schedules[k]) - watts
    return above


def pick(study: Study, wish: Wish) -> Pick:
    """The answer of a study to a wish; of equally good schedules, the better one in energy and
    makespan.

    Parameters
    ----------
    study : Study
        Schedules along the front.
    wish : Wish
        A ``Deadline`` (s), an ``EnergyBudget`` (J), a ``PowerCap`` or a ``PeakCap`` (W), among
        others.

    Returns
    -------
    Pick
        The schedule, a bound that no schedule beats, and whether the wish is possible.

    Raises
    ------
    ValueError
        If the study has no schedules.

    Examples
    --------
    >>> answer: Pick = pick(study(load_sample("two-by-two")), Deadline(seconds=12))
    >>> answer.schedule.energy, answer.bound
    (1360.0, 1360.0)
    """
    points = study.points
    if not len(points):
        raise ValueError(f"the method '{study.method}' gives no schedules; choose another method")
    excess = wish.excess(points)
    if np.isfinite(wish.peak_limit):
        excess = excess + _above(study.schedules, wish.peak_limit, excess <= 0)
    value = wish.value(points)
    index = int(np.lexsort((points.sum(axis=1), value, excess))[0])
    bound = wish.bound(study.proven)
    met = bool(excess[index] <= 0)
    possible = Possible.YES if met else Possible.UNKNOWN if np.isfinite(bound) else Possible.NO
    energy, makespan = points[index]
    return Pick(
        wish,
        study.schedules[index],
        index,
        possible,
        float(value[index]),
        bound,
        float(makespan - points[:, 1].min()),
        float(energy - points[:, 0].min()),
    )
