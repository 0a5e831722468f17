"""Evens out the loads of the machines of each type by exchanges between two machines.

The busiest machine of a type gives one or two tasks to another, for none, one or two of its tasks:
always the exchange that lowers the later end of both most, until no exchange lowers it.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final

import numpy as np

from core.engines.compute.compiled import Kernel
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.tolerances import SAME

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
