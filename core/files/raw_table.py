"""Tables as they were read, with every cell as text, before they are checked; and where they are,
told apart by their names.

Small ones are kept, so that a person can correct them cell by cell and have them checked again.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, NamedTuple, Self

from core.files import limits
from core.files.beside import SettingsSource, tables_named_by
from core.files.findings import Findings, Unreadable, shown_list
from core.files.headings import LISTS, TABLES, TableName, names_machines, table_called
from core.files.number_format import is_unclear, shown_by
from core.files.numbers import parse_number
from core.files.schema import columns_called
from core.files.sheet import Sheet, SheetRow, filled_width
from core.files.stated_units import POWERS_FOR_ENERGIES, says_energy, tables_said

_MOST_ABOVE: Final = 10
_LOOKED_AT: Final = 200


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table in memory; its first row that is not blank is the header. `titles` and `lone` are
    those of its `Sheet`.
    """

    label: str
    rows: tuple[SheetRow, ...]
    is_text: bool
    titles: tuple[str, ...] = ()
    lone: bool = False

    @property
    def sheet(self) -> Sheet:
        return Sheet(self.label, self.rows, self.is_text, self.titles, self.lone)

    @property
    def width(self) -> int:
        """The number of columns of the header."""
        return _header_width(self.rows)

    @property
    def said(self) -> tuple[str, ...]:
        """What may say what it holds: its titles, and its first cell."""
        first = next((row.cells[0] for row in self.rows if filled_width(row.cells)), "")
        return (*self.titles, self.sheet.name(first))

    @property
    def has_rows(self) -> bool:
        """Whether it has a header and a row below it."""
        return sum(filled_width(row.cells) > 0 for row in self.rows) > 1

    def with_cells(self, cells: Mapping[tuple[int, int], str]) -> Self:
        """The table with other texts in some cells, by row and column; a row after the last is new.

        Blank rows, and blank cells beside the table, are removed. A row that has too few cells is
        filled only if one of its cells is given: until then nobody has checked it.
        """
        rows = list(self.rows)
        for (i, j), text in cells.items():
            while len(rows) <= i:
                last = rows[-1] if rows else SheetRow(0, [])
                rows.append(SheetRow(last.line + 1, [], unit=last.unit))
            padded = rows[i].cells + [""] * (j + 1 - len(rows[i].cells))
            rows[i] = rows[i]._replace(cells=[*padded[:j], text, *padded[j + 1 :]])
        old_width, width = self.width, _header_width(rows)
        whole = {i for i, row in enumerate(self.rows) if len(row.cells) >= old_width}
        whole |= {i for i, _ in cells}
        fitted = (_fitted(row, width) if i in whole else row for i, row in enumerate(rows))
        return replace(self, rows=tuple(row for row in fitted if filled_width(row.cells)))


def untitled(sheet: Sheet, findings: Findings) -> Sheet:
    """The sheet without titles above its table: lines with one filled cell before one of names."""
    rows = iter(sheet.rows)
    above: list[SheetRow] = []
    for row in rows:
        filled = sum(bool(cell.strip()) for cell in row.cells[:_LOOKED_AT])
        if filled > 1 or len(above) == _MOST_ABOVE:
            titles = [line for line in above if filled_width(line.cells)]
            if titles and not _holds_numbers(row) and len(above) < _MOST_ABOVE:
                said = titles_of(titles)
                message = f"is taken for titles above the table ({shown_list(said)})"
                findings.warning(sheet.label, titles[0].place, "", f"{message}; remove it")
                above = []
                sheet = replace(sheet, titles=(*sheet.titles, *said))
            return replace(sheet, rows=chain(above, [row], rows))
        above.append(row)
    return replace(sheet, rows=above)


def titles_of(rows: Iterable[SheetRow]) -> list[str]:
    return [next(cell.strip() for cell in row.cells if cell.strip()) for row in rows]


def looks_like(table: RawTable, known: Collection[str] = ()) -> TableName | None:
    """The kind of table, judging by its titles, its header and its numbers: beside times that are
    known, numbers that are not said to be times are powers.
    """
    header = next((row for row in table.rows if filled_width(row.cells)), None)
    if header is None:
        return None
    titles = [table.sheet.name(cell) for cell in header.cells]
    machines = columns_called(titles, LISTS["machines"])
    tasks = columns_called(titles, LISTS["tasks"])
    if "count" in tasks or "idle_power" in machines:
        of_machines = "idle_power" in machines or names_machines(titles[0])
        return "machines" if of_machines else "tasks"
    below = [row for row in table.rows if row is not header]
    if not below or not all(map(_holds_numbers, below)):
        return None
    said = tables_said(table.said)
    return "apc" if said == {"apc"} or ("etc" in known and said != {"etc"}) else "etc"


def _holds_numbers(row: SheetRow) -> bool:
    """Whether a cell after the first is a number."""
    return any(map(_is_number, row.cells[1:_LOOKED_AT]))


def _is_number(cell: str) -> bool:
    number = parse_number(cell)
    if number is None:
        return shown_by(cell) is not None or is_unclear(cell)
    return not math.isnan(number)


RawTables = Mapping[str, RawTable]
"""The tables of one system by kind: "etc", and perhaps others."""


