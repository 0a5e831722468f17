"""Units in which watts and joules are a few to a few hundred."""

from dataclasses import dataclass
from typing import Final

from core.say.words import JOULES_PER_KWH


@dataclass(frozen=True, slots=True)
class Unit:
    """`size` is one of it, in watts or joules."""

    size: float
    symbol: str


_POWERS: Final = (Unit(1e9, "GW"), Unit(1e6, "MW"), Unit(1e3, "kW"), Unit(1.0, "W"))
_ENERGIES: Final = (
    Unit(1e6 * JOULES_PER_KWH, "GWh"),
    Unit(1e3 * JOULES_PER_KWH, "MWh"),
    Unit(JOULES_PER_KWH, "kWh"),
    Unit(1e3, "kJ"),
    Unit(1.0, "J"),
)


def power_unit(most: float) -> Unit:
    return next((unit for unit in _POWERS if most >= unit.size), _POWERS[-1])


def energy_unit(most: float) -> Unit:
    return next((unit for unit in _ENERGIES if most >= unit.size), _ENERGIES[-1])
