"""The bars that an answer has, with their intervals, as a picture of the report."""

from typing import Final

import numpy as np

from core.shells.report.svg import Scale, SvgDrawing
from core.shells.told.bars import ToldBars

_LEFT, _TOP, _RIGHT, _BELOW = 210.0, 30.0, 744.0, 46.0
_ROW: Final = 26.0
_BAR: Final = 0.62
_CAP: Final = 4.0
_ROOM: Final = 1.04


def bars_picture(told: ToldBars) -> SvgDrawing:
    """The bars from top to bottom, with the title of the axis below them."""
    height = _TOP + _ROW * len(told.bars) + _BELOW
    bottom = height - _BELOW
    across = Scale(0.0, _ROOM * (told.end or 1.0), _LEFT, _RIGHT)
    drawing = SvgDrawing(height, told.axis)
    drawing.grid(across.said(6), _TOP, bottom)
    for row, (bar, (below, above)) in enumerate(zip(told.bars, told.sides, strict=True)):
        top = _TOP + _ROW * (row + (1 - _BAR) / 2)
        middle, mean = top + _ROW * _BAR / 2, across(max(bar.value.mean, 0.0))
        style = "others" if row else "schedule"
        drawing.bars([(_LEFT, top, mean - _LEFT, _ROW * _BAR)], style)
        drawing.text(_LEFT - 8, middle + 4, bar.label, "end")
        if bar.value.known:
            low, high = across(bar.value.mean - below), across(bar.value.mean + above)
            _draw_interval(drawing, low, high, middle)
    drawing.line(np.array([[_LEFT, _TOP], [_LEFT, bottom]]), "axis")
    if told.limit is not None:
        x = across(told.limit)
        drawing.line(np.array([[x, _TOP - 6], [x, bottom]]), "bound")
        drawing.text(x, _TOP - 12, told.limit_said, "end" if x > (_LEFT + _RIGHT) / 2 else "start")
    drawing.text((_LEFT + _RIGHT) / 2, height - 8, told.axis, "middle title")
    return drawing


def _draw_interval(drawing: SvgDrawing, low: float, high: float, y: float) -> None:
    """In ink on paper, so that also the half that lies on the bar is seen."""
    lines = [[[low, y], [high, y]], *([[x, y - _CAP], [x, y + _CAP]] for x in (low, high))]
    for style in ("halo", "interval"):
        for line in lines:
            drawing.line(np.array(line), style)
