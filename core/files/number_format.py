"""The number format of a table: which mark separates decimals, as its cells show.

`1.250,5` shows a decimal comma, and then `2.400` in the same table is two thousand four hundred.
Cells that show nothing, such as `2.400` alone, are asked about and never read in silence.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final, Literal

from core.files import limits
from core.files.findings import Findings, shown
from core.files.headings import name_column
from core.files.numbers import StoredNumber, parse_number
from core.files.sheet import Sheet, SheetRow, filled_width

Decimal = Literal[".", ","]
DECIMALS: Final[dict[Decimal, str]] = {",": "comma", ".": "point"}

_UNCLEAR: Final = re.compile(r"[+-]?[1-9][0-9]{0,2}([.,])[0-9]{3}")
_WHOLE: Final = re.compile(r"[1-9][0-9]{0,2}")
_MAY_BE_GROUPED: Final = re.compile(r"(?:^|[^0-9])[1-9][0-9]{0,2}\.[0-9]{3}(?![0-9])")
_GROUPS: Final = re.compile(r"\.[0-9]{3}\.")
_EXPONENT: Final = r"((?:[eE][+-]?[0-9]+)?)"


def _format(decimal: Decimal) -> re.Pattern[str]:
    """A number with this decimal mark, perhaps with one other mark between thousands."""
    other = "," if decimal == "." else "."
    thousands = rf"[1-9][0-9]{{0,2}}(?:([{other}'’_\s])[0-9]{{3}})(?:\2[0-9]{{3}})*"
    return re.compile(rf"([+-]?(?:{thousands}|[0-9]+))(?:\{decimal}([0-9]+))?{_EXPONENT}")


_FORMATS: Final[dict[Decimal, re.Pattern[str]]] = {mark: _format(mark) for mark in DECIMALS}
_MARKS: Final = re.compile(r"[.,'’_\s]")


def plainly(cell: str, decimal: Decimal) -> str | None:
    """The number of a cell in this format, written as `1234.5`; None if it is not one."""
    text = cell.strip() if len(cell) <= limits.NUMBER_CHARACTERS else ""
    found = _FORMATS[decimal].fullmatch(text)
    if found is None:
        return None
    fraction = f".{found[3]}" if found[3] else ""
    return f"{_MARKS.sub('', found[1])}{fraction}{found[4]}"


def is_unclear(cell: str) -> bool:
    """Whether the one mark of a number may separate thousands or decimals, as in `2.400`."""
    return type(cell) is str and _UNCLEAR.fullmatch(cell.strip()) is not None


def shown_by(cell: str) -> Decimal | None:
    """The decimal mark that the number in a cell shows, if it is clear."""
    if type(cell) is not str or is_unclear(cell):
        return None
    if parse_number(cell) is not None:
        return "." if "." in cell else None
    comma, point = plainly(cell, ","), plainly(cell, ".")
    if comma == point:
        return None
    return "." if comma is None else ","


@dataclass(frozen=True, slots=True)
class _Unclear:
    """A number whose point may separate thousands, and where it is."""

    cell: str
    row: str
    column: str
    place: str

    @property
    def where(self) -> str:
        """Its place, where `row` is a name."""
        return f" ({self.place})" if self.row != self.place else ""


@dataclass(slots=True)
class NumberMarks:
    """What the numbers of a table show while its rows are read.

    `shown` has the first number that shows each decimal mark. `unclear` has the first numbers that
    may have a point between thousands; those with a comma are faults where they are read.
    `whole` is the first number of a table of pairs that is whole and below 1000.
    """

    label: str
    shown: dict[Decimal, str] = field(default_factory=dict)
    unclear: list[_Unclear] = field(default_factory=list)
    whole: str = ""

    def watched(self, sheet: Sheet, table: str) -> Iterator[SheetRow]:
        """The rows of a sheet, looked at on their way; but for the header and the names."""
        rows = iter(sheet.rows)
        titles: list[str] = []
        for row in rows:
            yield row
            if filled_width(row.cells):
                titles = [sheet.name(cell) for cell in row.cells]
                break
        key = name_column(table, titles)
        numbers = [(j, title) for j, title in enumerate(titles) if j != key]

        def name(row: SheetRow) -> str:
            return (sheet.name(row.cells[key]) if key < len(row.cells) else "") or row.place

        for row in rows:
            self.look(row, name, numbers)
            if table in ("etc", "apc") and not self.whole and "." not in self.shown:
                cells = (row.cells[j].strip() for j, _ in numbers if j < len(row.cells))
                whole = next(filter(_WHOLE.fullmatch, cells), "")
                self.whole = whole and f"'{whole}' in {row.place}"
            yield row

    def look(
        self, row: SheetRow, name: Callable[[SheetRow], str], columns: Iterable[tuple[int, str]]
    ) -> None:
        """Look at the cells of a row in these columns: their positions and titles."""
        if not self._may_tell("\n".join(row.cells)):
            return
        for j, title in columns:
            cell = row.cells[j] if j < len(row.cells) else ""
            if "." not in cell and "," not in cell:
                continue
            if (decimal := shown_by(cell)) is not None:
                self.shown.setdefault(decimal, f"'{shown(cell.strip())}' in {row.place}")
            elif "." in cell and is_unclear(cell) and not self._full:
                self.unclear.append(_Unclear(cell.strip(), name(row), title, row.place))

    @property
    def _full(self) -> bool:
        return len(self.unclear) >= limits.ERRORS_LISTED

    def _may_tell(self, cells: str) -> bool:
        """Whether a look at each of these cells may tell anything new."""
        if "." not in cells or "," in cells:
            return "," in cells
        new = _GROUPS if self._full else _MAY_BE_GROUPED
        return "." not in self.shown or new.search(cells) is not None


def decided(tables: Mapping[str, NumberMarks]) -> dict[str, Decimal | None]:
    """The decimal mark of each table, or else of all; None if nothing or both are shown."""
    everywhere = {mark for marks in tables.values() for mark in marks.shown}
    return {name: _one_of(set(marks.shown) or everywhere) for name, marks in tables.items()}


def _one_of(marks: set[Decimal]) -> Decimal | None:
    return next(iter(marks)) if len(marks) == 1 else None


def in_one_format(
    rows: Iterable[SheetRow], label: str, columns: Mapping[str, int], findings: Findings
) -> Iterator[SheetRow]:
    """The rows of a table below its header. After the last, the numbers in these columns, whose
    positions are given, are reported if they are not what they look like.
    """
    marks = NumberMarks(label)
    numbers = [(j, title) for title, j in columns.items()]
    for row in rows:
        if row.whole:
            marks.look(row, attrgetter("place"), numbers)
        yield row
    report_unclear({label: marks}, findings)


def report_unclear(tables: Mapping[str, NumberMarks], findings: Findings) -> None:
    """Report the numbers that are not what they look like: thousands in a table with a decimal
    comma are errors, and those that may be thousands are asked about.
    """
    for name, decimal in decided(tables).items():
        marks = tables[name]
        if not marks.unclear or decimal == ".":
            continue
        if decimal is None and not marks.shown:
            _ask(marks, findings)
            continue
        for each in marks.unclear:
            message = f"{_why(each, decimal, marks, tables)}{each.where}"
            findings.error(marks.label, each.row, each.column, message)


def _why(
    each: _Unclear, decimal: Decimal | None, marks: NumberMarks, tables: Mapping[str, NumberMarks]
) -> str:
    thousands = each.cell.replace(".", "")
    if decimal is None:
        return (
            f"'{each.cell}' may be {thousands} or {float(each.cell)!r}: the table has decimal "
            f"commas ({marks.shown[',']}) and decimal points ({marks.shown['.']}); write "
            f"{thousands} or {float(each.cell)!r}, and one decimal mark everywhere"
        )
    witness = marks.shown.get(",") or next(
        f"{other.shown[',']} of {other.label}" for other in tables.values() if "," in other.shown
    )
    return f"'{each.cell}' has a point between thousands, as {witness} shows; write {thousands}"


def _ask(marks: NumberMarks, findings: Findings) -> None:
    first, *others = marks.unclear
    number = f"{float(first.cell)!r}"
    more = f", and {len(others):,} more likewise" if others else ""
    thousands = first.cell.replace(".", "")
    if marks.whole:
        findings.error(
            marks.label,
            first.row,
            first.column,
            f"'{first.cell}' may be {thousands} or {number}{more}, since {marks.whole} has no "
            f"decimals; write {thousands} or {first.cell}0{first.where}",
        )
        return
    findings.warning(
        marks.label,
        first.row,
        first.column,
        f"'{first.cell}' is read as {number}{more}; if the point separates thousands, write "
        f"{thousands}{first.where}",
    )


def marks_of(label: str, cells: Iterable[str]) -> NumberMarks:
    """What these numbers of a table show."""
    marks = NumberMarks(label)
    for cell in cells:
        if (decimal := shown_by(cell)) is not None:
            marks.shown.setdefault(decimal, cell)
        elif is_unclear(cell):
            marks.unclear.append(_Unclear(cell, "", "", ""))
    return marks


def rewritten(cell: str, decimal: Decimal) -> StoredNumber | None:
    """The number of a cell whose table has this decimal mark, written as `1234.5`. A number that is
    not in this format is read as it shows by itself; None for what is no number, or plain already.
    """
    if type(cell) is not str:
        return None
    unclear = is_unclear(cell)
    if not unclear and parse_number(cell) is not None:
        return None
    number = plainly(cell, shown_by(cell) or decimal)
    if number is None:
        return None
    return StoredNumber(repr(float(number)) if unclear and "." in number else number)
