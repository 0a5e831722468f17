"""Proven fronts of several what-ifs over each other, each labelled where it ends."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.arrays import FloatArray
from core.words import duration
from dashboard.charts.drawing import Drawing
from dashboard.charts.palette import paint
from dashboard.charts.text import label, plain
from dashboard.logic.axis import Axis
from dashboard.logic.compare_outcome import Outcome
from dashboard.logic.time_unit import unit_for

HEIGHT: Final = 430
_LABEL_PIXELS: Final = 17
_DASHES: Final = ("solid", "dash", "dot", "dashdot")
_COLOURS: Final = 8
_ROOM: Final = 0.05
_LONGEST: Final = 22


def compare_fronts(outcomes: Sequence[Outcome], along: Sequence[Axis]) -> go.Figure | None:
    """Energy to the right, time upwards; None where no outcome has a front."""
    shown = [
        (place, one, axis, one.front.points)
        for place, (one, axis) in enumerate(zip(outcomes, along, strict=True))
        if one.front is not None
    ]
    if not shown:
        return None
    chains = [np.column_stack([axis.of(p[:, 0]), p[:, 1]]) for _, _, axis, p in shown]
    every = np.concatenate(chains)
    unit = unit_for(float(every[:, 1].max()))
    low, high = every.min(axis=0), every.max(axis=0)
    room = np.where(high > low, high - low, np.maximum(0.02 * high, 1e-300))
    low, high = low - _ROOM * room, high + _ROOM * room
    ends = np.array([chain[-1, 1] for chain in chains])
    least = _LABEL_PIXELS / (0.75 * HEIGHT) * (high[1] - low[1])
    heights = apart(ends, least)
    high[1] = max(high[1], float(heights.max()) + least / 2)
    drawing = Drawing()
    for (place, one, axis, _), chain, height in zip(shown, chains, heights.tolist(), strict=True):
        colour = paint(place).fill
        dash = _DASHES[place // _COLOURS % len(_DASHES)]
        name = plain(one.title)
        drawing.add_scatter(
            x=chain[:, 0],
            y=chain[:, 1] / unit.seconds,
            mode="lines+markers",
            line={"color": colour, "width": 2.2, "dash": dash},
            marker={"color": colour, "size": 4 if len(chain) > 1 else 9},
            customdata=[
                f"<b>{name}</b><br>{duration(seconds)}, {amount:,.4g} {axis.unit}"
                for amount, seconds in chain.tolist()
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
        drawing.add_scatter(
            x=[chain[-1, 0], high[0]],
            y=[chain[-1, 1] / unit.seconds, height / unit.seconds],
            mode="lines",
            line={"color": colour, "width": 1, "dash": "dot"},
            hoverinfo="skip",
        )
        drawing.add_annotation(
            x=1.0,
            xref="paper",
            xanchor="left",
            xshift=3,
            y=height / unit.seconds,
            yanchor="middle",
            text=f'<span style="color:{colour}">■</span> {label(one.title, _LONGEST)}',
            align="left",
            font={"size": 12},
        )
    longest = max(min(len(one.title), _LONGEST) for _, one, _, _ in shown)
    drawing.x_axis(along[0].label, range=[low[0], high[0]])
    drawing.y_axis(
        f"Makespan ({unit.symbol})", range=[low[1] / unit.seconds, high[1] / unit.seconds]
    )
    return drawing.figure(
        height=HEIGHT,
        right=30 + 6.5 * longest,
        showlegend=False,
        hovermode="closest",
    )


def apart(values: FloatArray, least: float) -> FloatArray:
    """The values, moved upwards where they must be for any two to be at least so far apart."""
    moved = values.copy()
    order = np.argsort(values, kind="stable")
    for below, above in pairwise(order.tolist()):
        moved[above] = max(moved[above], moved[below] + least)
    return moved
