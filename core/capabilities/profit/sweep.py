"""Profit over a range of one quantity: price, energy price, cap or idle power."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Literal

import numpy as np

from core.capabilities.profit.program import CapTooLow, ProfitBound, most_profit
from core.capabilities.profit.terms import Terms
from core.capabilities.profit.whole_tasks import most_of
from core.vocabulary.arrays import FloatArray
from core.vocabulary.system import System

SweptQuantity = Literal["price", "energy price", "power cap", "idle power"]

_VARIED: Final[dict[SweptQuantity, Callable[[System, Terms, float], tuple[System, Terms]]]] = {
    "price": lambda system, terms, value: (system, replace(terms, price=value)),
    "energy price": lambda system, terms, value: (system, replace(terms, energy_price=value)),
    "power cap": lambda system, terms, value: (system, replace(terms, power_cap=value)),
    "idle power": lambda system, terms, value: (system.with_idle_fraction(value), terms),
}


def sweep(
    system: System, terms: Terms, quantity: SweptQuantity, values: Sequence[float]
) -> list[ProfitBound | None]:
    """The bound on profit at each value; None where the cap cannot be kept.

    Prices are money for a batch and for a joule, the cap is in watts, idle power is a fraction of
    the mean.
    """
    return [_bound(*_VARIED[quantity](system, terms, value)) for value in values]


def most_swept(
    system: System, terms: Terms, quantity: SweptQuantity, values: Sequence[float]
) -> FloatArray:
    """The upper bound on profit for whole tasks at each value, in money a second; NaN where the cap
    cannot be kept.
    """
    varied = [_VARIED[quantity](system, terms, value) for value in values]
    bounds = [_bound(*each) for each in varied]
    return np.array(
        [
            math.nan if bound is None else most_of(bound, changed)
            for bound, (changed, _) in zip(bounds, varied, strict=True)
        ]
    )


def _bound(system: System, terms: Terms) -> ProfitBound | None:
    try:
        return most_profit(system, terms)
    except CapTooLow:
        return None
