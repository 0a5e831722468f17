"""Bars: what each policy earns, with intervals, and what none can earn more than."""

import math
from typing import Final

import plotly.graph_objects as go

from core.capabilities.arrivals.told import energy_said, whole_said
from core.capabilities.arrivals.trials import ReplayComparison
from core.capabilities.arrivals.words import in_percent, policy_label
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, INK, OURS, PAPER, RIVAL

_ROW: Final = 34


def worth_figure(found: ReplayComparison) -> go.Figure:
    """The policies that earn most come first."""
    drawing, order = Drawing(), found.ranked
    shares = [found.means(policy).share for policy in order]
    bounded = found.question.bounded
    # No policy earns less than nothing, or more than is possible.
    sides = [one.sides(0.0, 1.0 if bounded else math.inf) for one in shares]
    drawing.add_bar(
        orientation="h",
        x=[100 * one.mean for one in shares],
        y=[policy_label(policy) for policy in order],
        marker={"color": [OURS if policy == order[0] else RIVAL for policy in order]},
        customdata=[
            f"{in_percent(one)}<br>with {energy_said(found.means(policy))}"
            for policy, one in zip(order, shares, strict=True)
        ],
        hovertemplate="%{y}: %{customdata}<extra></extra>",
        showlegend=False,
    )
    # In ink on paper: the half that lies on the bar is seen in both themes.
    for colour, thickness, cap in ((PAPER, 5, 6), (INK, 1.5, 4)) if any(map(any, sides)) else ():
        drawing.add_scatter(
            x=[100 * one.mean for one in shares],
            y=[policy_label(policy) for policy in order],
            mode="markers",
            marker={"color": colour, "size": thickness},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [100 * above for _, above in sides],
                "arrayminus": [100 * below for below, _ in sides],
                "color": colour,
                "thickness": thickness,
                "width": cap,
            },
            hoverinfo="skip",
            showlegend=False,
        )
    most = max((one.mean + above for one, (_, above) in zip(shares, sides, strict=True)), default=0)
    if bounded:
        drawing.add_vline(100, line={"color": BOUND, "width": 2, "dash": "dash"})
        drawing.add_annotation(
            x=100,
            y=1,
            yref="paper",
            yanchor="bottom",
            xanchor="right",
            text="possible at most",
        )
    drawing.x_axis(
        f"Worth (% of {whole_said(found)})",
        range=[0, 104 * max(most, 1.0 if bounded else 0.01)],
    )
    drawing.y_names(autorange="reversed", showgrid=False, automargin=True)
    return drawing.figure(80 + _ROW * max(len(order), 2), above=26, bargap=0.35)
