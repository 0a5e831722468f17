"""What is said of the best purchase for another goal than the most reward."""

import math
from collections.abc import Iterator

import numpy as np

from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.goals.answer import GoalAnswer, as_data
from core.capabilities.provision.goals.words import (
    CHEAPEST,
    bound_said,
    for_mean_said,
    goal_said,
    mean_said,
    price_said,
)
from core.capabilities.provision.objectives import OBJECTIVES
from core.capabilities.provision.words import (
    IN_PARTS,
    cost_figure,
    drawn_said,
    in_total,
    operations_said,
    purchase_said,
    running_figures,
)
from core.shells.told.told import KeyFigure, Told, ToldTable
from core.vocabulary.arrays import FloatArray
from core.vocabulary.intervals import Interval
from core.vocabulary.say.words import as_sentence

_NOUNS = {
    "reward": "Expected reward",
    "cost": "Expected reward",
    "failures": "Mean failures",
    "power": "Mean power",
}


def told(answer: GoalAnswer) -> Told:
    """What to do, what it leads to, and what the limits cost."""
    found, objective = answer.found, answer.found.goal.objective
    what = in_total(answer.file.plan, found.purchase, answer.file.currency)
    reached = "reward" if objective == "cost" else objective
    mean = mean_said(reached, found.means[reached], answer.rate)
    return Told(
        lead=f"{what}. {_NOUNS[objective]}: {mean}.",
        sentences=tuple(_sentences(answer)),
        figures=tuple(_figures(answer)),
        tables=(_means(answer),),
        data=as_data(answer),
    )


def _sentences(answer: GoalAnswer) -> Iterator[str]:
    """The goal, the purchase by type, how sure it is, what limits cost, what comes of planning for
    the mean future, and how ties are broken.
    """
    file, found, rate = answer.file, answer.found, answer.rate
    yield f"Sought: {goal_said(found.goal, rate)}."
    if (found.purchase.buy + found.purchase.sell).any():
        yield as_sentence(purchase_said(file.plan, found.purchase))
    yield f"Decided and rated on {drawn_said(file.scenarios)}: {bound_said(found)}."
    if file.operations is not None:
        yield f"Times are made of operations: {operations_said(file.operations)}."
    for name in found.goal.limits:
        yield price_said(found, name, rate)
    if answer.for_mean is None:
        yield "If everything were as on average, no purchase would keep the limits."
    else:
        alone, others = answer.for_mean
        means = dict(zip(OBJECTIVES, np.mean(others, axis=0).tolist(), strict=True))
        yield for_mean_said(alone.purchase.cost, means, found.goal, rate)
    if found.goal.objective != "cost":
        yield CHEAPEST
    yield IN_PARTS


def _figures(answer: GoalAnswer) -> Iterator[KeyFigure]:
    """The means of all four objectives."""
    found, rate = answer.found, answer.rate
    reward = Interval.of_sets(found.each[:, 0], answer.sets)
    yield cost_figure(answer.file.plan, found.purchase, answer.file.currency)
    yield KeyFigure(
        "Expected reward",
        rate.said(found.means["reward"]),
        f"{rate.said(reward.mean, reward.half_width)}, with 95 % confidence. In scenarios that it "
        f"was not chosen for it is {rate.said(answer.fresh['reward'].mean)}, in the mean future "
        f"alone {rate.said(answer.believed)}.",
    )
    watts = found.means["power"]
    yield from running_figures(None if math.isnan(watts) else watts, found.means["failures"], rate)


def _means(answer: GoalAnswer) -> ToldTable:
    """The means of the purchase, beside those of the purchase for the mean future alone."""
    rows = [_row(answer, "This goal", answer.found.purchase, answer.found.each)]
    if answer.for_mean is not None:
        alone, each = answer.for_mean
        rows.append(_row(answer, "Mean future", alone.purchase, each))
    head = ("Purchase", "Reward", "Cost", "Failures", "Power", "")
    return ToldTable("What it leads to, on average", head, tuple(rows), marked=0)


def _row(answer: GoalAnswer, title: str, purchase: Purchase, each: FloatArray) -> tuple[str, ...]:
    means = zip(OBJECTIVES, np.mean(each, axis=0).tolist(), strict=True)
    said = (mean_said(name, mean, answer.rate) for name, mean in means)
    return (title, *said, purchase_said(answer.file.plan, purchase))
