"""The limits of a plan that a purchase reaches."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.capabilities.provision.comparison import Comparison
from core.capabilities.provision.plan import Plan
from core.vocabulary.say.words import Sense, share
from core.vocabulary.tolerances import METHODS_AGREE

_NEAR: Final = 1e-3
"""A smaller share of the budget is not left: of what is as good, the cheapest is bought."""


@dataclass(frozen=True, slots=True)
class ReachedLimit:
    """A limit by its name in files; of a machine type or a rule, and in a share of scenarios."""

    limit: str
    of: str = ""
    scenarios: float = 1.0

    def __str__(self) -> str:
        noun = _NOUNS.get(self.limit, f"{self.limit} of {self.of}")
        if self.scenarios < 1:
            return f"{noun} in {share(self.scenarios, Sense.PLAIN)} of the scenarios"
        return noun if self.limit != "rules" else f'the rule "{self.of}"'


_NOUNS = {
    "budget": "the budget",
    "min_machines": "the least number of machines",
    "max_machines": "the largest number of machines",
    "failure_rate": "failures",
    "power": "power",
}


def reached_limits(plan: Plan, found: Comparison) -> tuple[ReachedLimit, ...]:
    """The limits that leave the two-stage purchase no room: where machines are whole, not for one
    machine more.
    """
    return tuple(_reached(plan, found))


def reached_said(plan: Plan, found: Comparison) -> str:
    """The same in words: "the budget, and power in 12 % of the scenarios"; "none" if there is
    none.
    """
    said = [str(one) for one in reached_limits(plan, found)]
    return " and ".join(filter(None, [", ".join(said[:-1]), *said[-1:]])) or "none"


def _reached(plan: Plan, found: Comparison) -> Iterator[ReachedLimit]:
    best, limits = found.outcomes["rp"], plan.limits
    counts, cost = best.purchase.counts, best.purchase.cost
    whole = found.decision.in_parts is not None
    near = METHODS_AGREE * max(float(counts.max(initial=0.0)), 1.0)
    step = 1.0 - near if whole else near
    room = np.where(counts + step <= plan.most, plan.prices, math.inf)
    one_more = float(room.min()) if whole and np.isfinite(room).any() else 0.0
    if limits.budget - cost < max(one_more, _NEAR * abs(limits.budget), METHODS_AGREE):
        yield ReachedLimit("budget")
    if limits.least_machines > 0 and counts.sum() <= limits.least_machines + near:
        yield ReachedLimit("min_machines")
    if counts.sum() + step > limits.most_machines:
        yield ReachedLimit("max_machines")
    for offer, count in zip(plan.offers, counts.tolist(), strict=True):
        if offer.least > 0 and count <= offer.least + near:
            yield ReachedLimit("min", offer.name)
        if count + step > offer.most:
            yield ReachedLimit("max", offer.name)
    for text in dict.fromkeys(rule.text for rule in plan.rules):
        rows = [rule for rule in plan.rules if rule.text == text]
        sides = [
            rule.of_buy @ best.purchase.buy
            + rule.of_sell @ best.purchase.sell
            + rule.of_counts @ counts
            for rule in rows
        ]
        if any(side >= rule.most - near for side, rule in zip(sides, rows, strict=True)):
            yield ReachedLimit("rules", text)
    at_limit = dict(best.at_limit)
    if plan.idle_powers @ counts >= (1 - METHODS_AGREE) * limits.power:
        at_limit["power"] = 1.0
    for limit, scenarios in at_limit.items():
        yield ReachedLimit(limit, scenarios=scenarios)
