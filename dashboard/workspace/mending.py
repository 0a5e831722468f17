"""The tables of an upload with problems, while a person corrects them cell by cell."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, Self

import pandas as pd

from core.files import RawTable, RawTables, SystemReading, inspect_tables
from core.files.headings import TableName
from core.files.numbers import UnusableCell
from core.files.sheet import SheetRow
from core.vocabulary.problems import Problem, errors
from dashboard.workspace.draft import MOST_COLUMNS, TITLES

_PLACES: Final = re.compile(r"(?:^|\()((?:line|row) [0-9]{1,9})(?: and ((?:line|row) [0-9]{1,9}))?")
_MOST_CELLS: Final = 200
Cell = tuple[int, int]
"""The number of a line, and the position of a column."""


class Fault(NamedTuple):
    """A problem, and the cells that it may be about; none if it is about something missing."""

    problem: Problem
    cells: tuple[Cell, ...]


def located(problems: Sequence[Problem], table: RawTable, kind: TableName) -> list[Fault]:
    """The problems of a table with their cells, from the top down."""
    if not table.rows:
        return [Fault(problem, ()) for problem in problems]
    header, *rows = table.rows
    name = table.sheet.name
    titles = [name(cell) for cell in header.cells]
    key = 0
    if kind in ("tasks", "machines"):
        titles = [title.casefold() for title in titles]
        key = next((titles.index(t) for t in ("task_type", "machine_type") if t in titles), 0)
    columns: dict[str, list[int]] = {}
    for j, title in enumerate(titles):
        columns.setdefault(title, []).append(j)
        columns.setdefault(f"number {j + 1}", []).append(j)
    rows_at = {row.place: row for row in rows}
    rows_of: dict[str, list[SheetRow]] = {}
    for row in rows:
        for called in {row.place, *map(name, row.cells[key : key + 1])}:
            rows_of.setdefault(called, []).append(row)

    def fault(problem: Problem) -> Fault:
        across = columns.get(problem.column, []) if problem.column else [key]
        down = rows_of.get(problem.row, [])
        if not problem.row:
            down = [header] if problem.column else []
        said = _PLACES.findall(problem.message)  # the place follows what is quoted
        exact = [rows_at[place] for place in said[-1] if place in rows_at] if said else []
        down = exact or down[:_MOST_CELLS]
        return Fault(problem, tuple((row.line, j) for row in down for j in across))

    end = (table.rows[-1].line + 1, 0)
    return sorted(map(fault, problems), key=lambda found: min(found.cells, default=end))


LINE: Final = "line"
TO_MEND: Final = "to mend"
NEW: Final = "(new)"
SPARE_ROWS: Final = 3


def is_last(table: RawTable, row: int, column: int) -> bool:
    """Whether a cell of a grid is in its last spare row or its spare column."""
    return row >= len(table.rows) + SPARE_ROWS - 1 or column >= _width(table)


def column_of(position: int) -> str:
    """The column of the frame for a column of the table. Titles may occur twice."""
    return f"c{position}"


def cells_of(edited: Mapping[int, Mapping[str, str | None]]) -> dict[tuple[int, int], str]:
    """The cells that an editor of a frame changed, by row and column of the table."""
    return {
        (row, int(column.removeprefix("c"))): text or ""
        for row, texts in edited.items()
        for column, text in texts.items()
    }


@dataclass(frozen=True, eq=False)
class Mending:
    """The tables as they are now, and the problems that the checks find in them."""

    tables: RawTables

    @classmethod
    def of(cls, tables: RawTables) -> Self | None:
        """Tables as they were read, without blank rows. None if one is too wide for a page, or if
        there is no table of times.
        """
        if "etc" not in tables or any(_width(table) > MOST_COLUMNS for table in tables.values()):
            return None
        return cls({name: table.with_cells({}) for name, table in tables.items()})

    @cached_property
    def reading(self) -> SystemReading:
        return inspect_tables(self.tables)

    @property
    def names(self) -> list[TableName]:
        """The names of the tables that exist."""
        return [name for name in TITLES if name in self.tables]

    @cached_property
    def faults(self) -> dict[TableName, list[Fault]]:
        """The faults of each table, from the top down."""
        found = errors(self.reading.problems)
        return {
            name: located([p for p in found if p.file == raw.label], raw, name)
            for name, raw in ((name, self.tables[name]) for name in self.names)
        }

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of each table, then those of no table, and warnings."""
        listed = {fault.problem: None for faults in self.faults.values() for fault in faults}
        return tuple(listed | dict.fromkeys(self.reading.problems))

    @property
    def first(self) -> TableName:
        """The first table with a fault."""
        return next((name for name, faults in self.faults.items() if faults), self.names[0])

    def changed(self, table: TableName, mended: RawTable) -> Self:
        return type(self)({**self.tables, table: mended})

    def marks(self, table: TableName) -> dict[int, list[int]]:
        """The columns with faults, by line number."""
        found: dict[int, list[int]] = {}
        for line, column in sorted(cell for f in self.faults[table] for cell in f.cells):
            found.setdefault(line, []).append(column)
        return found

    def titles(self, table: TableName, columns: int) -> list[str]:
        """The titles of the columns of a grid: the header as it is now."""
        header = [_shown(cell).strip() for row in self.tables[table].rows[:1] for cell in row.cells]
        titles = [title or f"number {j}" for j, title in enumerate(header, start=1)]
        return titles + [NEW] * (columns - len(titles))

    def frame(self, table: TableName, base: RawTable) -> pd.DataFrame:
        """The cells of `base` as text, with a spare column and spare rows. Faults are those of now.

        Its columns are the line number, the titles of the columns with faults, and the cells.
        """
        columns, last = _width(base) + 1, base.rows[-1].line if base.rows else 0
        lines = [row.line for row in base.rows] + [last + k for k in range(1, SPARE_ROWS + 1)]
        rows = [[*map(_shown, row.cells)] for row in base.rows] + [[]] * SPARE_ROWS
        cells = [row + [""] * (columns - len(row)) for row in rows]
        marks, titles = self.marks(table), self.titles(table, columns)
        return pd.DataFrame(
            {
                LINE: lines,
                TO_MEND: [_listed([titles[j] for j in marks.get(line, ())]) for line in lines],
                **{column_of(j): [row[j] for row in cells] for j in range(columns)},
            }
        )


def _width(table: RawTable) -> int:
    return max((len(row.cells) for row in table.rows), default=0)


def _listed(titles: list[str]) -> str:
    """Titles as a JSON text, which Streamlit shows as chips.

    A column of lists would change its type when all are empty, and the editor would start anew.
    """
    return json.dumps(list(dict.fromkeys(titles)), ensure_ascii=False) if titles else ""


def _shown(cell: str) -> str:
    """The text of a cell for a grid; in brackets why a cell has none."""
    if isinstance(cell, UnusableCell):
        return f"({cell.why.partition(';')[0]})"
    return cell.encode("utf-8", "replace").decode()
