"""Day-ahead prices as CSV of ENTSO-E's Transparency Platform."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from core.engines.signals.kinds import PRICE
from core.engines.signals.signal import Signal
from core.engines.signals.source import (
    TIME,
    UNKNOWN,
    ReadCurve,
    SignalSource,
    first_of,
    value_column,
    written_day_first,
)
from core.engines.signals.zones import UTC_NAME
from core.files.findings import Unreadable, shown
from core.files.schema import Column, parted_title

_MTU: Final = "mtu ("
_CHOSEN: Final = {"sequence": "the auction", "area": "the area"}
_NO_SPAN: Final = "is no span; write it as 31/12/2026 14:00:00 - 31/12/2026 15:00:00"
_ZONES: Final = {"cet/cest": "Europe/Brussels", "utc": UTC_NAME, "gmt/bst": "Europe/London"}


def is_entso_e(header: Sequence[str]) -> bool:
    return bool(header) and header[0].casefold().startswith(_MTU)


def read_entso_e(source: SignalSource) -> list[Signal]:
    """The prices, by the spans of their market time units; of several auctions or areas the first.
    Units that clocks skipped, and those without a price, are not there.
    """
    _, header, rows = source.table(is_entso_e)
    titles = [title.casefold() for title in header.cells]
    price = next((j for j, title in enumerate(titles) if title.startswith("day-ahead price")), None)
    if price is None:
        raise Unreadable("is of ENTSO-E, but has no column Day-ahead Price; export prices")
    _, unit = parted_title(titles[price])
    _, clock = parted_title(titles[0])
    scale, zone = PRICE.scale(unit), _ZONES.get(clock)
    if scale is None or zone is None:
        odd = header.cells[0 if zone is None else price]
        raise Unreadable(f"has '{shown(odd)}', in which the zone or the unit is not known")
    places = {TIME: 0, value_column(PRICE): price}
    chosen = [name for name in _CHOSEN if name in titles]
    places |= {Column(name, "text", ""): titles.index(name) for name in chosen}
    found = source.columns(header, rows, places, UNKNOWN)
    keep = ~np.isnan(found.numbers["price"])
    for name in chosen:
        keep &= first_of(source, found, name, _CHOSEN[name])
    read = found.kept(keep)
    parts = {name: name.partition(" - ") for name in found.texts["time"].names}
    begins, ends = (
        source.moments(
            read,
            "time",
            {name: written_day_first(part[side]) for name, part in parts.items()},
            zone,
            _NO_SPAN,
            may_be_skipped=side == 2,
        )
        for side in (0, 2)
    )
    steps = source.steps(read, begins, ends - begins, np.full(len(read), np.nan))
    return source.signals(read, steps, [ReadCurve(PRICE, "price", read.numbers["price"], scale)])
