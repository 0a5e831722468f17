"""The picture of the report on work that arrives: a bar for each policy or method, with its
interval, and a limit that none can pass.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from core.shells.report.axes import tick
from core.shells.report.svg import Scale, SvgDrawing
from core.vocabulary.intervals import Interval

WIDTH: Final = 760.0
_LEFT, _TOP, _RIGHT, _BELOW = 210.0, 30.0, 744.0, 46.0
_ROW: Final = 26.0
_BAR: Final = 0.62
_CAP: Final = 4.0
_ROOM: Final = 1.04


class RatedBar(NamedTuple):
    """A bar in the unit of the axis; the best has a colour of its own."""

    label: str
    value: Interval
    is_best: bool


class ProvenLimit(NamedTuple):
    """A line that no bar passes, and the text at it."""

    value: float
    text: str


def bars_picture(bars: Sequence[RatedBar], axis: str, limit: ProvenLimit | None) -> SvgDrawing:
    """The bars from top to bottom; `axis` is the title below them."""
    height = _TOP + _ROW * len(bars) + _BELOW
    bottom = height - _BELOW
    sides = [_sides(bar.value, limit) for bar in bars]
    ends = [bar.value.mean + above for bar, (_, above) in zip(bars, sides, strict=True)]
    most = max(*ends, 0.0 if limit is None else limit.value) or 1.0
    across = Scale(0.0, _ROOM * most, _LEFT, _RIGHT)
    drawing = SvgDrawing(WIDTH, height, axis)
    for value in across.ticks(6):
        x = across(value)
        drawing.line(np.array([[x, _TOP], [x, bottom]]), "grid")
        drawing.text(x, bottom + 17, tick(value), "middle")
    for row, (bar, (below, above)) in enumerate(zip(bars, sides, strict=True)):
        top = _TOP + _ROW * (row + (1 - _BAR) / 2)
        middle, mean = top + _ROW * _BAR / 2, across(max(bar.value.mean, 0.0))
        style = "schedule" if bar.is_best else "others"
        drawing.bars([(_LEFT, top, mean - _LEFT, _ROW * _BAR)], style)
        drawing.text(_LEFT - 8, middle + 4, bar.label, "end")
        if math.isfinite(bar.value.half_width):
            low, high = across(bar.value.mean - below), across(bar.value.mean + above)
            _draw_interval(drawing, low, high, middle)
    drawing.line(np.array([[_LEFT, _TOP], [_LEFT, bottom]]), "axis")
    if limit is not None:
        x = across(limit.value)
        drawing.line(np.array([[x, _TOP - 6], [x, bottom]]), "bound")
        drawing.text(x, _TOP - 12, limit.text, "end" if x > (_LEFT + _RIGHT) / 2 else "start")
    drawing.text((_LEFT + _RIGHT) / 2, height - 8, axis, "middle title")
    return drawing


def _sides(value: Interval, limit: ProvenLimit | None) -> tuple[float, float]:
    """How far the interval of a bar reaches below and above its end: not past the limit either."""
    if limit is None:
        return value.sides(0.0)
    return value.sides(limit.value) if value.mean > limit.value else value.sides(0.0, limit.value)


def _draw_interval(drawing: SvgDrawing, low: float, high: float, y: float) -> None:
    """In ink on paper, so that also the half that lies on the bar is seen."""
    lines = [[[low, y], [high, y]], *([[x, y - _CAP], [x, y + _CAP]] for x in (low, high))]
    for style in ("halo", "interval"):
        for line in lines:
            drawing.line(np.array(line), style)
