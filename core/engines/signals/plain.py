"""Curves as plain CSV: a time, and one or more values."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath
from typing import Final

import numpy as np

from core.engines.signals.kinds import NAMES, SignalKind, kind_called, kind_in_name
from core.engines.signals.signal import Signal
from core.engines.signals.source import (
    TIME,
    ReadCurve,
    SignalSource,
    WrittenTime,
    value_column,
    written,
    written_day_first,
)
from core.engines.signals.zones import UTC_NAME, midnight_of, zone_called
from core.files.columns import ReadColumns
from core.files.findings import Unreadable, shown
from core.files.numbers import number_cell, parse_number
from core.files.schema import Column, columns_called, parted_title
from core.vocabulary.arrays import FloatArray
from core.vocabulary.problems import refusing

_TIME: Final = Column(
    "time",
    "text",
    called="datetime, timestamp, date time, date, valid time, begin, begins, start, from",
    symbols="any unit",
)
_ISSUED: Final = Column("issued", "text", "", called="issue time, issued at, issue")
_SECONDS: Final = Column("seconds", "number", math.nan, "seconds", called="duration")
_IN_BRACKETS: Final = re.compile(r"[(\[]([\w/+-]+)[)\]]\s*$")
_VALUES: Final = ("value", "values")
_FIRST_MOMENT: Final = 1e8
"""Numbers from here on are seconds since 1970, and below seconds since the start of a day."""


def is_plain(header: Sequence[str]) -> bool:
    return _TIME.name in columns_called(header, (_TIME,))


def has_curves(header: Sequence[str], *, named: bool) -> bool:
    """Whether there are times, and a column of values; if `named`, one that says of what."""
    titles = [title.strip() for title in header]
    if not is_plain(titles) or not titles[columns_called(titles, (_TIME,))[_TIME.name]]:
        return False
    of_kind = any(kind_called(title) is not None for title in titles)
    return of_kind or (not named and any(parted_title(one)[0] in _VALUES for one in titles))


@dataclass(frozen=True, slots=True)
class _Value:
    place: int
    kind: SignalKind
    scale: float
    title: str


def read_plain(source: SignalSource) -> list[Signal]:
    """The curves of a table whose header is `time`, then `value` or kinds of curves, perhaps with
    `issued` (when it was forecast) and `seconds` (the length of the step).
    """
    _, header, rows = source.table(is_plain)
    titles = header.cells
    known = columns_called(titles, (_TIME, _ISSUED, _SECONDS))
    curves = _values(source, titles, set(known.values()))
    places = {TIME: known["time"]}
    for column in (_ISSUED, _SECONDS):
        if column.name in known:
            places[column] = known[column.name]
    places |= {value_column(one.kind): one.place for one in curves}
    found = source.columns(header, rows, places)
    zone = _zone(source, titles[known["time"]])
    begins = _moments(source, found, "time", zone)
    nothing = np.full(len(found), math.nan)
    issued = _moments(source, found, "issued", zone) if "issued" in known else nothing
    seconds = found.numbers["seconds"].copy() if "seconds" in known else nothing.copy()
    found.report(seconds <= 0, "seconds", lambda _: "is not above 0; give the length of the step")
    steps = source.steps(found, begins, seconds, issued)
    values = [ReadCurve(c.kind, c.kind.name, found.numbers[c.kind.name], c.scale) for c in curves]
    return source.signals(found, steps, values)


def _values(source: SignalSource, titles: Sequence[str], taken: set[int]) -> list[_Value]:
    """The columns that are curves. Raises `Unreadable` if there is none."""
    found: list[_Value] = []
    unused: list[str] = []
    for place, title in enumerate(titles):
        words, unit = parted_title(title)
        kind = kind_called(title)
        if words in _VALUES:
            kind = source.ask.kind or kind_in_name(PurePosixPath(source.label).stem)
            if kind is None:
                raise Unreadable(
                    f"has values, but does not say of what; name the column, or the file, {NAMES}"
                )
        if place in taken or kind is None:
            unused += [title] * (place not in taken and bool(title))
            continue
        scale = kind.scale(unit)
        if scale is None:
            source.findings.error(
                source.label, "", shown(title), f"is in '{shown(unit)}'; give it in {kind.unit}"
            )
        elif any(one.kind is kind for one in found):
            source.findings.error(
                source.label, "", shown(title), f"is {kind.said} a second time; remove one"
            )
        else:
            found.append(_Value(place, kind, scale, title))
    if not found and not source.findings.failed:
        raise Unreadable(
            f"has no column that is a curve; name one value, or one of {NAMES}, beside time"
        )
    source.findings.unused(unused, source.label, what="columns")
    if not found:
        raise Unreadable("has no column that can be read")
    return found


def _zone(source: SignalSource, title: str) -> str | None:
    """The zone of the clock: as the title of the times says in brackets, or as was said."""
    match = _IN_BRACKETS.search(title)
    name = match[1] if match else source.ask.zone
    if match and name and name.upper() in ("UTC", "GMT", "Z"):
        return UTC_NAME
    if name is not None:
        with refusing(ValueError, of=source.label):
            zone_called(name)
    return name


def _moments(source: SignalSource, found: ReadColumns, column: str, zone: str | None) -> FloatArray:
    names = found.texts[column].names
    numbers = [parse_number(name) for name in names]
    plain = [n for n in numbers if n is not None and not math.isnan(n)]
    if not plain:
        parsed = {name: _written(name) for name in names}
        return source.moments(found, column, parsed, zone)
    day = source.ask.day or date(1970, 1, 1)
    begin = 0.0
    if min(plain) < _FIRST_MOMENT:
        begin = midnight_of(day, zone_called(zone or UTC_NAME))
        source.findings.notes.append(
            f"{source.label}: numbers are seconds since the start of {day}"
            + ("" if zone else " in UTC")
        )
    parsed = {
        name: WrittenTime() if number is None else WrittenTime(number + begin, is_absolute=True)
        for name, number in zip(names, numbers, strict=True)
    }
    return source.moments(found, column, parsed, zone)


def _written(text: str) -> WrittenTime:
    found = written(text)
    return written_day_first(text) if math.isnan(found.seconds) else found


def signal_csv(signal: Signal) -> str:
    """A curve as plain CSV, that reads back as it is."""
    columns = [signal.begins, signal.seconds, signal.values]
    if signal.issued is not None:
        columns.append(signal.issued)
    lines = [f"time,seconds,{signal.kind.name}" + (",issued" if signal.is_forecast else "")]
    for begin, length, value, *issued in zip(*(c.tolist() for c in columns), strict=True):
        texts = (_iso(begin), number_cell(length), _exact(value), *map(_iso, issued))
        lines.append(",".join(texts))
    return "\n".join(lines) + "\n"


def _exact(value: float) -> str:
    """A number with all its digits, where 15 of them would be another."""
    short = number_cell(value)
    return short if not short or float(short) == value else repr(value)


def _iso(seconds: float) -> str:
    return np.datetime_as_string(np.datetime64(round(seconds * 1000), "ms"), timezone="UTC")
