"""Quantities as people write them: `7200`, `2h` and `120min` are the same time."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.model.ranges import Range
from core.say.words import DAY, HOUR, JOULES_PER_KWH, MINUTE


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


TIME: Final = Quantity("time", {"s": 1.0, "min": MINUTE, "h": HOUR, "d": DAY}, "90min")
ENERGY: Final = Quantity(
    "energy",
    {
        **{"J": 1.0, "kJ": 1e3, "MJ": 1e6, "GJ": 1e9},
        **{"Wh": JOULES_PER_KWH / 1e3, "kWh": JOULES_PER_KWH, "MWh": JOULES_PER_KWH * 1e3},
    },
    "300kWh",
)
POWER: Final = Quantity("power", {"W": 1.0, "kW": 1e3, "MW": 1e6}, "55kW")

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
