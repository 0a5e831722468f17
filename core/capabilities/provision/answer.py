"""What to buy, as an answer for programs, and the limits of the plan that it reaches."""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.capabilities.provision.comparison import Comparison, Outcome, compare
from core.capabilities.provision.confidence import OutOfSample
from core.capabilities.provision.files.plan_file import PlanFile
from core.capabilities.provision.futures.varying import OperationsFound
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.queue import WeekQueue, week_queue
from core.capabilities.provision.second_stages import Weights
from core.capabilities.provision.settings import PlanAim
from core.capabilities.provision.two_stage import SearchProgress
from core.capabilities.provision.words import DECIDED, UNTOUCHED, RewardRate
from core.vocabulary.arrays import FloatArray
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.budget import never
from core.vocabulary.intervals import Interval
from core.vocabulary.say.words import Sense, joined, share
from core.vocabulary.tolerances import METHODS_AGREE

_DECIMALS: Final = 9


@dataclass(frozen=True, slots=True, eq=False)
class Provisioning:
    """A plan, what to buy by all ways to choose, rated on the same scenarios, and what purchases
    lead to on `fresh` scenarios that they were not chosen for, as far as that is known; and on
    these, what would be earned if each were known (`fresh_known`). `cheapest`: no purchase that is
    as good costs less. It took `seconds`. There is a `queue` if it is known in which hours work
    arrives.
    """

    file: PlanFile
    compared: Comparison
    seconds: float = 0.0
    fresh: Mapping[str, OutOfSample] | None = None
    fresh_known: Interval | None = None
    cheapest: bool = True
    queue: WeekQueue | None = None

    @property
    def plan(self) -> Plan:
        return self.file.plan

    @property
    def rate(self) -> RewardRate:
        """How the rewards of the plan are written."""
        return RewardRate.of(self.file)

    @property
    def outcomes(self) -> dict[str, Outcome]:
        """The outcome of each way to choose one purchase, in the order of charts."""
        return {method: self.compared.outcomes[method] for method in DECIDED}

    @property
    def best(self) -> Outcome:
        """The outcome of the two-stage purchase."""
        return self.compared.outcomes["rp"]

    @property
    def rivals(self) -> dict[str, Outcome]:
        """The outcomes of all other purchases."""
        return {method: one for method, one in self.outcomes.items() if method != "rp"}

    def measure(self, one: Outcome) -> float:
        """What is maximised: the mean reward a second, perhaps with weight on the worst 5 %."""
        return self.compared.weights.measure(one.values)

    def interval(self, method: str = "rp") -> Interval:
        """The expected reward a second, with 95 % confidence: from fresh scenarios once they are
        there, else from those of the answer.
        """
        if self.fresh is not None:
            return self.fresh[method].objectives[0]
        return Interval(self.outcomes[method].value, self.outcomes[method].half_width)

    @property
    def known(self) -> Interval:
        """The expected reward a second if each future were known, on the scenarios of `interval`;
        on those of the answer as long as purchases alone are tried on fresh ones.
        """
        return self.fresh_known or Interval.of_sets(self.compared.wait_and_see, self.compared.sets)

    @property
    def untouched(self) -> Interval | None:
        """The expected reward a second if nothing is bought and sold, on the same scenarios; None
        if that does not keep all limits.
        """
        if self.compared.untouched is None:
            return None
        fresh = (self.fresh or {}).get(UNTOUCHED)
        return self.compared.untouched.interval if fresh is None else fresh.objectives[0]


def decided(
    file: PlanFile,
    aim: PlanAim,
    arrivals: HourlyArrivals | None = None,
    gap: float = METHODS_AGREE,
    *,
    should_stop: Callable[[], bool] = never,
    report: Callable[[SearchProgress], None] | None = None,
) -> Provisioning:
    """What to buy, proven to be within `gap` of the best; nothing is tried on fresh scenarios.
    `report` is told after every try. Raises `Infeasible` and `Cancelled`.
    """
    started = time.perf_counter()
    found = compare(
        file.plan,
        file.sampling.scenarios(file.plan),
        aim.weights,
        gap=gap,
        whole=aim.whole,
        should_stop=should_stop,
        report=report,
    )
    queue = queue_of(file, found, arrivals)
    return Provisioning(file, found, time.perf_counter() - started, queue=queue)


