"""Reads the rows of tables into columns, block by block; wrong cells are reported."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, NamedTuple, Self

import numpy as np

from core.files import limits
from core.files.findings import Findings, shown
from core.files.number_format import in_one_format
from core.files.numbers import UnusableCell, number_fault, parse_numbers, parse_wholes, whole_fault
from core.files.schema import Column, Schema, find_columns
from core.files.sheet import LINES, Sheet, SheetRow
from core.files.tables import parse_mark
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.ranges import Range
from core.vocabulary.system_problems import name_fault

_ROWS_AT_ONCE: Final = 50_000


class Coded(NamedTuple):
    """Texts of a column: row r has `names[code[r]]`; -1 where a cell was reported."""

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
        for row in self.findings.listed(rows):
            self.findings.error(self.label, self.place(row), column, say(row))

    def kept(self, rows: BoolArray) -> Self:
        """Only these rows; each keeps its place."""
        return replace(
            self,
            lines=self.lines[rows],
            texts={name: Coded(one.names, one.code[rows]) for name, one in self.texts.items()},
            numbers={name: values[rows] for name, values in self.numbers.items()},
            wholes={name: values[rows] for name, values in self.wholes.items()},
        )

    def text(self, column: str, row: int) -> str:
        """The text of a cell; blank where it was reported."""
        found = self.texts[column]
        code = int(found.code[row])
        return found.names[code] if code >= 0 else ""

    def listed(self, column: str) -> list[str]:
        """The texts of all rows."""
        names, code = self.texts[column]
        return [names[one] if one >= 0 else "" for one in code.tolist()]

    def unique_names(self, column: str) -> list[str] | None:
        """The names of rows, those without one called by their numbers; None if all are, as of ten
        million rows names would take a gigabyte. Repeated names are reported.
        """
        if self.texts[column].names in ((), ("",)):
            return None
        names = [name or str(row) for row, name in enumerate(self.listed(column), 1)]
        if len(set(names)) < len(names):
            first: dict[str, int] = {}
            twice = [first.setdefault(name, row) != row for row, name in enumerate(names)]
            self.report(
                np.array(twice),
                column,
                lambda row: (
                    f"{column} '{shown(names[row])}' is there twice "
                    f"({self.place(first[names[row]])} and {self.place(row)}); rename one"
                ),
            )
        return None if names == row_numbers(len(self)) else names

    def positions(
        self, column: str, names: Sequence[str], what: str = "", *, blank: int = -1
    ) -> IntArray:
        """Where the texts of a column are among `names`; -1 for others, which are reported if it is
        said `what` they should be. A blank is `blank`, where that is allowed.
        """
        place = {name: position for position, name in enumerate(names)}
        found = self.texts[column]
        known = [place.get(name, blank if not name else -1) for name in found.names]
        positions: IntArray = np.array([*known, -1], np.int64)[found.code]
        if what:
            self.report(
                (positions < 0) & (found.code >= 0),
                column,
                lambda row: f"'{shown(self.text(column, row))}' is not {what}; correct the name",
            )
        return positions

    def check(self, schema: Schema) -> None:
        """Reports the numbers that are out of range; blanks, and what was reported, are not."""
        for column in schema:
            if column.allowed is not None:
                self._check(column, column.allowed)

    def _check(self, column: Column, allowed: Range) -> None:
        is_whole = column.kind == "whole"
        values = self.wholes[column.name] if is_whole else self.numbers[column.name]
        within = (values >= allowed.low) & (values <= allowed.high)
        self.report(
            ~within & (values != stand_in(column)) & ~np.isnan(values),
            column.name,
            lambda row: column.out_of_range(float(values[row])),
        )


def row_numbers(rows: int) -> list[str]:
    """What rows without names are called."""
    return [str(row) for row in range(1, rows + 1)]


def stand_in(column: Column) -> float:
    """What stands where a cell is blank or wrong; it is never out of range."""
    if isinstance(column.blank, int | float):
        return column.blank
    if column.kind != "whole":
        return math.nan
    return 0.0 if column.allowed is None else column.allowed.low


def read_columns(
    sheet: Sheet, schema: Schema, findings: Findings, most: int | None = None
) -> ReadColumns | None:
    """The columns of a table of at most `most` rows; None if one that it must have is missing.
    Cells that are wrong or out of range are reported, and read as anything; numbers that may have a
    point between thousands are reported as well. May raise `Unreadable`.
    """
    rows = sheet.fitted_rows(findings, limits.JOB_ROWS if most is None else most)
    header = next(rows, SheetRow(1, []))
    place = find_columns(sheet, header, schema, findings)
    if place is None:
        return None
    readers = [_ColumnReader(column, sheet, place.get(column.name)) for column in schema]
    if header.unit in LINES:  # those of a document are numbers already
        numbers = {
            each.name: place[each.name] for each in schema if each.is_number and each.name in place
        }
        rows = in_one_format(rows, sheet.label, numbers, findings)
    lines: list[IntArray] = []
    unit = header.unit
    while block := list(islice(rows, _ROWS_AT_ONCE)):
        whole = [row for row in block if row.whole]
        for odd in block:
            if not odd.whole and isinstance(odd.cells[0], UnusableCell):  # it is no row at all
                findings.error(sheet.label, odd.place, schema[0].name, odd.cells[0].why)
        lines.append(np.array([row.line for row in whole], np.int64))
        unit = block[0].unit
        faults = [reader.read(whole) for reader in readers]
        wrong = sorted((row, k) for k, rows_of in enumerate(faults) for row in rows_of)
        for row, k in findings.listed(wrong):
            name, fault = readers[k].column.name, readers[k].fault(whole[row])
            findings.error(sheet.label, whole[row].place, name, fault)
    found = ReadColumns(
        sheet.label,
        np.concatenate([np.zeros(0, np.int64), *lines]),
        unit,
        {r.column.name: r.coded() for r in readers if r.column.is_text},
        {r.column.name: r.values() for r in readers if r.column.kind in ("number", "flag")},
        {r.column.name: r.wholes() for r in readers if r.column.kind == "whole"},
        frozenset(place),
        findings,
    )
    found.check(schema)
    return found


class _ColumnReader:
    """Turns the cells of one column into an array, block by block."""

    def __init__(self, column: Column, sheet: Sheet, place: int | None) -> None:
        self.column, self._sheet, self._place = column, sheet, place
        self._blocks: list[FloatArray | IntArray] = []
        self._codes: dict[str, int] = {}
        self._names: dict[str, int] = {}

    def read(self, rows: list[SheetRow]) -> list[int]:
        """Takes the cells of these rows; the positions of those that are wrong."""
        column = self.column
        if self._place is None:
            if column.is_text:
                self._code("")  # of a column that is not there, all cells are blank
                self._blocks.append(np.zeros(len(rows), np.int64))
            else:
                self._blocks.append(np.full(len(rows), float(column.blank or 0)))
            return []
        cells = [row.cells[self._place] for row in rows]
        values, wrong = self._parsed(cells)
        if not column.is_text:
            values[wrong] = stand_in(column)
            if column.blank is not None:
                wrong = [row for row in wrong if cells[row] and not cells[row].isspace()]
        self._blocks.append(values)
        return wrong

    def _parsed(self, cells: list[str]) -> tuple[FloatArray | IntArray, list[int]]:
        """The values of cells, and the positions of those that are wrong or blank."""
        kind, parse = self.column.kind, self.column.parse
        if kind == "whole":
            return parse_wholes(cells)
        if kind == "number" and parse is None:
            values, _ = parse_numbers(cells)
        elif kind in ("number", "flag"):
            one = parse or parse_mark
            values = np.array([one(cell) for cell in cells], np.float64)  # None becomes NaN
        else:
            codes = np.array([self._code(cell) for cell in cells], np.int64)
            return codes, np.flatnonzero(codes < 0).tolist()
        return values, np.flatnonzero(np.isnan(values)).tolist()

    def _code(self, cell: str) -> int:
        """The code of a text; -1 if it is none, or no name where one is asked for."""
        known = self._codes.get(cell)
        if known is None:
            name = self._sheet.name(cell) if self.column.kind == "name" else cell.strip()
            if not name and isinstance(self.column.blank, str):
                name = self.column.blank
                usable = True
            else:
                usable = not isinstance(cell, UnusableCell) and self._name_fault(name) is None
            known = self._names.setdefault(name, len(self._names)) if usable else -1
            self._codes[cell] = known
        return known

    def _name_fault(self, name: str) -> str | None:
        return name_fault(name) if self.column.kind == "name" or not name else None

    def fault(self, row: SheetRow) -> str:
        """Why its cell of a row is wrong, and the remedy."""
        column, cell = self.column, row.cells[self._place or 0]
        if isinstance(cell, UnusableCell):
            return cell.why
        if column.otherwise:
            return f"'{shown(cell.strip())}' {column.otherwise}"
        if column.kind == "number":
            return number_fault(cell, unit=column.unit)
        if column.kind == "whole":
            return whole_fault(cell)
        if column.kind == "flag":
            return f"'{shown(cell.strip())}' is neither yes nor no; give one of them"
        return f"{self._name_fault(self._sheet.name(cell))}"

    def coded(self) -> Coded:
        return Coded(tuple(self._names), self.wholes())

    def values(self) -> FloatArray:
        return np.concatenate([np.zeros(0), *self._blocks])

    def wholes(self) -> IntArray:
        return np.concatenate([np.zeros(0, np.int64), *self._blocks]).astype(np.int64)
