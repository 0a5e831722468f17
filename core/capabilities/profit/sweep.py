"""The upper bound on profit for whole tasks, and over a range of one quantity."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Literal

import numpy as np

from core.capabilities.profit.program import CapTooLow, ProfitBound, most_profit
from core.capabilities.profit.proof import money_at_cap, most_with_whole_tasks
from core.capabilities.profit.terms import Terms
from core.engines.front.proven import Proven
from core.engines.recover.settling import Settled
from core.engines.relaxed import trace_front
from core.engines.relaxed.whole import are_few
from core.vocabulary.arrays import FloatArray
from core.vocabulary.system import System


def most_of(bound: ProfitBound, system: System, by_money: Settled | None = None) -> float:
    """An upper bound on profit in money a second. `by_money` settles the system with money in place
    of joules and power under the cap at its price.
    """
    most = bound.value
    if by_money is not None or are_few(system):
        most = min(most, _most_at_cap_price(bound, system, bound.cap_price, by_money))
    if bound.cap_price and are_few(system):
        # Any price of the cap proves a bound. That of the divisible optimum may be too high for
        # whole tasks, which may not reach the cap.
        most = min(most, _most_at_cap_price(bound, system, 0.0))
    return most


def _most_at_cap_price(
    bound: ProfitBound, system: System, cap_price: float, by_money: Settled | None = None
) -> float:
    money = money_at_cap(system, bound.terms, cap_price)
    proven = Proven.of(trace_front(money.system), settled=by_money)
    return most_with_whole_tasks(proven, money.unit, system, bound.terms, cap_price)


def most_at_prices(
    divisible: FloatArray, prices: FloatArray, system: System, terms: Terms
) -> FloatArray:
    """The same without a cap, at each price of a batch; `divisible` is the bound there."""
    if not are_few(system):
        return divisible
    money = terms.money(system)
    proven = Proven.of(trace_front(money.system))
    whole = [
        most_with_whole_tasks(proven, money.unit, system, replace(terms, price=price), 0.0)
        for price in prices.tolist()
    ]
    return np.minimum(divisible, whole)


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
    """The bound for whole tasks at each value (money a second); NaN if the cap cannot be kept."""
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
