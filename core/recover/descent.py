"""Whatever an archive holds made cheaper, within the makespans that it is held for.

From the fastest slot on, every schedule is improved until no exchange between two machine types
lowers its cost within the limit of the slot, and is where the next slot begins if nothing cheaper
is there: so what was found for one makespan serves all that are longer.

An exchange is a task for none, one for one, or two for one. For its cost only the types of the two
machines count; so of the machines with a task of a kind only the one with the most room is asked,
and all exchanges of a schedule are compared in a time that does not grow with the machines.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final, NamedTuple

import numpy as np

from core.engine.compiled import Kernel
from core.model.arrays import FloatArray, IntArray
from core.model.tolerances import SUM_ROUNDING
from core.recover.archive import Archive
from core.recover.sums import cost_of, loads_of

# The room where there is no machine: less than any machine has.
_NONE: Final = -np.inf
# How many tasks go one way, and how many come back for them.
_EXCHANGES: Final = ((1, 0), (1, 1), (2, 1))
# Work: the steps of a unit, a step being a task type on a machine or beside another, looked at.
_STEPS_A_UNIT: Final = 2.5e8


class Machines(NamedTuple):
    """What the schedules of an archive run on: `seconds[i, j]` (infinite where impossible) and
    `costs[i, j]` of a task of type i on machine type j, what a unit of makespan costs, and the type
    of each machine, machines of a type being neighbours.
    """

    seconds: FloatArray
    costs: FloatArray
    time_cost: float
    machine_type: IntArray


class _Roomiest(NamedTuple):
    """Of the machines of type j with at least n tasks of type i, `machine[n, j, i]` has most room,
    `room[n, j, i]`: `_NONE` if there is no such machine. Type j runs the `kinds[j]` first of the
    types `held[j]`, each of them once.

    Loads are sums of rounded times, so the room of a full machine may be a little below 0.
    """

    room: FloatArray
    machine: IntArray
    held: IntArray
    kinds: IntArray


def descend(archive: Archive, machines: Machines, begin: int, end: int) -> float:
    """Improve what the slots from `begin` to before `end` hold, and offer it to the archive; how
    much work that was, in units.
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
    """See `core.kernels`."""
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
            a, b, task, tasks, other, others = _best_exchange(machines, roomiest, worthwhile)
            steps += counts.size + roomiest.kinds.sum() ** 2
            if tasks == 0:
                break
            _hand_over(counts, loads, seconds, machine_type, a, b, task, tasks)
            _hand_over(counts, loads, seconds, machine_type, b, a, other, others)
        makespan = loads.max()
        cost = cost_of(counts, machines.costs, machine_type) + machines.time_cost * makespan
        place = np.searchsorted(limits, makespan)
        # Rounding may put it beyond its limit, and so beyond the last one.
        if place < len(limits) and cost < costs[place]:
            costs[place], archive.makespans[place] = cost, makespan
            archive.counts[place] = counts
    return steps


@Kernel
def _hand_over(counts, loads, seconds, machine_type, a, b, task, tasks):
    if tasks:
        counts[a, task] -= tasks
        counts[b, task] += tasks
        loads[a] -= tasks * seconds[task, machine_type[a]]
        loads[b] += tasks * seconds[task, machine_type[b]]


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
    """Machine a, machine b, the task type that goes from a to b and how many of it, and the type
    that comes back and how many; none go if none saves more than is `worthwhile`.
    """
    room, machine, held, kinds = roomiest
    seconds, costs = machines.seconds, machines.costs
    best, least = (-1, -1, -1, 0, -1, 0), -worthwhile
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
                            best, least = (a, machine[k, jb, back], i, n, back, k), new
    return best
