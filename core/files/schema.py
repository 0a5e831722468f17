"""The columns of tables: what their cells hold, how people call them, and in which units."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from core.files.findings import Findings, shown
from core.files.numbers import number_cell
from core.files.sheet import Sheet, SheetRow
from core.files.stated_units import ValueTable, odd_unit, unit_called
from core.vocabulary.ranges import Range

Kind = Literal["name", "text", "number", "whole", "flag"]
"""A `name` is short and printable, as those of types are; a `text` may be anything."""
SECONDS: Final = "s, sec, secs, second, seconds"
ANY: Final = "any unit"

_TITLE_CHARACTERS: Final = 100


@dataclass(frozen=True, slots=True)
class Column:
    """A column: what its cells are, in which unit and range, and what a blank cell or a missing
    column means. Without `blank`, the column and all of its cells must be there; one that is
    `always` there may have blank cells.

    `called` are other words for it than its name, the likelier first. A title may have one of its
    `symbols` in brackets after these words, or any unit of the values of the table `converted`.
    `parse` reads numbers that people also write in another way, and `otherwise` says after a cell
    why it is none. A column that is not `is_written` is read only.
    """

    name: str
    kind: Kind
    blank: float | str | None = None
    unit: str = "seconds or watts"
    called: str = ""
    allowed: Range | None = None
    symbols: str = ""
    converted: ValueTable | None = None
    parse: Callable[[str], float | None] | None = None
    otherwise: str = ""
    always: bool = False
    is_written: bool = True

    def out_of_range(self, value: float) -> str:
        """What is wrong with a value, and the remedy."""
        return f"{number_cell(value)} is out of range; give {self.allowed}"

    @property
    def is_needed(self) -> bool:
        return self.blank is None or self.always

    @property
    def is_number(self) -> bool:
        return self.kind in ("number", "whole")

    @property
    def is_text(self) -> bool:
        return self.kind in ("name", "text")

    @property
    def words(self) -> list[str]:
        return [self.name.replace("_", " "), *filter(None, self.called.split(", "))]

    def is_called(self, words: str, symbol: str, called: str) -> bool:
        """Whether a title of these words, with this in brackets, is this word for the column."""
        if words == called:
            return self.may_be_in(symbol)
        after = self._after(called, words)
        return unit_called(after) is not None and self.may_be_in(after)

    def unit_not_read(self, words: str, symbol: str) -> str:
        """The unit of a title that says this column, if it is not read; else blank."""
        if words in self.words:
            return symbol
        after = (self._after(word, words) for word in self.words)
        return next((unit for unit in after if unit and odd_unit(f"[{unit}]")), "")

    def _after(self, called: str, words: str) -> str:
        """What stands after a word for a column whose units are converted, where a unit may be."""
        is_longer = self.converted is not None and words.startswith(f"{called} ")
        return words[len(called) + 1 :] if is_longer else ""

    def may_be_in(self, symbol: str) -> bool:
        """Whether its title may have this in brackets."""
        stated = unit_called(symbol) if self.converted else None
        if stated is not None:
            return stated.table == self.converted
        return not symbol or self.symbols == ANY or symbol in self.symbols.split(", ")


Schema = Sequence[Column]
"""The columns of a table, that of the names first if it has one."""


def columns_called(titles: Sequence[str], schema: Schema) -> dict[str, int]:
    """The positions of the columns among the titles of a header; exact names come first."""
    plain = [title[:_TITLE_CHARACTERS].casefold() for title in titles]
    found = {column.name: plain.index(column.name) for column in schema if column.name in plain}
    if len(found) == len(schema):
        return found
    parted = [parted_title(title) for title in plain]
    for column in schema:
        for word in [] if column.name in found else column.words:
            places = (
                place
                for place, (words, symbol) in enumerate(parted)
                if place not in found.values() and column.is_called(words, symbol, word)
            )
            place = next(places, None)
            if place is not None:
                found[column.name] = place
                break
    if schema and schema[0].name not in found and plain and not plain[0]:
        found[schema[0].name] = 0  # the corner above the names is blank
    return found


def find_columns(
    sheet: Sheet, header: SheetRow, schema: Schema, findings: Findings, beside: Schema = ()
) -> dict[str, int] | None:
    """The positions of the columns that are there, also of those `beside`; None if one that is
    needed is missing. Other columns are not used, and that is said.
    """
    titles = [sheet.name(cell)[:_TITLE_CHARACTERS].casefold() for cell in header.cells]
    found = columns_called(titles, (*schema, *beside))
    absent = [column for column in schema if column.name not in found]
    missing = [column for column in absent if column.is_needed]
    whole = ",".join(column.name for column in schema)
    parted = [*map(parted_title, titles)]
    for column in absent:
        unit = next(filter(None, (column.unit_not_read(*title) for title in parted)), "")
        message = f"column {column.name} is missing; let the header be {whole}"
        if unit:
            message = f"column {column.name} is in '{shown(unit)}'; give it in {column.unit}"
        if unit or column.is_needed:
            findings.error(sheet.label, "", column.name, message)
    known = [column.name for column in (*schema, *beside)]
    for name in known:
        if titles.count(name) > 1:
            findings.error(sheet.label, "", name, f"column {name} is there twice; remove one")
    used = found.values()
    unused = [
        cell for j, cell in enumerate(header.cells) if j not in used and titles[j] not in known
    ]
    findings.unused(unused, sheet.label, what="columns")
    return None if missing else found


def parted_title(title: str) -> tuple[str, str]:
    """The words of a title, and the unit in brackets after them."""
    words, unit = title[:_TITLE_CHARACTERS].strip().casefold(), ""
    for opening, closing in ("()", "[]"):
        if words.endswith(closing) and opening in words:
            words, _, unit = words[:-1].rpartition(opening)
    for mark in "_-./:":
        words = words.replace(mark, " ")
    return " ".join(words.split()), unit.strip()
