"""The units in which a figure or a table counts."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.model.arrays import FloatArray
from core.say.words import DAY, HOUR, JOULES_PER_KWH, MINUTE


@dataclass(frozen=True, slots=True)
class Unit:
    """`size` is how much of the SI unit one of it is."""

    symbol: str
    size: float

    def of(self, values: FloatArray) -> FloatArray:
        counted: FloatArray = np.asarray(values) / self.size
        return counted


_TIMES: Final = (
    (2 * DAY, Unit("d", DAY)),
    (2 * HOUR, Unit("h", HOUR)),
    (5 * MINUTE, Unit("min", MINUTE)),
    (1.0, Unit("s", 1.0)),
    (1e-3, Unit("ms", 1e-3)),
    (0.0, Unit("µs", 1e-6)),
)
_KWH: Final = JOULES_PER_KWH
_ENERGIES: Final = (
    (1e6 * _KWH, Unit("GWh", 1e6 * _KWH)),
    (1e3 * _KWH, Unit("MWh", 1e3 * _KWH)),
    (0.1 * _KWH, Unit("kWh", _KWH)),
    (1e3, Unit("kJ", 1e3)),
    (1.0, Unit("J", 1.0)),
    (0.0, Unit("mJ", 1e-3)),
)


def time_unit(longest: float) -> Unit:
    """The unit in which so many seconds are a few to a few hundred."""
    return next(unit for least, unit in _TIMES if longest >= least)


def energy_unit(most: float) -> Unit:
    """The unit in which so many joules are a few to a few thousand."""
    return next(unit for least, unit in _ENERGIES if most >= least)
