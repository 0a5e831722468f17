"""Corrections of tables that take one decision of a person, who sees first what they change."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from core.files.findings import shown, shown_list
from core.files.headings import TableName, name_column, names_machines, what_else
from core.files.number_format import DECIMALS, Decimal, decided, marks_of, rewritten
from core.files.numbers import cleared_if_unknown, number_cell, parse_number
from core.files.raw_table import RawTable, RawTables
from core.files.sheet import filled_width
from core.files.stated_units import (
    QUANTITIES,
    in_seconds,
    says_energy,
    tables_said,
    unit_in,
    without_brackets,
)
from core.vocabulary.say.words import counted

_PREVIEWED: Final = 3
_NUMBERS: Final[tuple[TableName, ...]] = ("etc", "apc")
_MATRICES: Final[tuple[TableName, ...]] = (*_NUMBERS, "estimated")

NamesOfTypes = tuple[frozenset[str], frozenset[str]]
"""The title of the names in the tables of tasks and machines."""


@dataclass(frozen=True, slots=True)
class Mend:
    """A change of tables: the text of its button, its effect on some cells, and the changed tables.

    The text of the button has no names from files.
    """

    action: str
    preview: tuple[str, ...]
    tables: RawTables


def mends(tables: RawTables) -> list[Mend]:
    """The corrections that the names or cells of these tables suggest."""
    found: list[Mend] = []
    if names := seem_swapped(tables):
        found.append(swapped(tables, names))
        no_lists = not {"tasks", "machines"} & tables.keys()
        if no_lists and names_machines(_corner(tables["etc"])):  # the title alone says it
            kept: RawTables = {name: _without_title(tables[name]) for name in names}
            preview = tuple(f"{table.label}: {outline(table)}" for table in kept.values())
            found.append(Mend("The rows are task types", preview, {**tables, **kept}))
    found += _as_times(tables)
    found += _plain_numbers(tables)
    found += _plain_seconds(tables)
    if (without := _without_others(tables)) is not None:
        found.append(without)
    mended, previews, count = _with_changes(dict.fromkeys(_NUMBERS, cleared_if_unknown), tables)
    if count:
        action = f"Leave {counted(count, 'cell')} blank: those pairs cannot run"
        found.append(Mend(action, previews, mended))
    return found


def _without_others(tables: RawTables) -> Mend | None:
    """The correction that leaves out rows and columns that are no types, by their names."""
    mended, gone = dict(tables), list[str]()
    for name in (one for one in _NUMBERS if one in tables):
        table, header = tables[name], _filled(tables[name])[0]
        columns = {
            j: cell.strip()
            for j, cell in enumerate(header)
            if j and what_else(cell, "machine type", header[0])
        }
        rows = {
            i: row.cells[0].strip()
            for i, row in enumerate(table.rows)
            if row.cells
            and row.cells is not header
            and what_else(row.cells[0], "task type", header[0])
        }
        gone += [f"{table.label}: column {shown(title)}" for title in columns.values()]
        gone += [f"{table.label}: row {shown(title)}" for title in rows.values()]
        left = (
            row._replace(cells=[cell for j, cell in enumerate(row.cells) if j not in columns])
            for i, row in enumerate(table.rows)
            if i not in rows
        )
        mended[name] = replace(table, rows=tuple(left))
    return Mend("Leave out what is no type", tuple(gone), mended) if gone else None


def _as_times(tables: RawTables) -> Iterator[Mend]:
    """The answers to what a table holds that does not say it: times, in some unit."""
    etc = tables.get("etc")
    if etc is None or not etc.lone or not etc.has_rows:
        return
    if tables_said(etc.said) or any(map(says_energy, etc.said)):
        return
    for unit in ("seconds", "minutes", "hours"):
        told = replace(etc, titles=(*etc.titles, f"times in {unit}"))
        preview = (f"{etc.label}: {outline(etc)}",)
        yield Mend(f"It holds times in {unit}", preview, {**tables, "etc": told})


def _corner(table: RawTable) -> str:
    return table.sheet.name(_filled(table)[0][0])


def _plain_numbers(tables: RawTables) -> Iterator[Mend]:
    """The correction that writes all numbers of a table in one format; one for each decimal mark
    where the numbers do not tell which it is.
    """
    marks = {
        name: marks_of(table.label, (cell for _, _, cell in _number_cells(tables, name)))
        for name, table in tables.items()
    }
    formats = decided(marks)
    unclear = any(marks[name].unclear for name, decimal in formats.items() if decimal is None)
    for decimal, word in DECIMALS.items() if unclear else ((".", ""),):
        changes = {name: _rewriting(own, decimal) for name, own in formats.items()}
        mended, previews, count = _with_changes(changes, tables)
        if count:
            as_plain = f"{counted(count, 'number')} as 1234.5"
            action = f"The {word} is decimal: write {as_plain}" if word else f"Write {as_plain}"
            yield Mend(action, previews, mended)


def _plain_seconds(tables: RawTables) -> Iterator[Mend]:
    """The correction that writes durations in seconds, unless the table is in another unit."""
    etc = tables.get("etc")
    if etc is None or any(unit and not unit.is_si for unit in map(unit_in, etc.said)):
        return

    def change(cell: str) -> str | None:
        seconds = in_seconds(cell)
        return None if seconds is None else number_cell(seconds)

    mended, previews, count = _with_changes({"etc": change}, tables)
    if count:
        corner = f"{without_brackets(_corner(etc))} [s]".strip()
        told = {**mended, "etc": _with_corner(mended["etc"], corner)}
        yield Mend(f"Write {counted(count, 'time')} in seconds", previews, told)


def _rewriting(own: Decimal | None, otherwise: Decimal) -> Callable[[str], str | None]:
    """How a cell is written in a table with a decimal mark of its own, or without one."""

    def change(cell: str) -> str | None:
        if own == "." and parse_number(cell) is not None:
            return None
        return rewritten(cell, own or otherwise)

    return change


_CALLED: Final[dict[TableName, str]] = {
    "etc": QUANTITIES["etc"],
    "apc": QUANTITIES["apc"],
    "tasks": "task types",
    "machines": "machine types",
    "estimated": "estimates",
}


def swapped(tables: RawTables, names: tuple[TableName, ...]) -> Mend:
    """The correction that swaps rows and columns of some matrices."""
    turned: dict[str, RawTable] = {}
    for name in names:
        turned[name] = _without_title(transposed(tables[name]))
    return Mend(
        f"Swap rows and columns of {' and '.join(map(_CALLED.__getitem__, names))}",
        tuple(f"{tables[name].label}: {outline(turned[name])}" for name in names),
        {**tables, **turned},
    )


def _without_title(table: RawTable) -> RawTable:
    """The table without the title "machine type" above its task types."""
    if not names_machines(_corner(table)):
        return table
    unit = unit_in(_corner(table))
    return _with_corner(table, f"task_type [{unit.symbol}]" if unit else "task_type")


def _with_corner(table: RawTable, corner: str) -> RawTable:
    header = next(i for i, row in enumerate(table.rows) if filled_width(row.cells))
    return _with_cells(table, {(header, 0): corner})


def used_as(tables: RawTables, spare: RawTable, table: TableName) -> Mend:
    """The correction that uses a spare table as a table of this kind."""
    preview = (f"{spare.label}: {outline(spare)}",)
    return Mend("Use this sheet", preview, {**tables, table: spare})


def outline(table: RawTable) -> str:
    """A table in one line: its columns and rows."""
    header, *rows = _filled(table)
    below = shown_list([row[0].strip() or "(blank)" for row in rows], 3)
    return f"columns {shown_list([cell.strip() for cell in header[1:]], 4)}; rows {below}"


def transposed(table: RawTable) -> RawTable:
    """The table with rows and columns swapped."""
    rows = _filled(table)
    width = max(map(len, rows))
    first = table.rows[0]
    columns = zip(*(row + [""] * (width - len(row)) for row in rows), strict=True)
    return replace(
        table,
        rows=tuple(
            first._replace(line=line, cells=list(cells)) for line, cells in enumerate(columns, 1)
        ),
    )


def seem_swapped(tables: RawTables) -> tuple[TableName, ...]:
    """The matrices whose rows and columns seem to be swapped, judging by names."""
    if "etc" not in tables:
        return ()
    listed = _listed_names(tables, "tasks"), _listed_names(tables, "machines")
    sides = {name: _names(tables[name]) for name in _MATRICES if name in tables}
    found = swapped_by_names(sides, listed)
    if found or any(listed) or not names_machines(_filled(tables["etc"])[0][0]):
        return found
    return tuple(name for name in _MATRICES if name in tables)


def swapped_by_names(
    sides: Mapping[TableName, NamesOfTypes], listed: NamesOfTypes
) -> tuple[TableName, ...]:
    """The matrices whose rows and columns are swapped: etc by the lists, the others by etc."""
    found: list[TableName] = []
    wanted = listed
    for name in _MATRICES:
        if name not in sides:
            continue
        given = sides[name]
        if _names_in_place(given[::-1], wanted) > _names_in_place(given, wanted):
            found.append(name)
            given = given[::-1]
        if name == "etc":
            wanted = given
    return tuple(found)


def _names_in_place(sides: NamesOfTypes, wanted: NamesOfTypes) -> int:
    """How many names are on the right side."""
    return sum(len(a & b) for a, b in zip(sides, wanted, strict=True))


def _names(table: RawTable) -> NamesOfTypes:
    header, *rows = _filled(table)
    name = table.sheet.name
    return frozenset(name(row[0]) for row in rows), frozenset(map(name, header[1:]))


def _listed_names(tables: RawTables, kind: TableName) -> frozenset[str]:
    if kind not in tables:
        return frozenset()
    key, name = _key(tables, kind), tables[kind].sheet.name
    rows = _filled(tables[kind])[1:]
    return frozenset(name(row[key]) for row in rows if key < len(row))


def _key(tables: RawTables, kind: str) -> int:
    """The column of the names."""
    return name_column(kind, [tables[kind].sheet.name(cell) for cell in _filled(tables[kind])[0]])


def _filled(table: RawTable) -> list[list[str]]:
    """The cells of the rows that are not blank, the header first; at least one row."""
    return [row.cells for row in table.rows if filled_width(row.cells)] or [[""]]


def _with_changes(
    changes: Mapping[str, Callable[[str], str | None]], tables: RawTables
) -> tuple[RawTables, tuple[str, ...], int]:
    """The tables with all cells changed for which the change of their table returns a text; some of
    these in words, and their number.
    """
    mended = dict(tables)
    previews: list[str] = []
    count = 0
    for name, change in changes.items():
        if name not in tables:
            continue
        cells: dict[tuple[int, int], str] = {}
        for i, j, cell in _number_cells(tables, name):
            new = change(cell)
            if new is None or parse_number(new) is None:
                continue
            cells[i, j] = new
            if len(previews) < _PREVIEWED:
                place = f"{tables[name].label}, {tables[name].rows[i].place}"
                becomes = shown(new) or "blank"
                previews.append(f"'{shown(cell.strip())}' becomes {becomes} ({place})")
        count += len(cells)
        if cells:
            mended[name] = _with_cells(tables[name], cells)
    if count > len(previews):
        previews.append(f"and {count - len(previews):,} more")
    return mended, tuple(previews), count


def _number_cells(tables: RawTables, name: str) -> Iterator[tuple[int, int, str]]:
    """The cells below the header that are not names, by row and column."""
    key = _key(tables, name)
    rows = iter(enumerate(tables[name].rows))
    next((row for _, row in rows if filled_width(row.cells)), None)
    for i, row in rows:
        yield from ((i, j, cell) for j, cell in enumerate(row.cells) if j != key and cell)


def _with_cells(table: RawTable, cells: dict[tuple[int, int], str]) -> RawTable:
    rows = [row._replace(cells=[*row.cells]) for row in table.rows]
    for (i, j), text in cells.items():
        rows[i].cells[j] = text
    return replace(table, rows=tuple(rows))
