"""What all charts are made with: the look that they share, and a figure that tests validate."""

from collections.abc import Mapping
from typing import Any, Final

import plotly.graph_objects as go

from dashboard.common.palette import GRID, INK, SEQUENTIAL

TOOLS: Final[dict[str, Any]] = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d"],
}
"""What the bar of every chart offers: the picture, zoom and pan, and no selections."""
_EDGE: Final = 8.0
# Room for numbers and a title, so that the browser need not draw all twice to find out.
_LEFT: Final = 68.0
_BELOW: Final = 50.0
TEXT: Final = 12
"""Pixels: nothing is written smaller."""
_FONT: Final = {"size": TEXT, "color": INK}
_AXIS: Final = {"gridcolor": GRID, "zeroline": False, "tickfont": _FONT}
# Money has no prefixes: 150p EUR is no amount that anybody knows.
_NUMBERS: Final = {
    "exponentformat": "power",
    "minexponent": 5,
    "separatethousands": True,
    "automargin": False,
    "tickangle": 0,
}
_ABOVE: Final[dict[str, Any]] = {
    "orientation": "h",
    "x": 0,
    "y": 1.01,
    "yanchor": "bottom",
}
"""A legend above the chart."""
_COLOUR_BAR: Final[dict[str, Any]] = {
    "orientation": "h",
    "x": 0.5,
    "y": 1.0,
    "yanchor": "bottom",
    "ypad": 4,
    "thickness": 10,
    "outlinewidth": 0,
    "tickfont": _FONT,
}


class Drawing:
    """A figure in the making: traces and a layout, in Plotly's words.

    A `go.Figure` validates all that a change touches with every change; most of the time that a
    chart takes would go there. Here nothing is: tests look whether Plotly would let it all pass.
    """

    def __init__(self) -> None:
        self._traces: list[dict[str, Any]] = []
        self._notes: list[dict[str, Any]] = []
        self._shapes: list[dict[str, Any]] = []
        self._axes: dict[str, dict[str, Any]] = {}
        self._left = self._below = _EDGE

    def add_scatter(self, **look: Any) -> None:
        self._traces.append({"type": "scatter", **look})

    def add_bar(self, **look: Any) -> None:
        self._traces.append({"type": "bar", **look})

    def add_heatmap(self, ticks: Mapping[str, Any], **look: Any) -> None:
        """What is much stands out; the `ticks` are of the bar above that says what colours mean."""
        colours = {"colorscale": SEQUENTIAL}
        bar = {**_COLOUR_BAR, **ticks}
        self._traces.append({"type": "heatmap", **colours, "colorbar": bar, **look})

    def add_annotation(self, **look: Any) -> None:
        """Without an arrow, unless it is asked for."""
        self._notes.append({"showarrow": False, **look})

    def add_vline(self, x: float, line: dict[str, Any]) -> None:
        ends = {"x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "y domain"}
        self._shapes.append({"type": "line", **ends, "line": line})

    def add_hline(self, y: float, line: dict[str, Any]) -> None:
        ends = {"y0": y, "y1": y, "x0": 0, "x1": 1, "xref": "x domain"}
        self._shapes.append({"type": "line", **ends, "line": line})

    def x_axis(self, title: str, **look: Any) -> None:
        """With numbers at its ticks."""
        self._below = _BELOW
        self.x_names(title, **_NUMBERS, **look)

    def y_axis(self, title: str, **look: Any) -> None:
        """With numbers at its ticks."""
        self._left = _LEFT
        self.y_names(title, **_NUMBERS, **look)

    def x_names(self, title: str = "", **look: Any) -> None:
        """With names at its ticks, which take the room that they need."""
        self._axes["xaxis"] = _axis(title, look)

    def y_names(self, title: str = "", **look: Any) -> None:
        """With names at its ticks, which take the room that they need."""
        self._axes["yaxis"] = _axis(title, look)

    def figure(
        self, height: float, *, above: float = _EDGE, right: float = _EDGE, **layout: Any
    ) -> go.Figure:
        """`height`, and the margins `above` and at the `right`, in pixels."""
        shared = {
            "font": _FONT,
            "legend": {"font": _FONT, **layout.pop("legend", _ABOVE)},
            "hoverlabel": {"font": _FONT, **layout.pop("hoverlabel", {})},
        }
        margin = {"l": self._left, "r": right, "t": above, "b": self._below}
        drawn = {"annotations": self._notes, "shapes": self._shapes, **self._axes}
        look = {"height": height, "margin": margin, **shared, **drawn, **layout}
        # Internals: plotly/plotly.py#1812.
        return go.Figure(self._traces, look, _validate=False)


def _axis(title: str, look: Mapping[str, Any]) -> dict[str, Any]:
    """What is None is left to Plotly."""
    named = {"text": title, "font": {"size": TEXT + 1, "color": INK}}
    wanted = {name: value for name, value in look.items() if value is not None}
    return {"title": named, **_AXIS, **wanted}
