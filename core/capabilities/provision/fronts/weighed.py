"""The best purchase for weights of the four objectives."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.futures.scenarios import Scenarios
from core.capabilities.provision.objectives import SIGNS, objectives_of, weights_of
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.second_stages import SecondStages
from core.capabilities.provision.two_stage import SearchProgress, decide
from core.vocabulary.arrays import FloatArray


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
    report: Callable[[SearchProgress], None] | None = None,
) -> WeighedOptimum:
    """The best purchase for weights, to a gap. Of ways to run the tasks that are as good, the one
    with the least power counts. Raises `Infeasible` and `Cancelled`.
    """
    aim = weights_of(weights)
    found = decide(plan, scenarios, aim, gap=gap, should_stop=should_stop, report=report)
    each = run_thriftily(found.stages, found.purchase)
    return WeighedOptimum(found.purchase, weights, each, -found.upper, found.upper - found.lower)


def run_thriftily(stages: SecondStages, purchase: Purchase) -> FloatArray:
    """The four objectives of a purchase, a line a scenario; of ways to run the tasks that are worth
    the same, the one with the least power counts.
    """
    return objectives_of(stages, purchase, stages.of(purchase.counts, thrifty=True).busy)
