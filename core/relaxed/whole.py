"""What whole tasks prove of the makespan, beyond tasks that may be split.

Take any tasks, and let each machine type run all of them as fast as the fastest of them. Within T
seconds a machine of type j then runs at most floor(T / t_j) of them, t_j being that time. So T is
too short while

    sum_j M_j floor(T / t_j) < tasks.

Tried are the tasks of each type alone, which holds the longest task on its fastest machine, and
those that take longest at best, of so many types.
"""

import numpy as np

from core.model.arrays import BoolArray, FloatArray
from core.model.system import System
from core.model.tolerances import DIFFERENCE_ROUNDING, SUM_ROUNDING


def soonest(system: System, divisible: float) -> float:
    """Seconds that no schedule of whole tasks gets below; `divisible` is what no schedule does that
    may split them.
    """
    times, tasks = _sets(system)
    short = _too_short(system, times, tasks, divisible)
    if not short.any():
        return divisible
    times, tasks = times[short], tasks[short]
    machines = np.maximum(system.machine_counts, 1)
    # Long enough: all tasks on the machine type that is done with them first.
    low, high = divisible, float((times * np.ceil(tasks[:, None] / machines)).min(axis=1).max())
    while high - low > DIFFERENCE_ROUNDING * high:
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if _too_short(system, times, tasks, middle).any():
            low = middle
        else:
            high = middle
    return low


def _sets(system: System) -> tuple[FloatArray, FloatArray]:
    """Seconds that the fastest task of each set (rows) takes on each machine type, infinity where
    none can run; and how many tasks are in the set.
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
    """The sets that machines cannot run within so many seconds."""
    runs = np.floor(makespan * (1 + SUM_ROUNDING) / times) @ system.machine_counts
    short: BoolArray = runs * (1 + SUM_ROUNDING) < tasks
    return short
