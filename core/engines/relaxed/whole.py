"""A lower bound on the makespan of whole tasks, which may be above the divisible one.

Take any set of tasks, and let t_j be the least time of any of them on machine type j. Within T
seconds a machine of type j runs at most floor(T / t_j) of them. So T is too short while

    sum_j M_j floor(T / t_j) < tasks.

The sets tried are the tasks of each type alone (so the bound is at least the longest task on its
fastest machine), and the tasks of the k types with the longest least time, for every k.
"""

import numpy as np

from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.system import System
from core.vocabulary.tolerances import DIFFERENCE_ROUNDING, SUM_ROUNDING


def soonest(system: System, divisible: float) -> float:
    """A lower bound, in seconds, on the makespan of whole tasks; `divisible` is that of divisible
    schedules.
    """
    times, tasks = _sets(system)
    short = _too_short(system, times, tasks, divisible)
    if not short.any():
        return divisible
    times, tasks = times[short], tasks[short]
    machines = np.maximum(system.machine_counts, 1)
    # Surely long enough: all tasks of a set on the machine type that is done with them first.
    low, high = divisible, float((times * np.ceil(tasks[:, None] / machines)).min(axis=1).max())
    while high - low > DIFFERENCE_ROUNDING * high:
        middle = (low + high) / 2
        if _too_short(system, times, tasks, middle).any():
            low = middle
        else:
            high = middle
    return low


def _sets(system: System) -> tuple[FloatArray, FloatArray]:
    """The least seconds of any task of each set (rows) on each machine type, infinity where none
    can run; and how many tasks are in each set.
    """
    there = system.task_counts > 0
    times = np.where(system.can_run[there], system.etc[there], np.inf)
    tasks = system.task_counts[there].astype(float)
    longest_first = np.argsort(-times.min(axis=1), kind="stable")
    return (
        np.concatenate([times, np.minimum.accumulate(times[longest_first])]),
        np.concatenate([tasks, np.cumsum(tasks[longest_first])]),
    )


def _too_short(system: System, times: FloatArray, tasks: FloatArray, makespan: float) -> BoolArray:
    """Which sets the machines cannot run within `makespan` seconds."""
    runs = np.floor(makespan * (1 + SUM_ROUNDING) / times) @ system.machine_counts
    short: BoolArray = runs * (1 + SUM_ROUNDING) < tasks
    return short
