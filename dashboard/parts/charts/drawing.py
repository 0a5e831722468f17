"""How all charts are made: the look that they share, and a figure that tests validate."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np
import plotly.graph_objects as go

from core.engines.front.axis import Axis
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.units import Unit
from core.vocabulary.say.words import typed
from dashboard.parts.charts.palette import CHOSEN, GRID, INK, SEQUENTIAL

_EDGE: Final = 8.0
# Room for tick labels and a title. Without it the browser would draw twice to measure them.
_LEFT: Final = 68.0
_BELOW: Final = 50.0
TEXT: Final = 12
"""The smallest size of text, in pixels."""
_FONT: Final = {"size": TEXT, "color": INK}
_AXIS: Final = {"gridcolor": GRID, "zeroline": False, "tickfont": _FONT}
# Powers of ten and no SI prefixes, since axes also show money: nobody writes 150p EUR.
_NUMBERS: Final = {
    "exponentformat": "power",
    "minexponent": 5,
    "separatethousands": True,
    "automargin": False,
    "tickangle": 0,
}
_OF_PANEL: Final = {"anchor": "x", "fixedrange": True}
"""The vertical axis of a panel: a person zooms into the time, which all panels share."""
_ABOVE: Final[dict[str, Any]] = {"orientation": "h", "x": 0, "y": 1.01, "yanchor": "bottom"}
"""The place of a legend above the chart."""
_COLOUR_BAR: Final[dict[str, Any]] = {
    "orientation": "h",
    "x": 0.5,
    "y": 1.0,
    "yanchor": "bottom",
    "ypad": 4,
    "thickness": 10,
    "outlinewidth": 0,
    "tickfont": _FONT,
    "tickangle": 0,
    "nticks": 5,
}
_BAR_TICKS: Final = 5
"""More texts would not stand beside each other below a bar on a phone."""


_ABOVE_BAR: Final[dict[str, Any]] = {
    **{"x": 0, "xref": "paper", "xanchor": "left"},
    **{"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 34},
}
_AS_BEFORE: Final = {"marker": {"opacity": 1}}
CLICKED: Final[dict[str, Any]] = {
    "hovertemplate": "%{customdata[1]}<extra></extra>",
    **{"selected": _AS_BEFORE, "unselected": _AS_BEFORE},
}
"""The look of marks that take a click: as before, since the page says what is picked. Their
customdata are pairs of what a click says and what is shown above them.
"""


class Drawing:
    """Collects the traces and the layout of a figure, in Plotly's words.

    A `go.Figure` validates with every change, which would take most of the time of a chart. Here
    nothing is validated; tests let Plotly validate every figure instead.
    """

    def __init__(self) -> None:
        self._traces: list[dict[str, Any]] = []
        self._notes: list[dict[str, Any]] = []
        self._shapes: list[dict[str, Any]] = []
        self._axes: dict[str, dict[str, Any]] = {}
        self._left = self._below = _EDGE
        self._lowest: str | None = None

    def add_scatter(self, **look: Any) -> None:
        self._add("scatter", look)

    def add_line(self, colour: str, width: float, dash: str = "solid", **look: Any) -> None:
        """Adds a line that says nothing where a reader points, and has no place in the legend."""
        line = {"color": colour, "width": width, "dash": dash}
        usual = {"mode": "lines", "line": line, "hoverinfo": "skip", "showlegend": False}
        self.add_scatter(**{**usual, **look})

    def add_area(self, fill: str, **look: Any) -> None:
        """Adds a filled polygon that says nothing to the pointer, without an edge unless given."""
        shape = {"mode": "lines", "line": {"width": 0}, "fill": "toself", "hoverinfo": "skip"}
        self.add_scatter(**{**shape, "fillcolor": fill, **look})

    def add_ring(self, **look: Any) -> None:
        """Adds a ring about the point that is chosen."""
        ring = {"symbol": "circle-open", "size": 17, "color": CHOSEN, "line": {"width": 3}}
        usual = {"mode": "markers", "hoverinfo": "skip", "showlegend": False}
        self.add_scatter(**{**usual, "marker": ring, **look})

    def add_here(self, *, left: bool, low: bool = False, **look: Any) -> None:
        """Adds the star that stands for the log, with its words on the left or on the right: below
        it, or beside it if it is `low` in the chart.
        """
        words = {"text": ["You are here"], "textfont": {"color": INK, "size": TEXT}}
        self.add_scatter(
            **{
                "mode": "markers+text",
                "textposition": f"{'middle' if low else 'bottom'} {'left' if left else 'right'}",
            },
            **{"marker": {"symbol": "star", "size": 13, "color": CHOSEN}, "name": "You are here"},
            **{"showlegend": False, **words, **look},
        )

    def add_bar(self, **look: Any) -> None:
        self._add("bar", look)

    def add_heatmap(self, ticks: Mapping[str, Any], title: str = "", **look: Any) -> None:
        """Large values stand out. `ticks` and `title` are those of the colour bar above."""
        colours = {"colorscale": SEQUENTIAL}
        step = max(math.ceil(len(ticks.get("tickvals", ())) / _BAR_TICKS), 1)
        bar = {**_COLOUR_BAR, **{name: values[::step] for name, values in ticks.items()}}
        self._add("heatmap", {**colours, "colorbar": bar, **look})
        if title:  # a title of the bar itself would move with the height of the figure
            self.add_annotation(text=title, **_ABOVE_BAR)

    def _add(self, kind: str, look: Mapping[str, Any]) -> None:
        """Adds a trace, which says its `customdata` to the pointer unless there is a template."""
        hover = {"hovertemplate": "%{customdata}<extra></extra>"} if "customdata" in look else {}
        self._traces.append({"type": kind, **hover, **look})

    def add_annotation(self, **look: Any) -> None:
        """Adds a text, without an arrow unless `look` asks for one."""
        self._notes.append({"showarrow": False, **look})

    def add_vline(self, x: float, line: dict[str, Any]) -> None:
        ends = {"x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "y domain"}
        self._shapes.append({"type": "line", **ends, "line": line})

    def add_hline(self, y: float, line: dict[str, Any]) -> None:
        ends = {"y0": y, "y1": y, "x0": 0, "x1": 1, "xref": "x domain"}
        self._shapes.append({"type": "line", **ends, "line": line})

    def x_axis(self, title: str, **look: Any) -> None:
        """An axis with numbers at its ticks."""
        self._below = _BELOW
        self.x_names(title, **_NUMBERS, **look)

    def y_axis(self, title: str, **look: Any) -> None:
        """An axis with numbers at its ticks."""
        self._left = _LEFT
        self.y_names(title, **_NUMBERS, **look)

    def x_names(self, title: str = "", **look: Any) -> None:
        """An axis with names at its ticks; the chart makes room for them."""
        self._axes["xaxis"] = _axis(title, {"anchor": self._lowest, **look})

    def y_names(self, title: str = "", **look: Any) -> None:
        """An axis with names at its ticks; the chart makes room for them."""
        self._axes["yaxis"] = _axis(title, look)

    def rows(self, names: Sequence[str], title: str = "", **look: Any) -> None:
        """An axis of rows from the top down, at 0, 1, …, with their names."""
        places = {"tickvals": list(range(len(names))), "ticktext": list(names)}
        ends = {"range": [len(names) - 0.4, -0.6], "showgrid": False}
        self.y_names(title, **{**places, **ends, **look})

    def panels(self, heights: Sequence[float], apart: float = _EDGE) -> float:
        """Lets the chart have a panel for each of these heights, from the top down, so far apart,
        all in pixels and with one horizontal axis. Returns what they take together.
        """
        whole = top = sum(heights) + apart * (len(heights) - 1)
        for place, height in enumerate(heights):
            self._axes[_long(self.panel(place))] = {"domain": [(top - height) / whole, top / whole]}
            top -= height + apart
        self._lowest = self.panel(len(heights) - 1)
        return whole

    @staticmethod
    def panel(place: int) -> str:
        """The vertical axis of the panel at this place, by which traces name it."""
        return f"y{place + 1}" if place else "y"

    def panel_axis(self, panel: str, *, left: float = 0.0, **look: Any) -> None:
        """The vertical axis of a panel, which needs so many pixels on the left."""
        self._left = max(self._left, left)
        there = self._axes[_long(panel)]
        self._axes[_long(panel)] = {**_AXIS, **_NUMBERS, **_OF_PANEL, **there, **look}

    def mark(
        self,
        x: float,
        text: str,
        colour: str,
        *,
        top: bool = False,
        left: bool = False,
        **look: Any,
    ) -> None:
        """A dashed line at `x` that says what it is: right or `left`, at its foot or its `top`."""
        self.add_vline(x, line={"color": colour, "width": 1.5, "dash": "dash"})
        beside = {"xanchor": "right", "xshift": -3} if left else {"xanchor": "left", "xshift": 3}
        at = {"x": x, "y": 1 if top else 0, "yref": "y domain", "yanchor": "bottom"}
        self.add_annotation(**{"text": text, **at, **beside, **look})

    def figure(
        self, height: float, *, above: float = _EDGE, right: float = _EDGE, **layout: Any
    ) -> go.Figure:
        """The figure. `height`, and the margins `above` and at the `right`, are in pixels."""
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


def _long(axis: str) -> str:
    """An axis as layouts name it: y2 is yaxis2."""
    return f"{axis[0]}axis{axis[1:]}"


def _axis(title: str, look: Mapping[str, Any]) -> dict[str, Any]:
    """The layout of an axis. Plotly decides what is None."""
    named = {"text": title, "font": {"size": TEXT + 1, "color": INK}}
    wanted = {name: value for name, value in look.items() if value is not None}
    return {"title": named, **_AXIS, **wanted}


def log_ticks(lowest: float, highest: float) -> dict[str, list[Any]]:
    """Ticks at decimal logarithms of 1, 2 and 5 times powers of ten, or of powers alone."""
    decades = range(math.floor(math.log10(lowest)), math.ceil(math.log10(highest)) + 1)
    steps = (1, 2, 5) if len(decades) <= 4 else (1,)
    ticks = [step * 10.0**decade for decade in decades for step in steps]
    seen = [tick for tick in ticks if lowest <= tick <= highest] or [lowest]
    return {"tickvals": [math.log10(tick) for tick in seen], "ticktext": [*map(typed, seen)]}


LEAST_SPAN: Final = 0.02
"""An axis spans at least this share of its largest value: rounding must not fill a chart."""
Ends = TypeVar("Ends", float, FloatArray)


def spanning(low: Ends, high: Ends, scale: float = 0.0) -> tuple[Ends, Ends]:
    """The ends of axes, moved apart to at least `LEAST_SPAN` of the largest value or a `scale`."""
    largest = np.maximum(np.maximum(np.abs(low), np.abs(high)), scale)
    more: Any = np.maximum(LEAST_SPAN * largest - (high - low), 0.0) / 2
    return low - more, high + more


_FAR: Final = 2.0
"""A point is drawn if it is at most so many times the rest of the chart away from it."""


def is_near(point: FloatArray, seen: FloatArray) -> bool:
    """Whether a chart with room for this point still shows the others well, which it does if they
    are one spot anyhow.
    """
    low, high = seen.min(axis=0), seen.max(axis=0)
    if (high - low <= LEAST_SPAN * np.abs(high)).all():
        return True
    low, high = spanning(low, high)
    away = np.maximum(np.maximum(low - point, point - high), 0.0)
    return bool((away <= _FAR * (high - low)).all())


@dataclass(frozen=True, eq=False)
class Frame:
    """Converts joules and seconds to the units of a chart with corners `low` and `high`."""

    axis: Axis
    time: Unit
    low: FloatArray
    high: FloatArray

    def xy(self, points: FloatArray) -> dict[str, FloatArray]:
        return {"x": self.axis.of(points[:, 0]), "y": points[:, 1] / self.time.size}

    @property
    def ranges(self) -> tuple[list[float], list[float]]:
        """The ranges of both axes, in their units."""
        seen = self.xy(np.array([self.low, self.high]))
        return seen["x"].tolist(), seen["y"].tolist()


def makespan_title(unit: Unit) -> str:
    """The title of an axis of makespans, which explains the word where people first meet it."""
    return f"Makespan ({unit.symbol}): when the last task ends"
