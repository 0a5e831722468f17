"""Plans of list methods: which task is next, and which core gets it, by estimates.

A plan is made no further than somebody asks for, since the next event discards it.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.arrivals.uncertain.weighed import nothing_learned
from core.engines.compute.compiled import InPlaceKernel
from core.vocabulary.arrays import FloatArray, IntArray


class NextTask(IntEnum):
    """Which task is next, by when it could end after what is planned so far."""

    LARGEST = 0
    """The one whose earliest end is the latest."""
    SUFFERING = 1
    """The one whose second best machine is the farthest behind its best."""


class OntoMachine(IntEnum):
    """Which machine gets it; of equals the one where it ends first, then the first."""

    SOONEST = 0
    """Where it ends first."""
    LEAST_ENERGY = 1
    """Where it adds the least energy: its own, and that of all machines if they stay on longer."""
    LEAST_OWN_ENERGY = 2
    """Where the task itself takes the least energy."""
    WEIGHED = 3
    """Where its energy and its end together cost the least, if a second costs what a core's part of
    a second of makespan does. Machines are left out that the front of the work left does not use
    for it (`core.capabilities.arrivals.uncertain.weighed`).
    """
    LEAST_OF_MACHINE = 4
    """Where it adds the least energy to the machine: its own, and what the machine draws if it
    stays on longer.
    """


_LARGEST: Final = int(NextTask.LARGEST)
_SOONEST: Final = int(OntoMachine.SOONEST)
_LEAST_ENERGY: Final = int(OntoMachine.LEAST_ENERGY)
_WEIGHED: Final = int(OntoMachine.WEIGHED)
_LEAST_OF_MACHINE: Final = int(OntoMachine.LEAST_OF_MACHINE)


class Bag(NamedTuple):
    """Tasks in the order of their arrival (s), and the cores of machines.

    Task t is estimated to take `seconds[t, m]` on a core of machine m (infinity: it cannot run
    there), and to draw `watts[t, m]`. If `ordered`, a task that comes earlier in `line` takes
    longer on every machine, or equally long on all, and no plan has a task before it arrives.
    Machine m has the cores `first[m]` to `first[m + 1] - 1`. All machines together draw
    `idle_watts` beside what tasks draw, machine m `idle_of[m]` of them.
    """

    arrival: FloatArray
    seconds: FloatArray
    watts: FloatArray
    line: IntArray
    ordered: bool
    first: IntArray
    machine: IntArray
    idle_watts: float
    idle_of: FloatArray


class Planning(NamedTuple):
    """A plan on its way.

    - Core c is `free[c]` after all that is planned for it: the tasks `head[c]`, `follows[head[c]]`
      and so on, up to `tail[c]`. `soonest[m]` is the core of machine m that is free first.
    - The first `counts[0]` of `left` are not planned yet (in order: those from `counts[1]` on).
      Task t would end first on machine `best[t]`, then on `second[t]`.
    - `latest[0]` is when all that is planned ends.
    - `share[0]` is what share of its estimate a task is expected to take from a core. `delay[0]`
      is what a second of makespan costs (W), `price[m]` what one of a core of machine m does;
      `longer` is from `core.capabilities.arrivals.uncertain.weighed`. Only weighed plans have
      them.
    """

    free: FloatArray
    head: IntArray
    tail: IntArray
    follows: IntArray
    soonest: IntArray
    left: IntArray
    best: IntArray
    second: IntArray
    latest: FloatArray
    counts: IntArray
    share: FloatArray
    delay: FloatArray
    price: FloatArray
    longer: FloatArray


def in_line(seconds: FloatArray) -> tuple[IntArray, bool]:
    """Tasks with the longest first, and whether that is their order on every machine."""
    line = np.argsort(-seconds[:, 0], kind="stable")
    row = seconds[line]
    shorter = (row[1:] < row[:-1]).all(axis=1)
    same = (row[1:] == row[:-1]).all(axis=1)
    return line, bool(np.isfinite(row).all() and (shorter | same).all())


def empty_plan(bag: Bag) -> Planning:
    many, wide = len(bag.arrival), len(bag.machine)

    def numbers(count: int) -> IntArray:
        return np.full(count, -1, np.int64)

    return Planning(
        np.zeros(wide),
        numbers(wide),
        numbers(wide),
        numbers(many),
        bag.first[:-1].copy(),
        numbers(many),
        numbers(many),
        numbers(many),
        np.zeros(1),
        np.zeros(2, np.int64),
        np.ones(1),
        np.zeros(1),
        np.zeros(len(bag.first) - 1),
        nothing_learned(),
    )


@InPlaceKernel
def begin_plan(bag, plan, rule, waiting):
    """Begins anew with the tasks that are `waiting`; `plan.free` says when each core is free."""
    plan.head[:] = -1
    plan.tail[:] = -1
    count = 0
    for place in range(len(bag.line)):
        task = bag.line[place] if bag.ordered else place
        if waiting[task]:
            plan.left[count] = task
            count += 1
    plan.counts[0] = count
    plan.counts[1] = 0
    plan.latest[0] = _when_all_are_free(plan)
    for machine in range(len(plan.soonest)):
        _find_soonest(bag, plan, machine)
    if not _in_order(bag, rule):
        for place in range(count):
            _find_best(bag, plan, plan.left[place])


@InPlaceKernel
def _when_all_are_free(plan):
    latest = plan.free[0]
    for core in range(1, len(plan.free)):
        latest = max(latest, plan.free[core])
    return latest


@InPlaceKernel
def _in_order(bag, rule):
    """Whether the next task is always the next in line."""
    return bag.ordered and rule[0] == _LARGEST


@InPlaceKernel
def _find_soonest(bag, plan, machine):
    soonest = bag.first[machine]
    for core in range(bag.first[machine], bag.first[machine + 1]):
        if plan.free[core] < plan.free[soonest]:
            soonest = core
    plan.soonest[machine] = soonest


@InPlaceKernel
def _end_on(bag, plan, task, machine):
    """When a task would end on a machine, if it takes all of its estimate."""
    free = plan.free[plan.soonest[machine]]
    return max(free, bag.arrival[task]) + bag.seconds[task, machine]


@InPlaceKernel
def _find_best(bag, plan, task):
    best, second = -1, -1
    first_end, second_end = np.inf, np.inf
    for machine in range(len(plan.soonest)):
        end = _end_on(bag, plan, task, machine)
        if end < first_end:
            second, second_end = best, first_end
            best, first_end = machine, end
        elif end < second_end:
            second, second_end = machine, end
    plan.best[task], plan.second[task] = best, second


@InPlaceKernel
def _key(bag, plan, rule, task):
    """The task with the highest is next."""
    end = _end_on(bag, plan, task, plan.best[task])
    if rule[0] == _LARGEST:
        return end
    if plan.second[task] < 0:
        return np.inf
    return _end_on(bag, plan, task, plan.second[task]) - end


@InPlaceKernel
def _next_task(bag, plan, rule):
    """Takes the next task out of what is left; of equals the one that arrived first."""
    plan.counts[0] -= 1
    if _in_order(bag, rule):
        plan.counts[1] += 1
        return plan.left[plan.counts[1] - 1]
    count = plan.counts[0] + 1
    chosen, highest = 0, _key(bag, plan, rule, plan.left[0])
    for place in range(1, count):
        key = _key(bag, plan, rule, plan.left[place])
        if key > highest or (key == highest and plan.left[place] < plan.left[chosen]):
            chosen, highest = place, key
    task = plan.left[chosen]
    plan.left[chosen] = plan.left[count - 1]
    return task


@InPlaceKernel
def _choose_machine(bag, plan, rule, task):
    """The machine that a rule gives a task."""
    chosen, least, least_end = -1, np.inf, np.inf
    limit = _most_energy(bag, plan, task) if rule[1] == _WEIGHED else np.inf
    for machine in range(len(plan.soonest)):
        end = _end_on(bag, plan, task, machine)
        if np.isinf(end):
            continue
        own = bag.seconds[task, machine] * bag.watts[task, machine]
        key = own
        if rule[1] == _SOONEST:
            key = end
        elif rule[1] == _LEAST_ENERGY:
            key += max(end - plan.latest[0], 0.0) * bag.idle_watts
        elif rule[1] == _LEAST_OF_MACHINE:
            key += max(end - _latest_on(bag, plan, machine), 0.0) * bag.idle_of[machine]
        elif rule[1] == _WEIGHED:
            if own > limit:
                continue
            key = own * plan.share[0] + end * plan.delay[0] / len(bag.machine)
        if key < least or (key == least and end < least_end):
            chosen, least, least_end = machine, key, end
    return chosen


@InPlaceKernel
def _latest_on(bag, plan, machine):
    """When all cores of a machine are free."""
    latest = 0.0
    for core in range(bag.first[machine], bag.first[machine + 1]):
        latest = max(latest, plan.free[core])
    return latest


@InPlaceKernel
def _most_energy(bag, plan, task):
    """What a task costs where its energy and its seconds of a core cost the least (J)."""
    least = np.inf
    for machine in range(len(plan.soonest)):
        seconds = bag.seconds[task, machine]
        if not np.isinf(seconds):
            least = min(least, seconds * (bag.watts[task, machine] + plan.price[machine]))
    return least


@InPlaceKernel
def plan_task(bag, plan, rule, task):
    """Gives a task to the core that is free first on the machine that the rule chooses."""
    machine = _choose_machine(bag, plan, rule, task)
    core = plan.soonest[machine]
    plan.latest[0] = max(plan.latest[0], _end_on(bag, plan, task, machine))
    begin = max(plan.free[core], bag.arrival[task])
    plan.free[core] = begin + bag.seconds[task, machine] * plan.share[0]
    plan.follows[task] = -1
    if plan.head[core] < 0:
        plan.head[core] = task
    else:
        plan.follows[plan.tail[core]] = task
    plan.tail[core] = task
    _find_soonest(bag, plan, machine)
    return machine


@InPlaceKernel
def plan_next(bag, plan, rule):
    """Plans one more task."""
    machine = plan_task(bag, plan, rule, _next_task(bag, plan, rule))
    if not _in_order(bag, rule):
        # Ends on one machine may be later now; what is best elsewhere still is.
        for place in range(plan.counts[0]):
            other = plan.left[place]
            if plan.best[other] == machine or plan.second[other] == machine:
                _find_best(bag, plan, other)


@InPlaceKernel
def find_all_soonest(bag, plan):
    """To be called when `plan.free` has been changed."""
    plan.latest[0] = _when_all_are_free(plan)
    for machine in range(len(plan.soonest)):
        _find_soonest(bag, plan, machine)
