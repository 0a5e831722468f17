"""The answer of `wattfront provision`, for people and for programs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.model.arrays import FloatArray
from core.provision.comparison import Comparison, Outcome
from core.provision.confidence import Interval, OutOfSample
from core.provision.plan import Plan
from core.provision.plan_file import PlanFile
from core.provision.words import (
    METHODS,
    TIES,
    belief_said,
    cost_said,
    evpi_said,
    gap_said,
    purchase_said,
    reward_said,
    vss_said,
)
from core.say.columns import table
from core.say.words import Sense, amount, counted, duration, share


@dataclass(frozen=True, slots=True, eq=False)
class Provisioning:
    """What was asked and what was found. `in_parts` is the best value if machines need not be
    whole, where whole ones were asked for.
    """

    file: PlanFile
    found: Comparison
    fresh: OutOfSample
    in_parts: float | None
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
            else _outcome_as_data(plan, found.outcomes[method])
            for method in methods
        },
        "vss": found.vss,
        "evpi": found.evpi,
        "gap": found.decision.gap,
        "lower": found.decision.lower,
        "upper": found.decision.upper,
        "scenarios": len(found.wait_and_see),
        "seconds": answer.seconds,
    }


def _outcome_as_data(plan: Plan, outcome: Outcome) -> dict[str, object]:
    return {
        "buy": _by_type(plan, outcome.purchase.buy),
        "sell": _by_type(plan, outcome.purchase.sell),
        "expected_reward": outcome.reward,
        "confidence95": _interval(outcome.values),
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
        "confidence95": _interval(found.wait_and_see),
        "cost": found.wait_and_see_cost,
    }


def _by_type(plan: Plan, counts: FloatArray) -> dict[str, float]:
    return {
        offer.name: count
        for offer, count in zip(plan.offers, counts.tolist(), strict=True)
        if count
    }


def _interval(values: FloatArray) -> list[float] | None:
    found = Interval.of(values)
    return [found.low, found.high] if math.isfinite(found.half_width) else None


def in_words(answer: Provisioning, name: str, methods: Sequence[str]) -> str:
    """The shopping list, what it is worth, and the other ways beside it."""
    file, found = answer.file, answer.found
    chosen, asked = found.outcomes["rp"], file.scenarios
    size = (
        f"{counted(len(file.demands), 'task type')} on {counted(len(file.offers), 'machine type')}"
    )
    budget = amount(file.limits.budget, Sense.PLAIN, file.currency)
    rows = [
        ("plan", f"{size}, budget {budget}"),
        ("futures", f"{counted(asked.count, 'scenario')} ({asked.points}, seed {asked.seed})"),
        ("decision", purchase_said(file.plan, chosen.purchase)),
        ("money", cost_said(chosen.purchase.cost, file.currency)),
        ("reward", f"{reward_said(chosen.reward, chosen.half_width)} on average"),
        ("fresh", f"{_reward_of(answer.fresh)} in other scenarios of the same kind"),
        ("proof", gap_said(found.decision)),
        ("time", duration(answer.seconds, Sense.PLAIN)),
    ]
    if answer.in_parts is not None:
        rows.insert(-1, ("whole", _whole_said(answer.in_parts, found.decision.lower)))
    said = [f"{name}:", table(rows), "", *_methods(answer, methods), ""]
    said += [evpi_said(found), vss_said(found), TIES]
    return "\n".join(said)


def _reward_of(fresh: OutOfSample) -> str:
    reward = fresh.objectives[0]
    return reward_said(reward.mean, reward.half_width)


def _whole_said(in_parts: float, whole: float) -> str:
    lost = max(in_parts - whole, 0.0)
    said = share(lost / abs(in_parts or 1.0), Sense.PLAIN)
    return f"whole machines cost {amount(lost, Sense.PLAIN)} a second of reward ({said})"


def _methods(answer: Provisioning, methods: Sequence[str]) -> list[str]:
    """A line a method, in columns."""
    found, currency = answer.found, answer.file.currency
    lines = [("way to choose", "reward a second", "in the mean future", f"cost ({currency})", "")]
    for method in methods:
        if method == "ws":
            reward, believed = Interval.of(found.wait_and_see), "–"
            cost, said = found.wait_and_see_cost, "another purchase for each scenario"
        else:
            outcome = found.outcomes[method]
            reward, believed = Interval.of(outcome.values), belief_said(outcome)
            cost, said = outcome.purchase.cost, purchase_said(answer.file.plan, outcome.purchase)
        rated = reward_said(reward.mean, reward.half_width).removesuffix(" a second")
        name = f"{METHODS[method]} ({method})"
        lines.append((name, rated, believed, amount(cost, Sense.PLAIN), said))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
