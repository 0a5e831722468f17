"""What the readers of curves share: rows of text to columns, times, and the curves made of them."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from core.engines.signals.kinds import SignalKind
from core.engines.signals.signal import Signal
from core.engines.signals.zones import LEAST_MOMENT, MOST_MOMENT, in_utc, moment_said, zone_called
from core.files.columns import ReadColumns, read_columns
from core.files.findings import Findings, Unreadable, shown, shown_list
from core.files.number_format import NumberMarks, decided, rewritten
from core.files.numbers import number_cell
from core.files.schema import Column
from core.files.sheet import Sheet, SheetRow, filled_width
from core.files.text import sheet_of_text
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.say.words import Sense, counted, duration

NO_TIME: Final = "is no time; write it as 2026-08-01T14:00 or 2026-08-01T14:00+02:00"
UNKNOWN: Final = frozenset(("-", "n/e", "n/a", "na", "nan", "null"))
"""Cells where files of others say that a value is not known, in small letters."""
_ANOTHER: Final = re.compile(
    r"location(?:$|\s)|date \(mm/dd|time$|time\s?\(|datetime|timestamp|mtu \(|\{", re.IGNORECASE
)
"""The first cell of the header of a table of curves, of any format."""


@dataclass(frozen=True, slots=True)
class ReadAs:
    """What a person says of a file that does not say it: the time zone of its clock (IANA name),
    the kind of a column `value`, the day from whose start seconds count, and the year in which
    typical weather is put.
    """

    zone: str | None = None
    kind: SignalKind | None = None
    day: date | None = None
    year: int | None = None


class SignalSource(NamedTuple):
    """A file that is read: its name, its text, what is known of it, and where faults go."""

    label: str
    text: str
    ask: ReadAs
    findings: Findings

    def table(
        self, is_header: Callable[[Sequence[str]], bool]
    ) -> tuple[list[SheetRow], SheetRow, Iterator[SheetRow]]:
        """The rows above the header, the header without white space around its titles, and the rows
        below. Raises `Unreadable` if there is no header.
        """
        rows = iter(sheet_of_text(self.text, self.label, self.findings).rows)
        above: list[SheetRow] = []
        for row in rows:
            header = row._replace(cells=[cell.strip() for cell in row.cells])
            if is_header(header.cells):
                return above, header, rows
            above.append(row)
        raise Unreadable("has no header that is known; keep the file as it came")

    def columns(
        self,
        header: SheetRow,
        rows: Iterable[SheetRow],
        places: Mapping[Column, int],
        unknown: frozenset[str] = frozenset(),
    ) -> ReadColumns:
        """Only these columns of the rows below a header; numbers that are `unknown`, in small
        letters, are blank. Raises `Unreadable` if there are none.
        """
        schema = tuple(places)
        numbers = [(j, c.name) for c, j in places.items() if c.is_number]
        if ";" in self.text or "\t" in self.text or '"' in self.text:
            kept = list(rows)
            marks = NumberMarks(self.label)
            for row in kept:
                marks.look(row, lambda row: row.place, numbers)
            if decided({self.label: marks})[self.label] == ",":
                kept = [_with_points(row, [j for j, _ in numbers]) for row in kept]
            rows = kept
        if unknown:
            rows = (_blanked(row, [j for j, _ in numbers], unknown) for row in rows)
        first = SheetRow(header.line, [column.name for column in schema])
        width = filled_width(header.cells)
        narrow = chain([first], self._narrowed(rows, list(places.values()), width))
        found = read_columns(Sheet(self.label, narrow, is_text=True), schema, self.findings)
        if found is None or not len(found):
            raise Unreadable("has no rows below its header; give a time and a value in each")
        return found

    def _narrowed(
        self, rows: Iterable[SheetRow], places: Sequence[int], width: int
    ) -> Iterator[SheetRow]:
        for row in rows:
            filled = filled_width(row.cells)
            if not filled:
                yield row
            elif _ANOTHER.match(row.cells[0]):
                message = "begins another table; give each table a file of its own"
                self.findings.error(self.label, row.place, "", message)
                return
            elif filled > width or len(row.cells) <= max(places):
                self.findings.error(
                    self.label,
                    row.place,
                    "",
                    f"has {len(row.cells):,} cells, but the header has {width:,}; write decimals "
                    "with a point, and keep the separators around blank cells",
                )
            else:
                yield SheetRow(row.line, [row.cells[j] for j in places])

    def moments(
        self,
        found: ReadColumns,
        column: str,
        parsed: Mapping[str, "WrittenTime"],
        zone: str | None,
        otherwise: str = NO_TIME,
        may_be_skipped: bool = False,
    ) -> FloatArray:
        """The times of a column, each text of it parsed, in seconds since 1970; NaN where a cell
        is blank. Wrong ones are reported, and those that no clock ever showed unless they may be.
        """
        names, code = found.texts[column]
        written = [parsed[name] for name in names] + [WrittenTime()]
        walls = np.array([one.seconds for one in written])[code]
        is_absolute = np.array([one.is_absolute for one in written])[code]
        later = np.array([one.later for one in written])[code]
        wrong = ~((walls >= LEAST_MOMENT) & (walls <= MOST_MOMENT))
        blank = np.array([not name for name in names] + [True])[code]
        found.report(
            wrong & ~blank, column, lambda row: f"'{shown(found.text(column, row))}' {otherwise}"
        )
        rows = np.flatnonzero(~is_absolute & ~wrong)
        seconds = np.where(wrong, np.nan, walls)
        if not len(rows):
            return seconds
        if zone is None:
            note = f"{self.label}: times without a zone are in UTC; name the zone if they are not"
            self.findings.notes += [note] * (note not in self.findings.notes)
            return seconds
        clock = in_utc(walls[rows], zone_called(zone), later[rows])
        seconds[rows] = clock.seconds
        if may_be_skipped:
            return seconds
        missing = np.zeros(len(walls), bool)
        missing[rows] = clock.missing
        found.report(
            missing,
            column,
            lambda row: (
                f"'{shown(found.text(column, row))}' is a time that clocks in {zone} skipped; "
                "correct the time, or name the right zone"
            ),
        )
        return np.where(missing, np.nan, seconds)

    def signals(
        self, found: ReadColumns, steps: "TimedRows", curves: Sequence["ReadCurve"]
    ) -> list[Signal]:
        """The curves: of each kind what came, and the forecast if rows have an issue. Blank values
        are gaps, and noted; values out of range are reported.
        """
        made: list[Signal] = []
        for kind, column, values, scale in curves:
            scaled = values if scale == 1 else values * scale
            self._report_range(found, kind, column, scaled)
            known = ~np.isnan(scaled) & ~np.isnan(steps.begins)
            if blank := int(np.count_nonzero(np.isnan(scaled))):
                note = f"{self.label}: {counted(blank, 'value')} of {column} blank, a gap each"
                self.findings.notes.append(note)
            for is_forecast in (False, True):
                rows = np.flatnonzero(known & (np.isfinite(steps.issued) == is_forecast))
                if len(rows) and not self.findings.failed:
                    order = rows[np.lexsort((steps.issued[rows], steps.begins[rows]))]
                    issued = steps.issued[order] if is_forecast else None
                    each = steps.begins[order], steps.seconds[order], scaled[order]
                    made.append(Signal(kind, *each, issued))
        if not made and not self.findings.failed:
            raise Unreadable("has no value at all; give one for each time")
        return made

    def _report_range(
        self, found: ReadColumns, kind: SignalKind, column: str, values: FloatArray
    ) -> None:
        def said(row: int) -> str:
            return f"{number_cell(float(values[row]))} is out of range; give {kind.allowed}"

        found.report((values < kind.allowed.low) | (values > kind.allowed.high), column, said)

    def steps(
        self, found: ReadColumns, begins: FloatArray, seconds: FloatArray, issued: FloatArray
    ) -> "TimedRows":
        """The steps that begin at these times, whose lengths are NaN where the file does not say
        them: then the next step ends one, but none is longer than most are, so that what is missing
        between them is a gap. Without an issue, times must rise.
        """
        came = np.flatnonzero(~np.isfinite(issued) & ~np.isnan(begins))
        wrong = np.zeros(len(begins), bool)
        wrong[came[1:]] = np.diff(begins[came]) <= 0
        found.report(wrong, "time", lambda row: _order_fault(begins, came, row))
        told = np.flatnonzero(np.isfinite(issued) & ~np.isnan(begins))
        pairs = told[np.lexsort((issued[told], begins[told]))]
        again = (np.diff(begins[pairs]) == 0) & (np.diff(issued[pairs]) == 0)
        twice = np.zeros(len(begins), bool)
        twice[pairs[1:][again]] = True
        found.report(twice, "time", lambda _: "is forecast twice by one issue; keep one row")
        if self.findings.failed:
            return TimedRows(begins, seconds, issued)
        for rows in (came, told):
            begun, place = np.unique(begins[rows], return_inverse=True)
            said = seconds[rows]
            if not np.isnan(said).any():
                nexts = np.append(np.diff(begun), np.inf)[place]
                seconds[rows] = np.minimum(said, nexts)
            elif len(rows):
                lengths = np.append(np.diff(begun), np.nan)
                lengths = np.fmin(lengths, self._usual(lengths[:-1]))
                seconds[rows] = np.where(np.isnan(said), lengths[place], said)
        return TimedRows(begins, seconds, issued)

    def _usual(self, lengths: FloatArray) -> float:
        """The length that most steps have; NaN if there is none, which is reported."""
        sizes, times = np.unique(lengths, return_counts=True)
        if not len(sizes) or 2 * int(times.max()) < len(lengths):
            message = "steps have no common length; add a column seconds with the length of each"
            self.findings.error(self.label, "", "seconds", message)
            return math.nan
        usual = float(sizes[times.argmax()])
        note = f"{self.label}: steps are {duration(usual, Sense.PLAIN)} long, as most are"
        self.findings.notes += [note] * (note not in self.findings.notes)
        return usual


class TimedRows(NamedTuple):
    """Rows as steps: when each begins, its length, and when it was forecast; NaN if it came."""

    begins: FloatArray
    seconds: FloatArray
    issued: FloatArray


class ReadCurve(NamedTuple):
    """A column of values, times `scale` in the unit of the kind; NaN where a value is not known."""

    kind: SignalKind
    column: str
    values: FloatArray
    scale: float = 1.0


class WrittenTime(NamedTuple):
    """A time as written: seconds since 1970, of a clock unless it `is_absolute`; NaN if it is none.
    `later` says which of two equal times of one day it is: 0 or 1, or -1 if it does not.
    """

    seconds: float = float("nan")
    is_absolute: bool = False
    later: int = -1


def written(text: str) -> WrittenTime:
    """A time in ISO 8601, with or without a zone."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return WrittenTime()
    absolute = found.tzinfo is not None
    return WrittenTime((found if absolute else found.replace(tzinfo=UTC)).timestamp(), absolute)


