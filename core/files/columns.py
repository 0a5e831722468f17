"""Reads tables of millions of rows into columns, block by block; wrong cells are reported."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal, NamedTuple

import numpy as np

from core.files import limits
from core.files.findings import Findings, shown
from core.files.marks import parse_mark
from core.files.number_format import in_one_format
from core.files.numbers import (
    UnusableCell,
    number_fault,
    parse_numbers,
    parse_wholes,
    whole_fault,
)
from core.files.sheet import Sheet, SheetRow
from core.files.tables import find_columns
from core.model.arrays import BoolArray, FloatArray, IntArray
from core.model.system_problems import name_fault

_ROWS_AT_ONCE: Final = 50_000
_NUMBERS: Final = ("number", "whole")


class Wanted(NamedTuple):
    """A column: what its cells are, and what a blank cell or a missing column means. Without
    `blank`, the column and all its cells must be there.
    """

    name: str
    kind: Literal["text", "number", "whole", "mark"]
    blank: float | str | None = None
    unit: str = "seconds or watts"


class Coded(NamedTuple):
    """Texts of a column: row r has `names[code[r]]`."""

    names: tuple[str, ...]
    code: IntArray


@dataclass(frozen=True)
class ReadColumns:
    """The columns of a table. `place(row)` says where a row is."""

    label: str
    lines: IntArray
    unit: str
    texts: Mapping[str, Coded]
    numbers: Mapping[str, FloatArray]
    wholes: Mapping[str, IntArray]
    there: frozenset[str]
    """The columns that the table really has."""
    findings: Findings

    def __len__(self) -> int:
        return len(self.lines)

    def place(self, row: int) -> str:
        return f"{self.unit} {self.lines[row]}"

    def report(self, wrong: BoolArray, column: str, say: Callable[[int], str]) -> None:
        """Reports the wrong rows, as many as the list of errors has room for."""
        rows = np.flatnonzero(wrong).tolist()
        for row in reported(rows, self.findings):
            self.findings.error(self.label, self.place(row), column, say(row))

    def text(self, column: str, row: int) -> str:
        """The text of a cell; blank where it was reported."""
        found = self.texts[column]
        code = int(found.code[row])
        return found.names[code] if code >= 0 else ""


def reported(rows: Sequence[int], findings: Findings) -> Iterator[int]:
    """As many as the list of errors has room for; the others are counted."""
    for done, row in enumerate(rows):
        if findings.full:
            findings.count_more_errors(len(rows) - done)
            return
        yield row


def read_columns(sheet: Sheet, wanted: Sequence[Wanted], findings: Findings) -> ReadColumns | None:
    """The columns of a table; None if one that it must have is missing. Cells that are wrong are
    reported, and read as anything; numbers that may have a point between thousands are reported as
    well. May raise `Unreadable`.
    """
    rows = sheet.fitted_rows(findings, limits.JOB_ROWS)
    needed = [column.name for column in wanted if column.blank is None]
    others = [column.name for column in wanted if column.blank is not None]
    header = next(rows, SheetRow(1, []))
    place = find_columns(sheet, header, needed, needed, findings, others)
    if place is None:
        return None
    readers = {
        column.name: _ColumnReader(column, sheet, place.get(column.name)) for column in wanted
    }
    numbers = {w.name: place[w.name] for w in wanted if w.name in place and w.kind in _NUMBERS}
    rows = in_one_format(rows, sheet.label, numbers, findings)
    lines: list[IntArray] = []
    unit = header.unit
    while block := list(islice(rows, _ROWS_AT_ONCE)):
        whole = [row for row in block if row.whole]
        lines.append(np.array([row.line for row in whole], np.int64))
        unit = block[0].unit
        for reader in readers.values():
            reader.read(whole, findings)
    none = np.zeros(0, np.int64)
    return ReadColumns(
        sheet.label,
        np.concatenate([none, *lines]),
        unit,
        {name: r.coded() for name, r in readers.items() if r.column.kind == "text"},
        {name: r.values() for name, r in readers.items() if r.column.kind in ("number", "mark")},
        {name: r.wholes() for name, r in readers.items() if r.column.kind == "whole"},
        frozenset(place),
        findings,
    )


class _ColumnReader:
    """Turns the cells of one column into an array, block by block."""

    def __init__(self, column: Wanted, sheet: Sheet, place: int | None) -> None:
        self.column, self._sheet, self._place = column, sheet, place
        self._blocks: list[FloatArray | IntArray] = []
        self._codes: dict[str, int] = {}
        self._names: dict[str, int] = {}

    def read(self, rows: list[SheetRow], findings: Findings) -> None:
        column = self.column
        if self._place is None:
            if column.kind == "text":
                self._code("")  # of a column that is not there, all cells are blank
                self._blocks.append(np.zeros(len(rows), np.int64))
            else:
                self._blocks.append(np.full(len(rows), float(column.blank or 0)))
            return
        cells = [row.cells[self._place] for row in rows]
        values, wrong = self._parsed(cells)
        if column.blank is not None and column.kind != "text":
            blank = [not cell or cell.isspace() for cell in cells]
            values[blank] = column.blank
            wrong = [row for row in wrong if not blank[row]]
        for row in reported(wrong, findings):
            place, fault = rows[row].place, self._fault(cells[row])
            findings.error(self._sheet.label, place, column.name, fault)
        self._blocks.append(values)

    def _parsed(self, cells: list[str]) -> tuple[FloatArray | IntArray, list[int]]:
        """The values of cells, and the positions of those that are wrong or blank."""
        if self.column.kind == "number":
            values, wrong = parse_numbers(cells)
            return values, sorted({*wrong, *np.flatnonzero(np.isnan(values)).tolist()})
        if self.column.kind == "whole":
            return parse_wholes(cells)
        if self.column.kind == "mark":
            marks = np.array([parse_mark(cell) for cell in cells], np.float64)
            return marks, np.flatnonzero(np.isnan(marks)).tolist()
        codes = np.array([self._code(cell) for cell in cells], np.int64)
        return codes, np.flatnonzero(codes < 0).tolist()

    def _code(self, cell: str) -> int:
        """The code of a text; -1 if it is no name."""
        known = self._codes.get(cell)
        if known is None:
            name = self._sheet.name(cell)
            if not name and isinstance(self.column.blank, str):
                name = self.column.blank
                usable = True
            else:
                usable = not isinstance(cell, UnusableCell) and name_fault(name) is None
            known = self._names.setdefault(name, len(self._names)) if usable else -1
            self._codes[cell] = known
        return known

    def _fault(self, cell: str) -> str:
        if isinstance(cell, UnusableCell):
            return cell.why
        if self.column.kind == "number":
            return number_fault(cell, unit=self.column.unit)
        if self.column.kind == "whole":
            return whole_fault(cell)
        if self.column.kind == "mark":
            return f"'{shown(cell.strip())}' is neither yes nor no; give one of them"
        return f"{name_fault(self._sheet.name(cell))}"

    def coded(self) -> Coded:
        return Coded(tuple(self._names), self.wholes())

    def values(self) -> FloatArray:
        return np.concatenate([np.zeros(0), *self._blocks])

    def wholes(self) -> IntArray:
        return np.concatenate([np.zeros(0, np.int64), *self._blocks]).astype(np.int64)
