"""What searches share: random numbers, sums over the tasks on single machines, and an archive of
the best schedules found, one for each interval of makespans.

`counts[m, i]` is how many tasks of type i machine m runs, and `machine_type[m]` is its type. Times
and costs of tasks that a machine does not run are ignored, and may be infinite.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from core.engines.compute.compiled import Kernel
from core.vocabulary.arrays import FloatArray, IntArray


def load_kernels() -> None:
    """See `core.engines.kernels`."""
    one, none = np.ones((1, 1)), np.zeros((1, 1), np.int64)
    loads_of(none, one, none[0])
    cost_of(none, one, none[0])


@Kernel
def loads_of(counts, seconds, machine_type):
    """The load of each machine, where a task of type i takes `seconds[i, j]` on machine type j."""
    loads = np.zeros(len(counts))
    for machine in range(counts.shape[0]):
        kind = machine_type[machine]
        for task in range(counts.shape[1]):
            if counts[machine, task] > 0:
                loads[machine] += counts[machine, task] * seconds[task, kind]
    return loads


@Kernel
def cost_of(counts, costs, machine_type):
    """The cost of all tasks, where a task of type i costs `costs[i, j]` on machine type j."""
    paid = 0.0
    for machine in range(counts.shape[0]):
        for task in range(counts.shape[1]):
            if counts[machine, task] > 0:
                paid += counts[machine, task] * costs[task, machine_type[machine]]
    return paid


def random_state(seed: int) -> NDArray[np.uint64]:
    """The state of a generator, from a seed: odd, because it must not be 0, and well mixed."""
    return np.array([(seed * 2 + 1) * 0x9E3779B97F4A7C15 % 2**64], np.uint64)


@Kernel
def random_bits(state):
    """64 random bits."""
    bits = state[0]
    bits ^= bits << np.uint64(13)
    bits ^= bits >> np.uint64(7)
    bits ^= bits << np.uint64(17)
    state[0] = bits
    return bits


@Kernel
def random_below(state, limit):
    """A random whole number from 0 to limit - 1, which is below 2^32."""
    return np.int64(((random_bits(state) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@Kernel
def random_unit(state):
    """A random number from 0 to before 1."""
    return (random_bits(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


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
