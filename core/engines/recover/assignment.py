"""Whole tasks on single machines: rounding, assignment, and exchanges that even out the loads.

Assignment is by longest processing time first (LPT), on counts: each next task goes to the machine
that is free first. For n equal tasks of p seconds the result has a closed form: machine m would
start its k-th further task at `ready_m + k p`, and LPT takes the n earliest of these starts (ties:
the machine with the lowest number). Machines with the same tasks stay one group, and each task type
splits at most one group. So the time depends only on the number of types, not on the number of
tasks or machines.

To even out the loads of the machines of a type, the busiest one gives one or two tasks to another,
for none, one or two of its tasks: always the exchange that lowers the later end of both most, until
no exchange lowers it.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final

import numpy as np

from core.engines.compute.compiled import Kernel
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME, WHOLE


def round_rows(placed: FloatArray, counts: IntArray) -> IntArray:
    """The whole numbers nearest to `placed` (L1 norm) whose rows sum to `counts`, by largest
    remainders.

    Ties go to the first machine type. A cell that is 0 stays 0 if its row has other cells, so
    impossible pairs stay empty.
    """
    whole = np.floor(placed + WHOLE)
    remainder = np.maximum(placed - whole, 0.0)
    rounded = whole.astype(np.int64)
    missing = counts - rounded.sum(axis=1)
    # With more than 10^9 tasks, rounding errors of floats reach whole tasks: a row may be off by a
    # few.
    for row in np.flatnonzero((missing < 0) | (missing > (remainder > 0).sum(axis=1))):
        rounded[row, placed[row].argmax()] += missing[row]
        missing[row] = 0
    order = np.argsort(-remainder, axis=1, kind="stable")
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.arange(placed.shape[1])[None, :], axis=1)
    rounded += rank < missing[:, None]
    return rounded


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


# The steps in a unit of work, where a step looks at one or two kinds of tasks to give.
_STEPS_A_UNIT: Final = 5e8


def even_out(counts: IntArray, seconds: FloatArray, machine_type: IntArray) -> float:
    """Change in place `counts[m, i]`, the tasks of type i on machine m; machines of a type are
    neighbours.

    `seconds[i, j]` is the time of a task on machine type j; where there are no tasks it may be
    anything. Returns the units of work done.
    """
    steps = 0
    for kind in np.unique(machine_type):
        machines = np.flatnonzero(machine_type == kind)
        held = np.flatnonzero(counts[machines].any(axis=0))
        shared = counts[np.ix_(machines, held)]
        steps += _even_out(shared, seconds[held, kind])
        counts[np.ix_(machines, held)] = shared
    return steps / _STEPS_A_UNIT


def load_kernels() -> None:
    """See `core.engines.kernels`."""
    none = np.zeros((1, 1), np.int64)
    even_out(none, np.ones((1, 1)), none[0])


@Kernel
def _even_out(counts, seconds):
    """Each exchange lowers the later end by more than rounding, so the search ends. Loads that
    should be 0 may be slightly below. Returns the number of steps.
    """
    machines, kinds = counts.shape
    steps = 0
    loads = np.zeros(machines)
    for machine in range(machines):
        for kind in range(kinds):
            loads[machine] += counts[machine, kind] * seconds[kind]
    while True:
        a = loads.argmax()
        b, given, given_too, taken, taken_too, looked = _best_exchange(counts, seconds, loads, a)
        steps += looked
        if b < 0:
            return steps
        for kind, tasks in ((given, 1), (given_too, 1), (taken, -1), (taken_too, -1)):
            if kind >= 0:
                counts[a, kind] -= tasks
                counts[b, kind] += tasks
                loads[a] -= tasks * seconds[kind]
                loads[b] += tasks * seconds[kind]


@Kernel
def _best_exchange(counts, seconds, loads, a):
    """The best exchange: machine b, the kinds of the one or two tasks for it, and of the up to two
    tasks in return (-1 is none); last, the number of steps.
    """
    steps = counts.shape[0]
    best, least = (-1, -1, -1, -1, -1), loads[a] * (1 - SAME)
    for b in range(counts.shape[0]):
        most = loads[a] - loads[b]
        if b == a or most <= 0:
            continue
        for given in range(counts.shape[1]):
            if counts[a, given] == 0:
                continue
            for taken in range(-1, counts.shape[1]):
                if taken >= 0 and counts[b, taken] == 0:
                    continue
                passed = seconds[given] - (seconds[taken] if taken >= 0 else 0.0)
                later = max(loads[a] - passed, loads[b] + passed)
                steps += counts.shape[1]
                if 0 < passed < most and later < least:
                    best, least = (b, given, -1, taken, -1), later
                for too in range(counts.shape[1]):
                    more = passed + seconds[too]
                    later = max(loads[a] - more, loads[b] + more)
                    there = counts[a, too] > (1 if too == given else 0)
                    if there and 0 < more < most and later < least:
                        best, least = (b, given, too, taken, -1), later
                    less = passed - seconds[too]
                    later = max(loads[a] - less, loads[b] + less)
                    there = taken >= 0 and counts[b, too] > (1 if too == taken else 0)
                    if there and 0 < less < most and later < least:
                        best, least = (b, given, -1, taken, too), later
    return (*best, steps)
