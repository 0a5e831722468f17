"""The front, the power cap, the divisible optimum and the schedule found, with their profit."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core import Terms
from core.capabilities.profit.earn import Profit
from core.engines.front.axis import Axis
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.money import Money
from core.vocabulary.say.units import time_unit
from core.vocabulary.say.words import Sense, duration, power
from dashboard.parts.charts.drawing import TEXT, Drawing, Frame, spanning
from dashboard.parts.charts.palette import (
    BOUND,
    FEASIBLE,
    FORBIDDEN,
    HATCHED,
    OTHERS,
    OURS,
    PAPER,
    of_profit,
)
from dashboard.parts.charts.text import plain_money

HEIGHT: Final = 430
"""The height of the large charts of this page, in pixels."""
_MARGIN: Final = 0.07
# The width of a label beside a mark, as a share of a chart on a phone.
_LABEL_WIDTH: Final = 0.4
_LABEL_PIXELS: Final = 12


@dataclass(frozen=True, eq=False)
class ProfitPlane:
    """The corners of the feasible region (joules, seconds), and the profit; None if no schedule
    keeps the cap.
    """

    front: Front
    region: FloatArray
    terms: Terms
    profit: Profit | None
    axis: Axis
    money: Money


@dataclass(frozen=True, slots=True)
class _Mark:
    """A point (joules, seconds) with its profit `value`, in money a second. Its name and look; the
    `word` before its profit, and how that is rounded, and what it has `taken`.
    """

    joules: float
    seconds: float
    value: float
    name: str
    symbol: str
    colour: str
    word: str
    sense: Sense
    taken: Sense


def plane_figure(plane: ProfitPlane) -> go.Figure:
    """Energy to the right, time upwards. The profit is written beside each mark."""
    marks = _marks(plane.profit)
    frame = _frame(plane, marks)
    drawing = Drawing()
    add_feasible(drawing, frame.xy(plane.region))
    _add_cap(drawing, frame, plane.terms)
    drawing.add_scatter(
        **frame.xy(plane.front.points),
        mode="lines" if len(plane.front) > 1 else "markers",
        line={"color": BOUND, "width": 2},
        name="Front (lower bound)",
        hoverinfo="skip",
    )
    # The labels of the two marks point away from each other.
    rightwards = bool(marks) and marks[-1].joules >= marks[0].joules
    for mark, right in zip(marks, (not rightwards, rightwards), strict=False):
        _add_mark(drawing, frame, plane, mark, right=right)
    across, upwards = frame.ranges
    drawing.x_axis(
        f"{frame.axis.title} of the machines per batch ({frame.axis.unit})", range=across
    )
    drawing.y_axis(f"Period ({frame.time.symbol})", range=upwards)
    return drawing.figure(HEIGHT)


def _add_mark(
    drawing: Drawing, frame: Frame, plane: ProfitPlane, mark: _Mark, *, right: bool
) -> None:
    """A mark, with its profit beside it."""
    profit = f"{mark.word} {plain_money(plane.money).say_rate(mark.value, mark.sense)}"
    drawing.add_scatter(
        **frame.xy(np.array([[mark.joules, mark.seconds]])),
        mode="markers",
        marker={"symbol": mark.symbol, "size": 12, "color": mark.colour, "line": {"width": 2}},
        name=mark.name,
        customdata=[
            f"{mark.name}: {plane.axis.say(mark.joules, mark.taken)}, one batch every "
            f"{duration(mark.seconds, mark.taken)}, {profit}"
        ],
    )
    drawing.add_annotation(
        x=frame.axis.of(mark.joules),
        y=mark.seconds / frame.time.size,
        text=profit,
        xanchor="left" if right else "right",
        xshift=_LABEL_PIXELS if right else -_LABEL_PIXELS,
        # One label is above the other, so that they do not overlap.
        yshift=_LABEL_PIXELS if mark.colour == OURS else -_LABEL_PIXELS,
        font={"size": TEXT, "color": of_profit(mark.value)},
        bgcolor=PAPER,
    )


def _marks(profit: Profit | None) -> list[_Mark]:
    """The divisible optimum with the upper bound on profit, then the schedule found; those that
    exist.
    """
    if profit is None or not profit.bound.runs:
        return []
    look = ("Divisible optimum", "square-open", BOUND)
    said = ("at most", Sense.UPPER_BOUND, Sense.PLAIN)
    marks = [_Mark(profit.bound_energy, profit.bound_period, profit.most, *look, *said)]
    earned = profit.earnings
    if earned is not None:
        look, said = ("Schedule found", "diamond", OURS), ("found", Sense.EARNED, Sense.SPENT)
        marks.append(_Mark(earned.energy, earned.period, earned.profit, *look, *said))
    return marks


def _frame(plane: ProfitPlane, marks: Sequence[_Mark]) -> Frame:
    """The part of the plane that the chart shows, with room for the labels."""
    points = np.vstack([plane.front.points, *[[mark.joules, mark.seconds] for mark in marks]])
    low, high = spanning(points.min(axis=0), points.max(axis=0))
    room = np.where(high > low, high - low, 1.0)
    low, high = low - _MARGIN * room, high + _MARGIN * room
    for mark in marks:
        low[0] = min(low[0], mark.joules - _LABEL_WIDTH * room[0])
        high[0] = max(high[0], mark.joules + _LABEL_WIDTH * room[0])
    return Frame(plane.axis, time_unit(float(plane.region[:, 1].max())), np.maximum(low, 0.0), high)


def add_feasible(drawing: Drawing, corners: Mapping[str, FloatArray]) -> None:
    """The feasible region, by its corners in the units of the chart."""
    closed = {name: np.append(places, places[:1]) for name, places in corners.items()}
    drawing.add_area(FEASIBLE, **closed, line={"color": OTHERS, "width": 1}, name="Feasible")


def _add_cap(drawing: Drawing, frame: Frame, terms: Terms) -> None:
    """The cap as a line through the origin. Points below it draw more power."""
    if not math.isfinite(terms.cap):
        return
    far = float(frame.high[0]) * 10
    corner = np.array([far, far / terms.cap if terms.cap else far * 1e9])
    name = f"Above the cap of {power(terms.power_cap, Sense.TYPED)}"
    above = frame.xy(np.vstack([[0.0, 0.0], corner, [far, 0.0]]))
    drawing.add_area(FORBIDDEN, **above, mode="none", fillpattern=HATCHED, name=name)
    drawing.add_line(OTHERS, 2, "dash", **frame.xy(np.vstack([[0.0, 0.0], corner])))
