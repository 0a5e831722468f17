"""Worth at other energy budgets."""

from typing import Final

import plotly.graph_objects as go

from core.capabilities.arrivals.labels import policy_label
from core.vocabulary.say.means import share_within
from core.vocabulary.say.words import Sense, share
from dashboard.parts.charts.bars import whiskers
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import OTHERS, dash, distinct, symbol
from dashboard.screens.arrivals.budgets import STEPS, BudgetScores

_BUDGETS_HEIGHT: Final = 400


def budgets_said(scores: BudgetScores) -> str:
    """Which policy earns most at the least budget, and at the largest, as far as that is known."""
    said = []
    for step in (STEPS[0], STEPS[-1]):
        found = [(scores.of(one, step), one) for one in scores.found.compared.question.policies]
        earned = [(one, policy) for one, policy in found if one is not None]
        if earned:
            best, policy = max(earned, key=lambda pair: pair[0].mean)
            said.append(
                f"At {share(step, Sense.TYPED)}, {policy_label(policy)} earns most: "
                f"{share_within(best)}."
            )
    return " ".join(said)


def budgets_figure(scores: BudgetScores) -> go.Figure:
    """A line for each policy, as far as results are there; the present budget is marked."""
    drawing = Drawing()
    for rank, policy in enumerate(scores.found.compared.question.policies):
        there = [(step, one) for step in STEPS if (one := scores.of(policy, step)) is not None]
        sides = [
            (100 * below, 100 * above) for below, above in (one.sides(0.0) for _, one in there)
        ]
        drawing.add_scatter(
            x=[100 * step for step, _ in there],
            y=[100 * one.mean for _, one in there],
            mode="lines+markers",
            name=policy_label(policy),
            line={"color": distinct(rank), "width": 2, "dash": dash(rank)},
            marker={"size": 7, "symbol": symbol(rank)},
            error_y=whiskers(sides, visible=any(map(any, sides)), thickness=1),
            customdata=[
                f"{policy_label(policy)}, budget {share(step, Sense.TYPED)}: {share_within(one)}"
                for step, one in there
            ],
        )
    if (now := scores.found.settings.budget) is not None:
        drawing.mark(100 * now, "now", OTHERS)
    drawing.x_axis(
        "Energy budget (% of what jobs take without one)",
        range=[100 * STEPS[0] - 3, 100 * STEPS[-1] + 3],
    )
    drawing.y_axis("Worth (% of that without waiting)", rangemode="tozero")
    return drawing.figure(_BUDGETS_HEIGHT, above=64, showlegend=True)
