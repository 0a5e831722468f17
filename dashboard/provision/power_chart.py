"""Reward against power: the front with ellipses, and all that is possible."""

from typing import Final

import plotly.graph_objects as go

from core.provision.words import RewardRate
from core.say.words import Sense, amount, power
from dashboard.common.drawing import Drawing
from dashboard.common.palette import BOUND, CHOSEN, FEASIBLE, OURS
from dashboard.common.text import plain
from dashboard.provision.answer import ProvisionAnswer
from dashboard.provision.looks import LOOKS, TITLES
from dashboard.provision.power import RewardPower
from dashboard.provision.words import rate

_HEIGHT: Final = 420
_KILO: Final = 1e-3


def power_figure(found: RewardPower, answer: ProvisionAnswer) -> go.Figure:
    """Power is to the right, reward is up: the best corner is at the top left."""
    drawing, inputs = Drawing(), answer.asked.inputs
    unit = inputs.rate_seconds
    if len(found.possible):
        drawing.add_scatter(
            x=_KILO * found.possible[:, 1],
            y=unit * found.possible[:, 0],
            mode="lines",
            fill="toself",
            fillcolor=FEASIBLE,
            line={"width": 0},
            name="Possible on average",
            hoverinfo="skip",
        )
    for number, outline in enumerate(found.regions):
        drawing.add_scatter(
            x=_KILO * outline[:, 1],
            y=unit * outline[:, 0],
            mode="lines",
            line={"color": BOUND, "width": 1},
            name="95 % region of a mean",
            legendgroup="region",
            showlegend=number == 0,
            hoverinfo="skip",
        )
    drawing.add_scatter(
        x=_KILO * found.front[:, 1],
        y=unit * found.front[:, 0],
        mode="lines+markers",
        line={"color": OURS, "width": 2},
        marker={"size": 8},
        name="Front",
        customdata=[
            f"{rate(reward, inputs)}, {power(watts, Sense.SPENT)}, "
            f"{amount(point.purchase.cost, Sense.SPENT, plain(inputs.currency))}"
            for (reward, watts), point in zip(found.front.tolist(), found.points, strict=True)
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )
    for method, one in answer.outcomes.items():
        if one.power is None:
            continue
        marker = {**LOOKS[method].marker, "size": 10}
        if method == "rp":
            marker["color"] = CHOSEN
        drawing.add_scatter(
            x=[_KILO * one.power],
            y=[unit * one.reward],
            mode="markers",
            marker=marker,
            name=TITLES[method],
            customdata=[
                f"{TITLES[method]}: {rate(one.reward, inputs)}, {power(one.power, Sense.SPENT)}"
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    drawing.x_axis("Mean power (kW)")
    drawing.y_axis(f"Expected reward ({RewardRate(inputs.rate_unit).every})")
    return drawing.figure(_HEIGHT, above=64)
