"""The unit in which times are counted: on an axis, or where a person enters one."""

from dataclasses import dataclass

from core.say.units import time_unit


@dataclass(frozen=True, slots=True)
class TimeUnit:
    seconds: float
    symbol: str


def unit_for(longest: float) -> TimeUnit:
    """The unit in which `longest` seconds are a few to a few hundred."""
    unit = time_unit(longest)
    return TimeUnit(unit.size, unit.symbol)


def makespan_title(unit: TimeUnit) -> str:
    """Of an axis of makespans: what the word means stands where it is first read."""
    return f"Makespan ({unit.symbol}): when the last task ends"
