"""Lines: what each policy earns over the energy budget."""

from typing import Final

import plotly.graph_objects as go

from core.capabilities.arrivals.words import in_percent, policy_label
from core.vocabulary.say.words import Sense, share
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import OTHERS, distinct
from dashboard.screens.arrivals.budgets import STEPS, BudgetScores

_HEIGHT: Final = 400
_SYMBOLS: Final = ("circle", "square", "diamond", "cross", "triangle-up", "x", "star", "hexagon")
_DASHES: Final = ("solid", "dash", "dot", "dashdot")


def budgets_figure(scores: BudgetScores) -> go.Figure:
    """A line for each policy, as far as results are there; the present budget is marked."""
    drawing = Drawing()
    for rank, policy in enumerate(scores.found.policies):
        there = [(step, one) for step in STEPS if (one := scores.of(policy, step)) is not None]
        sides = [one.sides(0.0) for _, one in there]
        drawing.add_scatter(
            x=[100 * step for step, _ in there],
            y=[100 * one.mean for _, one in there],
            mode="lines+markers",
            name=policy_label(policy),
            line={"color": distinct(rank), "width": 2, "dash": _DASHES[rank % len(_DASHES)]},
            marker={"size": 7, "symbol": _SYMBOLS[rank % len(_SYMBOLS)]},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [100 * above for _, above in sides],
                "arrayminus": [100 * below for below, _ in sides],
                "visible": any(map(any, sides)),
                "thickness": 1,
            },
            customdata=[
                f"{policy_label(policy)}, budget {share(step, Sense.TYPED)}: {in_percent(one)}"
                for step, one in there
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    if (now := scores.found.settings.budget) is not None:
        drawing.add_vline(100 * now, line={"color": OTHERS, "width": 1.5, "dash": "dash"})
        drawing.add_annotation(
            text="now",
            x=100 * now,
            y=0,
            yref="y domain",
            xanchor="left",
            yanchor="bottom",
            xshift=3,
        )
    drawing.x_axis(
        "Energy budget (% of what Max UPR spends without one)",
        range=[100 * STEPS[0] - 3, 100 * STEPS[-1] + 3],
    )
    drawing.y_axis("Worth (% of the published maximum)", rangemode="tozero")
    return drawing.figure(_HEIGHT, above=64, showlegend=True)