def keep(sheet: Sheet) -> tuple[Sheet, RawTable | None]:
    """The sheet, not read yet, and its table if that is small enough to keep and not blank."""
    rows = iter(sheet.rows)
    kept: list[SheetRow] = []
    cells = 0
    for row in rows:
        kept.append(row)
        cells += max(len(row.cells), 1)
        if cells > limits.KEPT_CELLS:
            return replace(sheet, rows=chain(kept, rows)), None
    rows_kept = _without_blank_columns(kept)
    table = RawTable(sheet.label, rows_kept, sheet.is_text, sheet.titles, sheet.lone)
    return table.sheet, table if table.width else None


def _without_blank_columns(rows: list[SheetRow]) -> tuple[SheetRow, ...]:
    """The rows without blank columns between others or in front."""
    width = max((filled_width(row.cells) for row in rows), default=0)
    filled = {j for row in rows for j, cell in enumerate(row.cells) if cell.strip()}
    if len(filled) == width:
        return tuple(rows)
    blank = set(range(width)) - filled
    return tuple(
        row._replace(cells=[cell for j, cell in enumerate(row.cells) if j not in blank])
        for row in rows
    )


def _header_width(rows: Iterable[SheetRow]) -> int:
    return next(filter(None, (filled_width(row.cells) for row in rows)), 0)


def _fitted(row: SheetRow, width: int) -> SheetRow:
    """The row with as many cells as the header, or more if more are filled."""
    cells = row.cells[: filled_width(row.cells)]
    return row._replace(cells=cells + [""] * (width - len(cells)))


_SPARE_KEPT: Final = 10
Spare = tuple["Source", RawTable | None]
"""A table whose kind is unknown: where it is, and it itself if it was read and is small."""
NAMES: Final = "etc, apc, tasks, machines or estimated"


class Source(NamedTuple):
    """Where a table is; `sheet` reads it, or raises `Unreadable`; `name` is of file or sheet."""

    label: str
    sheet: Callable[[], Sheet]
    name: str = ""

    @classmethod
    def of(cls, table: RawTable) -> Self:
        """A table that was read before."""
        return cls(table.label, lambda: table.sheet)

    def read(self, findings: Findings) -> tuple[Sheet, RawTable | None]:
        """The sheet below its titles, not read yet, and its table if that is small enough to keep.

        May raise `Unreadable`.
        """
        sheet = self.sheet()
        name = self.name.strip()
        if name:
            title = name[: -len(".csv")] if name.casefold().endswith(".csv") else name
            sheet = replace(sheet, titles=(title, *sheet.titles))
        return keep(untitled(sheet, findings))


def told_apart(
    named: Sequence[tuple[str, Source]],
    settings: Sequence[SettingsSource],
    twice: str,
    findings: Findings,
) -> tuple[dict[str, Source], list[Source]]:
    """The tables by kind, as their names say; and those whose names say no kind. Tables that
    settings name are neither.

    Wattfront's own names of tables take precedence over other words for them. If two tables have
    the same such name, that is reported.
    """
    sources: dict[str, Source] = {}
    rest: list[tuple[str, Source]] = []
    for name, source in named:
        table = name.casefold()
        if table not in TABLES:
            rest.append((name, source))
            continue
        if table in sources:
            findings.file_error(source.label, twice)
        sources[table] = source
    spare: list[Source] = []
    others = tables_named_by(settings) if rest else ()
    for name, source in rest:
        called = table_called(name)
        if source.name.strip().casefold() in others:
            continue
        if called is None or called in sources:
            spare.append(source)
        else:
            sources[called] = source
    return sources, spare


def told_by_content(
    sources: Mapping[str, Source], spare: Sequence[Source], findings: Findings
) -> tuple[dict[str, Source], list[Spare]]:
    """The tables by kind, also those of times or powers whose titles or first cell say so, if it is
    one alone; and those that are left, read as long as few are kept, without blank ones.
    """
    left: list[Spare] = []
    kept: list[RawTable] = []
    said: dict[str, list[RawTable]] = {}
    for source in spare:
        sheet = raw = None
        if len(kept) < _SPARE_KEPT:
            with suppress(Unreadable):
                sheet, raw = source.read(findings)
        if sheet is not None and next(iter(sheet.rows), None) is None:
            continue  # blank, as Excel adds them
        left.append((source, raw))
        if raw is None:
            continue
        kept.append(raw)
        if (guess := looks_like(raw)) in tables_said(raw.said):
            said.setdefault(str(guess), []).append(raw)
    taken = {
        table: one for table, (one, *more) in said.items() if not more and table not in sources
    }
    found = {table: Source.of(one) for table, one in taken.items()}
    return {**sources, **found}, [one for one in left if one[1] not in taken.values()]


def report_spare(
    spare: Sequence[Spare], known: Collection[str], findings: Findings
) -> tuple[RawTable, ...]:
    """Report tables whose kind is unknown, beside those that are known; and give the small ones."""
    for source, raw in spare:
        guess = None if raw is None else looks_like(raw, known)
        is_guessed = guess is not None and guess not in known
        advice = f"it is probably {guess}: give it this name" if is_guessed else f"name it {NAMES}"
        message = f"is not used, because its name is not that of a table; if it is one, {advice}"
        if raw is not None and any(map(says_energy, raw.said)):
            message = f"is not used, because it says energies; {POWERS_FOR_ENERGIES}"
        findings.file_warning(source.label, message)
    return tuple(raw for _, raw in spare if raw is not None)
