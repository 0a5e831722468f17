"""The best purchase of whole machines by trying them all: what tests compare with.

It shares nothing with the code under test but the plan and its scenarios.
"""

from itertools import product

import numpy as np
from capabilities.provision.by_highs import values_of

_BOTH = 2
"""So many machines of a type may be bought and sold at once, where there are rules."""
_NEAR = 1e-7


def best_whole(plan, scenarios, weights):
    """The best value of whole machines; minus infinity if none keep all limits."""
    worths = {}
    best = -np.inf
    for buy, sell in purchases(plan):
        counts = plan.counts + buy - sell
        key = counts.tobytes()
        if key not in worths:
            worths[key] = _worth(values_of(plan, scenarios, counts, weights), weights)
        spent = weights.cost * (plan.prices @ buy - plan.resales @ sell)
        best = max(best, worths[key] - spent - weights.power * plan.idle_powers @ counts)
    return float(best)


def keeps_limits(plan, buy, sell):
    """Whether a purchase keeps all that binds whatever comes."""
    counts, limits = plan.counts + buy - sell, plan.limits
    return bool(
        plan.prices @ buy - plan.resales @ sell <= limits.budget + _NEAR
        and (counts >= plan.least - _NEAR).all()
        and (counts <= plan.most + _NEAR).all()
        and (sell <= plan.counts + _NEAR).all()
        and limits.least_machines - _NEAR <= counts.sum() <= limits.most_machines + _NEAR
        and plan.idle_powers @ counts <= limits.power + _NEAR
        and all(
            rule.of_buy @ buy + rule.of_sell @ sell + rule.of_counts @ counts <= rule.most + _NEAR
            for rule in plan.rules
        )
    )


def purchases(plan):  # type: ignore[no-untyped-def]
    """All purchases of whole machines that keep all limits."""
    money = plan.limits.budget + float(plan.resales @ plan.counts)
    ranges = [
        [
            (max(change, 0) + both, max(-change, 0) + both)
            for change in range(-int(count), int(min(money / price, most - count)) + 1)
            for both in range(1 + (_BOTH if plan.rules else 0))
        ]
        for count, price, most in zip(plan.counts, plan.prices, plan.most, strict=True)
    ]
    for each in product(*ranges):
        buy, sell = np.array(each, float).T
        if keeps_limits(plan, buy, sell):
            yield buy, sell


def _worth(values, weights):
    """The aim, from its definition."""
    if values is None:
        return -np.inf
    left = weights.worst * len(values)
    shares = np.diff(np.minimum(np.arange(len(values) + 1), left)) / left
    worst = float(np.sort(values) @ shares)
    return (1 - weights.caution) * float(values.mean()) + weights.caution * worst
