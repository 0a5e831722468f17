"""Lower bounds of whole tasks, which may be above the divisible ones.

Makespan: take any set of tasks, and let t_j be the least time of any of them on machine type j.
Within T seconds a machine of type j runs at most floor(T / t_j) of them. So T is too short while

    sum_j M_j floor(T / t_j) < tasks.

The sets tried are the tasks of each type alone (so the bound is at least the longest task on its
fastest machine), and the tasks of the k types with the longest least time, for every k.

Energy of few tasks on many machines: within T seconds at most `M_j floor(T / ETC_ij)` tasks of type
i run on machine type j. Let `lambda_j >= 0` be the price of a machine-second. No machine works
longer than T, so every schedule of makespan T draws at least so many joules above idle power:

    sum_i (least sum_j mu_ij (c_ij + lambda_j ETC_ij) within limits) - T sum_j M_j lambda_j.

The least is found by filling each row from its cheapest cell on, without a solver. Any prices prove
a bound: tried are prices of 0 and those of the front's line at T.
"""

from typing import Final

import numpy as np

from core.engines.relaxed.front import Front
from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.plane.points import Steps
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
    return runs * (1 + SUM_ROUNDING) < tasks


# With more tasks a machine it hardly matters that they are whole. Tried on 36 machines like nine:
# the bound on energy rises by 0.2 % on average at 5 tasks a machine, by 0.04 % at 10 and by 0.003 %
# at 20.
MOST_TASKS_A_MACHINE: Final = 10
# Tables with more numbers take too long; of more steps, so many are chosen evenly.
MOST_NUMBERS: Final = 200_000
MOST_STEPS: Final = 400


def are_few(system: System) -> bool:
    """Whether there are so few tasks that it matters that they are whole."""
    return system.tasks <= MOST_TASKS_A_MACHINE * system.machines


def few_task_steps(front: Front, soonest: float) -> Steps:
    """The steps that few whole tasks prove; `soonest` seconds is a known lower bound on the
    makespan.
    """
    system = front.system
    most = min(MOST_STEPS, MOST_NUMBERS // system.etc.size)
    if not are_few(system) or most < 2:
        return Steps.none_before(soonest)
    begins = _thresholds(front, soonest, most)
    return Steps.descending(begins, _Needed(front).within(np.append(begins[1:], np.inf)))


def _thresholds(front: Front, soonest: float, most: int) -> FloatArray:
    """`soonest`, and the makespans from which on some machine can run one more task of a type; at
    most `most` of them, evenly chosen.
    """
    system = front.system
    times = np.where(system.can_run, system.etc, np.inf)
    # More tasks than these on each machine are more than the task type has.
    each = np.ceil(system.task_counts[:, None] / np.maximum(system.machine_counts, 1))
    multiples = np.arange(1, min(each.max(), most) + 1)
    found = times[..., None] * np.where(multiples <= each[..., None], multiples, np.inf)
    found = np.unique(found[np.isfinite(found)]) * (1 - 2 * SUM_ROUNDING)
    begins = np.append(soonest, found[found > soonest])
    if len(begins) > most:
        begins = begins[np.linspace(0, len(begins) - 1, most).round().astype(int)]
    return begins


class _Needed:
    """The least joules above idle power that whole tasks draw within makespans."""

    def __init__(self, front: Front) -> None:
        system = front.system
        self.lines = front.lines.chosen(slice(0, -1))
        self.tasks = system.task_counts.astype(float)
        self.machines = system.machine_counts.astype(float)
        self.runs = system.can_run
        self.times = np.where(self.runs, system.etc, 1.0)
        self.costs = np.where(self.runs, system.dynamic_energy, 0.0)

    def within(self, ends: FloatArray) -> FloatArray:
        """The least joules of schedules that end before each of these makespans; infinity if there
        are none.
        """
        free = np.zeros((len(ends), len(self.machines)))
        finite = np.isfinite(ends)
        needed = self.at_prices(ends, free)
        needed[finite] = np.maximum(
            needed[finite], self.at_prices(ends[finite], self.line_prices(ends[finite]))
        )
        return needed

    def line_prices(self, makespans: FloatArray) -> FloatArray:
        """The prices of a machine-second of each type on the front's line at each makespan."""
        levels = self.lines.value - self.lines.weights[:, 1] * makespans[:, None]
        prices: FloatArray = self.lines.machine_prices[levels.argmax(axis=1)]
        return prices

    def at_prices(self, ends: FloatArray, prices: FloatArray) -> FloatArray:
        """The same, as these prices of machine-seconds prove it, one row for each end; rounding
        errors are counted against it.
        """
        tasks = self.tasks[:, None]
        fitting = np.floor(np.minimum(ends[:, None, None] * (1 + SUM_ROUNDING) / self.times, tasks))
        limits = np.where(self.runs, np.minimum(fitting * self.machines, tasks), 0.0)
        charged = self.costs + self.times * prices[:, None, :]
        order = np.argsort(np.where(self.runs, charged, np.inf), axis=2)
        limits = np.take_along_axis(limits, order, axis=2)
        charged = np.take_along_axis(charged, order, axis=2)
        filled = np.cumsum(limits, axis=2)
        taken = np.clip(tasks - (filled - limits), 0.0, limits)
        terms = (taken * charged).reshape(len(ends), self.times.size)
        worth = prices @ self.machines
        charge = np.where(worth > 0, ends, 0.0) * worth
        needed = terms.sum(axis=1) - charge
        needed -= SUM_ROUNDING * (np.abs(terms).sum(axis=1) + charge)
        too_many = (filled[:, :, -1] * (1 + SUM_ROUNDING) < self.tasks).any(axis=1)
        return np.where(too_many, np.inf, needed)
