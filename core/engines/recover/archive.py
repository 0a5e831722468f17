"""An archive of the best schedules found, one for each interval of makespans."""

from typing import Final, NamedTuple, Self

import numpy as np

from core.vocabulary.arrays import FloatArray, IntArray


class Archive(NamedTuple):
    """Slot s holds the state of least cost among those with a makespan above `limits[s - 1]` and up
    to `limits[s]`. A task of type i on machine type j costs `task_costs[i, j]`, a unit of makespan
    `time_cost`.

    `costs` are infinite where a slot is empty; `counts[s, m, i]` are as in the annealer.
    """

    limits: FloatArray
    task_costs: FloatArray
    time_cost: float
    costs: FloatArray
    makespans: FloatArray
    counts: IntArray

    @classmethod
    def empty(
        cls, limits: FloatArray, task_costs: FloatArray, time_cost: float, machines: int
    ) -> Self:
        slots = len(limits)
        return cls(
            limits,
            task_costs,
            time_cost,
            np.full(slots, np.inf),
            np.full(slots, np.inf),
            np.zeros((slots, machines, len(task_costs)), np.int64),
        )

    @property
    def filled(self) -> IntArray:
        """The slots that are not empty."""
        return np.flatnonzero(np.isfinite(self.costs))

    def offer(self, cost: float, makespan: float, counts: IntArray) -> None:
        """Store a state of this cost if it is the best of its slot."""
        slot = int(np.searchsorted(self.limits, makespan))
        if slot < len(self.limits) and cost < self.costs[slot]:
            self.costs[slot], self.makespans[slot], self.counts[slot] = cost, makespan, counts

    def take_over(self, other: Self) -> None:
        """Store the better of both in every slot, and its cost in `other`, which then looks only
        for better ones.
        """
        better = other.costs < self.costs
        for kept, offered in (
            (self.costs, other.costs),
            (self.makespans, other.makespans),
            (self.counts, other.counts),
        ):
            kept[better] = offered[better]
        other.costs[:] = self.costs


NO_ARCHIVE: Final = Archive.empty(np.zeros(0), np.zeros((0, 0)), 0.0, 0)
