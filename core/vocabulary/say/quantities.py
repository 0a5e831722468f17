"""Quantities as people write them: `7200`, `2h` and `120min` are the same time."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.vocabulary.ranges import Range
from core.vocabulary.say.units import ENERGIES, POWERS, TIMES, Unit


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount that people write in several units. `units` maps each symbol to its size in the
    first unit, which is the unit of a number that stands alone.
    """

    noun: str
    units: Mapping[str, float]
    example: str

    @property
    def usual(self) -> str:
        """The unit of a number that stands alone."""
        return next(iter(self.units))

    def __str__(self) -> str:
        usual, *others = self.units
        return f"{usual}, or with a unit as in {self.example} ({', '.join(others)})"


def _sizes(units: Mapping[str, Unit], *symbols: str) -> dict[str, float]:
    return {symbol: units[symbol].size for symbol in symbols}


TIME: Final = Quantity("time", _sizes(TIMES, "s", "min", "h", "d"), "90min")
ENERGY: Final = Quantity(
    "energy", _sizes(ENERGIES, "J", "kJ", "MJ", "GJ", "Wh", "kWh", "MWh"), "300kWh"
)
POWER: Final = Quantity("power", _sizes(POWERS, "W", "kW", "MW"), "55kW")

_MOST: Final = 1e24
_NUMBER_AND_UNIT: Final = re.compile(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*([A-Za-z]*)\s*")


def read_quantity(text: str, quantity: Quantity) -> float:
    """The amount in the first unit. Raises `ValueError` for a text that is no such quantity, and
    for negative amounts; the message says what to give.
    """
    allowed = Range(0.0, _MOST, quantity.usual)
    parts = _NUMBER_AND_UNIT.fullmatch(text)
    try:
        number = float(parts[1]) if parts else None
    except ValueError:
        number = None
    if parts is None or number is None:
        raise ValueError(f"'{text}' is not a quantity of {quantity.noun}; give {quantity}")
    unit = parts[2] or quantity.usual
    if unit not in quantity.units:
        raise ValueError(
            f"'{unit}' is not a unit of {quantity.noun}; give one of {', '.join(quantity.units)}"
        )
    value = number * quantity.units[unit]
    if value not in allowed:
        raise ValueError(f"{text} is out of range; give {allowed}")
    return value
