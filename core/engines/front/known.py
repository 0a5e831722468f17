"""All schedules and proofs found for a system, by any page or method."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Self

import numpy as np

from core.engines.front.patterns import Patterns
from core.engines.front.proven import Proven
from core.engines.peak.capped import PeakProof
from core.engines.recover.settling import Settled
from core.engines.relaxed import Front
from core.engines.relaxed.fitting import Fitted
from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.plane.points import non_dominated
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.timed import TimedSchedule


@dataclass(frozen=True, eq=False)
class Proofs:
    """`fitted` is a bound on the makespan of single tasks, `patterns` a bound of patterns of whole
    tasks; `settled` are the best of all possible schedules, if these are few enough to consider
    all. Each is None if it was not looked for, or not found. `peaks` are bounds under caps on the
    power at every moment.
    """

    fitted: Fitted | None = None
    patterns: Patterns | None = None
    settled: Settled | None = None
    peaks: tuple[PeakProof, ...] = ()

    def of(self, front: Front) -> Proven:
        """All that is proven of the system of a front."""
        patterns = None if self.patterns is None else self.patterns.steps
        soonest = 0.0 if self.fitted is None else self.fitted.soonest
        return Proven.of(front, patterns, self.settled, soonest, self.peaks)

    def joined(self, other: "Proofs") -> Self:
        """For each kind, the proof that proves more; itself if the other has nothing better."""
        fitted = _sooner_excluded(self.fitted, other.fitted)
        patterns = self.patterns
        if other.patterns is not None and (patterns is None or other.patterns.beyond(patterns)):
            patterns = other.patterns
        settled = self.settled or other.settled
        peaks = _best_peaks((*self.peaks, *other.peaks))
        mine = (self.fitted, self.patterns, self.settled, self.peaks)
        if (fitted, patterns, settled, peaks) == mine:
            return self
        return replace(self, fitted=fitted, patterns=patterns, settled=settled, peaks=peaks)


NO_PROOFS: Final = Proofs()


def _sooner_excluded(one: Fitted | None, other: Fitted | None) -> Fitted | None:
    if one is None or other is None:
        return one or other
    return other if other.soonest > one.soonest else one


def _best_peaks(proofs: Iterable[PeakProof]) -> tuple[PeakProof, ...]:
    """The proofs without those that another one implies, by falling watts."""
    kept: list[PeakProof] = []
    for proof in sorted(proofs, key=lambda one: (-one.watts, -one.seconds)):
        if not kept or proof.seconds > kept[-1].seconds:
            kept.append(proof)
    return tuple(kept)


@dataclass(frozen=True, eq=False)
class Known:
    """The schedules found for a system that may answer a wish. `points[k]` is (joules, seconds) of
    `schedules[k]`, by rising energy; joules are 0 for a system without powers.

    Of equal points only one is stored. All schedules must be verified before they are added.
    `least_makespan` (seconds) and `least_energy` (joules) are the best proven lower bounds so far;
    `proofs` are further ones.
    """

    system: System
    schedules: tuple[Schedule, ...]
    points: FloatArray
    least_makespan: float = 0.0
    least_energy: float = 0.0
    proofs: Proofs = NO_PROOFS

    @classmethod
    def nothing(cls, system: System) -> Self:
        return cls(system, (), np.empty((0, 2)))

    @cached_property
    def numbers(self) -> int:
        """How many numbers it has, as a measure of memory."""
        return sum(schedule.tasks.size for schedule in self.schedules)

    @property
    def fastest(self) -> Schedule | None:
        """The schedule with the shortest makespan; of several, the one of least energy."""
        return self._first(self.points[:, 1], self.points[:, 0])

    @property
    def thriftiest(self) -> Schedule | None:
        """The schedule with the least energy; of several, the one of shortest makespan."""
        return self._first(self.points[:, 0], self.points[:, 1])

    def with_schedules(self, more: Sequence[Schedule], at: FloatArray | None = None) -> Self:
        """A copy with more schedules, and without those that they dominate.

        `at` are their (joules, seconds), which are computed if not given.
        """
        points = np.concatenate([self.points, _points(more) if at is None else at])
        schedules = (*self.schedules, *more)
        peaks = timed_peaks(schedules)
        _, distinct = np.unique(np.column_stack([points, peaks]), axis=0, return_index=True)
        # A schedule that waits is not worse than others that draw more at some moment.
        timed = np.isfinite(peaks) & non_dominated(np.column_stack([peaks, points[:, 1]]))
        kept = distinct[(worth_keeping(points[distinct]) | timed[distinct])]
        return replace(
            self, schedules=tuple(schedules[k] for k in kept.tolist()), points=points[kept]
        )

    def proving(
        self, least_makespan: float = 0.0, least_energy: float = 0.0, proofs: Proofs = NO_PROOFS
    ) -> Self:
        """A copy with further proofs; itself if they prove nothing new."""
        makespan = max(self.least_makespan, least_makespan)
        energy = max(self.least_energy, least_energy)
        joined = self.proofs.joined(proofs)
        if (makespan, energy, joined) == (self.least_makespan, self.least_energy, self.proofs):
            return self
        return replace(self, least_makespan=makespan, least_energy=energy, proofs=joined)

    def _first(self, least: FloatArray, then: FloatArray) -> Schedule | None:
        return self.schedules[int(np.lexsort((then, least))[0])] if self.schedules else None


def worth_keeping(points: FloatArray) -> BoolArray:
    """True where no other (joules, seconds) dominates in energy and makespan, or none dominates in
    average power and makespan: a slower schedule of more energy may be the one that keeps a power
    cap.
    """
    joules, seconds = points.T
    power = np.divide(joules, seconds, out=np.zeros(len(points)), where=seconds > 0)
    return non_dominated(points) | non_dominated(np.column_stack([power, seconds]))


def timed_peaks(schedules: Iterable[Schedule]) -> FloatArray:
    """The peak (W) of each schedule whose machines wait for others; infinity for all others."""
    peaks = [one.peak if isinstance(one, TimedSchedule) else np.inf for one in schedules]
    return np.array(peaks, float)


def _points(schedules: Iterable[Schedule]) -> FloatArray:
    pairs = [(one.energy_if_known or 0.0, one.makespan) for one in schedules]
    return np.array(pairs, float).reshape(-1, 2)
