"""A comparison as CSV files: machine by machine, and the tasks that failed or are missing."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.capabilities.compare_run.comparison import RunComparison
from core.capabilities.compare_run.recorded import RAN, UNFINISHED, RecordedPart, RecordedRun
from core.engines.logs.reading.sacct import state_called
from core.files.numbers import number_cell
from core.files.sheet import csv_cell
from core.vocabulary.arrays import BoolArray, IntArray
from core.vocabulary.budget import never
from core.vocabulary.system import System

COLUMNS: Final = (
    "machine_type",
    "machine",
    "task_type",
    "index",
    "outcome",
    "state",
    "nodes",
    "started (s)",
)


@dataclass(frozen=True, slots=True)
class TaskAmiss:
    """A task that `failed` (ended, but never completed) or is missing.

    Types are positions in the system; machine 1 is the first of its type. `state` and `nodes` are
    those of its last start, which was `started` seconds after the first start of all; blank and
    None if the log has no start of it.
    """

    machine_type: int
    machine: int
    task_type: int
    index: int
    failed: bool
    state: str
    nodes: str
    started: float | None

    @property
    def outcome(self) -> str:
        return "failed" if self.failed else "missing"


def tasks_amiss(
    recorded: RecordedRun, should_stop: Callable[[], bool] = never
) -> Iterator[TaskAmiss]:
    """The tasks that failed or are missing, in the order of the schedule. Raises `Stopped`."""
    states = [state_called(text) for text in recorded.states]
    for part in recorded.parts(should_stop=should_stop):
        yield from _of_part(recorded, part, states)


def _of_part(recorded: RecordedRun, part: RecordedPart, states: list[str]) -> Iterator[TaskAmiss]:
    blocks, records, of_row = recorded.arrays.blocks, part.records, recorded.tasks.machine
    low, high = np.searchsorted(of_row, [part.first, part.end])
    count = blocks.count[low:high]
    before = np.cumsum(count) - count
    # The tasks of the part are numbered from 0, in the order of the schedule.
    row = np.repeat(np.arange(low, high), count)
    index = recorded.arrays.first_index[row] + np.arange(len(row)) - before[row - low]
    of_type = recorded.tasks.begin[blocks.task_type[records.row]]
    first = recorded.arrays.first_index[records.row]
    number = before[records.row - low] + records.task - of_type - first
    last = np.full(len(row), -1)
    last[number] = np.arange(len(records))  # those that started last come last
    amiss = ~_with(number[records.state == RAN], len(row))
    ended = _with(number[records.state != UNFINISHED], len(row))
    for task in np.flatnonzero(amiss).tolist():
        at, record = int(row[task]), int(last[task])
        yield TaskAmiss(
            int(blocks.machine_type[at]),
            int(blocks.first_machine[at]),
            int(blocks.task_type[at]),
            int(index[task]),
            bool(ended[task]),
            states[records.said[record]] if record >= 0 else "",
            recorded.nodes[records.node[record]] if record >= 0 else "",
            float(records.start[record]) if record >= 0 else None,
        )


def _with(numbers: IntArray, size: int) -> BoolArray:
    """Which of so many numbers are among these."""
    found = np.zeros(size, bool)
    found[numbers] = True
    return found


def amiss_lines(tasks: Iterable[TaskAmiss], system: System) -> Iterator[str]:
    """The lines of the file. What is unknown is blank; names cannot be formulas."""
    yield ",".join(COLUMNS) + "\n"
    task_names = [csv_cell(name) for name in system.task_names]
    machine_names = [csv_cell(name) for name in system.machine_names]
    for task in tasks:
        cells = (
            machine_names[task.machine_type],
            str(task.machine),
            task_names[task.task_type],
            str(task.index),
            task.outcome,
            csv_cell(task.state),
            csv_cell(task.nodes),
            "" if task.started is None else number_cell(task.started),
        )
        yield ",".join(cells) + "\n"


MACHINE_COLUMNS: Final = (
    "machine_type",
    "machine",
    "nodes",
    "tasks",
    "ran",
    "failed",
    "missing",
    "again",
    "overlapping",
    "elsewhere",
    "in_order",
    "planned (s)",
    "measured (s)",
    "began (s)",
    "waited (s)",
)


def machine_lines(compared: RunComparison) -> Iterator[str]:
    """The lines of the file. Times that are unknown are blank; names cannot be formulas."""
    yield ",".join(MACHINE_COLUMNS) + "\n"
    for record in compared.machines.records(compared.system):
        named = record | {
            "machine_type": csv_cell(record["machine_type"]),
            "nodes": csv_cell(" ".join(record["nodes"])),
            "in_order": "yes" if record["in_order"] else "no",
        }
        cells = (named[title.removesuffix(" (s)")] for title in MACHINE_COLUMNS)
        yield ",".join(map(_cell, cells)) + "\n"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return number_cell(value)
    return "" if value is None else str(value)
