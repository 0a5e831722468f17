"""What all charts are made with: the look that they share, and a figure that is validated once."""

from typing import Any, Final

import plotly.graph_objects as go

from dashboard.charts.palette import GRID

MARGIN: Final = {"l": 8, "r": 8, "t": 8, "b": 8}
_AXIS: Final = {"gridcolor": GRID, "zeroline": False}
_ABOVE: Final[dict[str, Any]] = {
    "orientation": "h",
    "x": 0,
    "y": 1.01,
    "yanchor": "bottom",
    "font": {"size": 12},
}
"""A legend above the chart."""


class Drawing:
    """A figure in the making: traces and a layout, in Plotly's words.

    A `go.Figure` validates all that a change touches with every change; most of the time that a
    chart takes would go there.
    """

    def __init__(self) -> None:
        self._traces: list[dict[str, Any]] = []
        self._notes: list[dict[str, Any]] = []
        self._shapes: list[dict[str, Any]] = []
        self._axes: dict[str, dict[str, Any]] = {}

    def add_scatter(self, **look: Any) -> None:
        self._traces.append({"type": "scatter", **look})

    def add_bar(self, **look: Any) -> None:
        self._traces.append({"type": "bar", **look})

    def add_heatmap(self, **look: Any) -> None:
        self._traces.append({"type": "heatmap", **look})

    def add_annotation(self, **look: Any) -> None:
        """Without an arrow, unless it is asked for."""
        self._notes.append({"showarrow": False, **look})

    def add_vline(self, x: float, line: dict[str, Any]) -> None:
        ends = {"x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "y domain"}
        self._shapes.append({"type": "line", **ends, "line": line})

    def add_hline(self, y: float, line: dict[str, Any]) -> None:
        ends = {"y0": y, "y1": y, "x0": 0, "x1": 1, "xref": "x domain"}
        self._shapes.append({"type": "line", **ends, "line": line})

    def x_axis(self, title: str = "", **look: Any) -> None:
        self._axes["xaxis"] = {"title": title, **_AXIS, **look}

    def y_axis(self, title: str = "", **look: Any) -> None:
        self._axes["yaxis"] = {"title": title, **_AXIS, **look}

    def figure(self, height: float, **layout: Any) -> go.Figure:
        """`height` in pixels."""
        drawn = {"annotations": self._notes, "shapes": self._shapes, **self._axes}
        usual = {"height": height, "margin": MARGIN, "legend": _ABOVE}
        return go.Figure(self._traces, {**usual, **drawn, **layout})
