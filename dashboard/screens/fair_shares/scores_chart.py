"""Charts of scores of policies for whole tasks, and of worst stretch against energy."""

import math
from collections.abc import Sequence
from dataclasses import replace
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
from core.shells.told.bars import ToldBar, ToldBars
from core.vocabulary.say.means import mean_within
from core.vocabulary.say.units import energy_unit
from core.vocabulary.say.words import Sense, amount, energy
from dashboard.parts.charts.bars import bars_figure
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import CHOSEN, OURS

_ROW: Final = 22
_HEIGHT: Final = 340
_SPARE: Final = 0.08


def scores_figure(bars: Sequence[ToldBar], score: str, least: float | None, what: str) -> go.Figure:
    """A score of each policy, the best first; bars are given in SI units. No policy can be below
    the `least`, which is `what`.
    """
    unit = score_unit(score, [bar.value.mean + bar.value.sides()[1] for bar in bars])
    drawn = [replace(bar, value=bar.value.over(unit.size)) for bar in bars]
    drawn.sort(key=lambda bar: bar.value.mean)
    symbol = f" ({unit.symbol})" if unit.symbol else ""
    return bars_figure(ToldBars(f"{SCORE_TITLES[score]}{symbol}", tuple(drawn), least, what), _ROW)


def means_figure(found: TaskTrials, score: str) -> go.Figure:
    """Bars with intervals; the best possible worst stretch is a mean, too."""
    unit, optimum = unit_of(found, score), float(found.optimum.mean())
    bars = [
        ToldBar(
            TASK_POLICIES[policy].label,
            mean,
            f"{mean_within(mean, unit)} {unit.symbol}<br>more than the best: "
            f"{behind_said(found, policy, score)}",
        )
        for policy, mean in found.means[score].items()
    ]
    what = f"best possible, on average: {amount(optimum, Sense.PLAIN)}"
    return scores_figure(bars, score, optimum if score == "max_stretch" else None, what)


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
