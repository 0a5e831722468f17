"""Units, and which one an axis, a column or a field uses, so that its numbers are short."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.vocabulary.say.words import (
    DAY,
    HOUR,
    JOULES_PER_KWH,
    MINUTE,
    Sense,
    amount,
    duration,
    energy,
)
from core.vocabulary.tolerances import SAME

if TYPE_CHECKING:  # the command line reads units before it needs NumPy
    from core.vocabulary.arrays import FloatArray


def round_step(least: float) -> float:
    """The step of an axis with short numbers: 1, 2 or 5 times a power of ten, at least `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * nice for nice in (1, 2, 5, 10) if power * nice >= least * (1 - SAME))


@dataclass(frozen=True, slots=True)
class Unit:
    """One of it is `size` of the SI unit."""

    symbol: str
    size: float

    def of(self, values: "FloatArray") -> "FloatArray":
        """Values of the SI unit, in this one."""
        return values / self.size


TIMES: Final = {
    "µs": Unit("µs", 1e-6),
    "ms": Unit("ms", 1e-3),
    "s": Unit("s", 1.0),
    "min": Unit("min", MINUTE),
    "h": Unit("h", HOUR),
    "d": Unit("d", DAY),
}
ENERGIES: Final = {
    "mJ": Unit("mJ", 1e-3),
    "J": Unit("J", 1.0),
    "kJ": Unit("kJ", 1e3),
    "MJ": Unit("MJ", 1e6),
    "GJ": Unit("GJ", 1e9),
    "Wh": Unit("Wh", JOULES_PER_KWH / 1e3),
    "kWh": Unit("kWh", JOULES_PER_KWH),
    "MWh": Unit("MWh", JOULES_PER_KWH * 1e3),
    "GWh": Unit("GWh", JOULES_PER_KWH * 1e6),
}
POWERS: Final = {
    "W": Unit("W", 1.0),
    "kW": Unit("kW", 1e3),
    "MW": Unit("MW", 1e6),
    "GW": Unit("GW", 1e9),
}
"""All units of time, energy and power, by their symbols."""

# An axis has each unit from the value before it on, in the SI unit.
_TIMES_FROM: Final = (
    (2 * DAY, "d"),
    (2 * HOUR, "h"),
    (5 * MINUTE, "min"),
    (1.0, "s"),
    (1e-3, "ms"),
    (0.0, "µs"),
)
_ENERGIES_FROM: Final = (
    (1e6 * JOULES_PER_KWH, "GWh"),
    (1e3 * JOULES_PER_KWH, "MWh"),
    (0.1 * JOULES_PER_KWH, "kWh"),
    (1e3, "kJ"),
    (1.0, "J"),
    (0.0, "mJ"),
)
_POWERS_FROM: Final = ((1e9, "GW"), (1e6, "MW"), (1e3, "kW"), (0.0, "W"))


def time_unit(longest: float) -> Unit:
    """The unit in which a time of up to `longest` seconds is a few to a few hundred."""
    return TIMES[_fitting(_TIMES_FROM, longest)]


def energy_unit(most: float) -> Unit:
    """The unit in which an energy of up to `most` joules is a few to a few thousand."""
    return ENERGIES[_fitting(_ENERGIES_FROM, most)]


def power_unit(most: float) -> Unit:
    """The unit in which a power of up to `most` watts is a few to a few hundred."""
    return POWERS[_fitting(_POWERS_FROM, most)]


def energies(joules: Sequence[float]) -> list[str]:
    """The energies of a sentence in words, all in the unit of the largest."""
    return _alike(joules, energy(max(joules), Sense.PLAIN), ENERGIES, energy)


def durations(seconds: Sequence[float]) -> list[str]:
    """The times of a sentence in words. Parts of a second are seconds where others have seconds."""
    if max(seconds) < 1:
        return _alike(seconds, duration(max(seconds), Sense.PLAIN), TIMES, duration)
    return [
        amount(each, Sense.PLAIN, "s") if 0 < each < 1 else duration(each, Sense.PLAIN)
        for each in seconds
    ]


def _alike(
    values: Sequence[float],
    largest: str,
    units: Mapping[str, Unit],
    say: Callable[[float, Sense], str],
) -> list[str]:
    unit = units.get(largest.rpartition(" ")[2])
    if unit is None:
        return [say(each, Sense.PLAIN) for each in values]
    return [amount(each / unit.size, Sense.PLAIN, unit.symbol) for each in values]


def _fitting(symbols: tuple[tuple[float, str], ...], most: float) -> str:
    return next(symbol for least, symbol in symbols if most >= least)
