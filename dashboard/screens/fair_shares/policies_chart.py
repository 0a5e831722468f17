"""Bars: one score of whole tasks under each policy, the best first, and what none can be below."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import plotly.graph_objects as go

from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES
from core.capabilities.fair_shares.tasks.words import SCORE_TITLES, score_unit
from core.capabilities.fair_shares.trials.means import TrialMeans
from core.capabilities.fair_shares.trials.words import behind_said, mean_said, unit_of
from core.vocabulary.intervals import Interval
from core.vocabulary.say.words import Sense, amount
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, INK, OURS, RIVAL

_ROW: Final = 22
_ROOM: Final = 1.05


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
        drawing.add_vline(least.value, line={"color": BOUND, "width": 2, "dash": "dash"})
        drawing.add_annotation(
            x=least.value,
            y=1,
            yref="paper",
            yanchor="bottom",
            xanchor="left",
            text=least.said,
        )
    symbol = f" ({unit.symbol})" if unit.symbol else ""
    drawing.x_axis(f"{SCORE_TITLES[score]}{symbol}", range=[0, _ROOM * max(ends) / unit.size])
    drawing.y_names(autorange="reversed", showgrid=False, automargin=True)
    return drawing.figure(90 + _ROW * max(len(order), 3), above=26, bargap=0.3)


def means_figure(means: TrialMeans, score: str) -> go.Figure:
    """Bars with intervals; the best possible worst stretch is a mean, too."""
    unit = unit_of(means, score)
    bars = [
        PolicyBar(
            TASK_POLICIES[one.policy].label,
            one.scores[score].mean,
            f"{mean_said(one.scores[score], unit)} {unit.symbol}<br>"
            f"more than the best: {behind_said(means, one, score)}",
            one.scores[score].half_width,
        )
        for one in means.policies
    ]
    least = None
    if score == "max_stretch":
        said = f"best possible, on average: {amount(means.least.mean, Sense.PLAIN)}"
        least = LeastPossible(means.least.mean, said)
    return policies_figure(bars, score, least)
