"""Sentences on a plan that the command, the page and the report share."""

import math
from collections.abc import Iterable
from typing import Final

import numpy as np

from core.model.arrays import FloatArray
from core.model.tolerances import METHODS_AGREE
from core.provision.comparison import Comparison, Outcome
from core.provision.plan import Plan
from core.provision.two_stage import Decision, Purchase
from core.say.words import Sense, amount, settled, share

METHODS: Final = {
    "rp": "two-stage",
    "mvp": "for the mean future",
    "ws": "wait and see",
    "h1": "fastest type",
    "h2": "fastest for its price",
    "h3": "earns most for its price",
}
"""The ways to choose, by their short names, which are those of the publication."""

_LEAST_CHANGE: Final = METHODS_AGREE
"""A change of so few machines, as a share of all that change, is rounding."""


def machines_said(names: Iterable[str], counts: FloatArray) -> str:
    """Counts of machines with their types, the most first: "74 M8, 13 M6 and 4.3 M3"."""
    least = _LEAST_CHANGE * max(float(counts.sum()), 1.0)
    found = sorted(
        ((count, name) for count, name in zip(counts.tolist(), names, strict=True)),
        key=lambda pair: -pair[0],
    )
    said = [f"{amount(count, Sense.PLAIN)} {name}" for count, name in found if count > least]
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


def purchase_said(plan: Plan, purchase: Purchase) -> str:
    """What to buy and to sell: "buy 1.882 M1 and 1.618 M3, sell 2 M5"."""
    names = [offer.name for offer in plan.offers]
    bought, sold = machines_said(names, purchase.buy), machines_said(names, purchase.sell)
    parts = [f"buy {bought}"] if bought else []
    parts += [f"sell {sold}"] if sold else []
    return ", ".join(parts) or "buy and sell nothing"


def cost_said(cost: float, currency: str) -> str:
    """What a change costs, or brings."""
    if settled(cost, 1.0) < 0:
        return f"brings {amount(-cost, Sense.EARNED, currency)}"
    return f"costs {amount(cost, Sense.SPENT, currency)}"


def reward_said(reward: float, half_width: float = math.inf) -> str:
    """A mean reward a second, with half of the width of its interval: "1.235 ± 0.011 a second"."""
    if not math.isfinite(half_width):
        return f"{amount(reward, Sense.PLAIN)} a second"
    within = amount(half_width, Sense.SPENT, digits=2)
    return f"{amount(reward, Sense.PLAIN)} ± {within} a second"


def evpi_said(found: Comparison) -> str:
    """The expected value of perfect information, in a sentence."""
    worth = max(settled(found.evpi, abs(found.decision.upper)), 0.0)
    if worth <= METHODS_AGREE * abs(found.decision.upper):
        return "Knowing the future before buying would add nothing (EVPI 0)."
    rate = amount(worth, Sense.PLAIN)
    return (
        f"Knowing the future before buying would add {rate} a second (EVPI, "
        f"{share(worth / abs(found.outcomes['rp'].value or 1.0), Sense.PLAIN)})."
    )


def vss_said(found: Comparison) -> str:
    """The value of the stochastic solution, in a sentence."""
    base = found.outcomes["mvp"].value
    worth = max(settled(found.vss, abs(found.decision.upper)), 0.0)
    if worth <= METHODS_AGREE * abs(found.decision.upper):
        return "Planning for the mean future alone would lose nothing (VSS 0)."
    return (
        f"Planning for the mean future alone would lose {amount(worth, Sense.PLAIN)} a second "
        f"(VSS, {share(worth / abs(base or 1.0), Sense.PLAIN)} of what it reaches)."
    )


def gap_said(decision: Decision) -> str:
    """How much better any purchase could be for the same scenarios."""
    if decision.gap <= METHODS_AGREE:
        return "no purchase is better for these scenarios (proven)"
    return (
        f"no purchase is more than {share(decision.gap, Sense.UPPER_BOUND)} better for these "
        "scenarios (proven)"
    )


def belief_said(outcome: Outcome) -> str:
    """What a purchase earns in the mean future, which planners believe who look at it alone."""
    return amount(outcome.believed, Sense.PLAIN)


TIES: Final = "Of purchases that are equally good, the cheapest is chosen."


def improvements(found: Comparison, rival: str) -> FloatArray:
    """How much more the two-stage purchase earns than a rival's in each scenario, as a share of
    what the rival's earns; NaN where that is nothing.
    """
    ours, theirs = found.outcomes["rp"].values, found.outcomes[rival].values
    return np.divide(ours - theirs, theirs, out=np.full_like(ours, np.nan), where=theirs > 0)
