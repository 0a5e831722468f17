"""Ways to choose machines beside each other, on the same futures.

With a reward to maximise, knowing the future is worth most, and the mean future least:

    wait and see >= two-stage >= the purchase for the mean future

The first difference is the expected value of perfect information (EVPI), the second the value of
the stochastic solution (VSS); both are 0 or more. All are means of what is maximised.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from core.capabilities.provision.first_stage import (
    FirstStage,
    Purchase,
    keeps_limits,
    nothing_bought,
)
from core.capabilities.provision.futures.uncertainty import Scenarios, mean_future
from core.capabilities.provision.objectives import objectives_of
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.rules_of_thumb import RULES, by_rule
from core.capabilities.provision.second_stages import SecondStages, Weights
from core.capabilities.provision.two_stage import Decision, FullDecision, SearchProgress, decide
from core.engines.lp.program import Program
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import never
from core.vocabulary.intervals import Interval
from core.vocabulary.say.words import settled
from core.vocabulary.tolerances import METHODS_AGREE


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a purchase leads to: `values` of what is maximised, a number a scenario, and the means
    of reward a second, failures a second and watts: of ways to run the tasks that earn the same,
    the one with the least power counts; of these, the one with the fewest failures. `believed` is
    its value in the mean future. The scenarios come in so many `sets` (`Scenarios.sets`).
    """

    purchase: Purchase
    values: FloatArray
    reward: float
    failures: float
    power: float | None
    believed: float
    sets: int = 1
    at_limit: Mapping[str, float] = field(default_factory=dict)
    """The shares of scenarios in which the limits `failure_rate` and `power` are reached."""

    @property
    def value(self) -> float:
        return float(self.values.mean())

    @property
    def interval(self) -> Interval:
        """The interval of the mean value."""
        return Interval.of_sets(self.values, self.sets)

    @property
    def half_width(self) -> float:
        """Half of the width of the interval of the mean value."""
        return self.interval.half_width


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Outcomes by method on the same scenarios, and what knowing the future would be worth.

    `untouched` is what comes if nothing is bought and sold; None if that does not keep all limits.

    Who waits and sees has no one purchase, but one for each scenario: `wait_and_see` is what each
    leads to, and `wait_and_see_cost` the mean of what they cost. These buy machines in parts, even
    where all others buy whole ones.
    """

    outcomes: dict[str, Outcome]
    decision: Decision
    wait_and_see: FloatArray
    wait_and_see_cost: float
    weights: Weights
    untouched: Outcome | None = None

    @property
    def sets(self) -> int:
        """Sets of scenarios that are independent of each other."""
        return self.outcomes["rp"].sets

    @property
    def payback(self) -> float | None:
        """Seconds until the two-stage purchase has earned what it costs, by its reward above that
        of buying nothing; None if it costs nothing, or never does.
        """
        cost = self.outcomes["rp"].purchase.cost
        if self.untouched is None or cost <= 0:
            return None
        more = self.outcomes["rp"].reward - self.untouched.reward
        return cost / more if more > METHODS_AGREE * abs(self.decision.upper) else None

    @property
    def evpi(self) -> float:
        """What knowing the future before the purchase would add. Where machines are whole, that is
        the price of whole machines and what knowing adds to machines in parts.
        """
        known = self.weights.measure(self.wait_and_see)
        return known - self.weights.measure(self.outcomes["rp"].values)

    @property
    def evpi_in_parts(self) -> float:
        """What knowing the future would add if machines need not be whole."""
        return max(self.evpi - self.decision.price_of_whole, 0.0)

    @property
    def vss(self) -> float:
        """What the two-stage purchase has more than that for the mean future."""
        stochastic, mean = self.outcomes["rp"].values, self.outcomes["mvp"].values
        return self.weights.measure(stochastic) - self.weights.measure(mean)


def outcome(stages: SecondStages, purchase: Purchase, means: SecondStages) -> Outcome:
    """What a purchase leads to in the scenarios of `stages`, and in the one of `means`."""
    worth, spent = stages.of(purchase.counts, thrifty=True), stages.spent(purchase)
    each = objectives_of(stages, purchase, worth.busy)
    reward, _, failures, power = each.mean(axis=0).tolist()
    limits = stages.plan.limits
    reached = {
        "failure_rate": each[:, 2] >= (1 - METHODS_AGREE) * limits.failure_rate,
        "power": each[:, 3] >= (1 - METHODS_AGREE) * limits.power,
    }
    return Outcome(
        purchase,
        worth.values - spent,
        reward,
        failures,
        None if stages.powers is None else power,
        float(means.of(purchase.counts).values[0]) - spent,
        stages.sets,
        {name: float(where.mean()) for name, where in reached.items() if where.any()},
    )


def compare(
    plan: Plan,
    scenarios: Scenarios,
    weights: Weights | None = None,
    *,
    gap: float = METHODS_AGREE,
    whole: bool = False,
    should_stop: Callable[[], bool] = never,
    report: Callable[[SearchProgress], None] | None = None,
) -> Comparison:
    """All ways to choose on the same scenarios. `report` is told after every try of the two-stage
    purchase. Raises `Infeasible` and `Cancelled`.
    """
    weights = weights or Weights()
    decision = decide(
        plan, scenarios, weights, gap=gap, whole=whole, should_stop=should_stop, report=report
    )
    return beside_others(decision, gap=gap, whole=whole, should_stop=should_stop)


def beside_others(
    decision: FullDecision,
    *,
    gap: float = METHODS_AGREE,
    whole: bool = False,
    should_stop: Callable[[], bool] = never,
) -> Comparison:
    """A decision beside what other ways choose. Raises `Infeasible` and `Cancelled`."""
    stages = decision.stages
    plan, weights = stages.plan, stages.weights
    future = mean_future(plan)
    for_means = decide(plan, future, weights, gap=gap, whole=whole, should_stop=should_stop)
    purchases = {rule: by_rule(plan, rule, whole=whole) for rule in RULES}
    purchases |= {"mvp": for_means.purchase, "rp": decision.purchase}
    outcomes = {
        method: outcome(stages, purchase, for_means.stages)
        for method, purchase in purchases.items()
    }
    known = stages.wait_and_see()
    cost = settled(float(known.costs.mean()), float(plan.prices.max()))
    nothing, untouched = nothing_bought(plan), None
    if keeps_limits(plan, nothing):
        untouched = outcome(stages, nothing, for_means.stages)
    return Comparison(outcomes, decision.slim, known.values, cost, weights, untouched)


def decide_directly(plan: Plan, scenarios: Scenarios, weights: Weights) -> tuple[Purchase, float]:
    """The best purchase and its value. Raises `Infeasible` and `SolverFailed`."""
    program = Program(solver="ipm", threads=1)
    links = SecondStages(plan, scenarios, weights).add_to(program)
    stage = FirstStage(plan, program=program, of_counts=links)
    own = np.hstack([stage.buy, stage.sell, stage.counts])
    costs = np.hstack([plan.prices, -plan.resales]) * weights.cost
    program.set_costs(own, np.hstack([costs, plan.idle_powers * weights.power]))
    found = program.minimise(feasible=False)
    return stage.purchase(found.values), -found.objective


def compare_directly(
    plan: Plan, scenarios: Scenarios, weights: Weights, *, should_stop: Callable[[], bool] = never
) -> Comparison:
    """`compare` with the program of all scenarios at once, which takes machines in parts."""
    purchase, value = decide_directly(plan, scenarios, weights)
    stages = SecondStages(plan, scenarios, weights)
    worth = stages.of(purchase.counts)
    lower = min(stages.aim(purchase, worth), value)
    decision = FullDecision(purchase, lower, value, 1, stages, worth)
    return beside_others(decision, should_stop=should_stop)
