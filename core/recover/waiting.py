"""Schedules that are slow on purpose, since machines that wait draw less than machines at work.

Where every task runs as cheaply as it can, the energy above idle power is least: D joules. Over T
seconds that is D / T watts, the less the longer. So one machine is given more tasks than its share,
until it takes as long as a cap on the average power asks for; what tasks cost more there counts.

With `spare` watts above idle power, a task on that machine lengthens the makespan by its seconds,
which is worth `spare` x seconds, and wastes what it costs more there than at best. What is gained
must be D in all; the less time that takes, the better: a knapsack, filled greedily here.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from core.model.arrays import FloatArray, IntArray
from core.model.schedule import Schedule
from core.model.system import System
from core.model.tolerances import DIFFERENCE_ROUNDING
from core.recover.assignment import groups_of
from core.relaxed import Front

# This many machine types are tried for each cap; and this many caps, where nobody gave one.
TYPES_TRIED: Final = 4
CAPS: Final = 8


def waiting_within(system: System, watts: float) -> list[Schedule]:
    """Schedules that draw so many watts on average or a little less, each with a machine of another
    type that ends last; none if no machine has tasks enough, or if waiting saves no power.
    """
    spare = watts - system.total_idle_power
    return list(_Waiting(system).schedules(spare, TYPES_TRIED))


def waiting_longer(front: Front) -> list[Schedule]:
    """Schedules that are slower, and draw less on average, than all that a front and what is beyond
    its least energy have; a few, up to the slowest.
    """
    problem = _Waiting(front.system)
    slowest = front.slower[0] if len(front.slower) else front.points[0]
    most, least = problem.least / slowest[1], problem.least_spare()
    if not 0 < least < most:
        return []
    spares = np.geomspace(most, least * (1 + DIFFERENCE_ROUNDING), CAPS)
    found = (schedule for spare in spares.tolist() for schedule in problem.schedules(spare, 1))
    return list(found)


class _Waiting:
    """`least` joules above idle power are drawn where task type i runs on type `cheapest[i]`; on
    another, a task wastes `waste[i, j]` joules, infinite where it cannot run.
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
        """Watts above idle power where all tasks that can run on one machine do; the least of all
        machine types.
        """
        counts = self.system.task_counts
        wasted = counts @ np.where(np.isfinite(self.waste), self.waste, 0.0)
        busy = counts @ self.seconds
        spare = np.full(len(busy), np.inf)
        np.divide(self.least + wasted, busy, out=spare, where=busy > 0)
        return float(spare.min())

    def schedules(self, spare: float, most: int) -> Iterator[Schedule]:
        """Of so many machine types at most, those that seem to need the least time, the schedule
        whose last machine is of that type.
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
        """Tasks that a machine of type j has anyway, being the only one where they are cheapest."""
        alone = self.system.machine_counts[j] == 1
        own: IntArray = np.where((self.cheapest == j) & alone, self.system.task_counts, 0)
        return own

    def divisible(self, gains: FloatArray, j: int) -> float:
        """Seconds that a machine of type j needs, could tasks be split; infinity if there are not
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
        """How many tasks of each type a machine of type j runs to gain what is needed: first those
        that gain most a second, at the end the shortest that suffices.
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
        """One machine of type j runs what it is given, all else runs where it is cheapest."""
        system = self.system
        placed = np.zeros(system.etc.shape, np.int64)
        placed[np.arange(len(given)), self.cheapest] = system.task_counts - given
        others = np.array(system.machine_counts)
        others[j] -= 1
        kinds, machines, tasks = groups_of(system, others, placed)
        return Schedule.from_groups(
            system, np.append(kinds, j), np.append(machines, 1), np.vstack([tasks, given])
        )
