"""Turns rows of text into the two kinds of table of a system, and reports unreadable cells.

A `Matrix` (ETC, APC, the marks of estimates) has a value for each task type and machine type. A
`Listing` has a count, and perhaps an idle power, for each type.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, Literal, NamedTuple

import numpy as np

from core.files import limits
from core.files.findings import Findings, shown
from core.files.headings import LIST_OF, LISTS, beside
from core.files.numbers import (
    TruthCell,
    UnusableCell,
    number_fault,
    parse_number,
    parse_numbers,
    parse_whole,
    whole_fault,
)
from core.files.schema import columns_called, find_columns
from core.files.sheet import Sheet, SheetRow
from core.files.stated_units import (
    unit_of_column,
    without_unit,
)
from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.kinds import TypeKind

COUNTED_BY: Final = "arrival_rate"
"""A list of types that says how fast tasks arrive need not say how many there are."""
_POWERS: Final = {"idle_power": "idle powers", "asleep_watts": "powers asleep"}
_IF_UNKNOWN: Final = {
    "idle_power": "where it is unknown, 0",
    "asleep_watts": "where machines stay on, leave the cell blank",
}
IF_IMPOSSIBLE: Final = "if the pair cannot run, leave the cell blank"


@dataclass(frozen=True, slots=True)
class Names:
    """The names along one side of a table, all different.

    A name that is missing, unusable or repeated is reported, and replaced by its place ("line 7").
    """

    keys: tuple[str, ...]
    stand_ins: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def position(self) -> dict[str, int]:
        return {key: i for i, key in enumerate(self.keys)}


@dataclass(frozen=True, slots=True)
class TableSide:
    """A side of a table with names: what they name, and where they are."""

    label: str
    kind: TypeKind
    side: Literal["row", "column"]

    def error(self, place: str, message: str, findings: Findings) -> None:
        row, column = (place, "") if self.side == "row" else ("", place)
        findings.error(self.label, row, column, message)

    def unique_names(
        self,
        names: Sequence[str],
        places: Sequence[str],
        faults: Mapping[int, str],
        findings: Findings,
    ) -> Names:
        """The names, with places in place of those that are faulty, blank or repeated."""
        first: dict[str, str] = {}
        keys: list[str] = []
        stand_ins: set[str] = set()
        for i, (name, place) in enumerate(zip(names, places, strict=True)):
            if name and name not in first:
                first[name] = place
                keys.append(name)
                continue
            keys.append(place)
            stand_ins.add(place)
            if i in faults:
                self.error(place, f"the name of a {self.kind} {faults[i]}", findings)
            elif name:
                twice = f"is there twice ({first[name]} and {place}); rename or remove one of them"
                self.error(name, f"{self.kind} '{shown(name)}' {twice}", findings)
            else:
                self.error(place, f"a {self.kind} has no name; give it one", findings)
        return Names(tuple(keys), frozenset(stand_ins))


@dataclass(frozen=True, slots=True)
class Matrix:
    """Values of pairs, NaN where blank; cells that cannot be read are `unread`, and reported. The
    `corner` is the cell above the names of task types; `headings` are the names of machine types as
    they are written, which may have units.
    """

    label: str
    rows: Names
    columns: Names
    values: FloatArray
    unread: BoolArray
    corner: str = ""
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """Count, idle power and power asleep (watts) of named types; unreadable ones are None, and
    reported. Machine types that are never switched off have no power asleep.

    `others` are the cells of columns that a system does not need, by their names; None where the
    cells of a row cannot be told apart.
    """

    label: str
    names: Names
    counts: tuple[int | None, ...]
    idle_power: tuple[float | None, ...]
    asleep_watts: tuple[float | None, ...]
    others: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)


class CellKind(NamedTuple):
    """How the cells of a matrix are read: their values, NaN where blank, with the positions of
    cells that cannot be read; and why one cannot, with the remedy.
    """

    parse: Callable[[Sequence[str]], tuple[FloatArray, list[int]]]
    fault: Callable[[str], str]


NUMBERS: Final = CellKind(parse_numbers, partial(number_fault, if_unknown=IF_IMPOSSIBLE))


def read_matrix(sheet: Sheet, findings: Findings, kind: CellKind = NUMBERS) -> Matrix | None:
    """A table of pairs; None if it has no column of a machine type."""
    rows = sheet.fitted_rows(findings)
    header = next(rows, None)
    if header is None or len(header.cells) < 2:
        findings.file_error(
            sheet.label,
            "has no column of a machine type; give a header 'task_type,M1,M2,...' and one row for "
            "each task type",
        )
        return None
    column_places = [f"number {number}" for number in range(2, len(header.cells) + 1)]
    across = TableSide(sheet.label, "machine type", "column")
    columns = read_names(sheet, across, header.cells[1:], column_places, findings)
    name_cells: list[str] = []
    places: list[str] = []
    parts: list[FloatArray] = []
    masks: list[BoolArray] = []
    nothing, unread = np.full(len(columns), np.nan), np.ones(len(columns), bool)
    for row in rows:
        name_cells.append(row.cells[0])
        places.append(row.place)
        if not row.whole:
            parts.append(nothing)
            masks.append(unread)
            continue
        values, bad = kind.parse(row.cells[1:])
        mask = np.zeros(len(columns), bool)
        mask[bad] = True
        for j in findings.listed(bad):
            place = sheet.name(row.cells[0]) or row.place
            message = f"{kind.fault(row.cells[j + 1])} ({row.place})"
            findings.error(sheet.label, place, columns.keys[j], message)
        parts.append(values)
        masks.append(mask)
    shape = (len(parts), len(columns))
    down = TableSide(sheet.label, "task type", "row")
    names = read_names(sheet, down, name_cells, places, findings)
    return Matrix(
        sheet.label,
        names,
        columns,
        np.array(parts).reshape(shape),
        np.array(masks, bool).reshape(shape),
        sheet.name(header.cells[0]),
        tuple(map(sheet.name, header.cells[1:])),
    )


def read_listing(kind: TypeKind, sheet: Sheet, findings: Findings) -> Listing | None:
    """The tasks or machines table; None if a column that it must have is missing. Idle powers in
    another unit than watts are converted, and that is said.
    """
    rows = sheet.fitted_rows(findings)
    header = next(rows, SheetRow(1, []))
    schema, also = LISTS[LIST_OF[kind]], beside(LIST_OF[kind])
    titles = [sheet.name(cell) for cell in header.cells]
    rated = COUNTED_BY in columns_called(titles, (schema[0], *also))
    if rated:
        schema = [replace(one, blank=1) if one.name == "count" else one for one in schema]
    column = find_columns(sheet, header, schema, findings, also)
    if column is None:
        return None
    key, count = column[schema[0].name], column.get("count")
    units = {name: unit_of_column(titles[column[name]]) for name in _POWERS if name in column}
    for name, unit in units.items():
        if unit is not None and not unit.is_si:
            said = unit.said(_POWERS[name], titles[column[name]])
            findings.warning(sheet.label, "", name, said)
    name_cells: list[str] = []
    places: list[str] = []
    counts: list[int | None] = []
    watts: dict[str, list[float | None]] = {"idle_power": [], "asleep_watts": []}
    others: dict[str, list[str | None]] = {one.name: [] for one in also if one.name in column}
    for row in rows:
        name_cells.append(row.cells[key] if key < len(row.cells) else "")
        places.append(row.place)
        counts.append(_read_count(sheet, row, key, count, findings, 1 if rated else None))
        for name, powers in watts.items():
            if name not in column:
                powers.append(0.0 if name == "idle_power" else None)
                continue
            power, unit = _read_power(sheet, row, key, name, column[name], findings), units[name]
            powers.append(unit.in_si(power) if unit and power is not None else power)
        for name, cells in others.items():
            cells.append(row.cells[column[name]] if row.whole else None)
    names = read_names(sheet, TableSide(sheet.label, kind, "row"), name_cells, places, findings)
    kept = {name: tuple(cells) for name, cells in others.items()}
    idle, asleep = map(tuple, watts.values())
    return Listing(sheet.label, names, tuple(counts), idle, asleep, kept)


def read_names(
    sheet: Sheet, axis: TableSide, cells: Sequence[str], places: Sequence[str], findings: Findings
) -> Names:
    """The names in the cells of a header or of a first column, those of machine types without
    units.
    """
    faults = {i: cell.why for i, cell in enumerate(cells) if isinstance(cell, UnusableCell)}
    names = [*map(sheet.name, cells)]
    if axis.kind == "machine type":
        plain = [*map(without_unit, names)]
        names = plain if all(plain) and len({*plain}) == len({*names}) else names
    return axis.unique_names(names, places, faults, findings)


def _read_count(
    sheet: Sheet, row: SheetRow, key: int, column: int | None, findings: Findings, usual: int | None
) -> int | None:
    """The count in a row; `usual` where it is blank, unless that is None."""
    if not row.whole:
        return None
    cell = "" if column is None else row.cells[column]
    if usual is not None and not cell.strip():
        return usual
    if (count := parse_whole(cell)) is None:
        _report(sheet, row, key, "count", whole_fault(cell), findings)
    return count


def _read_power(
    sheet: Sheet, row: SheetRow, key: int, name: str, column: int, findings: Findings
) -> float | None:
    """The watts in a row; None if they cannot be read, or are blank where they may be."""
    if not row.whole:
        return None
    power = parse_number(row.cells[column])
    if power is not None and not math.isnan(power):
        return power
    if power is None or name == "idle_power":
        fault = number_fault(row.cells[column], _IF_UNKNOWN[name])
        _report(sheet, row, key, name, fault, findings)
    return None


def _report(
    sheet: Sheet, row: SheetRow, key: int, column: str, fault: str, findings: Findings
) -> None:
    place = sheet.name(row.cells[key]) or row.place
    findings.error(sheet.label, place, column, f"{fault} ({row.place})")


YES: Final = "yes"
"""What writers write; they leave other cells blank."""
_WORDS: Final = {
    **dict.fromkeys(("yes", "y", "true", "x", "1", "1.0"), 1.0),
    **dict.fromkeys(("no", "n", "false", "0", "0.0", ""), 0.0),
}


def parse_mark(cell: str) -> float | None:
    """1 if a cell says yes, 0 if it says no or is blank; None if it says neither."""
    if isinstance(cell, TruthCell):
        return float(cell.value)
    if len(cell) > limits.NUMBER_CHARACTERS:
        return None
    return _WORDS.get(cell.strip().casefold())


def parse_marks(cells: Sequence[str]) -> tuple[FloatArray, list[int]]:
    """`parse_mark` of many cells, NaN where it is None; and the positions of these."""
    parsed = [parse_mark(cell) for cell in cells]
    values = np.array(parsed, np.float64)  # None becomes NaN
    return values, np.flatnonzero(np.isnan(values)).tolist()


def mark_fault(cell: str) -> str:
    """Why a cell says neither yes nor no, and the remedy."""
    if isinstance(cell, UnusableCell):
        return cell.why
    said = f"'{shown(cell.strip())}' is neither yes nor no"
    return f"{said}; write {YES} if the pair is an estimate, or leave the cell blank"


MARKS: Final = CellKind(parse_marks, mark_fault)
"""The cells of the table."""
