"""Reads a schedule file: one row for each block of equal tasks on one machine, in the order of
time.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from core.files import limits
from core.files.archive import is_archive
from core.files.delimited import sheet_of_text, titles_of
from core.files.disk import check_size, read_file
from core.files.findings import Findings, Unreadable, shown
from core.files.numbers import (
    UnusableCell,
    number_fault,
    parse_numbers,
    parse_wholes,
    whole_fault,
)
from core.files.reading import Reading
from core.files.sheet import Sheet, SheetRow
from core.files.strict_json import check_format, parse_json, value_fault
from core.files.table_file import sheet_of_table
from core.files.tables import find_columns
from core.files.text import decode
from core.files.workbook_reader import refuse_old_excel
from core.model.arrays import BoolArray, FloatArray, IntArray
from core.model.ranges import TASK_COUNT
from core.model.schedule import StatedBlocks
from core.model.system import System

FORMAT: Final = "wattfront-schedule"
VERSION: Final = 1
COLUMNS: Final = ("machine_type", "machine", "task_type", "count", "start", "end")
HEADINGS: Final = (*COLUMNS[:-2], "start (s)", "end (s)")
"""The headings of tables; headings without units, from earlier versions, can be read, too."""
_NAMES: Final = ("machine_type", "task_type")
_ROWS_AT_ONCE: Final = 50_000


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
    return Reading.of(
        label, lambda findings: _read_blocks(_sheet(label, load(), findings), system, findings)
    )


def _sheet(label: str, data: bytes, findings: Findings) -> Sheet:
    check_size(data)
    if is_archive(data):
        return sheet_of_table(label, data, "schedule", findings)
    refuse_old_excel(data)
    text = decode(data, label, findings)
    if text.lstrip().startswith("{"):
        document = parse_json(text, label, findings)
        check_format(document, FORMAT, VERSION)
        blocks = document.get("blocks")
        if not isinstance(blocks, list):
            raise Unreadable('has no list of blocks; give "blocks": [{"machine_type": ...}]')
        return Sheet(label, _rows_of_document(blocks), is_text=False)
    return sheet_of_text(text, label, findings)


def _rows_of_document(blocks: list[object]) -> Iterator[SheetRow]:
    yield SheetRow(0, list(COLUMNS), unit="block")
    for number, block in enumerate(blocks, start=1):
        content = block if isinstance(block, dict) else {}
        cells = [
            (_name_cell if name in _NAMES else _number_cell)(content.get(name)) for name in COLUMNS
        ]
        yield SheetRow(number, cells, unit="block")


def _name_cell(value: object) -> str:
    return value if isinstance(value, str) else UnusableCell("is not text; give a type's name")


def _number_cell(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return repr(value)
    return UnusableCell(value_fault(value))


def _read_blocks(sheet: Sheet, system: System, findings: Findings) -> StatedBlocks | None:
    rows = sheet.fitted_rows(findings, limits.BLOCKS)
    column = find_columns(sheet, next(rows, SheetRow(1, [])), COLUMNS, COLUMNS, findings)
    if column is None:
        return None
    chunks = _Chunks(sheet, system, column, findings)
    parts: list[StatedBlocks] = []
    while chunk := list(islice(rows, _ROWS_AT_ONCE)):
        parts.append(chunks.read([row for row in chunk if row.whole]))
    if not parts:
        raise Unreadable("has no block; give one row for each block of equal tasks")
    return StatedBlocks(
        **{
            field.name: np.concatenate([getattr(part, field.name) for part in parts])
            for field in fields(StatedBlocks)
        }
    )


class _Chunks:
    """Turns rows into columns, many at a time, and reports wrong cells."""

    def __init__(
        self, sheet: Sheet, system: System, column: dict[str, int], findings: Findings
    ) -> None:
        self._sheet = sheet
        self._system = system
        self._column = column
        self._findings = findings
        self._machine_types = _Index(system.machine_names, sheet)
        self._task_types = _Index(system.task_names, sheet)

    def read(self, rows: list[SheetRow]) -> StatedBlocks:
        machine_type = self._types("machine_type", self._machine_types, rows)
        machine, machine_ok = self._wholes("machine", rows)
        there = self._system.machine_counts[machine_type]
        absent = machine_ok & (machine_type >= 0) & ((machine < 1) | (machine > there))
        for r in self._reported(absent):
            message = f"there is no machine {machine[r]:,}; the type has machines 1 to {there[r]:,}"
            self._error(rows[r], "machine", message)
        task_type = self._types("task_type", self._task_types, rows)
        count, count_ok = self._wholes("count", rows)
        for r in self._reported(count_ok & ((count < 1) | (count > TASK_COUNT.high))):
            message = f"count {count[r]:,} is not from 1 to {int(TASK_COUNT.high):,}; correct it"
            self._error(rows[r], "count", message)
        start, end = self._times("start", rows), self._times("end", rows)
        return StatedBlocks(machine_type, machine, task_type, count, start, end)

    def _types(self, name: str, index: "_Index", rows: list[SheetRow]) -> IntArray:
        """The positions of the named types; unknown names are reported, and get -1."""
        cells = self._cells(name, rows)
        positions = index.positions(cells)
        for r in self._reported(positions < 0):
            cell = cells[r]
            known = f"'{shown(cell.strip())}' is not a {name.replace('_', ' ')} of the system"
            why = cell.why if isinstance(cell, UnusableCell) else f"{known}; correct the name"
            self._error(rows[r], name, why)
        return positions

    def _wholes(self, name: str, rows: list[SheetRow]) -> tuple[IntArray, BoolArray]:
        cells = self._cells(name, rows)
        values, bad = parse_wholes(cells)
        readable = np.ones(len(cells), bool)
        readable[bad] = False
        for r in self._reported(~readable):
            self._error(rows[r], name, whole_fault(cells[r]))
        return values, readable

    def _times(self, name: str, rows: list[SheetRow]) -> FloatArray:
        cells = self._cells(name, rows)
        values, _ = parse_numbers(cells)
        for r in self._reported(np.isnan(values)):
            self._error(rows[r], name, number_fault(cells[r]))
        return values

    def _cells(self, name: str, rows: list[SheetRow]) -> list[str]:
        column = self._column[name]
        return [row.cells[column] for row in rows]

    def _reported(self, wrong: BoolArray) -> Iterator[int]:
        """The wrong rows, as many as the list of errors has room for."""
        positions = np.flatnonzero(wrong).tolist()
        for done, r in enumerate(positions):
            if self._findings.full:
                self._findings.count_more_errors(len(positions) - done)
                return
            yield r

    def _error(self, row: SheetRow, column: str, message: str) -> None:
        self._findings.error(self._sheet.label, row.place, column, message)


class _Index:
    """The positions of names, remembered by cell text."""

    def __init__(self, names: Sequence[str], sheet: Sheet) -> None:
        self._position = {name: i for i, name in enumerate(names)}
        self._sheet = sheet
        self._known: dict[str, int] = {}

    def positions(self, cells: Sequence[str]) -> IntArray:
        for cell in set(cells).difference(self._known):
            self._known[cell] = self._position.get(self._sheet.name(cell), -1)
        return np.array([self._known[cell] for cell in cells], np.int64)
