"""Two objectives against each other: the front with ellipses, and all that is possible."""

from typing import Final

import plotly.graph_objects as go

from core.capabilities.provision.comparison import Outcome
from core.capabilities.provision.objectives import PlanObjective
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, CHOSEN, FEASIBLE, OURS
from dashboard.parts.charts.text import plain
from dashboard.screens.provision.answer import ProvisionAnswer
from dashboard.screens.provision.front import TwoObjectives, point_said
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.screens.provision.looks import LOOKS, TITLES
from dashboard.screens.provision.words import mean_of

_HEIGHT: Final = 420
_KILO: Final = 1e-3
_WORDS_A_LINE: Final = 8


def two_figure(
    found: TwoObjectives, answer: ProvisionAnswer, picked: int | None = None
) -> go.Figure:
    """The first objective is up, the second to the right. A point that was picked has a ring."""
    drawing, inputs = Drawing(), answer.asked.inputs
    up, right = found.front.names
    across, high = _scale(right, inputs), _scale(up, inputs)
    if len(found.possible):
        drawing.add_scatter(
            x=across * found.possible[:, 1],
            y=high * found.possible[:, 0],
            mode="lines",
            fill="toself",
            fillcolor=FEASIBLE,
            line={"width": 0},
            name="Possible on average",
            hoverinfo="skip",
        )
    for number, outline in enumerate(found.regions):
        drawing.add_scatter(
            x=across * outline[:, 1],
            y=high * outline[:, 0],
            mode="lines",
            line={"color": BOUND, "width": 1},
            name="95 % region of a mean",
            legendgroup="region",
            showlegend=number == 0,
            hoverinfo="skip",
        )
    chain = found.front.chain
    said = [
        "<br>".join(_short(plain(line)) for line in point_said(found, k, answer.plan, inputs))
        for k in range(len(chain))
    ]
    drawing.add_scatter(
        x=across * chain[:, 1],
        y=high * chain[:, 0],
        mode="lines+markers",
        line={"color": OURS, "width": 2},
        marker={"size": 10},
        name="Front",
        customdata=[[k, text] for k, text in enumerate(said)],
        hovertemplate="%{customdata[1]}<extra></extra>",
    )
    if picked is not None:
        drawing.add_scatter(
            x=[across * chain[picked, 1]],
            y=[high * chain[picked, 0]],
            mode="markers",
            marker={
                "size": 18,
                "symbol": "circle-open",
                "color": CHOSEN,
                "line": {"width": 3, "color": CHOSEN},
            },
            name="Picked",
            hoverinfo="skip",
        )
    for method, one in answer.outcomes.items():
        _add_method(drawing, found, answer, method, one)
    drawing.x_axis(_title(right, inputs))
    drawing.y_axis(_title(up, inputs))
    return drawing.figure(_HEIGHT, above=64)


def _add_method(
    drawing: Drawing, found: TwoObjectives, answer: ProvisionAnswer, method: str, one: Outcome
) -> None:
    """The purchase of a method, where its means are known."""
    inputs = answer.asked.inputs
    up, right = found.front.names
    high, across = _mean(up, one), _mean(right, one)
    if high is None or across is None:
        return
    marker = {**LOOKS[method].marker, "size": 10}
    if method == "rp":
        marker["color"] = CHOSEN
    said = f"{mean_of(up, high, inputs)}, {mean_of(right, across, inputs)}"
    drawing.add_scatter(
        x=[_scale(right, inputs) * across],
        y=[_scale(up, inputs) * high],
        mode="markers",
        marker=marker,
        name=TITLES[method],
        customdata=[f"{TITLES[method]}: {plain(said)}"],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _mean(name: PlanObjective, one: Outcome) -> float | None:
    match name:
        case "reward":
            return one.reward
        case "cost":
            return one.purchase.cost
        case "failures":
            return one.failures
    return one.power


def _scale(name: PlanObjective, inputs: PlanInputs) -> float:
    """What an objective is multiplied by for its axis."""
    return {"cost": 1.0, "power": _KILO}.get(name, inputs.rate_seconds)


def _title(name: PlanObjective, inputs: PlanInputs) -> str:
    return {
        "reward": f"Expected reward ({plain(inputs.rates.money)})",
        "failures": f"Mean failures ({inputs.rates.every})",
        "power": "Mean power (kW)",
        "cost": f"Cost ({plain(inputs.currency)})",
    }[name]


def _short(text: str) -> str:
    """A text in lines of a few words."""
    words = text.split(" ")
    lines = [words[k : k + _WORDS_A_LINE] for k in range(0, len(words), _WORDS_A_LINE)]
    return "<br>".join(" ".join(line) for line in lines)
