"""Starts of jobs as columns of the program of a day, and what prices say about each."""

# Numba infers the types of the kernel that it compiles:
# mypy: allow-untyped-defs

from functools import cached_property

import numpy as np

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.objectives import LATENESS
from core.capabilities.centre.placing import GroupArrays
from core.capabilities.centre.program import DayProgram
from core.engines.compute.compiled import Kernel
from core.engines.lp.program import Entries
from core.vocabulary.arrays import FloatArray, IntArray


class StartColumns:
    """What every start of a group of jobs is, adds, and costs at prices."""

    def __init__(self, day: CentreDay, program: DayProgram) -> None:
        self._jobs, self._steps, self._program = day.jobs, day.steps, program
        self._groups = GroupArrays.of(day.jobs)

    @cached_property
    def first(self) -> IntArray:
        """One start for each group that is not late, if it has one, and its earliest and latest:
        a line for each.
        """
        jobs = self._jobs
        latest = self._steps - jobs.length
        on_time = np.clip(np.floor(jobs.due - jobs.length), jobs.release, latest)
        return np.stack([jobs.release, on_time.astype(np.int64), latest])

    def lateness(self, group: IntArray, start: IntArray) -> FloatArray:
        """By how many steps a job is late."""
        return self._jobs.lateness(group, start)

    @property
    def begins(self) -> int:
        """The rows in which starts begin and end."""
        return int(self._program.begin.size)

    @cached_property
    def latest(self) -> FloatArray:
        """By how many steps a job of each group is late at the most."""
        return np.maximum(0.0, self._steps - self._jobs.due)

    @cached_property
    def reach(self) -> FloatArray:
        """The largest entry of all jobs of a group in each row of the program; 0 if no start has
        any there.
        """
        jobs, rows = self._jobs, np.zeros(len(self._program.stages))
        for kind, begin in enumerate(self._program.begin):
            own = jobs.kind == kind
            first = int(jobs.release[own].min(initial=self._steps + 1))
            rows[begin[first:]] = (jobs.width * jobs.count)[own].max(initial=0)
        rows[self._program.aims[LATENESS]] = (self.latest * jobs.count).max(initial=0.0)
        return rows

    def entries(self, group: IntArray, start: IntArray) -> list[Entries]:
        """The column of each start."""
        jobs, begin = self._jobs, self._program.begin[self._jobs.kind[group]]
        places, width = np.arange(len(group)), jobs.width[group].astype(float)
        late = np.full(len(group), self._program.aims[LATENESS])
        return [
            (begin[places, start], -width),
            (begin[places, start + jobs.length[group]], width),
            (late, self.lateness(group, start)),
        ]

    def least_costs(
        self, duals: FloatArray, price_of_late: float, several: int
    ) -> tuple[IntArray, FloatArray, FloatArray]:
        """The cheapest starts of each group at the duals of the program, `several` a group: a line
        of starts for each, the cheapest first, their costs (infinity where there is none), and the
        most that the terms of a cost of each group can be together.
        """
        jobs, at = self._jobs, duals[self._program.begin]
        price_of_late = price_of_late - float(duals[self._program.aims[LATENESS]])
        start = np.zeros((len(jobs), several), np.int64)
        costs = np.full(start.shape, np.inf)
        _cheapest(self._groups, at, price_of_late, start, costs)
        dearest = np.abs(at).max(initial=0.0)
        return start, costs, price_of_late * self.latest + 2 * jobs.width * dearest


@Kernel
def _cheapest(jobs, at, price_of_late, start, costs):
    """Fill in the cheapest starts of each group, in order, at the prices of rows of begins."""
    several, steps = start.shape[1], at.shape[1] - 1
    for group in range(len(start)):
        line, length, width = at[jobs.kind[group]], jobs.length[group], jobs.width[group]
        for begin in range(jobs.release[group], steps - length + 1):
            late = max(0.0, begin + length - jobs.due[group])
            cost = price_of_late * late + width * (line[begin] - line[begin + length])
            place = several
            while place > 0 and cost < costs[group, place - 1]:
                place -= 1
            if place < several:
                for other in range(several - 1, place, -1):
                    costs[group, other] = costs[group, other - 1]
                    start[group, other] = start[group, other - 1]
                costs[group, place], start[group, place] = cost, begin
