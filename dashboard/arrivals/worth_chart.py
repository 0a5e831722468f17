"""Bars: what each policy earns, with intervals, and what none can earn more than."""

import math
from typing import Final

import plotly.graph_objects as go

from core.say.words import Sense, energy, share
from dashboard.arrivals.found import ArrivalsFound
from dashboard.arrivals.settings import label_of
from dashboard.arrivals.words import in_percent
from dashboard.common.drawing import Drawing
from dashboard.common.palette import BOUND, INK, OURS, PAPER, RIVAL

_ROW: Final = 34


def worth_figure(found: ArrivalsFound) -> go.Figure:
    """The policies that earn most come first."""
    drawing, order = Drawing(), found.ranked
    shares = [found.worth_share(policy) for policy in order]
    widths = [one.half_width if math.isfinite(one.half_width) else 0.0 for one in shares]
    drawing.add_bar(
        orientation="h",
        x=[100 * one.mean for one in shares],
        y=[label_of(policy) for policy in order],
        marker={"color": [OURS if policy == order[0] else RIVAL for policy in order]},
        customdata=[
            f"{in_percent(one)}<br>with {energy(found.of(policy, 'joules').mean, Sense.PLAIN)}"
            for policy, one in zip(order, shares, strict=True)
        ],
        hovertemplate="%{y}: %{customdata}<extra></extra>",
        showlegend=False,
    )
    # In ink on paper: the half that lies on the bar is seen in both themes.
    for colour, thickness, cap in ((PAPER, 5, 6), (INK, 1.5, 4)) if any(widths) else ():
        drawing.add_scatter(
            x=[100 * one.mean for one in shares],
            y=[label_of(policy) for policy in order],
            mode="markers",
            marker={"color": colour, "size": thickness},
            error_x={
                "type": "data",
                "array": [100 * width for width in widths],
                "color": colour,
                "thickness": thickness,
                "width": cap,
            },
            hoverinfo="skip",
            showlegend=False,
        )
    most = max((one.mean + width for one, width in zip(shares, widths, strict=True)), default=0.0)
    bound = found.bound_share
    if bound is not None:
        drawing.add_vline(100 * bound, line={"color": BOUND, "width": 2, "dash": "dash"})
        drawing.add_annotation(
            x=100 * bound,
            y=1,
            yref="paper",
            yanchor="bottom",
            xanchor="right",
            text=f"possible at most: {share(bound, Sense.UPPER_BOUND)}",
        )
    drawing.x_axis(
        "Worth (%)",
        range=[0, 104 * max(most, bound or 0.0, 0.01)],
    )
    drawing.y_names(autorange="reversed", showgrid=False, automargin=True)
    return drawing.figure(80 + _ROW * max(len(order), 2), above=26, bargap=0.35)
