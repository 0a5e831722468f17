"""The axes of a drawing: ticks with their values, and titles with their units."""

from typing import Final

import numpy as np

from core.shells.report.svg import Scale, SvgDrawing
from core.vocabulary.say.words import Sense, amount

_DIGITS: Final = 10
"""Significant digits of the value at a tick: sums of steps have rounding errors in later digits."""


def tick(value: float) -> str:
    """The text at a tick."""
    return amount(value, Sense.PLAIN, digits=_DIGITS)


def draw_axes(drawing: SvgDrawing, across: Scale, up: Scale, titles: tuple[str, str]) -> None:
    """Draw the axes of these scales; `titles` are those across and up."""
    left, right, bottom, top = across.start, across.end, up.start, up.end
    for value in across.ticks(8):
        x = across(value)
        drawing.line(np.array([[x, bottom], [x, bottom + 4]]), "axis")
        drawing.text(x, bottom + 17, tick(value), "middle")
    for value in up.ticks(6):
        y = up(value)
        drawing.line(np.array([[left - 4, y], [left, y]]), "axis")
        drawing.text(left - 8, y + 4, tick(value), "end")
    drawing.line(np.array([[left, top], [left, bottom], [right, bottom]]), "axis")
    drawing.text((left + right) / 2, drawing.height - 14, titles[0], "middle title")
    drawing.text(14, (top + bottom) / 2, titles[1], "middle title", turned=True)
