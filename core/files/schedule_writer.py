"""Writes a schedule file: one row for each block of equal tasks on one machine, in the order of
time.

Machines that run the same tasks are written one by one, but their text is made once: only the
number of the machine differs.
"""

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np

from core.files import limits
from core.files.archive import write_lines
from core.files.disk import cannot_write, replacing
from core.files.names import csv_cell
from core.files.schedule_reader import FORMAT, HEADINGS, VERSION
from core.files.workbook_writer import number_cell, row, writing_workbook
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.schedule import Blocks, Schedule
from core.vocabulary.system import System

LineStart = Callable[[str], str]
LineEnd = Callable[[str, int, float, float], str]


def write_schedule(schedule: Schedule, path: str | Path) -> None:
    """Write a schedule with one row for each block, by machine type, machine and time.

    An old file is replaced only when the new one is complete.

    Parameters
    ----------
    schedule : Schedule
        The schedule.
    path : str or Path
        A .csv, .json or .xlsx file. Times are in seconds.

    Raises
    ------
    InvalidInput
        If it cannot be written.

    Examples
    --------
    >>> write_schedule(solve(load_sample("two-by-two")).schedule, "schedule.csv")
    """
    write_blocks(schedule.blocks(), schedule.system, Path(path))


def write_blocks(blocks: Blocks, system: System, path: Path) -> None:
    """Write a timeline as `write_schedule` does; machines may wait between its blocks."""
    write = _WRITERS.get(path.suffix.casefold())
    if write is None:
        raise cannot_write(path, "name a .csv, .json or .xlsx file")
    with replacing(path) as stream:
        write(blocks, system, stream)


def _write_csv(blocks: Blocks, system: System, stream: BinaryIO) -> None:
    def before(machine_type: str) -> str:
        return f"{csv_cell(machine_type)},"

    def after(task_type: str, count: int, start: float, end: float) -> str:
        return f",{csv_cell(task_type)},{count},{start!r},{end!r}\n"

    write_lines(stream, [",".join(HEADINGS) + "\n"])
    write_lines(stream, _rows(blocks, system, before, after))


def _write_json(blocks: Blocks, system: System, stream: BinaryIO) -> None:
    def before(machine_type: str) -> str:
        return f',\n  {{"machine_type": {_quoted(machine_type)}, "machine": '

    def after(task_type: str, count: int, start: float, end: float) -> str:
        return (
            f', "task_type": {_quoted(task_type)}, "count": {count}, '
            f'"start": {start!r}, "end": {end!r}}}'
        )

    rows = _rows(blocks, system, before, after)
    write_lines(stream, [f'{{\n "format": "{FORMAT}",\n "version": {VERSION},\n "blocks": ['])
    write_lines(stream, [next(rows, "").removeprefix(",")])
    write_lines(stream, rows)
    write_lines(stream, ["\n ]\n}\n"])


def _write_workbook(blocks: Blocks, system: System, stream: BinaryIO) -> None:
    rows = int(blocks.machines.sum())
    if rows >= limits.WORKBOOK_ROWS:
        message = (
            f"has {rows:,} blocks, but a workbook holds {limits.WORKBOOK_ROWS - 1:,}; write .csv"
        )
        raise InvalidInput([Problem("the schedule", "", "", message)])
    with writing_workbook(stream) as workbook:
        text = workbook.text_cell

        def before(machine_type: str) -> str:
            return f"<row>{text(machine_type)}<c><v>"

        def after(task_type: str, count: int, start: float, end: float) -> str:
            numbers = "".join(map(number_cell, (count, start, end)))
            return f"</v></c>{text(task_type)}{numbers}</row>"

        def lines() -> Iterator[str]:
            yield row(map(text, HEADINGS))
            yield from _rows(blocks, system, before, after)

        workbook.add_sheet("schedule", lines())


_WRITERS: Final[dict[str, Callable[[Blocks, System, BinaryIO], None]]] = {
    ".csv": _write_csv,
    ".json": _write_json,
    ".xlsx": _write_workbook,
}
SCHEDULE_SUFFIXES: Final = tuple(_WRITERS)
"""The suffixes of schedule files, which say the format."""


def _rows(blocks: Blocks, system: System, before: LineStart, after: LineEnd) -> Iterator[str]:
    """The rows of each machine as one text.

    A row is `before(machine type)`, the number of the machine, and `after(task type, count, start,
    end)`. So the text of a machine is made by joining its other parts with its number.
    """
    for first_block, end_block in _groups(blocks):
        head = before(system.machine_names[blocks.machine_type[first_block]])
        tails = [
            after(system.task_names[task_type], count, start, end)
            for task_type, count, start, end in zip(
                blocks.task_type[first_block:end_block].tolist(),
                blocks.count[first_block:end_block].tolist(),
                blocks.start[first_block:end_block].tolist(),
                blocks.end[first_block:end_block].tolist(),
                strict=True,
            )
        ]
        between = [head, *(tail + head for tail in tails[:-1]), tails[-1]]
        first = int(blocks.first_machine[first_block])
        for machine in range(first, first + int(blocks.machines[first_block])):
            yield str(machine).join(between)


def _groups(blocks: Blocks) -> Iterator[tuple[int, int]]:
    """The first and last position of the blocks of each group of machines."""
    changes = np.diff(blocks.machine_type) | np.diff(blocks.first_machine)
    bounds = [0, *(np.flatnonzero(changes) + 1).tolist(), len(blocks)]
    return pairwise(bounds)


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)
