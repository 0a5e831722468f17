"""Typical weather as CSV of PVGIS."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from core.engines.signals.kinds import SUN, TEMPERATURE
from core.engines.signals.signal import Signal
from core.engines.signals.source import TIME, SignalSource, value_column
from core.engines.signals.weather import WeatherForm, typical_year
from core.files.findings import Unreadable
from core.files.sheet import SheetRow

_TITLES: Final = {TIME: "time(utc)", value_column(TEMPERATURE): "t2m", value_column(SUN): "g(h)"}
_FORM: Final = WeatherForm(
    re.compile(r"\d{4}(?P<month>\d\d)(?P<day>\d\d):(?P<hour>\d\d)\d\d"),
    "20051231:2300",
    ends=False,
    no_temperature=-999.0,
    no_sun=-999.0,
)


def is_pvgis(header: Sequence[str]) -> bool:
    return bool(header) and header[0].casefold() == _TITLES[TIME]


def read_pvgis(source: SignalSource) -> list[Signal]:
    """Temperature and sun of the hours that begin at the times of a file, in UTC."""
    _, header, rows = source.table(is_pvgis)
    titles = [title.casefold() for title in header.cells]
    for title in _TITLES.values():
        if title not in titles:
            raise Unreadable(f"is of PVGIS, but has no column {title}; keep its header")
    places = {column: titles.index(title) for column, title in _TITLES.items()}
    return typical_year(source, source.columns(header, _hours(rows), places), _FORM, 0.0)


def _hours(rows: Iterable[SheetRow]) -> Iterator[SheetRow]:
    """The rows up to the blank line above the explanations."""
    for row in rows:
        if not any(map(str.strip, row.cells)):
            return
        yield row
