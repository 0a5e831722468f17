"""Local search that makes the schedules of an archive cheaper within their makespans.

From the fastest slot on, each schedule is improved until no exchange between two machine types
lowers the cost of its tasks within the limit of the slot. The next slot starts from it, unless it
has a cheaper one: a schedule found for one makespan serves all longer ones.

An exchange moves one task, or one for one, or two for one. Its cost depends only on the types of
the two machines. So among the machines of a type that have a task, only the one with the most room
is tried, and the time to compare all exchanges does not grow with the number of machines.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final, NamedTuple

import numpy as np

from core.engines.compute.compiled import Kernel
from core.engines.recover.states import Archive, cost_of, loads_of
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.tolerances import SUM_ROUNDING

# The room if there is no machine: less than that of any machine.
_NONE: Final = -np.inf
# How many tasks move one way, and how many move back.
_EXCHANGES: Final = ((1, 0), (1, 1), (2, 1))
# The steps in a unit of work, where a step looks at a task type on a machine, or at a pair of task
# types.
_STEPS_A_UNIT: Final = 2.5e8


class Machines(NamedTuple):
    """The machines of an archive's schedules: `seconds[i, j]` (infinite where impossible) and
    `costs[i, j]` of a task of type i on machine type j, the cost of a unit of makespan, and the
    type of each machine; machines of a type are neighbours.
    """

    seconds: FloatArray
    costs: FloatArray
    time_cost: float
    machine_type: IntArray


class _Roomiest(NamedTuple):
    """Among the machines of type j with at least n tasks of type i, `machine[n, j, i]` has the most
    room: `room[n, j, i]`, which is `_NONE` if there is no such machine. Type j runs the first
    `kinds[j]` of the types in `held[j]`, each of which is there once.

    Loads have rounding errors, so the room of a full machine may be slightly below 0.
    """

    room: FloatArray
    machine: IntArray
    held: IntArray
    kinds: IntArray


class _Exchange(NamedTuple):
    """`tasks` tasks of type `task` go from machine `a` to machine `b`, and `returned` of type
    `back` come back.
    """

    a: int
    b: int
    task: int
    tasks: int
    back: int
    returned: int


def descend(archive: Archive, machines: Machines, begin: int, end: int) -> float:
    """Improve the schedules of the slots from `begin` to before `end`, and offer them to the
    archive. Returns the units of work done.
    """
    types, tasks = machines.seconds.shape[::-1]
    roomiest = _Roomiest(
        np.zeros((3, types, tasks)),
        np.zeros((3, types, tasks), np.int64),
        np.zeros((types, tasks), np.int64),
        np.zeros(types, np.int64),
    )
    steps = _descend(begin, end, machines, roomiest, archive)
    return float(steps) / _STEPS_A_UNIT


def load_kernels() -> None:
    """See `core.engines.kernels`."""
    one, none = np.ones((1, 1)), np.zeros(1, np.int64)
    descend(Archive.empty(one[0], one, 0.0, 1), Machines(one, one, 0.0, none), 0, 1)


@Kernel
def _descend(begin, end, machines, roomiest, archive):
    limits, costs = archive.limits, archive.costs
    seconds, machine_type = machines.seconds, machines.machine_type
    counts = np.zeros(archive.counts.shape[1:], np.int64)
    loads = np.zeros(len(counts))
    worthwhile = SUM_ROUNDING * np.abs(machines.costs).max()
    cost = np.inf
    steps = 0
    for slot in range(begin, end):
        if costs[slot] < cost:
            counts[:] = archive.counts[slot]
            loads[:] = loads_of(counts, seconds, machine_type)
        elif cost == np.inf:
            continue
        while True:
            _look_for_room(counts, loads, limits[slot], machine_type, roomiest)
            exchange = _best_exchange(machines, roomiest, worthwhile)
            steps += counts.size + roomiest.kinds.sum() ** 2
            if exchange.tasks == 0:
                break
            _carry_out(exchange, machines, counts, loads)
        makespan = loads.max()
        cost = cost_of(counts, machines.costs, machine_type) + machines.time_cost * makespan
        place = np.searchsorted(limits, makespan)
        # Rounding may put it above its limit, and so above the last one.
        if place < len(limits) and cost < costs[place]:
            costs[place], archive.makespans[place] = cost, makespan
            archive.counts[place] = counts
    return steps


@Kernel
def _carry_out(exchange, machines, counts, loads):
    """Make the exchange on the schedule of these counts and loads."""
    seconds = machines.seconds
    a, b = exchange.a, exchange.b
    kind_a, kind_b = machines.machine_type[a], machines.machine_type[b]
    task, tasks = exchange.task, exchange.tasks
    counts[a, task] -= tasks
    counts[b, task] += tasks
    loads[a] -= tasks * seconds[task, kind_a]
    loads[b] += tasks * seconds[task, kind_b]
    back, returned = exchange.back, exchange.returned
    if returned:
        counts[b, back] -= returned
        counts[a, back] += returned
        loads[b] -= returned * seconds[back, kind_b]
        loads[a] += returned * seconds[back, kind_a]


@Kernel
def _look_for_room(counts, loads, limit, machine_type, roomiest):
    room, machine, held, kinds = roomiest
    room[:] = _NONE
    kinds[:] = 0
    for m in range(len(loads)):
        j = machine_type[m]
        left = limit - loads[m]
        if left > room[0, j, 0]:
            room[0, j, 0], machine[0, j, 0] = left, m
        for i in range(counts.shape[1]):
            if counts[m, i] > 0 and room[1, j, i] == _NONE:
                held[j, kinds[j]] = i
                kinds[j] += 1
            for n in range(1, min(counts[m, i], 2) + 1):
                if left > room[n, j, i]:
                    room[n, j, i], machine[n, j, i] = left, m


@Kernel
def _best_exchange(machines, roomiest, worthwhile):
    """The best exchange; it has no tasks if none saves more than `worthwhile`."""
    room, machine, held, kinds = roomiest
    seconds, costs = machines.seconds, machines.costs
    best, least = _Exchange(-1, -1, -1, 0, -1, 0), -worthwhile
    for ja in range(len(kinds)):
        for i in held[ja, : kinds[ja]]:
            for jb in range(len(kinds)):
                if jb == ja or seconds[i, jb] == np.inf:
                    continue
                change = costs[i, jb] - costs[i, ja]
                for n, k in _EXCHANGES:
                    if room[n, ja, i] == _NONE:
                        continue
                    a = machine[n, ja, i]
                    going_a, going_b = n * seconds[i, ja], n * seconds[i, jb]
                    for other in held[jb, : kinds[jb]] if k else held[jb, :1]:
                        back = other if k else 0
                        new = n * change
                        coming_a = coming_b = 0.0
                        if k:
                            if seconds[back, ja] == np.inf:
                                continue
                            new += k * (costs[back, ja] - costs[back, jb])
                            coming_a, coming_b = k * seconds[back, ja], k * seconds[back, jb]
                        if (
                            new < least
                            and room[n, ja, i] + going_a >= coming_a
                            and room[k, jb, back] + coming_b >= going_b
                        ):
                            b = machine[k, jb, back]
                            best, least = _Exchange(a, b, i, n, back, k), new
    return best