_DAY_FIRST: Final = re.compile(
    r"(\d\d)[./](\d\d)[./](\d{4}) (\d\d):(\d\d)(?::(\d\d))?(?: \(?(CES?T|UTC)\)?)?"
)


def written_day_first(text: str) -> WrittenTime:
    """A time as 31/12/2026 14:00:00, perhaps with CET or CEST."""
    match = _DAY_FIRST.fullmatch(text.strip())
    if match is None:
        return WrittenTime()
    day, month, year, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC).timestamp()
    except ValueError:
        return WrittenTime()
    return WrittenTime(moment, later={"CET": 1, "CEST": 0}.get(match[7], -1))


def first_of(source: SignalSource, found: ReadColumns, column: str, what: str) -> BoolArray:
    """The rows that have the first text of a column, if they are of several; that is noted."""
    names, code = found.texts[column]
    if len(names) > 1:
        others = shown_list(name for k, name in enumerate(names) if k != code[0])
        note = f"{source.label}: {what} {shown(names[code[0]])} is read, and not {others}"
        source.findings.notes.append(note)
    return np.asarray(code == code[0])


def value_column(kind: SignalKind) -> Column:
    """The column of the values of a kind, in which blank cells are gaps."""
    return Column(kind.name, "number", math.nan, kind.unit)


TIME: Final = Column("time", "text", otherwise=NO_TIME)


def _blanked(row: SheetRow, places: Sequence[int], unknown: frozenset[str]) -> SheetRow:
    cells = list(row.cells)
    for j in places:
        if j < len(cells) and cells[j].strip().casefold() in unknown:
            cells[j] = ""
    return row._replace(cells=cells)


def _with_points(row: SheetRow, places: Sequence[int]) -> SheetRow:
    cells = list(row.cells)
    for j in places:
        if j < len(cells):
            cells[j] = rewritten(cells[j], ",") or cells[j]
    return row._replace(cells=cells)


def _order_fault(begins: FloatArray, came: IntArray, row: int) -> str:
    before = begins[came[np.searchsorted(came, row) - 1]]
    if before == begins[row]:
        return f"{moment_said(begins[row])} is there twice; keep one row, or name the zone"
    return (
        f"{moment_said(begins[row])} comes after {moment_said(before)}; sort the rows by time, or "
        "name the zone"
    )
