"""The classic heuristics, on counts (Maheswaran et al. 1999; Braun et al. 2001). Ties go to the
first task type, then to the first machine type, then to the first machine.

Min-min, max-min and sufferage choose the next task among all that wait. For every waiting task, the
machine that would end it first is found. Then one task is placed on its machine:

- min-min: the task that would end first;
- max-min: the task that would end last;
- sufferage: the task that would lose most if it had to take its second-best machine (identical
  machines count as separate ones; a task that only one machine can run comes first of all).

One task is placed at a time, also in sufferage, where Maheswaran et al. place up to one task on
each machine in a round. This is an optimised form: equal tasks are one row with a count; for each
machine type a heap gives the machine that is free first; and a task type is compared again only
after the top of a heap that it used has changed. The time still grows with the number of tasks.

OLB, MET and MCT place each task in turn, in the order of the task types, whatever comes after it.
For n equal tasks, placing one at a time has a closed form. Machine k offers places at `offer[k]`,
`offer[k] + seconds[k]`, `offer[k] + 2 seconds[k]`, ... (for example, the times at which it would
start its next tasks), and each task takes the earliest free place: together they take the n
earliest. So the time depends on types and machines, not on the number of tasks.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from core.engines.compute.compiled import Kernel
from core.engines.rivals.rival import machine_kinds, schedule_of_machines
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Budget
from core.vocabulary.say.words import Sense, duration
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

MIN_MIN, MAX_MIN, SUFFERAGE = range(3)

# The comparisons between two checks whether to stop, which take some tenths of a second.
LOOKS_BETWEEN_STOPS = 20_000_000


def min_min(system: System, budget: Budget) -> Schedule:
    return _task_by_task(system, budget, MIN_MIN)


def max_min(system: System, budget: Budget) -> Schedule:
    return _task_by_task(system, budget, MAX_MIN)


def sufferage(system: System, budget: Budget) -> Schedule:
    return _task_by_task(system, budget, SUFFERAGE)


class _State(NamedTuple):
    """The state between two placements; the compiled loop changes it in place.

    The heap of machine type j is `first[j]` to `first[j + 1]` of `ready` (seconds) and `number`
    (which machine that is), in the order of both. `waiting` counts the tasks still to place.
    """

    etc: FloatArray
    first: IntArray
    ready: FloatArray
    number: IntArray
    tasks: IntArray
    waiting: IntArray


def _task_by_task(system: System, budget: Budget, rule: int) -> Schedule:
    state = _State(
        etc=np.where(system.can_run, system.etc, np.inf),
        first=np.concatenate([[0], np.cumsum(system.machine_counts)]),
        ready=np.zeros(system.machines),
        number=np.arange(system.machines),
        tasks=np.zeros((system.machines, len(system.task_types)), np.int64),
        waiting=system.task_counts.copy(),
    )
    steps = max(LOOKS_BETWEEN_STOPS // sum(system.etc.shape), 1)
    _place(rule, state, 0)  # compiles, which must not count as running time
    begun, placed = time.perf_counter(), 0
    while placed < system.tasks:
        if placed:
            needed = (time.perf_counter() - begun) * system.tasks / placed
            budget.check(
                f"placing one task at a time: {placed:,} of {system.tasks:,} were placed, and all "
                f"would take about {duration(needed, Sense.PLAIN)}"
            )
        steps = min(steps, system.tasks - placed)
        _place(rule, state, steps)
        placed += steps
    return schedule_of_machines(system, state.tasks)


# Below, numba infers the types; annotations would be lost on mypy, for which `njit` is untyped.


@Kernel
def _place(rule, state, steps):
    """Place the next `steps` tasks; at least that many must wait."""
    etc, first, ready, number, tasks, waiting = state
    task_types, kinds = etc.shape
    top = np.full(kinds, np.inf)
    for kind in range(kinds):
        if first[kind] < first[kind + 1]:
            top[kind] = ready[first[kind]]
    best = np.full(task_types, -1)
    second = np.full(task_types, -1)
    end = np.zeros(task_types)
    urgency = np.zeros(task_types)
    changed = -1
    for _ in range(steps):
        chosen, highest = -1, -np.inf
        for i in range(task_types):
            if waiting[i] == 0:
                continue
            if best[i] == changed or second[i] == changed:
                best[i], end[i] = _best(etc, top, i)
                if rule == MIN_MIN:
                    urgency[i] = -end[i]
                elif rule == MAX_MIN:
                    urgency[i] = end[i]
                else:
                    second[i], second_end = _second(etc, first, top, ready, i, best[i])
                    urgency[i] = second_end - end[i]
            if urgency[i] > highest:
                chosen, highest = i, urgency[i]
        changed = best[chosen]
        tasks[number[first[changed]], chosen] += 1
        waiting[chosen] -= 1
        _sink(ready, number, first[changed], first[changed + 1], end[chosen])
        top[changed] = ready[first[changed]]


@Kernel
def _best(etc, top, i):
    """The machine type that would end a task of type i first, and when."""
    best, end = -1, np.inf
    for kind in range(len(top)):
        candidate = top[kind] + etc[i, kind]
        if candidate < end:
            best, end = kind, candidate
    return best, end


@Kernel
def _second(etc, first, top, ready, i, best):
    """The second-best machine type for a task of type i, and when its second-best machine ends."""
    second, end = best, np.inf
    for kind in range(len(top)):
        candidate = top[kind] + etc[i, kind]
        if candidate < end and kind != best:
            second, end = kind, candidate
    # The next machine in the heap of the best type may be better.
    for child in range(first[best] + 1, min(first[best] + 3, first[best + 1])):
        end = min(end, ready[child] + etc[i, best])
    return second, end


@Kernel
def _sink(ready, number, top, past, time):
    """Restore the order (ready, number) of a heap whose first machine is now ready at `time`.

    The heap is not empty. Times never fall; a time stays the same if rounding loses a task.
    """
    machine = number[top]
    hole = top
    child = top + 1
    while child < past:
        other = child + 1
        if other < past and (
            ready[other] < ready[child]
            or (ready[other] == ready[child] and number[other] < number[child])
        ):
            child = other
        if ready[child] > time or (ready[child] == time and number[child] > machine):
            break
        ready[hole] = ready[child]
        number[hole] = number[child]
        hole = child
        child = 2 * (child - top) + 1 + top
    ready[hole] = time
    number[hole] = machine


# (ready, seconds, kind) of each machine -> its first offer, infinity if it makes none.
OfferRule = Callable[[FloatArray, FloatArray, IntArray], FloatArray]


def opportunistic(system: System, _budget: Budget) -> Schedule:
    """OLB: each task goes to the machine that is free first among those that can run it, however
    slow.
    """
    return _in_turn(system, lambda ready, seconds, _: np.where(np.isinf(seconds), np.inf, ready))


def minimum_execution(system: System, _budget: Budget) -> Schedule:
    """MET: each task goes to its fastest machine type, however busy, and there to the first free
    machine.

    The textbook form does not know equal machines, and would put all tasks of a type on one of
    them.
    """
    return _in_turn(
        system,
        lambda ready, seconds, kind: np.where(kind == kind[seconds.argmin()], ready, np.inf),
    )


def minimum_completion(system: System, _budget: Budget) -> Schedule:
    """MCT: each task goes to the machine that would end it first."""
    return _in_turn(system, lambda ready, seconds, _: ready + seconds)


def _in_turn(system: System, offers: OfferRule) -> Schedule:
    kind = machine_kinds(system)
    ready = np.zeros(len(kind))
    tasks = np.zeros((len(kind), len(system.task_types)), np.int64)
    for i in np.flatnonzero(system.task_counts):
        seconds = system.etc[i, kind]
        offer = offers(ready, seconds, kind)
        takes_part = np.isfinite(offer)
        tasks[takes_part, i] = earliest_places(
            offer[takes_part], seconds[takes_part], int(system.task_counts[i])
        )
        ready[takes_part] += tasks[takes_part, i] * seconds[takes_part]
    return schedule_of_machines(system, tasks)


def earliest_places(offer: FloatArray, seconds: FloatArray, n: int) -> IntArray:
    """How many of the n earliest places each machine has; ties go to the first machine.

    Bisection finds the time of the n-th place, down to neighbouring floats. Every place before it
    is taken, and places at that time in the order of the machines.
    """

    def places_until(time: float) -> IntArray:
        places: IntArray = np.clip(np.floor((time - offer) / seconds) + 1, 0, n).astype(np.int64)
        return places

    before, until = -np.inf, float(offer.min())
    if places_until(until).sum() < n:
        before, until = until, float(2 * (offer + n * seconds).min())
        while before < (middle := (before + until) / 2) < until:
            if places_until(middle).sum() < n:
                before = middle
            else:
                until = middle
    sure = places_until(before)
    at_once = places_until(until) - sure
    left = n - sure.sum() - (np.cumsum(at_once) - at_once)
    taken: IntArray = sure + np.clip(left, 0, at_once)
    return taken
