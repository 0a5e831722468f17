"""The front, the power cap, the optimum and the schedule found, and what the two earn."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.arrays import FloatArray
from core.profit.earn import Profit
from core.profit.money import Money
from core.profit.terms import Terms
from core.relaxed import Front
from core.words import Sense, duration, power
from dashboard.charts.drawing import Drawing
from dashboard.charts.frame import Frame
from dashboard.charts.palette import BOUND, FEASIBLE, FORBIDDEN, HATCHED, OTHERS, OURS
from dashboard.charts.profit_style import HEIGHT, STRIPES, of_value, rounded_up
from dashboard.logic.axis import Axis
from dashboard.logic.time_unit import unit_for

_MARGIN: Final = 0.07
# The tallest a bar may be, and how wide each is, as shares of the chart.
_BAR_HEIGHT: Final = 0.5
_BAR_WIDTH: Final = 0.022
# What a label beside a bar needs, as a share of the chart of a phone.
_LABEL_WIDTH: Final = 0.3


@dataclass(frozen=True, eq=False)
class Plane:
    """The corners of the feasible region, and what is earned; no profit where no schedule keeps the
    cap.
    """

    front: Front
    region: FloatArray
    terms: Terms
    profit: Profit | None
    axis: Axis
    money: Money


@dataclass(frozen=True, slots=True)
class _Mark:
    """Something that earns `value` money a second at these joules and seconds."""

    joules: float
    seconds: float
    value: float


def plane_figure(plane: Plane) -> go.Figure:
    """Energy to the right, seconds upwards; bars go up from their points for what is earned, and
    down, striped, for what is lost.
    """
    marks = _marks(plane.profit)
    frame = _frame(plane, marks)
    drawing = Drawing()
    _add_region(drawing, frame, plane.region)
    _add_cap(drawing, frame, plane.terms)
    drawing.add_scatter(
        **frame.xy(plane.front.points),
        mode="lines" if len(plane.front) > 1 else "markers",
        line={"color": BOUND, "width": 2},
        name="Front (proven bound)",
        hoverinfo="skip",
    )
    _add_bars(drawing, frame, marks, plane.money)
    for mark, name, symbol, colour, sense in zip(
        marks,
        ("Divisible optimum", "Schedule found"),
        ("square-open", "diamond"),
        (BOUND, OURS),
        (Sense.UPPER_BOUND, Sense.EARNED),
        strict=False,
    ):
        drawing.add_scatter(
            **frame.xy(np.array([[mark.joules, mark.seconds]])),
            mode="markers",
            marker={"symbol": symbol, "size": 12, "color": colour, "line": {"width": 2}},
            name=name,
            hovertemplate=f"{name}: {plane.axis.say(mark.joules, Sense.PLAIN)}, a bag every "
            f"{duration(mark.seconds, Sense.PLAIN)}, "
            f"{plane.money.say_rate(mark.value, sense)}<extra></extra>",
        )
    across, upwards = frame.ranges
    drawing.x_axis(f"{frame.axis.title} a bag, at the machines ({frame.axis.unit})", range=across)
    drawing.y_axis(f"A bag every ({frame.time.symbol})", range=upwards)
    return drawing.figure(HEIGHT)


def _marks(profit: Profit | None) -> list[_Mark]:
    """The divisible optimum, then the schedule found, as far as they run."""
    if profit is None or not profit.bound.runs:
        return []
    marks = [_Mark(profit.bound_energy, profit.bound_period, profit.bound.value)]
    if profit.earnings is not None and math.isfinite(profit.earnings.period):
        earned = profit.earnings
        marks.append(_Mark(earned.energy, earned.period, earned.profit))
    return marks


def _frame(plane: Plane, marks: Sequence[_Mark]) -> Frame:
    """All that is to be seen, with room for the bars."""
    points = np.vstack([plane.front.points, *[[mark.joules, mark.seconds] for mark in marks]])
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.maximum(high - low, 0.02 * high)
    room = np.where(room > 0, room, 1.0)
    low, high = low - _MARGIN * room, high + _MARGIN * room
    for mark in marks:
        low[0] = min(low[0], mark.joules - _LABEL_WIDTH * room[0])
        high[0] = max(high[0], mark.joules + _LABEL_WIDTH * room[0])
        # A bar may begin anywhere, and be as high as half of what is seen.
        if mark.value < 0:
            low[1] = min(low[1], mark.seconds - room[1])
        else:
            high[1] = max(high[1], mark.seconds + room[1])
    return Frame(plane.axis, unit_for(float(high[1])), np.maximum(low, 0.0), high)


def _add_region(drawing: Drawing, frame: Frame, region: FloatArray) -> None:
    drawing.add_scatter(
        **frame.xy(np.vstack([region, region[:1]])),
        mode="lines",
        line={"color": OTHERS, "width": 1},
        fill="toself",
        fillcolor=FEASIBLE,
        name="Feasible",
        hoverinfo="skip",
    )


def _add_cap(drawing: Drawing, frame: Frame, terms: Terms) -> None:
    """What draws more than the cap lies below a line through the origin."""
    if not math.isfinite(terms.cap):
        return
    far = float(frame.high[0]) * 10
    corner = np.array([far, far / terms.cap if terms.cap else far * 1e9])
    name = f"Above the cap of {power(terms.power_cap, Sense.TYPED)}"
    drawing.add_scatter(
        **frame.xy(np.vstack([[0.0, 0.0], corner, [far, 0.0]])),
        mode="none",
        fill="toself",
        fillcolor=FORBIDDEN,
        fillpattern=HATCHED,
        name=name,
        hoverinfo="skip",
    )
    drawing.add_scatter(
        **frame.xy(np.vstack([[0.0, 0.0], corner])),
        mode="lines",
        line={"color": OTHERS, "width": 2, "dash": "dash"},
        showlegend=False,
        hoverinfo="skip",
    )


def _add_bars(drawing: Drawing, frame: Frame, marks: Sequence[_Mark], money: Money) -> None:
    """Side by side, their heights in proportion: what is proven hollow, what is found filled."""
    most = max((abs(mark.value) for mark in marks), default=0.0)
    if not most:
        return
    # What the tallest bar stands for is round as it is said: an hour or a second.
    tallest = rounded_up(money.rate(most)) / money.rate(1.0)
    width, height = (frame.high - frame.low) * (_BAR_WIDTH, _BAR_HEIGHT)
    # Away from each other, wherever the two are.
    out = 1.0 if marks[-1].joules >= marks[0].joules else -1.0
    kinds = (("At most", -out, Sense.UPPER_BOUND), ("Found", out, Sense.EARNED))
    for mark, (name, side, sense) in zip(marks, kinds, strict=False):
        tall = height * mark.value / tallest
        left, right = sorted((mark.joules, mark.joules + side * width))
        up = np.array([mark.seconds, mark.seconds + tall])
        corners = np.array([[left, up[0]], [left, up[1]], [right, up[1]], [right, up[0]]])
        colour = of_value(mark.value)
        filled = name == "Found"
        drawing.add_scatter(
            **frame.xy(np.vstack([corners, corners[:1]])),
            mode="lines",
            line={"color": colour, "width": 2},
            fill="toself" if filled else "none",
            fillcolor=colour,
            fillpattern=STRIPES if filled and mark.value < 0 else None,
            name=name,
            hoverinfo="skip",
        )
        drawing.add_annotation(
            x=frame.axis.of((left + right) / 2),
            y=up[1] / frame.time.seconds,
            text=money.say_rate(mark.value, sense),
            xanchor="left" if side > 0 else "right",
            yanchor="top" if mark.value < 0 else "bottom",
            font={"size": 12, "color": colour},
        )
