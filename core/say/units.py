"""Units, and which one an axis, a column or a field uses, so that its numbers are short."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.model.arrays import FloatArray
from core.say.words import DAY, HOUR, JOULES_PER_KWH, MINUTE


@dataclass(frozen=True, slots=True)
class Unit:
    """One of it is `size` of the SI unit."""

    symbol: str
    size: float

    def of(self, values: FloatArray) -> FloatArray:
        """Values of the SI unit, in this one."""
        counted: FloatArray = np.asarray(values) / self.size
        return counted


# Each unit is used from the value before it on, in the SI unit.
_TIMES: Final = (
    (2 * DAY, Unit("d", DAY)),
    (2 * HOUR, Unit("h", HOUR)),
    (5 * MINUTE, Unit("min", MINUTE)),
    (1.0, Unit("s", 1.0)),
    (1e-3, Unit("ms", 1e-3)),
    (0.0, Unit("µs", 1e-6)),
)
_ENERGIES: Final = (
    (1e6 * JOULES_PER_KWH, Unit("GWh", 1e6 * JOULES_PER_KWH)),
    (1e3 * JOULES_PER_KWH, Unit("MWh", 1e3 * JOULES_PER_KWH)),
    (0.1 * JOULES_PER_KWH, Unit("kWh", JOULES_PER_KWH)),
    (1e3, Unit("kJ", 1e3)),
    (1.0, Unit("J", 1.0)),
    (0.0, Unit("mJ", 1e-3)),
)
_POWERS: Final = (
    (1e9, Unit("GW", 1e9)),
    (1e6, Unit("MW", 1e6)),
    (1e3, Unit("kW", 1e3)),
    (0.0, Unit("W", 1.0)),
)


def time_unit(longest: float) -> Unit:
    """The unit in which a time of up to `longest` seconds is a few to a few hundred."""
    return _fitting(_TIMES, longest)


def energy_unit(most: float) -> Unit:
    """The unit in which an energy of up to `most` joules is a few to a few thousand."""
    return _fitting(_ENERGIES, most)


def power_unit(most: float) -> Unit:
    """The unit in which a power of up to `most` watts is a few to a few hundred."""
    return _fitting(_POWERS, most)


def _fitting(units: tuple[tuple[float, Unit], ...], most: float) -> Unit:
    return next(unit for least, unit in units if most >= least)
