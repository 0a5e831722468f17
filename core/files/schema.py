"""The columns of tables: what their cells hold, how people call them, and in which units."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeVar

from core.files.findings import Findings, shown
from core.files.numbers import number_cell
from core.files.sheet import Sheet, SheetRow
from core.vocabulary.arrays import FloatArray
from core.vocabulary.ranges import Range

ValueTable = Literal["etc", "apc"]
Values = TypeVar("Values", float, FloatArray)


class StatedUnit(NamedTuple):
    """A unit of the values of a table; one of it is `times / parts` seconds or watts."""

    symbol: str
    table: ValueTable
    times: int
    parts: int

    @property
    def is_si(self) -> bool:
        return self.times == self.parts

    def in_si(self, values: Values) -> Values:
        return values * self.times / self.parts

    def said(self, what: str, title: str) -> str:
        """How values were converted, and the title that has the unit."""
        how = f"multiplied by {self.times:,}" if self.parts == 1 else f"divided by {self.parts:,}"
        return f"{what} are in {self.symbol}, as '{shown(title)}' says: all are {how}"


_WORDS: Final = {
    StatedUnit("µs", "etc", 1, 10**6): "us µs μs usec microsecond microseconds",
    StatedUnit("ms", "etc", 1, 1000): "ms msec msecs millisecond milliseconds",
    StatedUnit("s", "etc", 1, 1): "s sec secs second seconds sek sekunde sekunden",
    StatedUnit("min", "etc", 60, 1): "min mins minute minutes minuten",
    StatedUnit("h", "etc", 3600, 1): "h hr hrs hour hours stunde stunden",
    StatedUnit("d", "etc", 86_400, 1): "d day days tage tagen",
    StatedUnit("mW", "apc", 1, 1000): "mW milliwatt milliwatts",
    StatedUnit("W", "apc", 1, 1): "w watt watts",
    StatedUnit("kW", "apc", 1000, 1): "kw kilowatt kilowatts",
    StatedUnit("MW", "apc", 10**6, 1): "mw megawatt megawatts",
}
_UNITS: Final = {word: unit for unit, words in _WORDS.items() for word in words.split()}
KNOWN: Final[dict[ValueTable, str]] = {
    table: ", ".join(unit.symbol for unit in _WORDS if unit.table == table)
    for table in ("etc", "apc")
}
QUANTITIES: Final[dict[ValueTable, str]] = {"etc": "times", "apc": "powers"}
_TIMES: Final = (
    "etc time times runtime runtimes duration durations execution run walltime elapsed "
    "zeit zeiten laufzeit laufzeiten rechenzeit rechenzeiten dauer"
)
_POWERS: Final = "apc power powers consumption draw leistung leistungen leistungsaufnahme"
_OF_TABLES: Final[dict[ValueTable, frozenset[str]]] = {
    "etc": frozenset(_TIMES.split()),
    "apc": frozenset(_POWERS.split()),
}
_PLURALS: Final = (
    "milliseconds secs seconds sekunden mins minutes minuten hrs hours stunden watts kilowatts"
)
"""Units wherever they stand beside a word for values; elsewhere they may be, as in `office hours`,
but for a number of them, as in `the last 90 minutes`.
"""
_AMOUNTS: Final = "per a an each every last"
_MEASURED: Final = "cpu wall clock wallclock mean average avg median"
"""Beside a plural, these say values, too."""
_FEW_WORDS: Final = 3
"""A name of so many words is about its table; in longer ones only the word before a unit tells."""

_CHARACTERS: Final = 200
_BRACKETS: Final = re.compile(r"\[([^\[\]]*)\]|\(([^()]*)\)")
_DURATION: Final = re.compile(r"(?:(\d{1,6})-)?(\d{1,6}):([0-5]\d):([0-5]\d(?:\.\d{1,9})?)")
_WITH_UNIT: Final = re.compile(r"(\d{1,15}(?:\.\d{1,15})?)\s*([^\W\d_]{1,12})")
_SPLIT: Final = re.compile(r"[^\w]+|_+")
_ONES: Final = (
    "runs? jobs? tasks? nodes? machines? servers? hosts? cores? applications? apps? programs? "
    "lauf läufe programme? anwendung(?:en)? aufgaben? knoten maschinen? rechner"
)
"""What a table has a value of each for: `h/job` is a unit, `H/W` is not."""
_OF_ONE: Final = re.compile(
    rf"\W*([^\W\d_]+)\s*(?:/|per\b)\s*(?:{'|'.join(_ONES.split())})(?![^\W_])", re.IGNORECASE
)


def unit_called(word: str) -> StatedUnit | None:
    """The unit of this symbol or name; only `mW` are milliwatts, `mw` are megawatts."""
    return _UNITS.get(word) or _UNITS.get(word.casefold())


def in_brackets(text: str) -> StatedUnit | None:
    """The unit in brackets, as in `ETC [min]`."""
    for found in _BRACKETS.finditer(text[:_CHARACTERS]):
        inside = (found[1] or found[2] or "").strip().removeprefix("in ")
        if (unit := unit_called(inside)) is not None:
            return unit
    return None


def unit_in(text: str) -> StatedUnit | None:
    """The unit that a title states: in brackets, after "in", as its last word, before "per run", or
    as a plural that is its first word or stands beside a word for such values.
    """
    if (unit := in_brackets(text)) is not None:
        return unit
    words = _words(_BRACKETS.sub(" ", text))
    before = [word.casefold() for word in words]
    last = unit_called(words[-1]) if words else None
    if last is not None:
        near = before[:-1] if len(words) <= _FEW_WORDS else before[-2:-1]
        if len(words) == 1 or {*near} & {"in", *_OF_TABLES[last.table]}:
            return last
    if (of_one := _OF_ONE.match(text[:_CHARACTERS])) and (unit := unit_called(of_one[1])):
        return unit
    for ahead, word in zip(["", *before], words, strict=False):
        if (unit := unit_called(word)) is not None:
            beside = {"", *_MEASURED.split(), *_OF_TABLES[unit.table]}
            if ahead == "in" or (word.casefold() in _PLURALS.split() and ahead in beside):
                return unit
    return None


def unsure_unit(text: str) -> StatedUnit | None:
    """The unit that a title names in plural where it may mean something else, as `office hours`, if
    it matters: in seconds and in watts, values stay as they are.
    """
    words = [word.casefold() for word in _words(_BRACKETS.sub(" ", text))]
    for ahead, word in zip(["", *words], words, strict=False):
        is_amount = ahead.isdigit() or ahead in _AMOUNTS.split()
        if word in _PLURALS.split() and not is_amount and not _UNITS[word].is_si:
            return _UNITS[word]
    return None


def in_seconds(text: str) -> float | None:
    """The seconds of a duration with hours, minutes and seconds, as `01:30:00` or `2-01:30:00`, or
    of a number with a unit of time, as `10 min`; None of anything else, as of `10:30`.
    """
    if (found := _DURATION.fullmatch(text.strip())) is not None:
        days, hours, minutes, seconds = (float(part or 0) for part in found.groups())
        return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    if (found := _WITH_UNIT.fullmatch(text.strip())) is not None:
        unit = unit_called(found[2])
        return unit.in_si(float(found[1])) if unit and unit.table == "etc" else None
    return None


def unit_of_column(title: str) -> StatedUnit | None:
    """The unit that the title of a column has as its last word, also in brackets."""
    words = _words(title)
    return unit_called(words[-1]) if words else None


def tables_said(texts: Iterable[str]) -> frozenset[ValueTable]:
    """Which of times and powers these titles say, by their words and units."""
    found: set[ValueTable] = set()
    for text in texts:
        words = {word.casefold() for word in _words(text)}
        found |= {table for table, known in _OF_TABLES.items() if words & known}
        if (unit := unit_in(text)) is not None:
            found.add(unit.table)
    return frozenset(found)


def one_table_said(title: str) -> ValueTable | None:
    """The one table that a title says; None if it says both or neither."""
    said = tables_said((title,))
    return next(iter(said)) if len(said) == 1 else None


def odd_unit(text: str) -> str | None:
    """What stands in brackets in a corner cell, where a unit would be, and is none."""
    text = text[:_CHARACTERS]
    found = _BRACKETS.search(text)
    if found is None or unit_in(text) is not None:
        return None
    inside = (found[1] or found[2] or "").strip()
    words = {word.casefold() for word in _words(_BRACKETS.sub(" ", text))}
    is_title = not words or any(words <= known for known in _OF_TABLES.values())
    may_be = inside.rstrip(".").isalpha() or any(map(unit_called, _words(inside)))
    return inside if may_be and is_title else None


def _words(text: str) -> list[str]:
    return [word for word in _SPLIT.split(text[:_CHARACTERS]) if word]


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
                if words == word and place not in found.values() and column.may_be_in(symbol)
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
    missing = [column for column in schema if column.is_needed and column.name not in found]
    whole = ",".join(column.name for column in schema)
    parted = dict(map(parted_title, reversed(titles)))
    for column in missing:
        unit = next(filter(None, map(parted.get, column.words)), "")
        message = f"column {column.name} is missing; let the header be {whole}"
        if unit:
            message = f"column {column.name} is in '{shown(unit)}'; give it in {column.unit}"
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
