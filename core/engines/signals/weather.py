"""Typical years of weather: months of different years, put together as one."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from core.engines.signals.kinds import SUN, TEMPERATURE, SignalKind
from core.engines.signals.signal import Signal
from core.engines.signals.source import ReadCurve, SignalSource
from core.files.columns import ReadColumns
from core.files.findings import Unreadable, shown
from core.files.numbers import parse_number
from core.files.sheet import SheetRow
from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import HOUR

TYPICAL_YEAR: Final = 2025
"""The year of typical weather if none is named."""
ZONE_HOURS: Final = Range(-12.0, 14.0, "hours ahead of UTC")


class WeatherForm(NamedTuple):
    """How a format writes weather: its times, with month, day and hour, as in an example; whether a
    row is the hour that ends then; and how it writes temperatures and suns that are not known: as
    numbers of so much and more, or if these are negative, and less.
    """

    time: re.Pattern[str]
    example: str
    ends: bool
    no_temperature: float
    no_sun: float

    def known(self, kind: SignalKind, values: FloatArray) -> FloatArray:
        """The values, NaN where one is not known."""
        odd = self.no_temperature if kind is TEMPERATURE else self.no_sun
        is_odd: BoolArray = values >= odd if odd > 0 else values <= odd
        return np.where(is_odd, np.nan, values)


def typical_year(
    source: SignalSource, found: ReadColumns, form: WeatherForm, ahead: float
) -> list[Signal]:
    """Temperature and sun of rows of an hour each, in one year, by a clock that is always so many
    seconds ahead of UTC.
    """
    year = source.ask.year or TYPICAL_YEAR
    names, code = found.texts["time"]
    matches = [form.time.fullmatch(name) for name in names]
    parts = [[int(m[part]) for part in ("month", "day", "hour")] if m else [0] * 3 for m in matches]
    month, day, hour = np.array([*parts, [0] * 3], np.int64)[code].T
    first = (year - 1970) * 12 + np.clip(month, 1, 12) - 1
    days = first.astype("datetime64[M]").astype("datetime64[D]") + (day - 1)
    low = int(form.ends)
    wrong = (month < 1) | (month > 12) | (hour < low) | (hour > 23 + low)
    wrong |= days.astype("datetime64[M]").astype(np.int64) != first
    found.report(
        wrong,
        "time",
        lambda row: (
            f"'{shown(found.text('time', row))}' is no hour of the year {year}; write it as "
            f"{form.example}, or leave it out"
        ),
    )
    begins = (days.astype(np.int64) * 24 + hour - low) * HOUR - ahead
    lengths = np.full(len(found), HOUR)
    steps = source.steps(found, begins, lengths, np.full(len(found), np.nan))
    source.findings.notes.append(
        f"{source.label}: its months are of different years, and are read as the year {year}; "
        f"a row is the hour {'before' if form.ends else 'after'} its time"
    )
    curves = [
        ReadCurve(kind, kind.name, form.known(kind, found.numbers[kind.name]))
        for kind in (TEMPERATURE, SUN)
    ]
    return source.signals(found, steps, curves)


def with_one_time(rows: Iterable[SheetRow], places: slice) -> Iterator[SheetRow]:
    """Rows whose times are in several cells; the first cell then has them all."""
    for row in rows:
        if any(map(str.strip, row.cells)):
            yield row._replace(cells=[" ".join(row.cells[places]), *row.cells[1:]])


def zone_seconds(cells: Sequence[str], place: int) -> float:
    """How many seconds the clock of a station is ahead of UTC; its line says it in hours."""
    cell = cells[place] if place < len(cells) else ""
    hours = parse_number(cell)
    if hours is None or hours not in ZONE_HOURS:
        raise Unreadable(
            f"has the time zone '{shown(cell)}' in its first line; give {ZONE_HOURS} there"
        )
    return hours * HOUR
