"""Reads a schedule file: one row for each block of equal tasks on one machine, in the order of
time.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from core.files import limits
from core.files.archive import is_archive
from core.files.columns import ReadColumns, read_columns
from core.files.delimited import titles_of
from core.files.disk import check_size, read_file
from core.files.document_tables import sheet_of_objects
from core.files.findings import Findings, Unreadable
from core.files.headings import COUNT, MACHINE_TYPE, TASK_TYPE
from core.files.reading import Reading
from core.files.schema import SECONDS, Column, Schema
from core.files.strict_json import check_format, is_document, parse_json
from core.files.table_file import read_table
from core.files.text import decode
from core.vocabulary.ranges import TASK_COUNT, Range
from core.vocabulary.schedule import StatedBlocks
from core.vocabulary.system import System

FORMAT: Final = "wattfront-schedule"
VERSION: Final = 1
SCHEDULE: Final[Schema] = (
    MACHINE_TYPE,
    Column("machine", "whole"),
    TASK_TYPE,
    replace(COUNT, allowed=Range(1, TASK_COUNT.high, TASK_COUNT.unit)),
    Column("start", "number", unit="seconds", symbols=SECONDS),
    Column("end", "number", unit="seconds", symbols=SECONDS),
)
COLUMNS: Final = tuple(column.name for column in SCHEDULE)
HEADINGS: Final = (*COLUMNS[:-2], "start (s)", "end (s)")
"""The headings of tables; headings without units, from earlier versions, can be read, too."""


def is_schedule(data: bytes) -> bool:
    """Whether a CSV file says that it is a schedule, with or without faults."""
    return titles_of(data).issuperset(COLUMNS[:-2])


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
        rows = _rows(label, load(), findings)
        return None if rows is None else _blocks(rows, system)

    return Reading.of(label, read)


def _rows(label: str, data: bytes, findings: Findings) -> ReadColumns | None:
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
        (machine_type >= 0) & ((machine < 1) | (machine > there)),
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
