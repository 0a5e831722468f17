"""Ranks of points of two objectives by dominance, both to be minimised, in compiled code.

The rank of a point is how many times all non-dominated points must be removed before the point
itself is non-dominated. In the order of energy (ties: of makespan), a point is dominated by some
earlier point of a rank if and only if it is dominated by the last of them. From rank to rank, the
makespans of these last points rise. So a binary search finds the rank of each point, and N points
take O(N log N).
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from core.engines.compute.compiled import Kernel
from core.engines.rivals.rival import machine_kinds
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System


@Kernel
def rank_and_crowding(energy, makespan):
    """The rank of each point (0 is non-dominated), and its crowding distance in its rank.

    The crowding distance is that of NSGA-II: the distance between both neighbours in the rank, as a
    share of the extent of the rank, summed over both objectives; infinity at the two ends. Equal
    points have the same rank.
    """
    points = len(energy)
    by_makespan = np.argsort(makespan, kind="mergesort")
    order = by_makespan[np.argsort(energy[by_makespan], kind="mergesort")]
    rank = np.empty(points, np.int64)
    before = np.empty(points, np.int64)
    first = np.empty(points, np.int64)
    last = np.empty(points, np.int64)
    ranks = 0
    for place in range(points):
        point = order[place]
        low, high = 0, ranks
        while low < high:
            middle = (low + high) // 2
            other = last[middle]
            if makespan[other] > makespan[point] or (
                makespan[other] == makespan[point] and energy[other] == energy[point]
            ):
                high = middle
            else:
                low = middle + 1
        rank[point] = low
        if low == ranks:
            first[low] = point
            before[point] = -1
            ranks += 1
        else:
            before[point] = last[low]
        last[low] = point
    crowding = np.full(points, np.inf)
    for place in range(points):
        after = order[place]
        point = before[after]
        if point < 0 or before[point] < 0:
            continue
        one, other = first[rank[point]], last[rank[point]]
        joules = energy[other] - energy[one]
        seconds = makespan[one] - makespan[other]
        crowding[point] = 0.0
        if joules > 0:
            crowding[point] += (energy[after] - energy[before[point]]) / joules
        if seconds > 0:
            crowding[point] += (makespan[before[point]] - makespan[after]) / seconds
    return rank, crowding


Genes = npt.NDArray[np.int32]

# Whole numbers of this many bits have exact sums, even when these are compared as doubles.
BITS: Final = 52
SMALLEST_UNIT: Final = 2.0**-1000


class EvolutionProblem(NamedTuple):
    """The system in the units of the kernels.

    `seconds` and `joules` are those that a task of type i adds on machine type j, in units of
    `second` and `joule`. The machines of type j begin at `first[j]`; `able[i, j]` is how many
    machines of the types up to j can run a task of type i.
    """

    task_type: Genes
    machine_type: Genes
    seconds: IntArray
    joules: IntArray
    first: IntArray
    able: IntArray
    second: float
    joule: float
    idle_power: float

    @classmethod
    def of(cls, system: System) -> "EvolutionProblem":
        counts = system.task_counts
        used = system.can_run & (counts > 0)[:, None]
        seconds, second = _whole(np.where(used, system.etc, 0.0), counts)
        joules, joule = _whole(np.where(used, system.dynamic_energy, 0.0), counts)
        return cls(
            np.repeat(np.arange(len(counts), dtype=np.int32), counts),
            machine_kinds(system).astype(np.int32),
            seconds,
            joules,
            np.cumsum(system.machine_counts) - system.machine_counts,
            np.cumsum(system.can_run * system.machine_counts, axis=1),
            second,
            joule,
            system.total_idle_power,
        )


class Pool(NamedTuple):
    """Twice as many chromosomes as the population; the compiled loop changes them in place.

    The first half of `slots` are the positions of the population, the other half are those of its
    children. `loads` and `work` are in the units of the problem, `energy` and `makespan` in SI
    units.
    """

    genes: Genes
    loads: IntArray
    work: IntArray
    energy: FloatArray
    makespan: FloatArray
    rank: IntArray
    crowding: FloatArray
    slots: IntArray

    @classmethod
    def begun(
        cls,
        problem: EvolutionProblem,
        seeds: Sequence[Schedule],
        size: int,
        random: np.random.Generator,
    ) -> "Pool":
        """A population of `size`, an even number: the seeds, and random schedules."""
        tasks, machine_count = len(problem.task_type), len(problem.machine_type)
        pool = cls(
            np.zeros((2 * size, tasks), np.int32),
            np.zeros((2 * size, machine_count), np.int64),
            np.zeros(2 * size, np.int64),
            np.zeros(2 * size),
            np.zeros(2 * size),
            np.zeros(2 * size, np.int64),
            np.zeros(2 * size),
            np.arange(2 * size),
        )
        for slot, schedule in enumerate(seeds):
            pool.genes[slot] = _chromosome(schedule)
        _begin(random, problem, pool, len(seeds))
        return pool

    @property
    def population(self) -> IntArray:
        """The slots of the current population."""
        return self.slots[: len(self.slots) // 2]


def _chromosome(schedule: Schedule) -> IntArray:
    """The machine of each task, task type by task type."""
    counts = np.repeat(schedule.tasks, schedule.machines, axis=0).T
    machine = np.tile(np.arange(counts.shape[1]), len(counts))
    return np.repeat(machine, counts.ravel())


def _whole(values: FloatArray, counts: IntArray) -> tuple[IntArray, float]:
    """Values in whole units, and the unit: the sum over all tasks has at most `BITS` bits."""
    most = float(counts @ np.abs(values).max(axis=1))
    unit = max(2.0 ** (np.ceil(np.log2(most)) - BITS), SMALLEST_UNIT) if most > 0 else 1.0
    return np.rint(values / unit).astype(np.int64), float(unit)


# Below, numba infers the types; annotations would be lost on mypy, for which `njit` is untyped.


@Kernel
def _begin(random, problem, pool, seeds):
    """Fill up the population after its seeds, then evaluate and rank all of it."""
    size = len(pool.slots) // 2
    for slot in range(size):
        pool.loads[slot] = 0
        pool.work[slot] = 0
        for gene in range(pool.genes.shape[1]):
            i = problem.task_type[gene]
            if slot >= seeds:
                pool.genes[slot, gene] = _random_machine(random, problem, i)
            machine = pool.genes[slot, gene]
            kind = problem.machine_type[machine]
            pool.loads[slot, machine] += problem.seconds[i, kind]
            pool.work[slot] += problem.joules[i, kind]
        _judge(problem, pool, slot)
    rank, crowding = rank_and_crowding(pool.energy[:size], pool.makespan[:size])
    pool.rank[:size] = rank
    pool.crowding[:size] = crowding


@Kernel
def evolve(random, problem, pool, generations):
    size = len(pool.slots) // 2
    change = np.zeros(pool.loads.shape[1], np.int64)
    for _ in range(generations):
        for pair in range(size, 2 * size, 2):
            parents = _parent(random, pool), _parent(random, pool)
            children = pool.slots[pair], pool.slots[pair + 1]
            _cross(random, problem, pool, parents, children, change)
            for child in children:
                _mutate(random, problem, pool, child)
                _judge(problem, pool, child)
        _survive(pool)


@Kernel
def _below(random, limit):
    """A random whole number from 0 to limit - 1."""
    return int(random.random() * limit)


@Kernel
def _random_machine(random, problem, i):
    """One of the machines that can run a task of type i."""
    able = problem.able[i]
    pick = _below(random, able[-1])
    kind = 0
    before = 0
    while able[kind] <= pick:
        before = able[kind]
        kind += 1
    return problem.first[kind] + pick - before


@Kernel
def _parent(random, pool):
    """The better of two random chromosomes of the population."""
    size = len(pool.slots) // 2
    one, other = pool.slots[_below(random, size)], pool.slots[_below(random, size)]
    if pool.rank[one] != pool.rank[other]:
        return one if pool.rank[one] < pool.rank[other] else other
    return one if pool.crowding[one] >= pool.crowding[other] else other


@Kernel
def _cross(random, problem, pool, parents, children, change):
    """Make two children: the parents with a random segment swapped."""
    a, b = parents
    one, other = children
    genes = pool.genes
    genes[one] = genes[a]
    genes[other] = genes[b]
    cut, end = _below(random, genes.shape[1] + 1), _below(random, genes.shape[1] + 1)
    change[:] = 0
    work = 0
    for gene in range(min(cut, end), max(cut, end)):
        on_a, on_b = genes[a, gene], genes[b, gene]
        if on_a == on_b:
            continue
        genes[one, gene] = on_b
        genes[other, gene] = on_a
        i = problem.task_type[gene]
        kind_a, kind_b = problem.machine_type[on_a], problem.machine_type[on_b]
        change[on_b] += problem.seconds[i, kind_b]
        change[on_a] -= problem.seconds[i, kind_a]
        work += problem.joules[i, kind_b] - problem.joules[i, kind_a]
    for machine in range(len(change)):
        pool.loads[one, machine] = pool.loads[a, machine] + change[machine]
        pool.loads[other, machine] = pool.loads[b, machine] - change[machine]
    pool.work[one] = pool.work[a] + work
    pool.work[other] = pool.work[b] - work


@Kernel
def _mutate(random, problem, pool, slot):
    """Move one random task to a random machine."""
    gene = _below(random, pool.genes.shape[1])
    i = problem.task_type[gene]
    source, target = pool.genes[slot, gene], _random_machine(random, problem, i)
    pool.genes[slot, gene] = target
    kind_s, kind_t = problem.machine_type[source], problem.machine_type[target]
    pool.loads[slot, source] -= problem.seconds[i, kind_s]
    pool.loads[slot, target] += problem.seconds[i, kind_t]
    pool.work[slot] += problem.joules[i, kind_t] - problem.joules[i, kind_s]


@Kernel
def _judge(problem, pool, slot):
    """Energy and makespan from loads and work."""
    most = 0
    for load in pool.loads[slot]:
        most = max(most, load)
    pool.makespan[slot] = most * problem.second
    pool.energy[slot] = pool.work[slot] * problem.joule + problem.idle_power * pool.makespan[slot]


@Kernel
def _survive(pool):
    """Rank parents and children, and put the best half into the first half of the slots."""
    size = len(pool.slots) // 2
    rank, crowding = rank_and_crowding(pool.energy, pool.makespan)
    pool.rank[:] = rank
    pool.crowding[:] = crowding
    members = np.bincount(rank)
    whole = 0
    kept = 0
    while kept + members[whole] <= size:
        kept += members[whole]
        whole += 1
    divided = np.flatnonzero(rank == whole)
    divided = divided[np.argsort(-crowding[divided], kind="mergesort")]
    pool.slots[:kept] = np.flatnonzero(rank < whole)
    pool.slots[kept : kept + len(divided)] = divided
    pool.slots[kept + len(divided) :] = np.flatnonzero(rank > whole)
