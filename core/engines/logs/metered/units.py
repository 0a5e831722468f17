"""Units of power and of energy, as titles, names of metrics and cells say them."""

import re
from typing import Final, NamedTuple

_WORDS: Final = re.compile(r"[a-zµμ]+")
_POWERS: Final = {
    "w": 1.0,
    "watt": 1.0,
    "watts": 1.0,
    "mw": 1e-3,
    "milliwatt": 1e-3,
    "milliwatts": 1e-3,
    "uw": 1e-6,
    "microwatt": 1e-6,
    "microwatts": 1e-6,
    "kw": 1e3,
    "kilowatt": 1e3,
    "kilowatts": 1e3,
}
_ENERGIES: Final = {
    "j": 1.0,
    "joule": 1.0,
    "joules": 1.0,
    "mj": 1e-3,
    "millijoule": 1e-3,
    "millijoules": 1e-3,
    "uj": 1e-6,
    "microjoule": 1e-6,
    "microjoules": 1e-6,
    "kj": 1e3,
    "wh": 3600.0,
    "kwh": 3.6e6,
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
