"""Schedules whose machines may wait, so that not too many run at once."""

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.power import peak_power
from core.vocabulary.schedule import Blocks, Schedule
from core.vocabulary.system import System


@dataclass(frozen=True, eq=False)
class TimedSchedule(Schedule):
    """A schedule in which every block of tasks has a start of its own: `timeline` says it.

    Machines may wait before a block, and run tasks of a type in several blocks. A machine that has
    a task to come is on, and draws its idle power while it waits; after its last task it draws what
    a machine without work draws. Whether the timeline is right is for the judge to say.
    """

    timeline: Blocks
    may_wait: ClassVar[bool] = True

    @classmethod
    def of_timeline(cls, system: System, rows: Blocks) -> Self:
        """The schedule of rows in any order, of machines that run the same or nothing in common.
        Machines without a row are idle.
        """
        ranges = {(j, 1): count for j, count in enumerate(system.machine_counts.tolist()) if count}
        kinds, firsts = rows.machine_type.tolist(), rows.first_machine.tolist()
        for kind, first, machines in sorted(
            set(zip(kinds, firsts, rows.machines.tolist(), strict=True))
        ):
            # The last range so far holds all machines from its first on.
            start = max(begin for j, begin in ranges if j == kind)
            left = ranges.pop((kind, start)) - (first - start)
            if first > start:
                ranges[kind, start] = first - start
            ranges[kind, first] = machines
            if left > machines:
                ranges[kind, first + machines] = left - machines
        keys = sorted(ranges)
        place = {key: group for group, key in enumerate(keys)}
        group = np.array([place[key] for key in zip(kinds, firsts, strict=True)], np.int64)
        order = np.lexsort((rows.start, group))
        columns = {one.name: getattr(rows, one.name)[order] for one in fields(rows)}
        tasks = np.zeros((len(keys), len(system.task_types)), np.int64)
        np.add.at(tasks, (group, rows.task_type), rows.count)
        return cls(
            system,
            np.array([kind for kind, _ in keys], np.int64),
            np.array([ranges[key] for key in keys], np.int64),
            tasks,
            Blocks(**columns | {"group": group[order]}),
        )

    def resumed(self, system: System) -> Self:
        """The same on a system with other powers or times.

        Where its tasks take as long as before, every block keeps its start. Otherwise a block
        begins when all that had ended before it have ended. So any that run together there overlap
        pairwise here, hence all at one moment here: no more is at work or on than ever was.
        """
        rows, etc = self.timeline, system.etc
        used = rows.task_type, rows.machine_type
        if not np.array_equal(etc[used], self.system.etc[used]):
            start, end = _after_what_had_ended(rows, rows.count * etc[used])
            rows = replace(rows, start=start, end=end)
        return type(self)(system, self.machine_type, self.machines, self.tasks, rows)

    @property
    def content(self) -> bytes:
        rows = (getattr(self.timeline, one.name) for one in fields(self.timeline))
        return super().content + b"".join(row.tobytes() for row in rows)

    def blocks(self) -> Blocks:
        return self.timeline

    @cached_property
    def finish(self) -> FloatArray:
        last = np.zeros(len(self.machines))
        np.maximum.at(last, self.timeline.group, self.timeline.end)
        last.setflags(write=False)
        return last

    @cached_property
    def waits(self) -> Blocks:
        rows = self.timeline
        before = np.where(np.diff(rows.group, prepend=-1) == 0, np.roll(rows.end, 1), 0.0)
        return replace(rows, start=before, end=rows.start).chosen(rows.start > before)

    @cached_property
    def peak(self) -> float:
        """The most watts that all machines draw together at any moment."""
        return peak_power(self)


def _after_what_had_ended(rows: Blocks, seconds: FloatArray) -> tuple[FloatArray, FloatArray]:
    """When blocks that take so long now begin and end, each after all that had ended before it."""
    start, end = np.zeros(len(rows)), np.zeros(len(rows))
    by_end, free = np.argsort(rows.end, kind="stable").tolist(), 0.0
    of_machines = np.zeros(int(rows.group.max(initial=-1)) + 1)
    ended = 0
    for row in np.argsort(rows.start, kind="stable").tolist():
        while rows.end[by_end[ended]] <= rows.start[row]:
            free = max(free, end[by_end[ended]])
            ended += 1
        group = rows.group[row]
        start[row] = max(free, of_machines[group])
        end[row] = of_machines[group] = start[row] + seconds[row]
    return start, end
