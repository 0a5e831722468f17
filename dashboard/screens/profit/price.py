"""The price of a batch as a profit ratio or as money, and how to convert one to the other."""

import math
from dataclasses import replace
from typing import Final

from core.capabilities.profit.settings import RATIO, PriceBasis, ProfitSettings
from core.vocabulary.say.words import Sense, rounded

_DIGITS: Final = 12


def told_by(settings: ProfitSettings, by: PriceBasis, unit_price: float) -> ProfitSettings:
    """The same price, set by `by`. Unchanged if no allowed ratio gives this price."""
    if by == settings.by:
        return settings
    if by == "bag":
        return replace(settings, by="bag", price=settings.ratio * unit_price)
    ratio = ratio_of(settings.price, unit_price)
    return settings if ratio is None else replace(settings, by="ratio", ratio=ratio)


def ratio_of(price: float, unit_price: float) -> float | None:
    """The ratio that gives a price: exactly the typed one if it has few digits. None if it is not
    an allowed ratio.
    """
    if not unit_price > 0 or not math.isfinite(price / unit_price):
        return None
    found = price / unit_price
    # A typed ratio has few digits.
    few = rounded(found, Sense.PLAIN, _DIGITS)
    ratio = few if few * unit_price == price else found
    return ratio if ratio in RATIO else None
