"""Starts of jobs as columns of the program of a day, and what prices say about each."""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.objectives import LATENESS
from core.capabilities.centre.program import DayProgram
from core.engines.lp.program import Entries
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray

_AT_ONCE = 4_000_000
"""So many pairs of a group and a step are looked at together."""


class StartColumns:
    """What every start of a group of jobs is, adds, and costs at prices."""

    def __init__(self, day: CentreDay, program: DayProgram) -> None:
        self._jobs, self._steps, self._program = day.jobs, day.steps, program

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

    def entries(self, group: IntArray, start: IntArray, assigned: int) -> list[Entries]:
        """The column of each start, where a group is in row `assigned` + its number."""
        jobs, begin = self._jobs, self._program.begin[self._jobs.kind[group]]
        places, width = np.arange(len(group)), jobs.width[group].astype(float)
        late = np.full(len(group), self._program.aims[LATENESS])
        return [
            (begin[places, start], -width),
            (begin[places, start + jobs.length[group]], width),
            (late, self.lateness(group, start)),
            (assigned + group, np.ones(len(group))),
        ]

    def least_costs(
        self, duals: FloatArray, price_of_late: float, several: int
    ) -> Iterator[tuple[IntArray, IntArray, FloatArray, FloatArray]]:
        """The cheapest starts of each group at the duals of the program, `several` a group at most:
        groups, a line of starts for each, their costs, cheapest first, and the most that the terms
        of a cost of each group can be together.
        """
        jobs, steps = self._jobs, np.arange(self._steps)
        at = duals[self._program.begin]
        price_of_late = price_of_late - float(duals[self._program.aims[LATENESS]])
        for group in self._blocks():
            length, kind = jobs.length[group][:, None], jobs.kind[group][:, None]
            end = steps + length
            late = np.maximum(0.0, end - jobs.due[group][:, None])
            costs = at[kind, steps] - at[kind, np.minimum(end, self._steps)]
            costs = price_of_late * late + jobs.width[group][:, None] * costs
            costs[~self._possible(group, end)] = np.inf
            some = min(several, self._steps)
            start = np.argpartition(costs, some - 1, axis=1)[:, :some]
            costs = np.take_along_axis(costs, start, 1)
            order = np.argsort(costs, axis=1, kind="stable")
            found = (np.take_along_axis(each, order, 1) for each in (start, costs))
            sizes = price_of_late * late[:, -1] + 2 * jobs.width[group] * np.abs(at).max()
            yield group, *found, sizes

    def _possible(self, group: IntArray, end: IntArray) -> BoolArray:
        steps = np.arange(self._steps)
        return np.asarray((steps >= self._jobs.release[group][:, None]) & (end <= self._steps))

    def _blocks(self) -> Iterator[IntArray]:
        size = max(1, _AT_ONCE // self._steps)
        for first in range(0, len(self._jobs), size):
            yield np.arange(first, min(first + size, len(self._jobs)))
