"""Many divisible schedules, stored as the cells that each uses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.system import NoPowerData, System


@dataclass(frozen=True, eq=False)
class Placements:
    """In schedule k, for `first[k] <= c < first[k + 1]`, `number[c]` tasks (fractions allowed) of
    type `task[c]` are on machine type `machine[c]`.
    """

    first: IntArray
    task: IntArray
    machine: IntArray
    number: FloatArray

    def __len__(self) -> int:
        return len(self.first) - 1

    def __getitem__(self, k: int) -> slice:
        """The cells of schedule k."""
        return slice(self.first[k], self.first[k + 1])

    @classmethod
    def of(cls, owner: IntArray, task: IntArray, machine: IntArray, number: FloatArray) -> Self:
        """The schedules of these cells; `owner`, ascending, is the schedule of each cell."""
        first = np.searchsorted(owner, np.arange(int(owner.max(initial=-1)) + 2))
        return cls(first, task, machine, number)

    @classmethod
    def dense(cls, placed: Sequence[FloatArray]) -> Self:
        """The schedules of these matrices, task types by machine types."""
        stacked = np.array(placed)
        owner, task, machine = np.nonzero(stacked)
        return cls.of(owner, task, machine, stacked[owner, task, machine])

    @property
    def owner(self) -> IntArray:
        """The schedule that each cell belongs to."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    def chosen(self, which: IntArray) -> "Placements":
        """Only these schedules, in this order."""
        sizes = np.diff(self.first)[which]
        first = np.concatenate([[0], np.cumsum(sizes)])
        cells = np.repeat(self.first[which] - first[:-1], sizes) + np.arange(first[-1])
        return Placements(first, self.task[cells], self.machine[cells], self.number[cells])

    def followed_by(self, other: "Placements") -> "Placements":
        """The schedules of this value, then the others."""
        return Placements(
            np.concatenate([self.first, self.first[-1] + other.first[1:]]),
            np.concatenate([self.task, other.task]),
            np.concatenate([self.machine, other.machine]),
            np.concatenate([self.number, other.number]),
        )

    def placed(self, k: int, system: System, share: float = 0.0) -> FloatArray:
        """Tasks of each type (rows) on each machine type (columns) in schedule k, or at this share
        of the way from it to the next.
        """
        placed = np.zeros(system.etc.shape)
        cells = self[k]
        placed[self.task[cells], self.machine[cells]] = self.number[cells]
        if share > 0:
            placed = (1 - share) * placed + share * self.placed(k + 1, system)
        return placed

    def finish(self, system: System) -> FloatArray:
        """Seconds after which each machine type (columns) is done in each schedule (rows), if its
        machines share its work equally.
        """
        machines = system.machine_counts
        seconds = self.number * system.etc[self.task, self.machine] / machines[self.machine]
        cell = self.owner * len(machines) + self.machine
        finish: FloatArray = np.bincount(
            cell, weights=seconds, minlength=len(self) * len(machines)
        ).astype(np.float64)
        return finish.reshape(len(self), -1)

    def points(self, system: System) -> FloatArray:
        """(joules, seconds) of each schedule, idle power included."""
        if system.apc is None:
            raise NoPowerData
        finish = self.finish(system)
        makespan = finish.max(axis=1)
        cells = self.task, self.machine
        joules = self.number * system.etc[cells] * system.apc[cells]
        busy = np.bincount(self.owner, weights=joules, minlength=len(self))
        waiting = (makespan[:, None] - finish) @ (system.machine_counts * system.idle_power)
        return np.column_stack([busy + waiting, makespan])
