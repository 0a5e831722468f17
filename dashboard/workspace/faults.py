"""Finds the cells of a table that problems name, in the table as it was read."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from core.files import RawTable
from core.files.headings import TableName
from core.files.sheet import SheetRow
from core.vocabulary.problems import Problem

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
