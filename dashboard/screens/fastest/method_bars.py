"""Methods side by side: how far each makespan is above the lower bound."""

import statistics
from collections.abc import Sequence
from typing import Final

import plotly.graph_objects as go

from core.vocabulary.say.words import Sense, change, duration
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import OTHERS, OURS, PAPER
from dashboard.screens.fastest.comparison import MethodOutcome

LEAST_EDGE: Final = 5.0
"""A method at most so many percent above the bound always fits into the chart."""


def method_bars(outcomes: Sequence[MethodOutcome], bound: float) -> go.Figure:
    """The first outcome is ours. `bound` is in seconds. A method without a schedule has no bar."""
    above = [0.0 if o.makespan is None else 100 * (o.makespan / bound - 1) for o in outcomes]
    # A very bad method must not make the other bars tiny: its bar is cut at the edge, and says so.
    edge = max(min(max(above), max(4 * statistics.median(above), LEAST_EDGE)), 0.01)
    most = 1.6 * edge
    drawing = Drawing()
    drawing.add_bar(
        orientation="h",
        x=[min(excess, most) for excess in above],
        y=[o.title for o in outcomes],
        text=[_label(o, excess, most) for o, excess in zip(outcomes, above, strict=True)],
        textposition=["inside" if excess > edge else "outside" for excess in above],
        textfont={"size": 12},
        insidetextanchor="start",
        insidetextfont={"color": PAPER},
        cliponaxis=False,
        marker={"color": [OURS] + [OTHERS] * (len(outcomes) - 1)},
        hovertemplate="%{y}: %{text}<extra></extra>",
    )
    drawing.x_axis("Makespan above the lower bound (%)", range=[0, most])
    drawing.y_names(autorange="reversed", showgrid=False)
    return drawing.figure(70 + 32 * len(outcomes), bargap=0.35)


def _label(outcome: MethodOutcome, above: float, most: float) -> str:
    if outcome.makespan is None:
        return outcome.remark
    beyond = ", off the scale" if above > most else ""
    return f"{duration(outcome.makespan, Sense.SPENT)} ({change(above / 100)}{beyond})"
