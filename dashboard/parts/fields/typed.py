"""Amounts as people type them: `1h`, `90 min`, `1:30`, `300 kWh`, `55`."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from core.vocabulary.say.quantities import TIME, Quantity, read_quantity

_LONG: Final = {
    **dict.fromkeys(("sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("m", "mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("day", "days"), "d"),
}
"""Words for units of time, and their symbols."""
_SMALLER: Final = {"d": "h", "h": "min", "min": "s"}
_CLOCK: Final = re.compile(r"(\d+):([0-5]\d)(?::([0-5]\d))?")
_SEVERAL: Final = re.compile(r"(?:[\d.]+\s*[a-zµ]+\s*)+(?:[\d.]+\s*)?")
_PART: Final = re.compile(r"([\d.]+)\s*([a-zµ]*)")
_NUMBER: Final = re.compile(r"[\d.]+(?:e[-+]?\d+)?", re.IGNORECASE)
LONGEST: Final = 100
"""The longest text of an amount, in characters."""
_LONGEST_SHOWN: Final = 40
TIMES: Final = "1h, 90 min or 1:30"


def duration_typed(text: str, unit: str, seconds: float) -> float:
    """Seconds. A number alone is in `unit`, which is `seconds` long; `1:30` is an hour and a half.

    Raises `ValueError` with a message that says what to type, like all of this module.
    """
    times = replace(TIME, units={**TIME.units, unit: seconds}, example=TIMES)
    return _read(text, times, lambda wanted: _duration(wanted.lower(), times, unit))


def amount_typed(text: str, quantity: Quantity, unit: str) -> float:
    """An amount in the first unit of the quantity. A number alone is in `unit`, one of its units.

    Upper and lower case are the same.
    """
    return _read(text, quantity, lambda wanted: _amount(wanted, quantity, unit))


def _read(text: str, quantity: Quantity, read: Callable[[str], float]) -> float:
    try:
        return read(text.strip())
    except ValueError:
        typed = text[:_LONGEST_SHOWN]
        raise ValueError(
            f"“{typed}” is not a valid {quantity.noun}. Type for example {quantity.example}."
        ) from None


def _duration(text: str, times: Quantity, unit: str) -> float:
    if clock := _CLOCK.fullmatch(text):
        hours, minutes, seconds = (int(part or 0) for part in clock.groups())
        return 3600.0 * hours + 60.0 * minutes + seconds
    if _NUMBER.fullmatch(text) or not _SEVERAL.fullmatch(text):
        return _amount(text, times, unit)
    total, before = 0.0, ""
    for number, said in _PART.findall(text):
        # After a unit, a number alone is of the next smaller: "1h30".
        symbol = _LONG.get(said, said) or _SMALLER.get(before, "")
        total += read_quantity(number + symbol, times)
        before = symbol
    return total


def _amount(text: str, quantity: Quantity, unit: str) -> float:
    symbol = _ending(text, quantity)
    number = text[: len(text) - len(symbol)].rstrip()
    if not _NUMBER.fullmatch(number):
        raise ValueError(text)
    size = quantity.units[symbol or unit]
    return read_quantity(number, replace(quantity, units={unit: size}))


def _ending(text: str, quantity: Quantity) -> str:
    """The unit that a text ends with, in the same case if possible; empty if there is none."""
    longest_first = sorted(quantity.units, key=len, reverse=True)
    exact = (symbol for symbol in longest_first if text.endswith(symbol))
    similar = (symbol for symbol in longest_first if text.lower().endswith(symbol.lower()))
    return next(exact, None) or next(similar, "")
