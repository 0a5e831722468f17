"""How people choose machines without a model: one type, and as many of it as can be had."""

import math
from collections.abc import Mapping
from typing import Final

import numpy as np

from core.capabilities.provision.first_stage import FirstStage, Purchase, keeps_limits
from core.capabilities.provision.plan import Plan
from core.engines.lp.program import Infeasible
from core.vocabulary.tolerances import WHOLE

RULES: Final[Mapping[str, str]] = {
    "h1": "the fastest machine type",
    "h2": "the fastest machine type for its price",
    "h3": "the machine type that earns most for its price",
}
"""What each rule of thumb buys."""


def by_rule(plan: Plan, rule: str, *, whole: bool = False) -> Purchase:
    """As many machines of one type as all limits allow that a purchase must keep; where nothing
    limits it, as many as the mean arrivals could keep busy. The number need not be whole, unless
    `whole` machines are asked for; then it is rounded down.

    Machines that there are stay. Only where limits would not be kept (least counts, rules that ask
    for other machines, a budget below 0) others are bought or sold, as few as possible. Raises
    `Infeasible` if no purchase keeps all limits.
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
    alone = Purchase(buy, 0 * buy, plan.counts + buy, float(buy @ plan.prices))
    if keeps_limits(plan, alone):
        return alone
    return _with_others(plan, chosen, whole=whole)


def _with_others(plan: Plan, chosen: int, *, whole: bool) -> Purchase:
    """As many of one type as limits allow, with the fewest others that are bought; others are sold
    only if there is no other way. More than work keeps busy are bought only as far as limits ask
    for them.
    """
    most = max(_most(plan, chosen), _kept_busy(plan, chosen))
    for for_sale in (np.zeros(len(plan.offers)), plan.counts):
        stage = FirstStage(plan, whole=whole)
        of_one = np.array([stage.buy[chosen], stage.sell[chosen]])
        stage.program.set_column_bounds(stage.sell, 0.0, for_sale)
        stage.program.set_costs(of_one, np.array([1.0, 0.0]))
        fewest = _found(stage)
        if fewest is None:
            continue
        stage.program.set_column_bounds(of_one[:1], 0.0, max(most, fewest.buy[chosen]))
        stage.program.set_costs(of_one, np.array([-1.0, 1.0]))
        found = _found(stage) or fewest  # by rounding, there may be none
        least = np.minimum(found.counts, plan.most)[chosen]
        stage.program.set_column_bounds(stage.counts[[chosen]], least, plan.most[chosen])
        stage.program.set_costs(np.hstack([stage.buy, stage.sell]), np.ones(2 * len(plan.offers)))
        return _found(stage) or found
    raise Infeasible


def _found(stage: FirstStage) -> Purchase | None:
    """The best purchase; None if none keeps all limits."""
    try:
        return stage.purchase(stage.program.minimise(feasible=False).values)
    except Infeasible:
        return None


def _most(plan: Plan, machine: int) -> float:
    """How many machines of a type can be added, and nothing else."""
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
    return _kept_busy(plan, machine)


def _kept_busy(plan: Plan, machine: int) -> float:
    """How many machines of a type the mean arrivals could keep busy."""
    runs = np.isfinite(plan.times[:, machine])
    return float(plan.arrival_rates[runs] @ plan.times[runs, machine])
