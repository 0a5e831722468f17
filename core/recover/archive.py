"""The best schedules met on the way, one for each stretch of makespans."""

from typing import Final, NamedTuple, Self

import numpy as np

from core.model.arrays import FloatArray, IntArray


class Archive(NamedTuple):
    """In slot s, of the states with a makespan above `limits[s - 1]` and up to `limits[s]`, the one
    that costs least: `task_costs[i, j]` a task of type i on machine type j, and `time_cost` a unit
    of makespan.

    `costs` are infinite where a slot is empty, and `counts[s, m, i]` as in the annealer.
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
        """Keep a state of this cost if it is the best of its slot."""
        slot = int(np.searchsorted(self.limits, makespan))
        if slot < len(self.limits) and cost < self.costs[slot]:
            self.costs[slot], self.makespans[slot], self.counts[slot] = cost, makespan, counts

    def take_over(self, other: Self) -> None:
        """Keep the better of both in every slot, and let `other` know what is to be beaten."""
        better = other.costs < self.costs
        for kept, offered in (
            (self.costs, other.costs),
            (self.makespans, other.makespans),
            (self.counts, other.counts),
        ):
            kept[better] = offered[better]
        other.costs[:] = self.costs


NO_ARCHIVE: Final = Archive.empty(np.zeros(0), np.zeros((0, 0)), 0.0, 0)
