"""Charts of scores of policies for whole tasks, and of worst stretch against energy."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

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
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, CHOSEN, INK, OURS, RIVAL

_ROW: Final = 22
_ROOM: Final = 1.05
_HEIGHT: Final = 340
_SPARE: Final = 0.08


class PolicyBar(NamedTuple):
    """A policy by its label, its score (s for times) and how that is said; half of the width of its
    interval, if it is a mean.
    """

    label: str
    value: float
    said: str
    half_width: float = 0.0


class LeastPossible(NamedTuple):
    """What no policy can be below, and how that is said."""

    value: float
    said: str


def policies_figure(
    bars: Sequence[PolicyBar], score: str, least: LeastPossible | None
) -> go.Figure:
    """`score` is one of `SCORE_TITLES`; means have their intervals."""
    order = sorted(bars, key=lambda one: one.value)
    ends = [one.value + one.half_width for one in order]
    limit = -math.inf if least is None else least.value
    sides = [Interval(one.value, one.half_width).sides(limit) for one in order]
    unit = score_unit(score, ends)
    drawing = Drawing()
    drawing.add_bar(
        orientation="h",
        x=[one.value / unit.size for one in order],
        y=[one.label for one in order],
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [above / unit.size for _, above in sides],
            "arrayminus": [below / unit.size for below, _ in sides],
            "visible": any(one.half_width for one in order),
            "color": INK,
            "thickness": 1.2,
            "width": 3,
        },
        marker={"color": [OURS, *[RIVAL] * (len(order) - 1)]},
        customdata=[one.said for one in order],
        hovertemplate="%{y}: %{customdata}<extra></extra>",
        showlegend=False,
    )
    if least is not None:
        drawing.mark(least.value, least.said, BOUND, top=True)
    symbol = f" ({unit.symbol})" if unit.symbol else ""
    drawing.x_axis(f"{SCORE_TITLES[score]}{symbol}", range=[0, _ROOM * max(ends) / unit.size])
    drawing.y_names(autorange="reversed", showgrid=False, automargin=True)
    return drawing.figure(90 + _ROW * max(len(order), 3), above=26, bargap=0.3)


def means_figure(found: TaskTrials, score: str) -> go.Figure:
    """Bars with intervals; the best possible worst stretch is a mean, too."""
    unit = unit_of(found, score)
    bars = [
        PolicyBar(
            TASK_POLICIES[policy].label,
            mean.mean,
            f"{mean_within(mean, unit)} {unit.symbol}<br>"
            f"more than the best: {behind_said(found, policy, score)}",
            mean.half_width,
        )
        for policy, mean in found.means[score].items()
    ]
    least = None
    if score == "max_stretch":
        optimum = float(found.optimum.mean())
        said = f"best possible, on average: {amount(optimum, Sense.PLAIN)}"
        least = LeastPossible(optimum, said)
    return policies_figure(bars, score, least)


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
