"""Assignment to machines: longest processing time first (LPT), on counts.

LPT gives each next task to the machine that is free first. For n equal tasks of p seconds the
result has a closed form: machine m would start its k-th further task at `ready_m + k p`, and LPT
takes the n earliest of these starts (ties: the machine with the lowest number). Machines with the
same tasks stay one group, and each task type splits at most one group. So the time depends only on
the number of types, not on the number of tasks or machines.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import numpy as np

from core.engines.compute.compiled import Kernel
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System


def assign(system: System, placed: IntArray) -> Schedule:
    """The schedule in which each machine type runs its column of `placed`, longest tasks first.

    It equals the list scheduling of the publication, task by task and machine by machine.
    """
    return Schedule(system, *groups_of(system, system.machine_counts, placed))


def groups_of(
    system: System, machine_counts: IntArray, placed: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """The groups of the schedule of `assign` for these numbers of machines: machine types, numbers
    of machines, and tasks of each type on each machine.
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
    """Assign `counts[t]` tasks of `seconds[t]`, in the order of t, to equal, empty machines.

    Returns the groups of machines with the same tasks, in the order of the machines' numbers: how
    many machines a group has, and how many tasks of each kind each of them gets.
    """
    size, given = _fill(machines, np.ascontiguousarray(seconds), np.ascontiguousarray(counts))
    return size, given


@Kernel
def _fill(machines, seconds, counts):
    """Each kind of task splits at most one group, so there is at most one group more than kinds.
    Rounding may make or break a tie between starts: then another machine gets the task, but the
    number of tasks is right.
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
        # Only differences matter: as small numbers they keep digits even of steps 10^-24 of the
        # load.
        fewest = extra.min()
        for group in range(groups):
            given[group, kind] = extra[group]
            ready[group] += (extra[group] - fewest) * step
        ready[:groups] -= ready[:groups].min()
    return size[:groups].copy(), given[:groups].copy()


@Kernel
def _sure_steps(ready, size, step, tasks):
    """The tasks that each machine of a group surely gets: those that start well below the water
    level.

    The level is the time at which the machines would end if tasks could be split. A start more than
    one step below it is among the earliest, and a second step of margin is more than all rounding.
    Groups above the level get no tasks here.
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
