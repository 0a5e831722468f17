"""The unit in which times are counted: on an axis, or where a person enters one."""

from dataclasses import dataclass
from typing import Final

_UNITS: Final = (
    (172_800.0, 86_400.0, "d"),
    (7_200.0, 3_600.0, "h"),
    (300.0, 60.0, "min"),
    (1.0, 1.0, "s"),
    (1e-3, 1e-3, "ms"),
    (0.0, 1e-6, "µs"),
)


@dataclass(frozen=True, slots=True)
class TimeUnit:
    seconds: float
    symbol: str


def unit_for(longest: float) -> TimeUnit:
    """The unit in which `longest` seconds are a few to a few hundred."""
    _, size, symbol = next(unit for unit in _UNITS if longest >= unit[0])
    return TimeUnit(size, symbol)


def makespan_title(unit: TimeUnit) -> str:
    """Of an axis of makespans: what the word means stands where it is first read."""
    return f"Makespan ({unit.symbol}): when the last task ends"
