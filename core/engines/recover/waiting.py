"""Schedules that are slow on purpose, because waiting machines draw less than working ones.

If every task runs where it needs the least energy, the energy above idle power is least: D joules.
Over T seconds that is D / T watts, which fall with T. So one machine gets more tasks than its
share, until the makespan is long enough for a cap on the average power. The extra energy of tasks
on that machine counts, too.

With `spare` watts allowed above idle power, a task on that machine lengthens the makespan by its
seconds, which gains `spare` x seconds joules, and wastes its extra energy there. The gains must add
up to D in the least time: that is a knapsack problem, which is solved greedily here.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from core.engines.recover.assignment import groups_of
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import DIFFERENCE_ROUNDING

# The machine types tried for each cap; and the number of caps, where none is given. More take more
# time; `python -m benchmarks wishes` measures what power caps get.
TYPES_TRIED: Final = 4
CAPS: Final = 8


def waiting_within(system: System, watts: float) -> list[Schedule]:
    """Schedules that draw at most about so many watts on average, each with a machine of another
    type that ends last. None if no machine can get enough tasks, or if waiting saves no power.
    """
    spare = watts - system.total_idle_power
    return list(_Waiting(system).schedules(spare, TYPES_TRIED))


def waiting_longer(front: Front) -> list[Schedule]:
    """A few schedules, up to the slowest, that are slower and draw less on average than all
    vertices of a front, its `slower` ones included.
    """
    problem = _Waiting(front.system)
    slowest = front.slower[0] if len(front.slower) else front.points[0]
    most, least = problem.least / float(slowest[1]), problem.least_spare()
    if not 0 < least < most:
        return []
    # Tasks and machine types may gain as much as others, but for the last digit of a cap. Powers of
    # numpy's arrays have other last digits on other processors; those of floats do not.
    share = least * (1 + DIFFERENCE_ROUNDING) / most
    spares = [most * share ** (k / (CAPS - 1)) for k in range(CAPS)]
    return [schedule for spare in spares for schedule in problem.schedules(spare, 1)]


class _Waiting:
    """Tasks draw `least` joules above idle power if each task type i runs on machine type
    `cheapest[i]`. On machine type j, a task wastes `waste[i, j]` joules, infinite where it cannot
    run.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        costs = np.where(system.can_run, system.dynamic_energy, np.inf)
        self.cheapest = costs.argmin(axis=1)
        least = np.where(system.task_counts > 0, costs.min(axis=1), 0.0)
        self.least = float(least @ system.task_counts)
        self.waste = np.full(costs.shape, np.inf)
        np.subtract(costs, least[:, None], out=self.waste, where=system.can_run)
        self.seconds = np.where(system.can_run, system.etc, 0.0)

    def least_spare(self) -> float:
        """Watts above idle power if all tasks that one machine can run do run on it; the least over
        all machine types.
        """
        counts = self.system.task_counts
        wasted = counts @ np.where(np.isfinite(self.waste), self.waste, 0.0)
        busy = counts @ self.seconds
        spare = np.full(len(busy), np.inf)
        np.divide(self.least + wasted, busy, out=spare, where=busy > 0)
        return float(spare.min())

    def schedules(self, spare: float, most: int) -> Iterator[Schedule]:
        """For at most `most` machine types, those with the least estimated time, the schedule in
        which a machine of that type ends last.
        """
        if self.least <= 0 or spare <= 0:
            return
        gains = spare * self.seconds - self.waste
        seconds = [self.divisible(gains[:, j], j) for j in range(gains.shape[1])]
        for j in np.argsort(seconds, kind="stable")[:most].tolist():
            if seconds[j] < np.inf:
                given = self.cover(gains[:, j], j)
                if given is not None:
                    yield self.schedule(j, given)

    def own(self, j: int) -> IntArray:
        """Tasks that a machine of type j runs in any case, because it is the only one of their
        cheapest type.
        """
        alone = self.system.machine_counts[j] == 1
        return np.where((self.cheapest == j) & alone, self.system.task_counts, 0)

    def divisible(self, gains: FloatArray, j: int) -> float:
        """Seconds that a machine of type j needs if tasks may be split; infinity if there are not
        enough.
        """
        useful = np.flatnonzero(gains > 0)
        order = useful[np.argsort(-gains[useful] / self.seconds[useful, j], kind="stable")]
        amounts = gains[order] * self.system.task_counts[order]
        gained = np.append(0.0, np.cumsum(amounts))
        if gained[-1] < self.least * (1 - DIFFERENCE_ROUNDING):
            return np.inf
        times = np.append(0.0, np.cumsum(self.seconds[order, j] * self.system.task_counts[order]))
        return float(np.interp(self.least, gained, times))

    def cover(self, gains: FloatArray, j: int) -> IntArray | None:
        """How many tasks of each type a machine of type j runs to gain enough: first the tasks of
        the largest gain for each second, at the end the shortest task that suffices.
        """
        given = self.own(j)
        counts, seconds = self.system.task_counts, self.seconds[:, j]
        left = self.least - float(given @ np.where(given > 0, gains, 0.0))
        enough = DIFFERENCE_ROUNDING * abs(self.least)
        while left > enough:
            open_ = np.flatnonzero((given < counts) & (gains > 0))
            if not len(open_):
                return None
            closing = open_[gains[open_] >= left - enough]
            best = open_[(gains[open_] / seconds[open_]).argmax()]
            if len(closing) and not gains[best] < left - enough:
                given[closing[seconds[closing].argmin()]] += 1
                return given
            gain = float(gains[best])
            some = max(int(min(float(counts[best] - given[best]), left / gain)), 1)
            given[best] += some
            left -= some * gain
        return given

    def schedule(self, j: int, given: IntArray) -> Schedule:
        """The schedule in which one machine of type j runs the given tasks, and all others run
        where they need the least energy.
        """
        system = self.system
        placed = np.zeros(system.etc.shape, np.int64)
        placed[np.arange(len(given)), self.cheapest] = system.task_counts - given
        others = np.array(system.machine_counts)
        others[j] -= 1
        kinds, machines, tasks = groups_of(system, others, placed)
        return Schedule.from_groups(
            system, np.append(kinds, j), np.append(machines, 1), np.vstack([tasks, given])
        )
