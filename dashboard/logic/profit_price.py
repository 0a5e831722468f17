"""One price of a batch, told as a ratio or as money: from one to the other without a change."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from core.profit.conditions import RANGES, By, Conditions
from core.words import Sense, rounded

# A ratio that was set by hand has few digits: it is tried before those beside it.
_DIGITS: Final = 12
_NEIGHBOURS: Final = 4


def told_by(conditions: Conditions, by: By, unit_price: float) -> Conditions:
    """The same price told another way; as it is, where no ratio says it."""
    if by == conditions.by:
        return conditions
    if by == "bag":
        return replace(conditions, by="bag", price=conditions.ratio * unit_price)
    ratio = ratio_of(conditions.price, unit_price)
    return conditions if ratio is None else replace(conditions, by="ratio", ratio=ratio)


def ratio_of(price: float, unit_price: float) -> float | None:
    """The ratio that gives a price, to the last digit if there is one that does; None where it is
    no ratio that may be asked for.
    """
    if not unit_price > 0 or not math.isfinite(price / unit_price):
        return None
    found = price / unit_price
    exact = next((one for one in _near(found) if one * unit_price == price), found)
    return exact if exact in RANGES["ratio"] else None


def _near(ratio: float) -> Iterator[float]:
    """The same up to rounding: first with few digits, then as it is, then beside it."""
    yield rounded(ratio, Sense.PLAIN, _DIGITS)
    yield ratio
    above = below = ratio
    for _ in range(_NEIGHBOURS):
        above, below = math.nextafter(above, math.inf), math.nextafter(below, 0.0)
        yield above
        yield below
