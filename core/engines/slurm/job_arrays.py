"""The job arrays of a schedule: for each machine a chain, in which each waits for the one before.

All is counted in blocks of equal tasks, never task by task.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from core.engines.slurm.job_names import schedule_digest
from core.engines.verify.judge import verify, verify_stated
from core.engines.verify.verdict import Verdict
from core.files import inspect_schedule
from core.vocabulary.arrays import IntArray
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.ranges import Range
from core.vocabulary.schedule import Blocks, Schedule
from core.vocabulary.system import System

ARRAY_SIZE: Final = Range(1, 4_000_001, "tasks")
"""The range of Slurm's `MaxArraySize`, which is one more than the largest number of a task in a job
array.
"""

USUAL_ARRAY_SIZE: Final = 1001
"""Slurm's own."""

SCHEDULE: Final = "the schedule"
"""In problems that are of no table."""

MOST_JOB_ARRAYS: Final = 200_000
"""The most job arrays of a schedule; Slurm holds some ten thousand jobs."""


@dataclass(frozen=True, slots=True)
class JobArray:
    """Equal tasks that one machine runs one after the other, as one job array.

    They are the tasks `first_index` to `first_index + tasks - 1` of their type. `start` and `end`
    are planned, in seconds. Types are positions in the system; machine 1 is the first of its type.
    """

    machine_type: int
    machine: int
    task_type: int
    first_index: int
    tasks: int
    start: float
    end: float


@dataclass(frozen=True, slots=True, eq=False)
class JobArrays:
    """All job arrays of a schedule, by machine type, machine and time.

    `blocks` has one row for each job array, all with one machine; row r runs the tasks from
    `first_index[r]` on. The tasks of each type are numbered from 0 in the order of the rows, and
    each number is there once. `digest` is that of the schedule, whatever the size of job arrays;
    `split` is how many of its blocks had to become several job arrays. With `licences`, tasks take
    licences for their watts, of which Slurm has so many.
    """

    system: System
    digest: str
    blocks: Blocks
    first_index: IntArray
    split: int
    licences: int | None = None

    def __len__(self) -> int:
        return len(self.blocks)

    def chains(self) -> Iterator[list[JobArray]]:
        """The job arrays of each machine that has tasks, in the order in which it runs them."""
        blocks = self.blocks
        columns = (
            blocks.machine_type,
            blocks.first_machine,
            blocks.task_type,
            self.first_index,
            blocks.count,
            blocks.start,
            blocks.end,
        )
        rows = [
            JobArray(*row) for row in zip(*(column.tolist() for column in columns), strict=True)
        ]
        changes = np.diff(blocks.machine_type) | np.diff(blocks.first_machine)
        bounds = [0, *(np.flatnonzero(changes) + 1).tolist(), len(rows)]
        for first, end in pairwise(bounds):
            yield rows[first:end]


def job_arrays_of(
    blocks: Blocks, system: System, max_array_size: int = USUAL_ARRAY_SIZE
) -> JobArrays:
    """The job arrays of a timeline, none of more than `max_array_size` tasks.

    Raises `InvalidInput` if these are more than `MOST_JOB_ARRAYS`.
    """
    needed = sum(
        machines * -(-count // max_array_size)
        for machines, count in zip(blocks.machines.tolist(), blocks.count.tolist(), strict=True)
    )
    if needed > MOST_JOB_ARRAYS:
        raise InvalidInput.of(
            f"becomes {needed:,} job arrays of at most {max_array_size:,} tasks, and at "
            f"most {MOST_JOB_ARRAYS:,} can be written; give a larger MaxArraySize if "
            "your Slurm has one, or let one task do the work of several",
            SCHEDULE,
        )
    single = _single_machines(blocks)
    whole = _split(single, max_array_size)
    return JobArrays(
        system,
        schedule_digest(single, system),
        whole,
        _first_indices(whole.task_type, whole.count),
        int(np.count_nonzero(single.count > max_array_size)),
    )


def _single_machines(blocks: Blocks) -> Blocks:
    """The timeline with a row for each block of each machine, by machine type, machine, time and
    task type: blocks that are short beside the time before them begin and end at one number.
    """
    row = np.repeat(np.arange(len(blocks)), blocks.machines)
    before = np.cumsum(blocks.machines) - blocks.machines
    machine = blocks.first_machine[row] + np.arange(len(row)) - before[row]
    order = np.lexsort(
        (
            blocks.task_type[row],
            blocks.end[row],
            blocks.start[row],
            machine,
            blocks.machine_type[row],
        )
    )
    row, machine = row[order], machine[order]
    columns = {one.name: getattr(blocks, one.name)[row] for one in fields(Blocks)}
    return Blocks(**columns | {"first_machine": machine, "machines": np.ones_like(machine)})


def _split(blocks: Blocks, size: int) -> Blocks:
    """The rows, those of more than `size` tasks as several rows one after the other."""
    pieces = -(-blocks.count // size)
    row = np.repeat(np.arange(len(blocks)), pieces)
    piece = np.arange(len(row)) - (np.cumsum(pieces) - pieces)[row]
    done = piece * size
    left = blocks.count[row] - done
    count = np.minimum(left, size)
    start, end, whole = blocks.start[row], blocks.end[row], blocks.count[row]
    each = (end - start) / whole
    columns = {one.name: getattr(blocks, one.name)[row] for one in fields(Blocks)}
    return Blocks(
        **columns
        | {
            "count": count,
            "start": start + done * each,
            "end": np.where(left > size, start + (done + count) * each, end),
        }
    )


def _first_indices(task_type: IntArray, count: IntArray) -> IntArray:
    """How many tasks of the same type the rows before have."""
    order = np.argsort(task_type, kind="stable")
    before = np.cumsum(count[order]) - count[order]
    types = task_type[order]
    before -= before[np.searchsorted(types, types)]
    first = np.empty_like(before)
    first[order] = before
    return first


class JudgedBlocks(NamedTuple):
    """A timeline that the judge agrees with, and the warnings about its file."""

    blocks: Blocks
    verdict: Verdict
    warnings: tuple[Problem, ...]


def judged_blocks(schedule: Schedule | str | Path, system: System, *, part: bool) -> JudgedBlocks:
    """The timeline of a schedule, or of a schedule file; with `part`, tasks may be left out.

    Raises `InvalidInput` with all that is wrong.
    """
    warnings: tuple[Problem, ...] = ()
    if isinstance(schedule, Schedule):
        blocks, verdict = schedule.blocks(), verify(schedule, system)
    else:
        stated = inspect_schedule(Path(schedule), system)
        rows, warnings = stated.require(), stated.problems
        blocks, verdict = rows.in_order(), verify_stated(rows, system, part=part)
    if not verdict.ok:
        raise InvalidInput(verdict.problems)
    return JudgedBlocks(blocks, verdict, warnings)
