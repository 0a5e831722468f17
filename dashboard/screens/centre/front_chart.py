"""What other lateness and excess would cost: the bound of each slice of the front, and plans."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.capabilities.centre.answer import CentreAnswer, MethodPlan
from core.capabilities.centre.front import DaySlice
from core.capabilities.centre.objectives import DayAim
from core.capabilities.centre.plan import KWH
from core.capabilities.centre.recover import counted
from core.capabilities.centre.settings import METHOD_NAMES
from core.capabilities.centre.told import said
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import Sense, energy, share
from dashboard.parts.charts.drawing import CLICKED, Drawing, is_near
from dashboard.parts.charts.palette import INK, OURS, RIVAL, dash, shade, symbol
from dashboard.parts.charts.text import plain

_HEIGHT: Final = 380
_POINTS: Final = 60
_TITLES: Final[dict[DayAim, str]] = {"cost": "Cost", "carbon": "CO₂", "energy": "Energy"}
_KG: Final = 1000.0


def front_aim(answer: CentreAnswer) -> DayAim:
    """What the front has over the excess: the aim, or the cost if that is excess or lateness."""
    aim = answer.asked.minimise
    return aim if aim in _TITLES else "cost"


def front_figure(answer: CentreAnswer, slices: Sequence[DaySlice]) -> go.Figure:
    """Excess to the right, the aim upwards; a line for each lateness, below which no plan is. A
    click on a plan says the places of its slice and its point.
    """
    aim = front_aim(answer)
    size = _KG if aim == "carbon" else 1.0
    drawing = Drawing()
    most = max(point.excess for one in slices for point in one.points)
    right = most * 1.04 or 1.0
    for place, one in enumerate(slices):
        colour = shade(place / max(len(slices) - 1, 1))
        _add_slice(drawing, one, place, right, size, colour)
        _add_plans(drawing, answer, one, place, size, colour)
    seen = np.array([(point.excess, point.least / size) for one in slices for point in one.points])
    for method in (*answer.plans, answer.usual):
        _add_method(drawing, answer, method, seen, size)
    unit = {"cost": plain(answer.file.currency), "carbon": "kg", "energy": "kWh"}[aim]
    drawing.x_axis("Excess (kWh above the target)", rangemode="tozero")
    drawing.y_axis(f"{_TITLES[aim]} ({unit})")
    return drawing.figure(
        _HEIGHT,
        above=44,
        hovermode="closest",
        showlegend=True,
        hoverlabel={"align": "left"},
    )


def _add_slice(
    drawing: Drawing, one: DaySlice, place: int, right: float, size: float, colour: str
) -> None:
    """The line below which no plan of this lateness is."""
    excess: FloatArray = np.linspace(one.points[0].excess, right, _POINTS)
    drawing.add_line(
        colour,
        2,
        dash(place),
        x=excess,
        y=one.least(excess) / size,
        name=f"late by {share(one.late, Sense.TYPED)}" if one.late else "nothing late",
        showlegend=True,
    )


def _add_plans(
    drawing: Drawing, answer: CentreAnswer, one: DaySlice, place: int, size: float, colour: str
) -> None:
    """The plans that were found for the points of a slice, and keep it."""
    x, y, told = [], [], []
    for number, point in enumerate(one.points):
        if point.found is None or point.found.beyond > 0:
            continue
        reached = counted(answer.day, point.found.measures)
        x.append(reached["excess"])
        y.append(point.found.value / size)
        told.append(([place, number], _said(answer, point.found.value, reached)))
    if x:
        drawing.add_scatter(
            x=x,
            y=y,
            mode="markers",
            marker={"color": colour, "size": 8, "symbol": symbol(place)},
            customdata=told,
            showlegend=False,
            **CLICKED,
        )


def _said(answer: CentreAnswer, value: float, reached: dict[DayAim, float]) -> str:
    aim = front_aim(answer)
    return "<br>".join(
        (
            f"<b>{plain(said(answer, aim, value))}</b>",
            f"{energy(reached['excess'] * KWH, Sense.PLAIN)} above the target",
            f"late by {share(reached['lateness'] / answer.day.jobs.execution_steps, Sense.PLAIN)}",
        )
    )


def _add_method(
    drawing: Drawing, answer: CentreAnswer, one: MethodPlan, seen: FloatArray, size: float
) -> None:
    """What a method came to, unless it is so far away that nothing else could be seen."""
    if one.measures is None:
        return
    reached = counted(answer.day, one.measures)
    aim = front_aim(answer)
    at = np.array([reached["excess"], reached[aim] / size])
    if not is_near(at, seen):
        return
    name = METHOD_NAMES[one.method]
    colour = OURS if one.method == "plan" else RIVAL
    drawing.add_scatter(
        x=at[:1],
        y=at[1:],
        mode="markers+text",
        marker={"color": colour, "size": 12, "symbol": "star" if one.method == "plan" else "x"},
        text=[name],
        textposition="top center",
        textfont={"color": INK},
        customdata=[f"<b>{name}</b><br>{_said(answer, reached[aim], reached)}"],
        showlegend=False,
    )
    if one.method == "plan":
        drawing.add_ring(x=at[:1], y=at[1:])
