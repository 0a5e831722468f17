"""The units that tables say: in a corner, in names of files or sheets, in titles and headings."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeVar

from core.files.findings import shown
from core.vocabulary.arrays import FloatArray

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
    StatedUnit("ns", "etc", 1, 10**9): "ns nsec nanosecond nanoseconds",
    StatedUnit("µs", "etc", 1, 10**6): "us µs μs usec microsecond microseconds",
    StatedUnit("ms", "etc", 1, 1000): "ms msec msecs millisecond milliseconds",
    StatedUnit("s", "etc", 1, 1): (
        "s sec secs second seconds sek sekunde sekunden segundos secondes"
    ),
    StatedUnit("ks", "etc", 1000, 1): "ks ksec kilosecond kiloseconds",
    StatedUnit("min", "etc", 60, 1): "min mins minute minutes minuten minutos minuti",
    StatedUnit("h", "etc", 3600, 1): "h hr hrs hour hours stunde stunden hora horas heure heures",
    StatedUnit("d", "etc", 86_400, 1): "d day days tage tagen días giorni",
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
    "zeit zeiten laufzeit laufzeiten rechenzeit rechenzeiten dauer "
    "tiempo tiempos temps durée durées tempo tempi"
)
_POWERS: Final = (
    "apc power powers consumption draw leistung leistungen leistungsaufnahme "
    "potencia potencias puissance puissances potenza"
)
_OF_TABLES: Final[dict[ValueTable, frozenset[str]]] = {
    "etc": frozenset(_TIMES.split()),
    "apc": frozenset(_POWERS.split()),
}
_PLURALS: Final = (
    "nanoseconds milliseconds secs seconds sekunden kiloseconds mins minutes minuten minutos hrs "
    "hours stunden horas heures watts kilowatts"
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
    "runs? jobs? tasks? nodes? machines? servers? hosts? applications? apps? programs? "
    "lauf läufe programme? anwendung(?:en)? aufgaben? knoten maschinen? rechner"
)
"""What a table has a value of each for: `h/job` is a unit, `H/W` is not."""
_OF_ONE: Final = re.compile(
    rf"\W*([^\W\d_]+)\s*(?:/|per\b)\s*(?:{'|'.join(_ONES.split())})(?![^\W_])", re.IGNORECASE
)


_IN: Final = ("in", "en")
_ENERGIES: Final = (
    "wh kwh mwh gwh kj mj joule joules edp energy energies energie energien energía énergie energia"
)
_NEVER: Final = (
    "va kva mva amp amps ampere amperes volts btu gflops flops mflops tflops mips throughput "
    "speedup speedups percent prozent normalised normalized relative"
)
_ODD: Final = frozenset(f"{_ENERGIES} {_NEVER}".casefold().split())
"""Say wherever they stand that values are no times and no powers as they are read."""
_SELDOM: Final = (
    "ps cs ds m j nW uW µW cW dW hW gW tW hp mA kA share fraction std week weeks woche wochen "
    "fortnight fortnights month months monate year years jahre steps ticks cycles"
)
_SELDOM_ODD: Final = frozenset(_SELDOM.casefold().split())
"""Say so alone, in brackets, and beside a word for such values."""
_NAMES: Final = (
    "type name id nr no task tasks job jobs app application program programm anwendung aufgabe typ "
    "machine machines node nodes"
)
_SAY_LITTLE: Final = frozenset(
    f"t core cores quarter quarters half of unit units einheit einheiten value values "
    f"{_TIMES} {_POWERS} {_MEASURED} {_AMOUNTS} {_NAMES} {' '.join(_IN)}".split()
)
"""Beside these alone, a unit may be one wherever it stands."""
_ETC_WORDS: Final = "|".join(
    re.escape(word) for word, unit in _UNITS.items() if unit.table == "etc"
)
_PER: Final = r"[\s_]*(?:/|(?:per|pro|a)(?![^\W_]))[\s_]*"
_NUMBER: Final = re.compile(r"\d[\d³²]*(?:e\d+)?")
_ODD_FORMS: Final = [
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?<![^\W_])(?:hh[:_ ]?mm|h:mm?|mm[: ]?ss|m:ss)(?![^\W_])",
        r"[x×*·]\s?(?:10+|60|3600)(?!\d)",
        rf"(?<![^\W_])(?:1|{'|'.join(_ONES.split())}){_PER}(?:{_ETC_WORDS})(?![^\W_])",
        r"^\s*%|[(\[]\s*%|%\s*$",
    )
]
"""Times of the clock, multiples of a unit, rates, shares."""
_OF_A_PART: Final = re.compile(
    rf"{_PER}(?:core|cpu|gpu|thread|socket|chip|kern|iteration|step|epoch)s?(?![^\W_])",
    re.IGNORECASE,
)


def unit_called(word: str) -> StatedUnit | None:
    """The unit of this symbol or name; only `mW` are milliwatts, `mw` are megawatts."""
    return _UNITS.get(word) or _UNITS.get(word.casefold())


def without_brackets(text: str) -> str:
    """A title without what stands in brackets."""
    return " ".join(_BRACKETS.sub(" ", text[:_CHARACTERS]).split())


def without_unit(name: str) -> str:
    """A name without the unit in brackets that it ends with."""
    *_, last = [None, *_BRACKETS.finditer(name[:_CHARACTERS])]
    if last is None or last.end() != len(name) or in_brackets(last[0]) is None:
        return name
    return name[: last.start()].rstrip()


def in_brackets(text: str) -> StatedUnit | None:
    """The unit in brackets, as in `ETC [min]`."""
    units = (unit_called(inside.removeprefix("in ")) for inside in _bracketed(text))
    return next(filter(None, units), None)


def unit_in(text: str) -> StatedUnit | None:
    """The unit that a title states: in brackets, after "in", as its last word, before "per run", or
    as a plural that is its first word or stands beside a word for such values.
    """
    if (unit := in_brackets(text)) is not None:
        return unit
    if _OF_A_PART.search(text[:_CHARACTERS]) or _multiple(text):
        return None
    words = _words(_BRACKETS.sub(" ", text))
    before = [word.casefold() for word in words]
    last = unit_called(words[-1]) if words else None
    if last is not None:
        near = before[:-1] if len(words) <= _FEW_WORDS else before[-2:-1]
        if before[-2:-1] in (["core"], ["cores"]):
            return None  # of how many cores, it does not say
        if len(words) == 1 or {*near} & {*_IN, *_OF_TABLES[last.table]}:
            return last
    if (of_one := _OF_ONE.match(text[:_CHARACTERS])) and (unit := unit_called(of_one[1])):
        return unit
    for ahead, word in zip(["", *before], words, strict=False):
        if (unit := unit_called(word)) is not None:
            beside = {"", *_MEASURED.split(), *_OF_TABLES[unit.table]}
            if ahead in _IN or (word.casefold() in _PLURALS.split() and ahead in beside):
                return unit
    return None


def unsure_unit(text: str) -> StatedUnit | None:
    """The unit that a title has where it may mean something else, if it matters: in seconds and in
    watts, values stay as they are. So is a plural, as in `office hours`, and any unit among words
    that say nothing else, as in `mean h`.
    """
    words = _words(text)
    plain = [word.casefold() for word in words]
    for i, word in enumerate(words):
        unit, ahead = unit_called(word), plain[i - 1] if i else ""
        if unit is None or unit.is_si or ahead.isdigit():
            continue
        is_plural = plain[i] in _PLURALS.split() and ahead not in _AMOUNTS.split()
        if is_plural or {*plain[:i], *plain[i + 1 :]} <= _SAY_LITTLE:
            return unit
    return None


def odd_unit(text: str) -> str | None:
    """What a title has where a unit would be, and is none that is read: energies, rates, shares,
    multiples (`x100 s`), times of the clock (`hh:mm`), and values of a part of a machine or a task.
    """
    text = text[:_CHARACTERS]
    for form in (*_ODD_FORMS, _OF_A_PART):
        if (found := form.search(text)) is not None:
            return found[0].strip(" ()[]_")
    if (many := _multiple(text)) is not None:
        return many
    words = _words(text)
    plain = {word.casefold() for word in words}
    beside = {"per", "pro", *_OF_TABLES["etc"], *_OF_TABLES["apc"]}
    inside = {each.casefold() for each in _bracketed(text)}
    odd = _ODD | (_SELDOM_ODD if len(words) == 1 or plain & beside else _SELDOM_ODD & inside)
    return next((word for word in words if word.casefold() in odd), None)


def odd_corner(text: str) -> str | None:
    """What a corner cell has where a unit would be, and is none that is read; also in brackets."""
    if unit_in(text) is not None:
        return None
    around = {word.casefold() for word in _words(_BRACKETS.sub(" ", text))}
    is_title = not around or any(around <= known for known in _OF_TABLES.values())
    for inside in _bracketed(text):
        words = _words(inside)
        is_foreign = (
            len(words) == 1 and inside == inside.casefold() and inside not in _NAMES.split()
        )
        may_be = is_title or f"[{inside}]" in text or is_foreign
        if any(map(unit_called, words)) or ("".join(words).isalpha() and may_be):
            return inside
    return odd_unit(text)


def odd_ending(names: Sequence[str], table: ValueTable) -> str | None:
    """What all of these names of machine types end or begin with, if that may be a unit."""
    parted = [_words(name) for name in names]
    if all(len(words) > 1 for words in parted):
        for place in (-1, 0):
            word, *others = {words[place] for words in parted}
            unit = unit_called(word)
            is_unit = unit is not None and (table, unit.table) != ("apc", "etc")
            matters = unit is None or unit.table != table or not unit.is_si
            is_odd = word.casefold() in _ODD | _SELDOM_ODD
            if not others and matters and (is_unit or is_odd) and (place or len(word) > 1):
                return word
    inside = {next(_bracketed(name), "") for name in names}
    return odd_unit(f"[{inside.pop()}]") if len(inside) == 1 else None


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


POWERS_FOR_ENERGIES: Final = (
    "give times in seconds and powers in watts: a power is the energy of a task divided by its time"
)


def says_energy(text: str) -> bool:
    """Whether a title says energies, which are neither times nor powers."""
    return any(word.casefold() in _ENERGIES.split() for word in _words(text))


def _bracketed(text: str) -> Iterator[str]:
    """What stands in brackets, one after the other."""
    for found in _BRACKETS.finditer(text[:_CHARACTERS]):
        if inside := (found[1] or found[2] or "").strip():
            yield inside


def _multiple(text: str) -> str | None:
    """A number of units that a title says values are in, as `1000 s`; the last 30 days are none."""
    words = _words(text)
    quantity = {"", *_IN, *_OF_TABLES["etc"], *_OF_TABLES["apc"]}
    for ahead, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        joined = re.fullmatch(r"(\d+)([^\W\d_]+)", word)
        number, unit = (joined[1], joined[2]) if joined else (word, after)
        is_many = _NUMBER.fullmatch(number) and number != "1" and unit_called(unit) is not None
        if is_many and (ahead.casefold() in quantity or _NUMBER.fullmatch(ahead)):
            return f"{number} {unit}"
    return None


def _words(text: str) -> list[str]:
    return [word for word in _SPLIT.split(text[:_CHARACTERS]) if word]
