"""The four objectives of a plan, and the best purchase for weights of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.futures.uncertainty import Scenarios
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.second_stages import SecondStages, Weights
from core.capabilities.provision.two_stage import decide
from core.vocabulary.arrays import FloatArray

PlanObjective = Literal["reward", "cost", "failures", "power"]
OBJECTIVES: Final[tuple[PlanObjective, ...]] = ("reward", "cost", "failures", "power")
"""Reward a second, cost of the change, failures a second, watts. Reward is to be large, the others
small."""
SIGNS: Final = np.array([-1.0, 1.0, 1.0, 1.0])
"""With these signs, all objectives are to be small."""


def objectives_of(stages: SecondStages, purchase: Purchase, busy: FloatArray) -> FloatArray:
    """The four objectives, a line a scenario; power is NaN if the plan has no powers. `busy` is
    that of the purchase's thrifty `MachineWorth`: else power and failures would be those of any way
    to run the tasks that earns as much.
    """
    plan, pairs = stages.plan, stages.pairs
    found = np.full((len(busy), len(OBJECTIVES)), np.nan)
    found[:, 0] = np.einsum("kp,kp->k", busy, plan.rewards[pairs.tasks] / stages.times)
    found[:, 1] = purchase.cost
    found[:, 2] = busy @ plan.failure_rates[pairs.machines]
    if stages.powers is not None:
        idle = float(plan.idle_powers @ purchase.counts)
        found[:, 3] = np.einsum("kp,kp->k", busy, stages.powers) + idle
    return found


def weights_of(shares: FloatArray) -> Weights:
    """The aim that weighs the four objectives, signed by `SIGNS`, by these."""
    return Weights(*(float(share) for share in shares))


@dataclass(frozen=True, slots=True, eq=False)
class WeighedOptimum:
    """The best purchase for `weights` of the objectives, which are signed by `SIGNS`, and the four
    objectives of each scenario, a line each. The weighed sum of means of any other purchase is at
    least `least`, and of this one at most `slack` above it.
    """

    purchase: Purchase
    weights: FloatArray
    each: FloatArray
    least: float
    slack: float

    @property
    def means(self) -> FloatArray:
        """The means of the four objectives, signed: all are to be small."""
        return np.asarray(SIGNS * self.each.mean(axis=0))


def best_for(
    plan: Plan,
    scenarios: Scenarios,
    weights: FloatArray,
    *,
    gap: float,
    should_stop: Callable[[], bool],
) -> WeighedOptimum:
    """The best purchase for weights, to a gap. Of ways to run the tasks that are as good, the one
    with the least power counts. Raises `Infeasible` and `Cancelled`.
    """
    aim = weights_of(weights)
    found = decide(plan, scenarios, aim, gap=gap, should_stop=should_stop)
    each = run_thriftily(found.stages, found.purchase)
    return WeighedOptimum(found.purchase, weights, each, -found.upper, found.upper - found.lower)


def run_thriftily(stages: SecondStages, purchase: Purchase) -> FloatArray:
    """The four objectives of a purchase, a line a scenario; of ways to run the tasks that are worth
    the same, the one with the least power counts.
    """
    return objectives_of(stages, purchase, stages.of(purchase.counts, thrifty=True).busy)
