"""Carbon intensity as CSV of Electricity Maps."""

from collections.abc import Sequence

import numpy as np

from core.engines.signals.kinds import CARBON
from core.engines.signals.signal import Signal
from core.engines.signals.source import (
    TIME,
    UNKNOWN,
    ReadCurve,
    SignalSource,
    first_of,
    value_column,
    written,
)
from core.engines.signals.zones import UTC_NAME
from core.files.schema import Column

_ZONE = Column("zone", "text", "")


def is_electricity_maps(header: Sequence[str]) -> bool:
    titles = [title.casefold() for title in header]
    return titles[:1] == ["datetime (utc)"] and any(
        title.startswith("carbon intensity g") for title in titles
    )


def read_electricity_maps(source: SignalSource) -> list[Signal]:
    """The direct carbon intensity, or that of the life cycle where it is the only one."""
    _, header, rows = source.table(is_electricity_maps)
    titles = [title.casefold() for title in header.cells]
    carbon = [j for j, title in enumerate(titles) if title.startswith("carbon intensity g")]
    direct = next((j for j in carbon if "direct" in titles[j]), carbon[0])
    if len(carbon) > 1:
        read = header.cells[direct]
        source.findings.notes.append(f"{source.label}: '{read}' is read")
    places = {TIME: 0, value_column(CARBON): direct}
    if "zone id" in titles:
        places[_ZONE] = titles.index("zone id")
    found = source.columns(header, rows, places, UNKNOWN)
    if "zone" in found.there:
        found = found.kept(first_of(source, found, "zone", "the zone"))
    parsed = {name: written(name) for name in found.texts["time"].names}
    begins = source.moments(found, "time", parsed, UTC_NAME)
    nothing = np.full(len(found), np.nan)
    steps = source.steps(found, begins, nothing.copy(), nothing)
    return source.signals(found, steps, [ReadCurve(CARBON, "carbon", found.numbers["carbon"])])
