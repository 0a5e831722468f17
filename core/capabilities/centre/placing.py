"""Jobs in an order, each as early as there is room for it, in compiled code."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import NamedTuple

import numpy as np

from core.capabilities.centre.day import CentreDay, DayJobs
from core.engines.compute.compiled import Kernel
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import NoScheduleFound

JobStarts = tuple[IntArray, IntArray, IntArray]
"""Group, start and count: so many jobs of a group start at that step, in each place."""


class GroupArrays(NamedTuple):
    """Groups of equal jobs, as kernels take them."""

    kind: IntArray
    width: IntArray
    length: IntArray
    release: IntArray
    due: FloatArray
    number: IntArray

    @classmethod
    def of(cls, jobs: DayJobs) -> "GroupArrays":
        """All in one form, for which kernels are compiled once."""
        kind, width, length, release, number = (
            np.ascontiguousarray(one, np.int64)
            for one in (jobs.kind, jobs.width, jobs.length, jobs.release, jobs.count)
        )
        return cls(kind, width, length, release, np.ascontiguousarray(jobs.due, float), number)


def as_early_as_possible(day: CentreDay, order: IntArray) -> JobStarts:
    """Each job in turn, group by group in an order, at the first step from its release on from
    which there are servers for it, while all servers are awake.

    Raises `NoScheduleFound` if some jobs would not end within the day.
    """
    jobs, steps = day.jobs, day.steps
    rows = np.empty((3, int(np.minimum(jobs.count, steps).sum())), np.int64)
    free = day.centre.counts[:, None] - day.taken
    made, left_over = _place(order, GroupArrays.of(jobs), free, rows)
    if left_over:
        raise no_room(left_over, jobs)
    group, start, count = rows[:, :made].copy()
    return group, start, count


def no_room(left_over: int, jobs: DayJobs) -> NoScheduleFound:
    """The outcome of a method that does not end all jobs within the day."""
    return NoScheduleFound(
        f"{left_over:,} of {jobs.total:,} jobs find no room before the day ends; give the day more "
        "steps, or the centre more servers"
    )


@Kernel
def _place(order, jobs, free, rows):
    """Fill `rows` with group, start and count, and take the servers away from those that are
    `free`. Returns how many rows there are, and how many jobs have no room.
    """
    made = left_over = 0
    for group in order:
        kind, width, length = jobs.kind[group], jobs.width[group], jobs.length[group]
        begin, left = jobs.release[group], jobs.number[group]
        while left > 0 and begin + length <= free.shape[1]:
            fitting, step = left, begin + length
            while fitting > 0 and step > begin:
                step -= 1
                fitting = min(fitting, free[kind, step] // width)
            if fitting > 0:
                for step in range(begin, begin + length):
                    free[kind, step] -= fitting * width
                rows[0, made], rows[1, made], rows[2, made] = group, begin, fitting
                made += 1
                left -= fitting
                begin += 1
            else:
                begin = step + 1
        left_over += left
    return made, left_over
