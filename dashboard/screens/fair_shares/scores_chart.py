"""Charts of scores of policies for whole tasks, and of worst stretch against energy."""

import math
from collections.abc import Mapping
from typing import Final

import plotly.graph_objects as go

from core.capabilities.fair_shares.energy import EnergyFront
from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES
from core.capabilities.fair_shares.told import (
    SCORE_TITLES,
    behind_said,
    score_unit,
    unit_of,
)
from core.capabilities.fair_shares.trials import TaskTrials
from core.vocabulary.intervals import Interval
from core.vocabulary.say.means import mean_within
from core.vocabulary.say.units import energy_unit
from core.vocabulary.say.words import Sense, amount, energy
from dashboard.parts.charts.bars import MeanBar, ProvenLine, bars_figure
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import CHOSEN, OURS

_ROW: Final = 22
_HEIGHT: Final = 340
_SPARE: Final = 0.08


def scores_figure(
    means: Mapping[str, Interval], said: Mapping[str, str], score: str, least: ProvenLine | None
) -> go.Figure:
    """A bar for each policy, the best first: the mean of a score (s for times), and how that is
    said. `least` is what no policy can be below.
    """
    order = sorted(means, key=lambda one: means[one].mean)
    limit = -math.inf if least is None else least.value
    sides = {policy: mean.sides(limit) for policy, mean in means.items()}
    unit = score_unit(score, [means[one].mean + sides[one][1] for one in order])
    bars = [
        MeanBar(
            TASK_POLICIES[one].label,
            means[one].mean / unit.size,
            said[one],
            (sides[one][0] / unit.size, sides[one][1] / unit.size),
        )
        for one in order
    ]
    symbol = f" ({unit.symbol})" if unit.symbol else ""
    return bars_figure(bars, f"{SCORE_TITLES[score]}{symbol}", least, _ROW)


def means_figure(found: TaskTrials, score: str) -> go.Figure:
    """Bars with intervals; the best possible worst stretch is a mean, too."""
    unit, means = unit_of(found, score), found.means[score]
    said = {
        policy: f"{mean_within(mean, unit)} {unit.symbol}<br>more than the best: "
        f"{behind_said(found, policy, score)}"
        for policy, mean in means.items()
    }
    least = None
    if score == "max_stretch":
        optimum = float(found.optimum.mean())
        best = f"best possible, on average: {amount(optimum, Sense.PLAIN)}"
        least = ProvenLine(optimum, best)
    return scores_figure(means, said, score, least)


def energy_figure(front: EnergyFront, stretch: float) -> go.Figure:
    """Below the line no schedule can be. `stretch` is the one that is chosen."""
    stretches, joules = front.points.T
    unit = energy_unit(float(joules.max()))
    drawing = Drawing()
    drawing.add_scatter(
        x=stretches.tolist(),
        y=unit.of(joules).tolist(),
        mode="lines+markers",
        name="least energy",
        line={"color": OURS, "width": 2},
        marker={"size": 7, "symbol": "circle"},
        customdata=[
            f"worst stretch {amount(one, Sense.PLAIN)}<br>{energy(least, Sense.PLAIN)} at least"
            for one, least in front.points.tolist()
        ],
    )
    least = front.least_energy(stretch)
    if math.isfinite(least):
        drawing.add_scatter(
            x=[stretch],
            y=[least / unit.size],
            mode="markers",
            name="at the promised stretch",
            marker={"size": 14, "symbol": "diamond-open", "color": CHOSEN, "line": {"width": 3}},
            hovertemplate=f"{energy(least, Sense.PLAIN)} at least<extra></extra>",
        )
    low, high = float(joules.min()) / unit.size, float(joules.max()) / unit.size
    span = high - low or abs(high) or 1.0
    drawing.x_axis("Worst stretch")
    drawing.y_axis(
        f"Least energy ({unit.symbol})", range=[low - _SPARE * span, high + _SPARE * span]
    )
    return drawing.figure(_HEIGHT, above=34, showlegend=True)
