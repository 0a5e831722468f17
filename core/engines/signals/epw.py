"""Weather as EPW of EnergyPlus."""

import re
from collections.abc import Sequence
from typing import Final

from core.engines.signals.kinds import SUN, TEMPERATURE
from core.engines.signals.signal import Signal
from core.engines.signals.source import TIME, SignalSource, value_column
from core.engines.signals.weather import WeatherForm, typical_year, with_one_time, zone_seconds
from core.files.findings import Unreadable
from core.files.sheet import SheetRow

_PLACES: Final = {TIME: 0, value_column(TEMPERATURE): 6, value_column(SUN): 13}
_COLUMNS: Final = 35
_ZONE: Final = 8
_LINES_ABOVE: Final = 20
"""The most lines above the data: the format has eight."""
_FORM: Final = WeatherForm(
    re.compile(r"\d{4} +(?P<month>\d\d?) +(?P<day>\d\d?) +(?P<hour>\d\d?) +(?:0|60)"),
    "1988,12,31,24,60",
    ends=True,
    no_temperature=99.9,
    no_sun=9999.0,
)


def is_epw(header: Sequence[str]) -> bool:
    return len(header) > _ZONE and header[0].casefold() == "location"


def read_epw(source: SignalSource) -> list[Signal]:
    """Temperature and sun of the hours that end at the times of a file, in local standard time."""
    _, place, rows = source.table(is_epw)
    for _ in range(_LINES_ABOVE):
        line = next(rows, SheetRow(0, []))
        if line.cells and line.cells[0].casefold() == "data periods":
            break
    else:
        raise Unreadable("is EPW, but has no line DATA PERIODS above its hours; keep it")
    if line.cells[2:3] != ["1"]:
        raise Unreadable("has several rows an hour, as DATA PERIODS says; give one an hour")
    header = SheetRow(line.line, ["time"] * _COLUMNS)
    found = source.columns(header, with_one_time(rows, slice(0, 5)), _PLACES)
    return typical_year(source, found, _FORM, zone_seconds(place.cells, _ZONE))
