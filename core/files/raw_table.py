"""Tables as they were read, every cell still text whatever it holds: what checks begin with.

Small ones are kept, so that a person can mend them cell by cell and have them checked anew.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Self

from core.files import limits
from core.files.sheet import Row, Sheet, filled_width


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table in memory; the first of its rows that is not blank is the header."""

    label: str
    rows: tuple[Row, ...]
    is_text: bool

    @property
    def sheet(self) -> Sheet:
        return Sheet(self.label, self.rows, self.is_text)

    @property
    def width(self) -> int:
        """The number of columns that the header has."""
        return _header_width(self.rows)

    def with_cells(self, cells: Mapping[tuple[int, int], str]) -> Self:
        """The same with other texts in some cells, by row and column; a row past the last is new.

        Blank rows, and blank cells beside the table, are gone then. A row that has too few cells
        is made whole only if one of its cells was given: until then nobody has looked at it.
        """
        rows = list(self.rows)
        for (i, j), text in cells.items():
            while len(rows) <= i:
                last = rows[-1] if rows else Row(0, [])
                rows.append(Row(last.line + 1, [], unit=last.unit))
            padded = rows[i].cells + [""] * (j + 1 - len(rows[i].cells))
            rows[i] = rows[i]._replace(cells=[*padded[:j], text, *padded[j + 1 :]])
        old_width, width = self.width, _header_width(rows)
        whole = {i for i, row in enumerate(self.rows) if len(row.cells) >= old_width}
        whole |= {i for i, _ in cells}
        fitted = (_fitted(row, width) if i in whole else row for i, row in enumerate(rows))
        return replace(self, rows=tuple(row for row in fitted if filled_width(row.cells)))


RawTables = Mapping[str, RawTable]
"""The tables of one system: "etc", and perhaps others."""


def keep(sheet: Sheet) -> tuple[Sheet, RawTable | None]:
    """The sheet, still to be read, and its table if that is small enough to keep and not blank."""
    rows = iter(sheet.rows)
    kept: list[Row] = []
    cells = 0
    for row in rows:
        kept.append(row)
        cells += max(len(row.cells), 1)
        if cells > limits.KEPT_CELLS:
            return replace(sheet, rows=chain(kept, rows)), None
    table = RawTable(sheet.label, tuple(kept), sheet.is_text)
    return table.sheet, table if table.width else None


def _header_width(rows: Iterable[Row]) -> int:
    return next(filter(None, (filled_width(row.cells) for row in rows)), 0)


def _fitted(row: Row, width: int) -> Row:
    """The row with as many cells as the header has, or more where more are filled."""
    cells = row.cells[: filled_width(row.cells)]
    return row._replace(cells=cells + [""] * (width - len(cells)))
