"""Quantities as people read them: a rounded number, its unit, and no false promise.

`towards` is how to round: `round`, or `math.floor` and `math.ceil` where the text says "at least"
or "at most" and must stay true.
"""

import math
from collections.abc import Callable
from typing import Final

Towards = Callable[[float], int]

MINUTE: Final = 60.0
HOUR: Final = 3600.0
DAY: Final = 86400.0
JOULES_PER_KWH: Final = 3.6e6

_DIGITS: Final = 3
# Below this power of ten nobody counts zeros.
_LEAST_POWER: Final = -12
# Computed values are off in their last digits; 10.799999999999947 is 10.8, rounded down or up.
_COMPUTED_DIGITS: Final = 9


def duration(seconds: float, towards: Towards = round) -> str:
    """A time in its two largest units, or in seconds to three digits below two minutes."""
    if seconds >= 100 * DAY:
        return f"{_whole(seconds / DAY, towards):,} d"
    if seconds >= DAY:
        days, hours = divmod(_whole(seconds / HOUR, towards), 24)
        return f"{days} d {hours} h" if hours else f"{days} d"
    if seconds >= HOUR:
        hours, minutes = divmod(_whole(seconds / MINUTE, towards), 60)
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    if seconds >= 2 * MINUTE:
        minutes, rest = divmod(_whole(seconds, towards), 60)
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return _prefixed(seconds, "s", towards)


def energy(joules: float, towards: Towards = round) -> str:
    """An energy in watt-hours as on a bill, or in joules below a tenth of a kilowatt-hour."""
    if joules >= 0.1 * JOULES_PER_KWH:
        kwh = joules / JOULES_PER_KWH
        return f"{_digits(kwh, towards)} kWh" if kwh < 1 else _prefixed(1e3 * kwh, "Wh", towards)
    return _prefixed(joules, "J", towards)


def share(fraction: float, towards: Towards = round) -> str:
    """A fraction as a percentage: whole from 100 %, to a tenth from 1 %, to a hundredth below."""
    percent = 100 * fraction
    decimals = 0 if percent >= 100 else 1 if percent >= 1 else 2
    return f"{_whole(percent * 10**decimals, towards) / 10**decimals:,.{decimals}f} %"


def clock(seconds: float) -> str:
    """A time of day, so many seconds after midnight: "07:30", or "07:30:05" where it matters."""
    minutes, rest = divmod(round(seconds) % int(DAY), 60)
    said = f"{minutes // 60:02}:{minutes % 60:02}"
    return f"{said}:{rest:02}" if rest else said


def counted(number: int, noun: str) -> str:
    """A number with its noun, as in "1 task" and "1,100 tasks"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def significant(value: float, towards: Towards = round, digits: int = 4) -> str:
    """So many significant digits, and all of those before the point."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    power = math.floor(math.log10(abs(value)))
    if power < _LEAST_POWER:
        # In two steps: there is no 1e-324 to divide by.
        few = value * 1e200 / 10.0 ** (power + 200)
        return f"{significant(few, towards, digits)}e{power}"
    decimals = max(digits - 1 - power, 0)
    # Computed values are off in their last digits; those must not round up.
    rounded = towards(round(value * 10.0**decimals, 6)) / 10.0**decimals
    text = f"{rounded:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def _whole(value: float, towards: Towards) -> int:
    return towards(round(value, _COMPUTED_DIGITS - _DIGITS))


def _digits(value: float, towards: Towards) -> str:
    """Three significant digits, and all of those before the point."""
    decimals = max(_DIGITS - 1 - math.floor(math.log10(value)), 0)
    text = f"{_whole(value * 10.0**decimals, towards) / 10.0**decimals:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


_PREFIXES: Final = (
    (1e12, "T"),
    (1e9, "G"),
    (1e6, "M"),
    (1e3, "k"),
    (1.0, ""),
    (1e-3, "m"),
    (1e-6, "µ"),
    (1e-9, "n"),
)


def _prefixed(value: float, unit: str, towards: Towards) -> str:
    if value <= 0:
        return f"0 {unit}"
    if unit == "s" and value >= 1:
        return f"{_digits(value, towards)} s"
    size, prefix = next(((s, p) for s, p in _PREFIXES if value >= s), _PREFIXES[-1])
    return f"{_digits(value / size, towards)} {prefix}{unit}"
