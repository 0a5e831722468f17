"""Boxes: expected and actual makespan or energy of each method, over all bags."""

from typing import Final, Literal

import numpy as np
import plotly.graph_objects as go

from core.capabilities.arrivals.uncertain.methods import BAG_METHODS
from core.capabilities.arrivals.uncertain.trials import BagTrials
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.units import Unit, energy_unit, time_unit
from core.vocabulary.say.words import Sense, duration, energy
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, INK, OURS, RIVAL

Boxed = Literal["seconds", "joules"]
_TITLES: Final[dict[Boxed, str]] = {"seconds": "Makespan", "joules": "Energy"}
_ROW: Final = 46
_OFF: Final = 0.2


def boxes_figure(found: BagTrials, figure: Boxed) -> go.Figure:
    """A box is the middle half of all bags, the line in it their median, the whiskers the least and
    the most. The dashed line is the mean of the lower bounds.
    """
    drawing, methods = Drawing(), found.methods
    unit = _unit(figure, max(float(found.of(m, f"expected_{figure}").max()) for m in methods))
    for title, column, colour, off in (
        ("expected from estimates", f"expected_{figure}", RIVAL, -_OFF),
        ("actual", figure, OURS, _OFF),
    ):
        quarters = np.array(
            [np.percentile(found.of(m, column), (0, 25, 50, 75, 100)) for m in methods]
        )
        _add_boxes(drawing, quarters, unit, title, colour, off, _said(figure, title, quarters))
    if (bound := found.bound(figure)) is not None:
        say = duration if figure == "seconds" else energy
        drawing.add_vline(bound / unit.size, line={"color": BOUND, "width": 2, "dash": "dash"})
        drawing.add_annotation(
            x=bound / unit.size,
            y=0,
            yref="paper",
            yanchor="bottom",
            xanchor="left",
            xshift=3,
            text=f"lower bound: {say(bound, Sense.LOWER_BOUND)}",
        )
    drawing.x_axis(f"{_TITLES[figure]} ({unit.symbol})", rangemode="tozero")
    drawing.y_names(
        tickvals=list(range(len(methods))),
        ticktext=[BAG_METHODS[method].label for method in methods],
        range=[len(methods) - (0.4 if bound is None else 0.0), -0.6],  # room for the bound's label
        showgrid=False,
        automargin=True,
    )
    return drawing.figure(120 + _ROW * len(methods), above=40, barmode="overlay", showlegend=True)


def _unit(figure: Boxed, most: float) -> Unit:
    return time_unit(most) if figure == "seconds" else energy_unit(most)


def _said(figure: Boxed, title: str, quarters: FloatArray) -> list[str]:
    say = duration if figure == "seconds" else energy
    return [
        f"{title}: median {say(row[2], Sense.PLAIN)}, from {say(row[0], Sense.PLAIN)} to "
        f"{say(row[4], Sense.PLAIN)}"
        for row in quarters.tolist()
    ]


def _add_boxes(
    drawing: Drawing,
    quarters: FloatArray,
    unit: Unit,
    title: str,
    colour: str,
    off: float,
    said: list[str],
) -> None:
    least, low, middle, high, most = quarters.T / unit.size
    rows = np.arange(len(quarters)) + off
    drawing.add_bar(
        orientation="h",
        width=0.34,
        y=rows,
        base=low.tolist(),
        x=np.maximum(high - low, 1e-9 * most),
        name=title,
        marker={"color": colour},
        customdata=said,
        hovertemplate="%{customdata}<extra></extra>",
    )
    drawing.add_scatter(
        x=middle,
        y=rows,
        mode="markers",
        marker={"symbol": "line-ns", "size": 13, "line": {"width": 2.5, "color": INK}},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": most - middle,
            "arrayminus": middle - least,
            "thickness": 1.2,
            "color": INK,
        },
        customdata=said,
        hovertemplate="%{customdata}<extra></extra>",
        showlegend=False,
    )
