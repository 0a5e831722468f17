"""The fronts of the bound of several what-ifs in one chart, each with its name at its end."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.engines.front.axis import Axis
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.units import Unit, time_unit
from core.vocabulary.say.words import Sense, duration
from core.vocabulary.schedule import Schedule
from dashboard.parts.charts.drawing import Drawing, is_near, makespan_title, spanning
from dashboard.parts.charts.palette import dash, distinct
from dashboard.parts.charts.text import labels, plain
from dashboard.screens.what_if.compare.outcome import WhatIfOutcome

HEIGHT: Final = 430
_LABEL_PIXELS: Final = 17
_COLOURS: Final = 8
_ROOM: Final = 0.05
_LONGEST: Final = 22


@dataclass(frozen=True, eq=False, slots=True)
class _Line:
    """A front as drawn: its title, whole and as its label; `chain` has rows of (energy on the axis,
    seconds), `said` their words.
    """

    title: str
    label: str
    chain: FloatArray
    said: list[str]
    colour: str
    dash: str


def compare_fronts(
    outcomes: Sequence[WhatIfOutcome], along: Sequence[Axis], here: Schedule | None = None
) -> go.Figure | None:
    """Energy to the right, time upwards; None without a front. `here` is where the log stands."""
    lines = _lines(outcomes, along)
    if not lines:
        return None
    every = np.concatenate([line.chain for line in lines])
    at = None if here is None else np.array([along[0].of(here.energy), here.makespan])
    if at is not None and is_near(at, every):
        every = np.vstack([every, at])
    time = time_unit(float(every[:, 1].max()))
    low, high = spanning(every.min(axis=0), every.max(axis=0))
    room = np.maximum(high - low, 1e-300)
    low, high = low - _ROOM * room, high + _ROOM * room
    least = _LABEL_PIXELS / (0.75 * HEIGHT) * (high[1] - low[1])
    heights = apart(np.array([line.chain[-1, 1] for line in lines]), least)
    high[1] = max(high[1], float(heights.max()) + least / 2)
    drawing = Drawing()
    for line, height in zip(lines, heights.tolist(), strict=True):
        _add_line(drawing, line, time)
        _add_label(drawing, line, high[0], height, time)
    if at is not None:  # beyond the chart, if that is far from the fronts
        drawing.add_here(
            left=True,
            x=at[:1],
            y=at[1:] / time.size,
            customdata=["You are here: placed as in the log"],
        )
    longest = max(len(line.label) for line in lines)
    drawing.x_axis(along[0].label, range=[low[0], high[0]])
    drawing.y_axis(makespan_title(time), range=[low[1] / time.size, high[1] / time.size])
    return drawing.figure(
        height=HEIGHT, right=30 + 6.5 * longest, showlegend=False, hovermode="closest"
    )


def _lines(outcomes: Sequence[WhatIfOutcome], along: Sequence[Axis]) -> list[_Line]:
    """A line for each outcome that has a front. Colours go by the position among all outcomes."""
    short = labels([one.title for one in outcomes], _LONGEST)
    return [
        _Line(
            plain(one.title),
            short[place],
            np.column_stack([axis.of(one.front.energy), one.front.makespan]),
            [
                f"{duration(seconds, Sense.LOWER_BOUND)}, {axis.say(joules, Sense.LOWER_BOUND)}"
                for joules, seconds in one.front.points.tolist()
            ],
            distinct(place),
            dash(place // _COLOURS),
        )
        for place, (one, axis) in enumerate(zip(outcomes, along, strict=True))
        if one.front is not None
    ]


def _add_line(drawing: Drawing, line: _Line, time: Unit) -> None:
    drawing.add_scatter(
        x=line.chain[:, 0],
        y=line.chain[:, 1] / time.size,
        mode="lines+markers",
        line={"color": line.colour, "width": 2.2, "dash": line.dash},
        marker={"color": line.colour, "size": 4 if len(line.chain) > 1 else 9},
        customdata=[f"<b>{line.title}</b><br>{said}" for said in line.said],
    )


def _add_label(drawing: Drawing, line: _Line, edge: float, height: float, time: Unit) -> None:
    """Writes the name of a line right of the chart, and draws a thin line to it."""
    energy, seconds = line.chain[-1]
    y = [seconds / time.size, height / time.size]
    drawing.add_line(line.colour, 1, "dot", x=[energy, edge], y=y)
    drawing.add_annotation(
        x=1.0,
        xref="paper",
        xanchor="left",
        xshift=3,
        y=height / time.size,
        yanchor="middle",
        text=f'<span style="color:{line.colour}">■</span> {line.label}',
        align="left",
    )


def apart(values: FloatArray, least: float) -> FloatArray:
    """The values, moved upwards where needed, so that any two differ by at least `least`."""
    moved = values.copy()
    order = np.argsort(values, kind="stable")
    for below, above in pairwise(order.tolist()):
        moved[above] = max(moved[above], moved[below] + least)
    return moved
