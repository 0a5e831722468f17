"""What files of power samples call a time, a node and a part of it, and how they write power."""

import math
import re
from typing import Final

from core.engines.logs.metered.units import MeasuredUnit, unit_called

HEAD: Final = 1 << 16
"""The first bytes of a file: they say what it is."""
NODES: Final = (
    *("hostname", "node", "nodename", "node_name", "nodelist", "host", "exported_instance"),
    *("instance", "server", "machine", "system"),
)
PARTS: Final = (
    *("index", "gpu", "gpu_id", "gpu_index", "uuid", "gpu_uuid", "device", "pci.bus_id", "bus_id"),
    *("socket", "package", "domain", "zone", "outlet", "psu", "sensor", "name", "id", "chip"),
)
WANTED: Final = (
    "give a table with a time, a node and watts (or joules), such as time,node,watts, or the JSON "
    "that Prometheus answers to query_range"
)
NO_TIME: Final = (
    "is no time; write it as 2026-03-02T10:00:00+01:00, or as seconds or milliseconds since 1970"
)
NO_VALUE: Final = "is no power; write a number, such as 352.5 or 352.5 W"
_BLANKS: Final = frozenset(
    ("", "-", "na", "n/a", "[n/a]", "nan", "null", "none", "[not supported]", "no reading", "ns")
)
_CELL: Final = re.compile(r"([-+]?[0-9][0-9.]*(?:[eE][-+]?[0-9]+)?)\s*([A-Za-zµμ]*)")


def value_of(text: str, quantity: MeasuredUnit) -> float:
    """Watts or joules of a cell; NaN if it is blank, infinite if it is wrong."""
    plain = text.strip()
    if plain.casefold() in _BLANKS:
        return math.nan
    match = _CELL.fullmatch(plain)
    if match is None:
        return math.inf
    unit = unit_called(match[2]) if match[2] else quantity
    try:
        number = float(match[1])
    except ValueError:
        return math.inf
    if unit is None or unit.is_energy != quantity.is_energy:
        return math.inf
    return number * unit.scale
