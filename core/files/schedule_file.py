"""Schedule files: one row for each block of equal tasks on one machine, in the order of time."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np

from core.files import limits
from core.files.archive import is_archive, write_lines
from core.files.columns import ReadColumns, read_columns
from core.files.disk import cannot_write, check_size, read_file, replacing
from core.files.document import sheet_of_objects
from core.files.findings import Findings, Reading, Unreadable
from core.files.headings import COUNT, MACHINE_TYPE, TASK_TYPE
from core.files.schema import SECONDS, Column, Schema
from core.files.sheet import csv_cell
from core.files.strict_json import check_format, is_document, parse_json, says_format
from core.files.table_file import read_table
from core.files.table_writer import number_cell, row, writing_workbook
from core.files.text import decode, titles_of
from core.files.workbook_reader import has_sheet
from core.vocabulary.problems import InvalidInput
from core.vocabulary.ranges import MACHINE_COUNT, TASK_COUNT, Range
from core.vocabulary.schedule import Blocks, Schedule, StatedBlocks
from core.vocabulary.system import System

FORMAT: Final = "wattfront-schedule"
VERSION: Final = 1
SCHEDULE: Final[Schema] = (
    MACHINE_TYPE,
    Column("machine", "whole", allowed=Range(1, MACHINE_COUNT.high, MACHINE_COUNT.unit)),
    TASK_TYPE,
    replace(COUNT, allowed=Range(1, TASK_COUNT.high, TASK_COUNT.unit)),
    Column("start", "number", unit="seconds", symbols=SECONDS),
    Column("end", "number", unit="seconds", symbols=SECONDS),
)
COLUMNS: Final = tuple(column.name for column in SCHEDULE)
HEADINGS: Final = (*COLUMNS[:-2], "start (s)", "end (s)")
"""The headings of tables; headings without units, from earlier versions, can be read, too."""


def is_schedule(data: bytes) -> bool:
    """Whether content says that it is a schedule, right or wrong: a table, or a document."""
    is_table = titles_of(data).issuperset(COLUMNS[:-2]) or has_sheet(data, "schedule")
    return is_table or says_format(data, FORMAT)


def inspect_schedule(path: Path, system: System) -> Reading[StatedBlocks]:
    """The blocks in the schedule file at `path`: CSV, a workbook or JSON, which its content shows.

    Their machines exist in the system; counts are at least 1 and times are finite. Whether they are
    a schedule of the system is not checked here, but by the judge.
    """
    return _reading(path.name or str(path), lambda: read_file(path), system)


def inspect_schedule_bytes(name: str, data: bytes, system: System) -> Reading[StatedBlocks]:
    """`inspect_schedule` for the content of a file, such as an upload."""
    return _reading(name, lambda: data, system)


def _reading(label: str, load: Callable[[], bytes], system: System) -> Reading[StatedBlocks]:
    def read(findings: Findings) -> StatedBlocks | None:
        rows = _read_rows(label, load(), findings)
        return None if rows is None else _blocks(rows, system)

    return Reading.of(label, read)


def _read_rows(label: str, data: bytes, findings: Findings) -> ReadColumns | None:
    check_size(data)
    if is_archive(data) or not is_document(data):
        return read_table(label, data, SCHEDULE, findings, "schedule", limits.BLOCKS)
    document = parse_json(decode(data, label, findings), label, findings)
    check_format(document, FORMAT, VERSION)
    blocks = document.get("blocks")
    if not isinstance(blocks, list):
        raise Unreadable('has no list of blocks; give "blocks": [{"machine_type": ...}]')
    sheet = sheet_of_objects(label, blocks, SCHEDULE, "block")
    return read_columns(sheet, SCHEDULE, findings, limits.BLOCKS)


def _blocks(rows: ReadColumns, system: System) -> StatedBlocks:
    if not len(rows) and not rows.findings.failed:
        raise Unreadable("has no block; give one row for each block of equal tasks")
    machine = rows.wholes["machine"]
    types = system.machine_names
    machine_type = rows.positions("machine_type", types, "a machine type of the system")
    there = system.machine_counts[machine_type]
    rows.report(
        (machine_type >= 0) & (machine > there) & (machine <= MACHINE_COUNT.high),
        "machine",
        lambda row: (
            f"there is no machine {machine[row]:,}; the type has machines 1 to {there[row]:,}"
        ),
    )
    return StatedBlocks(
        machine_type,
        machine,
        rows.positions("task_type", system.task_names, "a task type of the system"),
        rows.wholes["count"],
        rows.numbers["start"],
        rows.numbers["end"],
    )


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
        raise InvalidInput.of(message, "the schedule")
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
