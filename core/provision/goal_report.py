"""The part of the report for another goal than the most reward."""

from html import escape

import numpy as np

from core.model.arrays import FloatArray
from core.model.problems import InvalidInput
from core.model.tolerances import GOAL_GAP
from core.provision.first_stage import Purchase
from core.provision.goal import Goal
from core.provision.goal_answer import GoalAnswer, find_goal, sentences
from core.provision.goal_words import bound_said, goal_said, mean_said
from core.provision.objectives import OBJECTIVES
from core.provision.plan_file import PlanFile
from core.provision.words import RewardRate, cost_said, machines, purchase_said
from core.report import markup
from core.say.words import counted

_MOST_TYPES = 40


def goal_part(file: PlanFile, goal: Goal) -> str:
    """What to buy for a goal, what it leads to, and the purchase for the mean future beside it; or
    why no purchase keeps the limits.
    """
    try:
        answer = find_goal(file, goal, gap=GOAL_GAP)
    except InvalidInput as refused:
        lead = markup.paragraph("No purchase keeps all limits.", "lead")
        return lead + markup.items(fault.message for fault in refused.problems)
    found, rate = answer.found, RewardRate(file.rate_unit, file.currency)
    done = purchase_said(file.plan, found.purchase)
    lead = f"{done[0].upper()}{done[1:]}. It {cost_said(found.purchase.cost, file.currency)}."
    asked = file.scenarios
    drawn = f"{counted(asked.count, 'scenario')} ({asked.points}, seed {asked.seed})"
    said = [
        f"Sought: {goal_said(goal, rate)}.",
        f"Decided and rated on {drawn}; {bound_said(found)}.",
        *sentences(answer),
    ]
    return "".join(
        [
            markup.paragraph(lead, "lead"),
            markup.items(said),
            "<h3>What it leads to, on average</h3>",
            _means(answer, rate),
            "<h3>Machines to buy, and with a minus to sell</h3>",
            _purchases(answer),
        ]
    )


def _ways(answer: GoalAnswer) -> dict[str, tuple[Purchase, FloatArray]]:
    """The purchases with their objectives, by title."""
    ways = {"this goal": (answer.found.purchase, answer.found.each)}
    if answer.for_mean is not None:
        alone, each = answer.for_mean
        ways["mean future"] = (alone.purchase, each)
    return ways


def _means(answer: GoalAnswer, rate: RewardRate) -> str:
    """A line a purchase, with the means of all objectives."""
    rows = [
        [
            title,
            *(
                escape(mean_said(name, mean, rate))
                for name, mean in zip(OBJECTIVES, np.mean(each, axis=0).tolist(), strict=True)
            ),
        ]
        for title, (_, each) in _ways(answer).items()
    ]
    return markup.table(["Purchase", "Reward", "Cost", "Failures", "Power"], rows, marked=0)


def _purchases(answer: GoalAnswer) -> str:
    """The shopping lists by machine type; sales have a minus."""
    ways, offers = _ways(answer), answer.file.offers
    rows = [
        [
            markup.name(offer.name),
            machines(offer.count),
            *(machines(float(one.buy[j] - one.sell[j])) for one, _ in ways.values()),
        ]
        for j, offer in enumerate(offers[:_MOST_TYPES])
    ]
    more = len(offers) - len(rows)
    left_out = f"Left out: {counted(more, 'more machine type')}."
    table = markup.table(["Machine type", "Now", *ways], rows)
    return table + (markup.paragraph(left_out, "quiet") if more else "")