def as_data(answer: Provisioning, methods: Sequence[str]) -> dict[str, object]:
    """The answer as data: rewards and failures a second, power in watts; null if there is none."""
    compared, plan = answer.compared, answer.file.plan
    return {
        **{
            method: _seen_as_data(compared)
            if method == "ws"
            else _outcome_as_data(plan, compared.outcomes[method], compared.weights)
            for method in methods
        },
        "untouched": None
        if compared.untouched is None
        else _outcome_as_data(plan, compared.untouched, compared.weights),
        **({} if answer.queue is None else {"queue": queue_as_data(answer.queue)}),
        "payback": None if answer.file.by_work else compared.payback,
        "limits_reached": [
            {"limit": one.limit, "of": one.of or None, "scenarios": one.scenarios}
            for one in reached_limits(plan, compared)
        ],
        "vss": compared.vss,
        "evpi": compared.evpi,
        "gap": compared.decision.gap,
        "lower": compared.decision.lower,
        "upper": compared.decision.upper,
        "caution": compared.weights.caution,
        "whole_machines": _whole_as_data(compared),
        "ties": ["cost", "machines"] if answer.cheapest else [],
        "operations": operations_as_data(answer.file.operations),
        "scenarios": len(compared.wait_and_see),
        "seconds": answer.seconds,
    }


def queue_as_data(queue: WeekQueue) -> dict[str, object]:
    """The longest queue of the worst day, in seconds; null if it has no end."""
    before, after = (one if math.isfinite(one) else None for one in queue.longest)
    return {"day": queue.day or None, "before": before, "after": after}


def _whole_as_data(compared: Comparison) -> dict[str, object] | None:
    """The best value with machines in parts, what is lost because they are whole, and what knowing
    the future would add to machines in parts. `evpi` is the sum of both.
    """
    decision = compared.decision
    if decision.in_parts is None:
        return None
    return {
        "in_parts": decision.in_parts,
        "price": decision.price_of_whole,
        "evpi_in_parts": compared.evpi_in_parts,
    }


def operations_as_data(found: OperationsFound | None) -> dict[str, object] | None:
    """The numbers of kinds that were tried with the relative errors of times, and the one taken."""
    if found is None:
        return None
    errors = [
        {"kinds": one.kinds, "mean_error": one.mean_error, "worst_error": one.worst_error}
        for one in found.tried
    ]
    return {"kinds": found.taken.kinds, "by_error": found.by_error, "tried": errors}


def _outcome_as_data(plan: Plan, outcome: Outcome, weights: Weights) -> dict[str, object]:
    return {
        "buy": by_type(plan, outcome.purchase.buy),
        "sell": by_type(plan, outcome.purchase.sell),
        "expected_reward": outcome.reward,
        "confidence95": outcome.interval.ends,
        "worst_reward": weights.mean_of_worst(outcome.values),
        "mean_value_reward": outcome.believed,
        "cost": outcome.purchase.cost,
        "power": outcome.power,
        "failure_rate": outcome.failures,
    }


def _seen_as_data(compared: Comparison) -> dict[str, object]:
    """Who waits and sees has no one purchase, so only means are there."""
    nothing = dict.fromkeys(("buy", "sell", "mean_value_reward", "power", "failure_rate"))
    return {
        **nothing,
        "expected_reward": float(compared.wait_and_see.mean()),
        "confidence95": Interval.of_sets(compared.wait_and_see, compared.sets).ends,
        "worst_reward": compared.weights.mean_of_worst(compared.wait_and_see),
        "cost": compared.wait_and_see_cost,
    }


def by_type(plan: Plan, counts: FloatArray) -> dict[str, float]:
    """Numbers of machines, without a solver's rounding."""
    rounded = np.round(counts, _DECIMALS).tolist()
    return {offer.name: count for offer, count in zip(plan.offers, rounded, strict=True) if count}


def queue_of(
    file: PlanFile, found: Comparison, arrivals: HourlyArrivals | None
) -> WeekQueue | None:
    """What the two-stage purchase does to the queue; None if it is not known when tasks arrive."""
    if arrivals is None:
        return None
    profile = arrivals.profile(file.types.task_names)
    return week_queue(file.plan, profile, found.decision.purchase)


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


def reached_limits(plan: Plan, compared: Comparison) -> tuple[ReachedLimit, ...]:
    """The limits that leave the purchase no room: for whole machines, not for one machine more."""
    return tuple(_reached(plan, compared))


def reached_said(plan: Plan, compared: Comparison) -> str:
    """The same in words: "the budget, and power in 12 % of the scenarios"; or "none"."""
    said = [str(one) for one in reached_limits(plan, compared)]
    return joined(said) or "none"


def _reached(plan: Plan, compared: Comparison) -> Iterator[ReachedLimit]:
    best, limits = compared.outcomes["rp"], plan.limits
    counts, cost = best.purchase.counts, best.purchase.cost
    whole = compared.decision.in_parts is not None
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
