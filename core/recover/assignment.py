"""From machine types to machines: longest processing time first, on counts.

Greedy gives each next task to the machine that is free first. For n equal tasks of p seconds the
outcome has a closed form: machine m would start its k-th further task at `ready_m + k p`, and
greedy takes the n earliest of these starts (ties: the machine with the lowest number). Machines
with the same history stay one group, of which at most one a task type is split; so the time
depends on the number of types alone, neither on tasks nor on machines.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import numpy as np

from core.engine.compiled import Kernel
from core.model.arrays import FloatArray, IntArray
from core.model.schedule import Schedule
from core.model.system import System


def assign(system: System, placed: IntArray) -> Schedule:
    """The schedule in which each machine type runs its column of `placed`, longest tasks first.

    The same, task by task and machine by machine, as the list scheduling of the publication.
    """
    return Schedule(system, *groups_of(system, system.machine_counts, placed))


def groups_of(
    system: System, machine_counts: IntArray, placed: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """The groups of such a schedule, of so many machines of each type: machine types, numbers of
    machines, tasks of each type on each of these.
    """
    kinds, machines = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    tasks = [np.zeros((0, len(system.task_types)), np.int64)]
    for kind in np.flatnonzero(machine_counts):
        there = np.flatnonzero(placed[:, kind] > 0)
        order = there[np.argsort(-system.etc[there, kind], kind="stable")]
        size, given = fill_machines(
            int(machine_counts[kind]), system.etc[order, kind], placed[order, kind]
        )
        rows = np.zeros((len(size), len(system.task_types)), np.int64)
        rows[:, order] = given
        kinds.append(np.full(len(size), kind))
        machines.append(size)
        tasks.append(rows)
    return np.concatenate(kinds), np.concatenate(machines), np.concatenate(tasks)


def fill_machines(
    machines: int, seconds: FloatArray, counts: IntArray
) -> tuple[IntArray, IntArray]:
    """Greedy assignment to equal, empty machines of `counts[t]` tasks of `seconds[t]`, in order t.

    Gives the groups of machines with the same tasks, in the order of the machines' numbers: how
    many machines a group has, and how many tasks of each kind each of them gets.
    """
    size, given = _fill(machines, np.ascontiguousarray(seconds), np.ascontiguousarray(counts))
    return size, given


@Kernel
def _fill(machines, seconds, counts):
    """A kind of task splits one group at most, so groups are no more than kinds and one. Starts may
    tie or not by rounding alone: then greedy may choose the machine beside, never one too many.
    """
    kinds = len(counts)
    most = min(kinds + 1, machines)
    size = np.zeros(most, np.int64)
    given = np.zeros((most, kinds), np.int64)
    ready = np.zeros(most)
    size[0] = machines
    groups = 1
    for kind in range(kinds):
        step = seconds[kind]
        left = counts[kind]
        if left == 0:
            continue
        extra = _sure_steps(ready[:groups], size[:groups], step, left)
        for group in range(groups):
            left -= extra[group] * size[group]
        while left > 0:
            first = 0
            earliest = ready[0] + extra[0] * step
            for group in range(1, groups):
                start = ready[group] + extra[group] * step
                if start < earliest:
                    first, earliest = group, start
            if size[first] > left:
                for group in range(groups, first + 1, -1):
                    size[group] = size[group - 1]
                    ready[group] = ready[group - 1]
                    given[group] = given[group - 1]
                ready[first + 1] = ready[first]
                given[first + 1] = given[first]
                size[first + 1] = size[first] - left
                size[first] = left
                widened = np.empty(groups + 1, np.int64)
                widened[: first + 1] = extra[: first + 1]
                widened[first + 1 :] = extra[first:]
                extra = widened
                groups += 1
            left -= size[first]
            extra[first] += 1
        # Only differences matter: kept small, they keep the digits of steps 10^-24 of what is done.
        fewest = extra.min()
        for group in range(groups):
            given[group, kind] = extra[group]
            ready[group] += (extra[group] - fewest) * step
        ready[:groups] -= ready[:groups].min()
    return size[:groups].copy(), given[:groups].copy()


@Kernel
def _sure_steps(ready, size, step, tasks):
    """Tasks that each machine of a group surely gets: all that start well below the water level.

    The level is where the machines would end if the tasks could be split; a start more than one
    step below it is among the earliest, and a second step of margin outweighs all rounding. What is
    left to the level is negative for groups that are above it: they get none for sure.
    """
    order = np.argsort(ready)
    work = tasks * step
    machines = 0
    held = 0.0
    level = 0.0
    for position in range(len(order)):
        group = order[position]
        machines += size[group]
        held += ready[group] * size[group]
        level = (work + held) / machines
        if position + 1 == len(order) or level <= ready[order[position + 1]]:
            break
    steps = np.zeros(len(ready), np.int64)
    for group in range(len(ready)):
        steps[group] = max(0, int((level - ready[group]) / step) - 2)
    return steps
