"""The answer of `wattfront provision`, for people and for programs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.model.arrays import FloatArray
from core.model.intervals import Interval
from core.provision.comparison import Comparison, Outcome
from core.provision.confidence import OutOfSample
from core.provision.plan import Plan
from core.provision.plan_file import PlanFile
from core.provision.reached import reached_limits, reached_said
from core.provision.second_stages import Weights
from core.provision.varying import OperationsFound
from core.provision.words import (
    IN_PARTS,
    METHODS,
    TIES,
    TIES_BY,
    TIES_LEFT,
    UNTOUCHED,
    RewardRate,
    caution_said,
    cost_said,
    evpi_said,
    gap_said,
    narrowed_said,
    operations_said,
    purchase_said,
    run_said,
    untouched_said,
    vss_said,
    whole_said,
)
from core.say.columns import table
from core.say.words import NOTHING, Sense, amount, counted, duration

_DECIMALS: Final = 9


@dataclass(frozen=True, slots=True, eq=False)
class Provisioning:
    """What was asked and what was found. `cheapest`: no purchase that is as good costs less."""

    file: PlanFile
    found: Comparison
    fresh: OutOfSample
    cheapest: bool
    seconds: float


def as_data(answer: Provisioning, methods: Sequence[str]) -> dict[str, object]:
    """The answer as data: rewards, failures and power a second and in watts, null where there is
    nothing to say.
    """
    found, plan = answer.found, answer.file.plan
    return {
        **{
            method: _seen_as_data(found)
            if method == "ws"
            else _outcome_as_data(plan, found.outcomes[method], found.weights)
            for method in methods
        },
        "untouched": None
        if found.untouched is None
        else _outcome_as_data(plan, found.untouched, found.weights),
        "payback": found.payback,
        "limits_reached": [
            {"limit": one.limit, "of": one.of or None, "scenarios": one.scenarios}
            for one in reached_limits(plan, found)
        ],
        "vss": found.vss,
        "evpi": found.evpi,
        "gap": found.decision.gap,
        "lower": found.decision.lower,
        "upper": found.decision.upper,
        "caution": found.weights.caution,
        "whole_machines": _whole_as_data(found),
        "ties": [*TIES_BY] if answer.cheapest else [],
        "operations": operations_as_data(answer.file.operations),
        "scenarios": len(found.wait_and_see),
        "seconds": answer.seconds,
    }


def _whole_as_data(found: Comparison) -> dict[str, object] | None:
    """The best value with machines in parts, what is lost because they are whole, and what knowing
    the future would add to machines in parts. `evpi` is the sum of both.
    """
    decision = found.decision
    if decision.in_parts is None:
        return None
    return {
        "in_parts": decision.in_parts,
        "price": decision.price_of_whole,
        "evpi_in_parts": found.evpi_in_parts,
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
        "confidence95": ends(outcome.interval),
        "worst_reward": weights.mean_of_worst(outcome.values),
        "mean_value_reward": outcome.believed,
        "cost": outcome.purchase.cost,
        "power": outcome.power,
        "failure_rate": outcome.failures,
    }


def _seen_as_data(found: Comparison) -> dict[str, object]:
    """Who waits and sees has no one purchase, so only means are there."""
    nothing = dict.fromkeys(("buy", "sell", "mean_value_reward", "power", "failure_rate"))
    return {
        **nothing,
        "expected_reward": float(found.wait_and_see.mean()),
        "confidence95": ends(Interval.of_sets(found.wait_and_see, found.sets)),
        "worst_reward": found.weights.mean_of_worst(found.wait_and_see),
        "cost": found.wait_and_see_cost,
    }


def by_type(plan: Plan, counts: FloatArray) -> dict[str, float]:
    """Numbers of machines, without a solver's rounding."""
    rounded = np.round(counts, _DECIMALS).tolist()
    return {offer.name: count for offer, count in zip(plan.offers, rounded, strict=True) if count}


def ends(found: Interval) -> list[float] | None:
    """The ends of an interval; None if it has no width."""
    return [found.low, found.high] if math.isfinite(found.half_width) else None


def in_words(answer: Provisioning, name: str, methods: Sequence[str]) -> str:
    """The shopping list, what it is worth, and the other ways beside it."""
    file, found = answer.file, answer.found
    chosen, asked = found.outcomes["rp"], file.scenarios
    rate, fresh = RewardRate(file.rate_unit, file.currency), answer.fresh.objectives[0]
    size = (
        f"{counted(len(file.demands), 'task type')} on {counted(len(file.offers), 'machine type')}"
    )
    budget = amount(file.limits.budget, Sense.PLAIN, file.currency)
    rows = [
        ("plan", f"{size}, budget {budget}"),
        ("futures", f"{counted(asked.count, 'scenario')} ({asked.points}, seed {asked.seed})"),
        ("decision", purchase_said(file.plan, chosen.purchase)),
        ("money", cost_said(chosen.purchase.cost, file.currency)),
        ("reward", f"{rate.said(chosen.reward, chosen.half_width)} on average"),
        ("fresh", f"{rate.said(fresh.mean, fresh.half_width)} in other scenarios"),
        *([("running", running)] if (running := run_said(chosen, rate)) else []),
        ("limits", f"{reached_said(file.plan, found)} reached"),
        ("proof", gap_said(found.decision)),
        ("took", duration(answer.seconds, Sense.PLAIN)),
    ]
    if file.operations is not None:
        rows.insert(2, ("operations", operations_said(file.operations)))
    if found.decision.in_parts is not None:
        rows.insert(-1, ("whole", whole_said(found, rate)))
    said = [f"{name}:", table(rows), "", *_methods(answer, methods), ""]
    said += [caution_said(found, rate)] if found.weights.caution else []
    said += [untouched_said(found, rate), evpi_said(found, rate), vss_said(found, rate)]
    said += [TIES if answer.cheapest else TIES_LEFT]
    said += [IN_PARTS] if found.decision.in_parts is None else []
    said += [narrowed] if (narrowed := narrowed_said(file)) else []
    return "\n".join(said)


def _methods(answer: Provisioning, methods: Sequence[str]) -> list[str]:
    """A line a method, in columns."""
    found, currency = answer.found, answer.file.currency
    rate = RewardRate(answer.file.rate_unit, answer.file.currency)
    head = f"reward ({rate.money})"
    lines = [("way to choose", head, "in the mean future", f"cost ({currency})", "")]
    for method in methods:
        if method == "ws":
            reward = Interval.of_sets(found.wait_and_see, found.sets)
            believed = NOTHING
            cost, said = found.wait_and_see_cost, "another purchase for each scenario"
            said += "" if found.decision.in_parts is None else ", in parts"
        else:
            outcome = found.outcomes[method]
            reward, believed = outcome.interval, rate.number(outcome.believed)
            cost, said = outcome.purchase.cost, purchase_said(answer.file.plan, outcome.purchase)
        rated = rate.number(reward.mean, reward.half_width)
        name = f"{METHODS[method]} ({method})"
        lines.append((name, rated, believed, amount(cost, Sense.PLAIN), said))
    if found.untouched is not None and len(methods) > 1:
        nothing = found.untouched
        rated = rate.number(nothing.value, nothing.half_width)
        believed = rate.number(nothing.believed)
        lines.append((UNTOUCHED, rated, believed, amount(0.0, Sense.PLAIN), ""))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
