"""All that is found for a system, by whatever page or method, for every question about it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from core.front.proofs import NO_PROOFS, Proofs
from core.model.arrays import BoolArray, FloatArray
from core.model.schedule import Schedule
from core.model.system import System
from core.plane.points import non_dominated


@dataclass(frozen=True, eq=False)
class Known:
    """The schedules found for a system that some wish may want: `points[k]` is (joules, seconds) of
    `schedules[k]`, by rising energy, joules being 0 in a system without powers.

    Of equal points there is one. Whoever adds schedules has had them verified. No schedule has a
    makespan below `least_makespan` (seconds), nor an energy below `least_energy` (joules), as far
    as anybody has proven; `proofs` are what more was looked for.
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
        """How many numbers it holds, as a measure of memory."""
        return sum(schedule.tasks.size for schedule in self.schedules)

    @property
    def fastest(self) -> Schedule | None:
        """The one with the shortest makespan, and of those the thriftiest."""
        return self._first(self.points[:, 1], self.points[:, 0])

    @property
    def thriftiest(self) -> Schedule | None:
        """The one with the least energy, and of those the fastest."""
        return self._first(self.points[:, 0], self.points[:, 1])

    def with_schedules(self, more: Sequence[Schedule], at: FloatArray | None = None) -> Self:
        """With those of the schedules that are worth keeping, and without those that they beat.
        They are `at` these (joules, seconds), which are computed if nobody knows them.
        """
        points = np.concatenate([self.points, _points(more) if at is None else at])
        schedules = (*self.schedules, *more)
        _, distinct = np.unique(points, axis=0, return_index=True)
        kept = distinct[worth_keeping(points[distinct])]
        return replace(
            self, schedules=tuple(schedules[k] for k in kept.tolist()), points=points[kept]
        )

    def proving(
        self, least_makespan: float = 0.0, least_energy: float = 0.0, proofs: Proofs = NO_PROOFS
    ) -> Self:
        """With what is proven besides; itself if it is nothing new."""
        makespan = max(self.least_makespan, least_makespan)
        energy = max(self.least_energy, least_energy)
        joined = self.proofs.joined(proofs)
        if (makespan, energy, joined) == (self.least_makespan, self.least_energy, self.proofs):
            return self
        return replace(self, least_makespan=makespan, least_energy=energy, proofs=joined)

    def _first(self, least: FloatArray, then: FloatArray) -> Schedule | None:
        return self.schedules[int(np.lexsort((then, least))[0])] if self.schedules else None


def worth_keeping(points: FloatArray) -> BoolArray:
    """Where no other (joules, seconds) is as good in both and better in one, or in average power
    and makespan: a power cap can be kept by waiting for machines that stand idle, which costs both
    energy and time.
    """
    joules, seconds = points.T
    power = np.divide(joules, seconds, out=np.zeros(len(points)), where=seconds > 0)
    kept: BoolArray = non_dominated(points) | non_dominated(np.column_stack([power, seconds]))
    return kept


def _points(schedules: Iterable[Schedule]) -> FloatArray:
    pairs = [(one.energy_if_known or 0.0, one.makespan) for one in schedules]
    return np.array(pairs, float).reshape(-1, 2)
