"""Bars with the intervals of means, beside a line that no bar passes."""

from collections.abc import Sequence
from typing import Any, Final

import plotly.graph_objects as go

from core.shells.told.bars import ToldBars
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, INK, OURS, PAPER, RIVAL
from dashboard.parts.charts.text import plain

_ROOM: Final = 1.04


def bars_figure(told: ToldBars, row: float) -> go.Figure:
    """The first bar has a colour of its own; a row is so many pixels high."""
    drawing, sides, end = Drawing(), told.sides, told.end or 1.0
    values = [bar.value.mean for bar in told.bars]
    # On a phone a name in one line would leave no room for its bar.
    labels = [plain(bar.label).replace(" (", "<br>(") for bar in told.bars]
    drawing.add_bar(
        orientation="h",
        x=values,
        y=labels,
        marker={"color": [OURS, *[RIVAL] * (len(values) - 1)]},
        customdata=[bar.said for bar in told.bars],
        hovertemplate="%{y}: %{customdata}<extra></extra>",
        showlegend=False,
    )
    # In ink on paper: the half that lies on the bar is seen in both themes.
    for colour, thickness, cap in ((PAPER, 5, 6), (INK, 1.5, 4)) if any(map(any, sides)) else ():
        drawing.add_scatter(
            x=values,
            y=labels,
            mode="markers",
            marker={"color": colour, "size": thickness},
            error_x=whiskers(sides, color=colour, thickness=thickness, width=cap),
            hoverinfo="skip",
            showlegend=False,
        )
    if told.limit is not None:
        drawing.mark(told.limit, told.limit_said, BOUND, top=True, left=2 * told.limit > end)
    drawing.x_axis(told.axis, range=[0, _ROOM * end])
    drawing.y_names(autorange="reversed", showgrid=False, automargin=True)
    return drawing.figure(80 + row * max(len(values), 2), above=26, bargap=0.35)


def whiskers(sides: Sequence[tuple[float, float]], **look: Any) -> dict[str, Any]:
    """Error bars that reach so far below and above, in the unit of the axis."""
    below, above = ([side[k] for side in sides] for k in (0, 1))
    return {"type": "data", "symmetric": False, "array": above, "arrayminus": below, **look}
