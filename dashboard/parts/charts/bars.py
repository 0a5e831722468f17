"""Bars of what is compared, the best first, with the intervals of means, beside a line that no bar
passes.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import plotly.graph_objects as go

from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, INK, OURS, PAPER, RIVAL

_ROOM: Final = 1.04


class MeanBar(NamedTuple):
    """A bar in the unit of its axis, and how it is said. Its interval reaches so far below and
    above it.
    """

    label: str
    value: float
    said: str
    sides: tuple[float, float] = (0.0, 0.0)


class ProvenLine(NamedTuple):
    """What no bar can pass, in the unit of the axis, and how that is said."""

    value: float
    said: str


def bars_figure(
    bars: Sequence[MeanBar], axis: str, limit: ProvenLine | None, row: float, least: float = 0.0
) -> go.Figure:
    """The first bar has a colour of its own; a row is so many pixels high. The axis reaches at
    least to the limit, or to the `least`.
    """
    drawing, sides = Drawing(), [one.sides for one in bars]
    values, labels = [one.value for one in bars], [one.label for one in bars]
    drawing.add_bar(
        orientation="h",
        x=values,
        y=labels,
        marker={"color": [OURS, *[RIVAL] * (len(bars) - 1)]},
        customdata=[one.said for one in bars],
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
    ends = [one.value + one.sides[1] for one in bars]
    most = max(*ends, least if limit is None else limit.value)
    if limit is not None:
        drawing.mark(limit.value, limit.said, BOUND, top=True, left=2 * limit.value > most)
    drawing.x_axis(axis, range=[0, _ROOM * most])
    drawing.y_names(autorange="reversed", showgrid=False, automargin=True)
    return drawing.figure(80 + row * max(len(bars), 2), above=26, bargap=0.35)


def whiskers(sides: Sequence[tuple[float, float]], **look: Any) -> dict[str, Any]:
    """Error bars that reach so far below and above, in the unit of the axis."""
    below, above = ([side[k] for side in sides] for k in (0, 1))
    return {"type": "data", "symmetric": False, "array": above, "arrayminus": below, **look}
