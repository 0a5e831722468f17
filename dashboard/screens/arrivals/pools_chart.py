"""Bars: the busy and the free units of each pool at one moment."""

from collections.abc import Sequence
from typing import Final

import plotly.graph_objects as go

from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import IDLE, OURS
from dashboard.parts.charts.text import label

_ROW: Final = 30
_MOST: Final = 30


def pools_figure(pools: Sequence[tuple[str, int, int]]) -> go.Figure:
    """`pools` are names with busy and free units; at most 30 are drawn."""
    drawing, shown = Drawing(), pools[:_MOST]
    # The zero-width space keeps pools apart whose names are cut to the same text.
    names = [label(name) + "\u200b" * k for k, (name, _, _) in enumerate(shown)]
    units = [max(busy + free, 1) for _, busy, free in shown]
    for title, colour, numbers in (
        ("busy", OURS, [busy for _, busy, _ in shown]),
        ("free", IDLE, [free for _, _, free in shown]),
    ):
        drawing.add_bar(
            orientation="h",
            x=[100 * number / of for number, of in zip(numbers, units, strict=True)],
            y=names,
            name=title,
            marker={"color": colour},
            customdata=[
                f"{number:,} of {of:,} units {title}"
                for number, of in zip(numbers, units, strict=True)
            ],
            hovertemplate="%{y}: %{customdata}<extra></extra>",
        )
    drawing.x_axis("Units (%)", range=[0, 100])
    drawing.y_names(autorange="reversed", showgrid=False, automargin=True)
    return drawing.figure(
        110 + _ROW * len(shown),
        above=40,
        barmode="stack",
        bargap=0.35,
        legend={"orientation": "h", "y": 1.01, "yanchor": "bottom", "traceorder": "normal"},
    )
