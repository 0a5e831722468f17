"""A figure of all runs of a sweep as maps, or as lines. Each run can be clicked."""

from typing import Any, Final

import numpy as np
import plotly.graph_objects as go

from core.vocabulary.arrays import FloatArray
from dashboard.parts.charts.drawing import CLICKED, Drawing, spanning
from dashboard.parts.charts.palette import BOUND, UNSEEN, shade
from dashboard.parts.charts.text import plain
from dashboard.screens.what_if.sweeps.choices import short_title_of, title_of
from dashboard.screens.what_if.sweeps.view import SweepView, in_words, some_of

MOST_CLICKED: Final = 2_500
"""Among more cells, none can be clicked: a browser would draw a mark for each."""
MOST_LINES: Final = 12
_MOST_OWN_TICKS: Final = 6
_HEIGHT: Final = 360
_SMALL: Final = 290


def sweep_map(view: SweepView, panel: int, picked: int | None) -> go.Figure:
    """One panel as a heat map; all panels have the same colours."""
    drawing = Drawing()
    across, up = view.axes[0], view.axes[1]
    x, y = view.ticks(across), view.ticks(up)
    low, high = _ends(view)
    drawing.add_heatmap(
        {},
        plain(view.label),
        x=x,
        y=y,
        z=view.values[panel],
        zmin=low,
        zmax=high,
        hoverinfo="skip",
        xgap=1 if len(x) <= 40 else 0,
        ygap=1 if len(y) <= 40 else 0,
    )
    runs = view.runs[panel]
    if runs.size <= MOST_CLICKED:
        places = np.meshgrid(x, y)
        pixels = 300 // max(len(x), len(y))  # about a cell, so that all of it can be clicked
        drawing.add_scatter(
            x=places[0].ravel(),
            y=places[1].ravel(),
            mode="markers",
            marker={"symbol": "square", "size": max(min(pixels, 28), 6), "color": UNSEEN},
            **_clicked(view, runs.ravel().tolist()),
        )
    for u, a in _place_of(view, panel, picked):
        drawing.add_ring(x=[float(x[a])], y=[float(y[u])])
    drawing.x_axis(plain(title_of(across.name)), range=_cells(x), tickvals=_own_ticks(x))
    drawing.y_axis(plain(title_of(up.name)), range=_cells(y), tickvals=_own_ticks(y))
    height = _HEIGHT if len(view.panels) == 1 else _SMALL
    return drawing.figure(height, above=56, showlegend=False)


def sweep_lines(view: SweepView, panel: int, picked: int | None) -> go.Figure:
    """One panel as lines over the first axis, one for each value of the second."""
    drawing = Drawing()
    x = view.ticks(view.axes[0])
    places = some_of(view.values.shape[1], MOST_LINES)
    for u in places:
        share = u / max(view.values.shape[1] - 1, 1)
        colour = shade(share) if len(places) > 1 else BOUND
        drawing.add_scatter(
            x=x,
            y=view.values[panel, u],
            mode="lines+markers",
            line={"color": colour, "width": 2},
            marker={"size": 6, "color": colour},
            name=_name(view, u) if len(places) > 1 else "",
            **_clicked(view, view.runs[panel, u].tolist()),
        )
    for u, a in _place_of(view, panel, picked):
        drawing.add_ring(x=[float(x[a])], y=[float(view.values[panel, u, a])])
    drawing.x_axis(plain(title_of(view.axes[0].name)))
    low, high = _ends(view)
    room = 0.06 * (high - low) or 1.0
    drawing.y_axis(plain(view.label), range=[low - room, high + room])
    height = _HEIGHT if len(view.panels) == 1 else _SMALL
    above = 8 if len(places) == 1 else 44
    return drawing.figure(height, above=above, showlegend=len(places) > 1)


def _own_ticks(values: FloatArray) -> FloatArray | None:
    """Ticks at the values themselves, if they are few and even: there are no half machines."""
    are_even = np.allclose(np.diff(values, 2), 0)
    return values if len(values) <= _MOST_OWN_TICKS and are_even else None


def _name(view: SweepView, place: int) -> str:
    """A value of the second axis; the first one also says what varies."""
    axis = view.axes[1]
    said = in_words(axis, axis.values[place])
    return plain(said if place else f"{short_title_of(axis.name)}: {said}")


def _clicked(view: SweepView, runs: list[int]) -> dict[str, Any]:
    """What a click on the mark of a run says, and what is shown above it."""
    return {"customdata": [(run, plain(view.words(run))) for run in runs], **CLICKED}


def _place_of(view: SweepView, panel: int, picked: int | None) -> list[list[int]]:
    """Where the run that was picked is in this panel, up and across; empty if it is not there."""
    return np.argwhere(view.runs[panel] == picked).tolist()


def _cells(values: FloatArray) -> list[float]:
    """From the beginning of the first cell to the end of the last."""
    half = float(values[1] - values[0]) / 2
    return [float(values[0]) - half, float(values[-1]) + half]


def _ends(view: SweepView) -> tuple[float, float]:
    """The least and the largest value of all panels, some way apart."""
    known = view.values[np.isfinite(view.values)]
    return spanning(float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
