"""Charts over energy and time: profits along the front, and lines of equal profit."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import plotly.graph_objects as go

from core import Terms
from core.capabilities.profit.earn import Profit
from core.engines.front.axis import Axis
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.money import Money
from core.vocabulary.say.units import round_step, time_unit
from core.vocabulary.say.words import Sense, amount, duration, power
from core.vocabulary.tolerances import SAME
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
    # A label points to the middle, where there is room on a phone, too; that of the upper mark
    # stands above it, that of the other below, so that they do not overlap.
    middle = float(frame.low[0] + frame.high[0]) / 2
    upper = max(marks, key=lambda mark: mark.seconds, default=None)
    for mark in marks:
        right, above = mark.joules < middle, mark is upper
        _add_mark(drawing, frame, plane, mark, right=right, above=above)
    across, upwards = frame.ranges
    drawing.x_axis(
        f"{frame.axis.title} of the machines per batch ({frame.axis.unit})", range=across
    )
    drawing.y_axis(f"Period ({frame.time.symbol})", range=upwards)
    return drawing.figure(HEIGHT)


def _add_mark(
    drawing: Drawing, frame: Frame, plane: ProfitPlane, mark: _Mark, *, right: bool, above: bool
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
        yshift=_LABEL_PIXELS if above else -_LABEL_PIXELS,
        font={"size": TEXT, "color": of_profit(mark.value)},
        bgcolor=PAPER,
    )


def _marks(profit: Profit | None) -> list[_Mark]:
    """The divisible optimum with the upper bound, then the schedule found; those that exist."""
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
    """The part of the plane that the chart shows."""
    points = np.vstack([plane.front.points, *[[mark.joules, mark.seconds] for mark in marks]])
    low, high = spanning(points.min(axis=0), points.max(axis=0))
    room = np.where(high > low, high - low, 1.0)
    low, high = low - _MARGIN * room, high + _MARGIN * room
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


_LINES: Final = 9
LabelSide = Literal["top center", "middle left", "middle right"]
# How far apart the numbers at the lines are, as shares of the axis and of the region, so that each
# can be read on a phone, too.
_APART_ACROSS: Final = 0.14
_APART_UPWARDS: Final = 0.07
# Room around what is drawn, and for a number at a side, as shares of what is drawn.
_ROOM: Final = 0.06
_TEXT_ROOM: Final = 0.12
_GAP: Final = "\u00a0"
"""Between a number and the edge that it stands at."""


@dataclass(frozen=True, eq=False)
class Contours:
    """The corners of the feasible region (joules, seconds). `standing` are the costs, in money a
    second, that do not depend on what runs; `optimum` is the divisible optimum (joules, seconds).
    """

    region: FloatArray
    terms: Terms
    standing: float
    optimum: tuple[float, float] | None
    axis: Axis
    money: Money

    @property
    def joule_price(self) -> float:
        return self.terms.energy_price * self.terms.pue

    @property
    def pivot(self) -> float | None:
        """The energy (J) that costs as much as a batch brings; None if energy is free."""
        return self.terms.revenue / self.joule_price if self.joule_price else None

    def profit(self, points: FloatArray) -> FloatArray:
        """The profit at each point, in money a second, without wear."""
        earned: FloatArray = self.terms.revenue - self.joule_price * points[:, 0]
        return earned / points[:, 1] - self.standing

    def line(self, value: float) -> FloatArray:
        """The ends of the line of this profit within the region; empty if it is outside."""
        beyond = self.terms.revenue - self.joule_price * self.region[:, 0]
        return self._where(beyond - (value + self.standing) * self.region[:, 1])

    def cap(self) -> FloatArray:
        """The ends of the line on which the average power is the cap; empty without a cap."""
        if not math.isfinite(self.terms.cap):
            return np.empty((0, 2))
        return self._where(self.region[:, 0] - self.terms.cap * self.region[:, 1])

    def _where(self, beyond: FloatArray) -> FloatArray:
        """The points on the edge of the region where a linear function is 0. `beyond` are its
        values at the corners.
        """
        following, after = np.roll(beyond, -1), np.roll(self.region, -1, axis=0)
        crossed = np.flatnonzero((beyond >= 0) != (following >= 0))
        way = (beyond[crossed] / (beyond[crossed] - following[crossed]))[:, None]
        ends = (1 - way) * self.region[crossed] + way * after[crossed]
        return ends[np.argsort(ends[:, 1])]


def contours_figure(contours: Contours) -> go.Figure:
    """Energy to the right, time upwards. The pivot is in sight."""
    region, axis = contours.region, contours.axis
    time = time_unit(float(region[:, 1].max()))
    drawing = Drawing()

    def xy(points: FloatArray) -> dict[str, FloatArray]:
        return {"x": axis.of(points[:, 0]), "y": points[:, 1] / time.size}

    # What is drawn later lies on top.
    add_feasible(drawing, xy(region))
    found = [(value, contours.line(value)) for value in levels(contours)]
    lines = [(value, ends[[0, -1]]) for value, ends in found if len(ends) >= 2]
    places = _places(lines, region, contours.pivot)
    for (value, ends), place in zip(lines, places, strict=True):
        _add_line(drawing, contours.money, value, xy(ends), place)
        if contours.pivot is not None:
            way = np.vstack([ends[:1], [[contours.pivot, 0.0]]])
            drawing.add_line(OTHERS, 0.7, "dot", **xy(way))
    if len(cap := contours.cap()):
        name = f"Power cap {power(contours.terms.power_cap, Sense.TYPED)}: above the line"
        drawing.add_line(OTHERS, 2.5, "dash", **xy(cap), name=name, showlegend=True)
    if contours.optimum is not None:
        drawing.add_scatter(
            **xy(np.array([contours.optimum])),
            mode="markers",
            marker={"symbol": "square-open", "size": 12, "color": BOUND, "line": {"width": 2.5}},
            name="Divisible optimum",
            hovertemplate="Divisible optimum<extra></extra>",
        )
    _add_pivot(drawing, contours)
    drawing.x_axis(
        f"{axis.title} of the machines per batch ({axis.unit})", range=_across(contours, places)
    )
    drawing.y_axis(
        f"Period ({time.symbol})", range=[0.0, (1 + _ROOM) * float(region[:, 1].max()) / time.size]
    )
    return drawing.figure(HEIGHT)


def levels(contours: Contours) -> list[float]:
    """The profits of the lines, in money a second: about a dozen, round in the unit shown."""
    rates = contours.money.rate(1.0) * contours.profit(contours.region)
    low, high = float(rates.min()), float(rates.max())
    if not high > low:
        return []
    step = round_step((high - low) / _LINES)
    multiples = range(math.ceil(low / step), math.floor(high / step) + 1)
    return [k * step / contours.money.rate(1.0) for k in multiples]


def _places(
    lines: Sequence[tuple[float, FloatArray]], region: FloatArray, pivot: float | None
) -> list[LabelSide | None]:
    """On which side of its upper end each line has its profit, outside of the region; None where
    that would stand on the profit of another line, of which the one nearer to 0 is written.
    """
    size = np.ptp(region, axis=0)
    if pivot is not None:  # the axis reaches to it
        size[0] = np.ptp([*region[:, 0], pivot])
    size[size == 0] = 1.0  # one machine without idle power: the region is a line
    top = float(region[:, 1].max())
    ends = [(line[-1] - region.min(axis=0)) / size for _, line in lines]
    sides: list[LabelSide] = [
        "top center"
        if line[-1, 1] >= top * (1 - SAME)
        else ("middle left" if line[-1, 0] < line[0, 0] else "middle right")
        for _, line in lines
    ]
    written: list[int] = []
    for one in sorted(range(len(lines)), key=lambda place: abs(lines[place][0])):
        along, apart = (0, _APART_ACROSS) if sides[one] == "top center" else (1, _APART_UPWARDS)
        beside = [other for other in written if sides[other] == sides[one]]
        if all(abs(ends[one][along] - ends[other][along]) >= apart for other in beside):
            written.append(one)
    return [side if one in written else None for one, side in enumerate(sides)]


def _across(contours: Contours, places: Sequence[LabelSide | None]) -> list[float]:
    """The range of energies in sight: the region, the pivot, and the profits at the sides."""
    pivot = () if contours.pivot is None else (contours.pivot,)
    seen = contours.axis.of(np.array([*contours.region[:, 0], *pivot]))
    low, high = spanning(float(seen.min()), float(seen.max()))
    before, after = (
        _TEXT_ROOM if at in places else _ROOM for at in ("middle left", "middle right")
    )
    room = high - low
    return [low - before * room, high + after * room]


def _add_line(
    drawing: Drawing,
    money: Money,
    value: float,
    ends: dict[str, FloatArray],
    place: LabelSide | None,
) -> None:
    """A line of equal profit, with the profit written beside its upper end."""
    said = "" if place is None else amount(money.rate(value), Sense.PLAIN)
    drawing.add_scatter(
        **ends,
        mode="lines+text",
        text=["", said if place == "top center" else f"{_GAP}{said}{_GAP}"],
        textposition=place or "top center",
        cliponaxis=False,
        textfont={"size": TEXT, "color": of_profit(value)},
        line={
            "color": of_profit(value),
            "width": 2.5 if value == 0 else 1.2,
            "dash": "dash" if value < 0 else "solid",
        },
        customdata=[plain_money(money).say_rate(value, Sense.PLAIN)] * 2,
        showlegend=False,
    )


def _add_pivot(drawing: Drawing, contours: Contours) -> None:
    if contours.pivot is None:
        return
    drawing.add_scatter(
        x=[contours.axis.of(contours.pivot)],
        y=[0],
        mode="markers",
        marker={"symbol": "x", "size": 9, "color": OTHERS},
        name=f"Pivot, {contours.axis.say(contours.pivot, Sense.PLAIN)}: it costs what a batch "
        "brings",
        cliponaxis=False,
        hoverinfo="skip",
    )
