"""Typical weather as TMY3 CSV of NREL."""

import re
from collections.abc import Sequence
from typing import Final

from core.engines.signals.kinds import SUN, TEMPERATURE
from core.engines.signals.signal import Signal
from core.engines.signals.source import TIME, SignalSource, value_column
from core.engines.signals.weather import WeatherForm, typical_year, with_one_time, zone_seconds
from core.files.findings import Unreadable

_TITLES: Final = {
    TIME: "date (mm/dd/yyyy)",
    value_column(TEMPERATURE): "dry-bulb (c)",
    value_column(SUN): "ghi (w/m^2)",
}
_ZONE: Final = 3
_FORM: Final = WeatherForm(
    re.compile(r"(?P<month>\d\d)/(?P<day>\d\d)/\d{4} (?P<hour>\d\d):00"),
    "12/31/1988,24:00",
    ends=True,
    no_temperature=-999.0,
    no_sun=-999.0,
)


def is_tmy3(header: Sequence[str]) -> bool:
    return bool(header) and header[0].casefold() == _TITLES[TIME]


def read_tmy3(source: SignalSource) -> list[Signal]:
    """Temperature and sun of the hours that end at the times of a file, in local standard time."""
    above, header, rows = source.table(is_tmy3)
    titles = [title.casefold() for title in header.cells]
    for title in _TITLES.values():
        if title not in titles:
            raise Unreadable(f"is TMY3, but has no column {title}; keep its header")
    places = {column: titles.index(title) for column, title in _TITLES.items()}
    found = source.columns(header, with_one_time(rows, slice(0, 2)), places)
    return typical_year(source, found, _FORM, zone_seconds(above[0].cells if above else (), _ZONE))
