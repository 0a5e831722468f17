"""The time and energy of every schedule of a small system, one by one.

It shares nothing with the code under test: it gives tasks to single machines in all possible ways,
and adds up in whole numbers. So times and powers must be whole numbers.
"""

from itertools import combinations
from math import comb, prod

import numpy as np

from core import System
from core.vocabulary.arrays import FloatArray, IntArray


def number_of_ways(system: System) -> int:
    """The number of ways to give all tasks to single machines."""
    able = [int(system.machine_counts[runs].sum()) for runs in system.can_run]
    return prod(
        comb(count + machines - 1, count)
        for count, machines in zip(system.task_counts.tolist(), able, strict=True)
    )


def every_schedule(system: System) -> IntArray:
    """Rows of (joules, seconds), each once, in lexical order."""
    kind = np.repeat(np.arange(len(system.machine_types)), system.machine_counts)
    loads, joules = np.zeros((1, len(kind)), np.int64), np.zeros(1, np.int64)
    for task, count in enumerate(system.task_counts.tolist()):
        able = np.flatnonzero(system.can_run[task, kind])
        given = np.zeros((comb(count + len(able) - 1, count), len(kind)), np.int64)
        given[:, able] = _ways(count, len(able))
        seconds = np.zeros(len(kind), np.int64)
        seconds[able] = _whole(system.etc[task, kind[able]])
        above_idle = np.zeros(len(kind), np.int64)
        watts = np.zeros(len(able)) if system.apc is None else system.apc[task, kind[able]]
        above_idle[able] = seconds[able] * (_whole(watts) - _whole(system.idle_power[kind[able]]))
        loads = (loads[:, None, :] + (given * seconds)[None]).reshape(-1, len(kind))
        joules = (joules[:, None] + (given @ above_idle)[None]).ravel()
    makespans = loads.max(axis=1)
    idle = int(_whole(system.idle_power) @ system.machine_counts)
    return np.unique(np.column_stack([joules + idle * makespans, makespans]), axis=0)


def _ways(count: int, machines: int) -> IntArray:
    """All ways to give so many equal tasks to so many machines, a row each."""
    bars = np.array(list(combinations(range(count + machines - 1), machines - 1)), np.int64)
    bars = bars.reshape(comb(count + machines - 1, count), machines - 1)
    edges = np.pad(bars, ((0, 0), (1, 1)), constant_values=((0, 0), (-1, count + machines - 1)))
    return np.diff(edges, axis=1) - 1


def _whole(values: FloatArray) -> IntArray:
    whole: IntArray = np.rint(values).astype(np.int64)
    if (whole != values).any():
        raise ValueError("times and powers must be whole")
    return whole
