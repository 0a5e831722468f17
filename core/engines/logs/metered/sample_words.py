"""What files of power samples call a node and a part of it, and how they write times and power."""

import math
import re
from datetime import UTC, datetime
from typing import Final, NamedTuple

import numpy as np

from core.vocabulary.arrays import FloatArray

_WORDS: Final = re.compile(r"[a-zµμ]+")
_POWERS: Final = {
    **dict.fromkeys(("w", "watt", "watts"), 1.0),
    **dict.fromkeys(("mw", "milliwatt", "milliwatts"), 1e-3),
    **dict.fromkeys(("uw", "microwatt", "microwatts"), 1e-6),
    **dict.fromkeys(("kw", "kilowatt", "kilowatts"), 1e3),
}
_ENERGIES: Final = {
    **dict.fromkeys(("j", "joule", "joules"), 1.0),
    **dict.fromkeys(("mj", "millijoule", "millijoules"), 1e-3),
    **dict.fromkeys(("uj", "microjoule", "microjoules"), 1e-6),
    **{"kj": 1e3, "wh": 3600.0, "kwh": 3.6e6},
}
"""Powers of a node in megawatts, and joules in millions, are not written; `mW` and `mJ` are."""
_NOT_MEASURED: Final = frozenset({"limit", "max", "min", "cap", "default", "enforced", "peak"})


class MeasuredUnit(NamedTuple):
    """What numbers are: a number times `scale` is watts, or joules if it `is_energy`. A unit that
    nobody says is the usual one.
    """

    scale: float
    is_energy: bool
    is_said: bool = True


def quantity_of(title: str) -> MeasuredUnit | None:
    """What stands below a title, or is of a metric of this name; None if it is neither power nor
    energy that was measured.

    >>> quantity_of("power.draw [W]"), quantity_of("energy_uj").scale
    (MeasuredUnit(scale=1.0, is_energy=False, is_said=True), 1e-06)
    """
    text = title.casefold().replace("µ", "u").replace("μ", "u")
    words = _WORDS.findall(text)
    if not _NOT_MEASURED.isdisjoint(words):
        return None
    unit = unit_called(words[-1]) if words else None
    said = unit or next(filter(None, map(unit_called, (w for w in words if len(w) > 1))), None)
    if said is not None:
        return said
    if "dcgm" in words and "energy" in words:
        return MeasuredUnit(1e-3, is_energy=True)
    if "dcgm" in words and "power" in words:
        return MeasuredUnit(1.0, is_energy=False)
    if "power" in words or words in (["value"], ["reading"]):
        return MeasuredUnit(1.0, is_energy=False, is_said=False)
    return MeasuredUnit(1.0, is_energy=True, is_said=False) if "energy" in words else None


def unit_called(word: str) -> MeasuredUnit | None:
    """The unit that a word is; None if it is none."""
    unit = word.strip().casefold().replace("µ", "u").replace("μ", "u")
    if unit in _POWERS:
        return MeasuredUnit(_POWERS[unit], is_energy=False)
    return MeasuredUnit(_ENERGIES[unit], is_energy=True) if unit in _ENERGIES else None


_FORMS: Final = (
    "%a %b %d %H:%M:%S %Y",
    "%m/%d/%Y %I:%M:%S %p",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%Y%m%d%H%M%S",
)
_ZONE: Final = re.compile(r"\s*(?:Z|UTC|GMT)$", re.IGNORECASE)
_LEAST, _MOST = 1e8, 8e9
"""Seconds since 1970 of the years 1973 and 2223."""


class SampleMoment(NamedTuple):
    """Seconds since 1970; without a zone, of a clock that shows UTC. NaN if it is none."""

    seconds: float
    is_absolute: bool


NO_MOMENT: Final = SampleMoment(math.nan, False)


def moment_of(text: str) -> SampleMoment:
    """The moment that a text is: ISO 8601 or nearly so, as `ipmitool` and spreadsheets write it, or
    a number of seconds, milliseconds, microseconds or nanoseconds since 1970.
    """
    plain = text.strip()
    number = _number(plain)
    if number is not None:
        return SampleMoment(float(seconds_of(np.array([number]))[0]), True)
    zoned = _ZONE.sub("", plain)
    found = _read(zoned.replace("/", "-", 2) if zoned[4:5] == "/" else zoned)
    if found is None:
        return NO_MOMENT
    absolute = found.tzinfo is not None or zoned != plain
    seconds = (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    return SampleMoment(seconds if _LEAST <= seconds <= _MOST else math.nan, absolute)


def seconds_of(numbers: FloatArray) -> FloatArray:
    """Times since 1970 in seconds, whether they are in seconds, milliseconds, microseconds or
    nanoseconds; NaN for those that are none of these.
    """
    scale = np.array([1.0, 1e3, 1e6, 1e9])
    for one in scale.tolist():  # all are alike as a rule
        if _LEAST * one <= numbers.min(initial=np.inf) and numbers.max(initial=0) <= _MOST * one:
            return np.asarray(numbers / one)
    with np.errstate(invalid="ignore"):
        each = numbers[:, None] / scale
        fits = (each >= _LEAST) & (each <= _MOST)
    return np.where(fits.any(axis=1), each[np.arange(len(numbers)), fits.argmax(axis=1)], np.nan)


def _number(text: str) -> float | None:
    if len(text) < 9 or len(text) > 30 or not text[0].isdigit() or "-" in text or ":" in text:
        return None
    try:
        return float(text) if len(text) != 14 or "." in text else None  # 20260302100000
    except ValueError:
        return None


def _read(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    for form in _FORMS:
        try:
            return datetime.strptime(" ".join(text.split()), form)
        except ValueError:
            continue
    return None


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
