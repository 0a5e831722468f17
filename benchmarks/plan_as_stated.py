"""The two-stage program as a reader of the publication would write it, in cvxpy.

It is slow and plain. Tests hold the fast ways against it.
"""

import math
from collections.abc import Mapping
from typing import Any

import cvxpy
import numpy as np

from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.futures.uncertainty import Scenarios
from core.capabilities.provision.objectives import PlanObjective
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.second_stages import Weights


def decide_as_stated(
    plan: Plan,
    scenarios: Scenarios,
    weights: Weights,
    on_means: Mapping[PlanObjective, float] | None = None,
) -> tuple[Purchase, float]:
    """The best purchase and its value; (nothing, -infinity) if no purchase keeps all limits.

    `on_means` are limits on means over the scenarios, of the reward from below.
    """
    cp: Any = cvxpy  # its types do not name what it offers
    types, limits = len(plan.offers), plan.limits
    buy, sell = cp.Variable(types, nonneg=True), cp.Variable(types, nonneg=True)
    counts = plan.counts + buy - sell
    cost = plan.prices @ buy - plan.resales @ sell
    kept = [cost <= limits.budget, counts >= plan.least, sell <= plan.counts]
    kept += [counts[j] <= plan.most[j] for j in np.flatnonzero(np.isfinite(plan.most))]
    kept.append(cp.sum(counts) >= limits.least_machines)
    if limits.most_machines < math.inf:
        kept.append(cp.sum(counts) <= limits.most_machines)
    kept += [
        rule.of_buy @ buy + rule.of_sell @ sell + rule.of_counts @ counts <= rule.most
        for rule in plan.rules
    ]
    idle = plan.idle_powers @ counts
    if limits.power < math.inf:
        kept.append(idle <= limits.power)
    worths = []
    sums: dict[PlanObjective, Any] = dict.fromkeys(("reward", "failures", "power"), 0.0)
    for k in range(len(scenarios)):
        times = scenarios.times[min(k, len(scenarios.times) - 1)]
        rates = np.where(np.isfinite(times), 1 / times, 0.0)
        busy = cp.Variable(times.shape, nonneg=True)
        kept.append(cp.multiply(busy, ~np.isfinite(times)) == 0)
        kept.append(cp.sum(cp.multiply(busy, rates), axis=1) <= scenarios.arrivals[k])
        kept.append(cp.sum(busy, axis=0) <= counts)
        reward = cp.sum(cp.multiply(busy, rates * plan.rewards[:, None]))
        failures = cp.sum(busy @ plan.failure_rates)
        sums["reward"], sums["failures"] = sums["reward"] + reward, sums["failures"] + failures
        worth = weights.reward * reward - weights.failures * failures
        if limits.failure_rate < math.inf:
            kept.append(failures <= limits.failure_rate)
        if scenarios.powers is not None:
            powers = scenarios.powers[min(k, len(scenarios.powers) - 1)]
            power = cp.sum(cp.multiply(busy, np.where(np.isfinite(times), powers, 0.0))) + idle
            sums["power"] = sums["power"] + power
            worth -= weights.power * power
            if limits.power < math.inf:
                kept.append(power <= limits.power)
        worths.append(worth)
    for name, limit in (on_means or {}).items():
        most = len(scenarios) * limit
        kept.append(sums[name] >= most if name == "reward" else sums[name] <= most)
    value = (1 - weights.caution) * sum(worths) / len(scenarios) - weights.cost * cost
    if weights.caution:
        # Rockafellar and Uryasev (2000): the mean of the worst is the most that this can be.
        threshold, below = cp.Variable(), cp.Variable(len(scenarios), nonneg=True)
        kept += [below[k] >= threshold - worth for k, worth in enumerate(worths)]
        share = weights.worst * len(scenarios)
        value += weights.caution * (threshold - cp.sum(below) / share)
    problem = cp.Problem(cp.Maximize(value), kept)
    problem.solve(solver=cp.HIGHS)
    if problem.status != cp.OPTIMAL:
        nothing = np.zeros(types)
        return Purchase(nothing, nothing, plan.counts, 0.0), -math.inf
    bought, sold = np.asarray(buy.value), np.asarray(sell.value)
    return (
        Purchase(
            bought,
            sold,
            plan.counts + bought - sold,
            float(plan.prices @ bought - plan.resales @ sold),
        ),
        float(problem.value),
    )
