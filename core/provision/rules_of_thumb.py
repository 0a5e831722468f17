"""How people choose machines without a model: one type, and as many of it as can be had."""

import math
from collections.abc import Mapping
from typing import Final

import numpy as np

from core.model.tolerances import WHOLE
from core.provision.first_stage import Purchase
from core.provision.plan import Plan

RULES: Final[Mapping[str, str]] = {
    "h1": "the fastest machine type",
    "h2": "the fastest machine type for its price",
    "h3": "the machine type that earns most for its price",
}
"""What each rule of thumb buys."""


def by_rule(plan: Plan, rule: str, *, whole: bool = False) -> Purchase:
    """As many machines of one type as the budget, the counts and the power of idle machines allow;
    nothing is sold. Machines that there are stay. The number of new ones need not be whole, unless
    `whole` machines are asked for; then it is rounded down. Where
    nothing limits it, as many as the mean arrivals could keep busy. Least counts are not kept, nor
    rules of the administrator that ask for other machines.
    """
    rates = np.where(np.isfinite(plan.times), 1 / plan.times, 0.0)
    if rule == "h3":
        rates = rates * (plan.arrival_rates * plan.rewards)[:, None]
    score = rates.sum(axis=0)
    if rule != "h1":
        free = np.where(score > 0, np.inf, 0.0)
        score = np.divide(score, plan.prices, where=plan.prices > 0, out=free)
    chosen = int(score.argmax())
    buy = np.zeros(len(plan.offers))
    most = max(_most(plan, chosen), 0.0)
    buy[chosen] = math.floor(most + WHOLE) if whole else most
    return Purchase(buy, 0 * buy, plan.counts + buy, float(buy @ plan.prices))


def _most(plan: Plan, machine: int) -> float:
    """How many machines of a type can be added."""
    limits, idle = plan.limits, plan.idle_powers
    room = [
        (limits.budget, plan.prices[machine]),
        (plan.most[machine] - plan.counts[machine], 1.0),
        (limits.most_machines - plan.counts.sum(), 1.0),
        (limits.power - float(idle @ plan.counts), idle[machine]),
    ]
    for rule in plan.rules:
        left = rule.most - float(rule.of_counts @ plan.counts)
        room.append((left, rule.of_buy[machine] + rule.of_counts[machine]))
    most = min(float(left / each) for left, each in room if each > 0)
    if most < math.inf:
        return most
    runs = np.isfinite(plan.times[:, machine])
    return float(plan.arrival_rates[runs] @ plan.times[runs, machine])
