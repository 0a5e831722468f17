"""A small writer of SVG, whose colours are classes of the page's style."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.units import round_step
from core.vocabulary.say.words import Sense, amount
from core.vocabulary.tolerances import SAME

WIDTH: Final = 760.0
"""The width of all drawings."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values to positions: `low` to `start`, `high` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def of(self, values: FloatArray) -> FloatArray:
        """The positions of several values."""
        return np.array([self(value) for value in values.tolist()])

    def ticks(self, about: int) -> list[float]:
        """About so many round values between `low` and `high`: at least one from `about` 3 on."""
        step = round_step((self.high - self.low) / about)
        first, last = math.ceil(self.low / step - SAME), math.floor(self.high / step + SAME)
        return [round(k * step, 12) for k in range(first, last + 1)]

    def said(self, about: int) -> list[tuple[float, str]]:
        """The positions of the `ticks`, and their texts."""
        return [(self(value), _tick(value)) for value in self.ticks(about)]


@dataclass
class SvgDrawing:
    """A drawing as wide as the page; `label` describes it to people who cannot see it."""

    height: float
    label: str
    parts: list[str] = field(default_factory=list)

    def path(self, data: str, style: str) -> None:
        self.parts.append(f'<path class="{style}" d="{data}"/>')

    def line(self, points: FloatArray, style: str) -> None:
        self.path(_path(points.tolist()), style)

    def polygon(self, points: FloatArray, style: str) -> None:
        self.path(f"{_path(points.tolist())}Z", style)

    def bars(self, boxes: Iterable[tuple[float, float, float, float]], style: str) -> None:
        """Many boxes (left, top, width, height) of one style."""
        path = "".join(
            f"M{_px(x)} {_px(y)}h{_px(width)}v{_px(height)}h{_px(-width)}z"
            for x, y, width, height in boxes
        )
        if path:
            self.path(path, style)

    def stripes(self, name: str, style: str, *, leftwards: bool) -> None:
        """Define a fill of this name: a style with stripes, which rise to the right or the left."""
        way = "M-2 6L6 -2M2 10L10 2" if not leftwards else "M-2 2L6 10M2 -2L10 6"
        self.parts.append(
            f'<pattern id="{name}" width="8" height="8" patternUnits="userSpaceOnUse">'
            f'<rect class="{style}" width="8" height="8"/><path class="stripe" d="{way}"/>'
            "</pattern>"
        )

    def dots(self, points: FloatArray, radius: float, style: str) -> None:
        for x, y in points.tolist():
            self.parts.append(
                f'<circle class="{style}" cx="{_px(x)}" cy="{_px(y)}" r="{radius:g}"/>'
            )

    def text(self, x: float, y: float, said: str, style: str = "", *, turned: bool = False) -> None:
        """Draw text at (x, y); `style` may be "start", "middle" or "end", which says where x is in
        the text, and further classes.
        """
        turn = f' transform="rotate(-90 {_px(x)} {_px(y)})"' if turned else ""
        self.parts.append(
            f'<text class="{style}" x="{_px(x)}" y="{_px(y)}"{turn}>{escape(said)}</text>'
        )

    def grid(self, places: Iterable[tuple[float, str]], top: float, bottom: float) -> None:
        """Draw a line from top to bottom at each place across, with its text below."""
        for x, said in places:
            self.line(np.array([[x, top], [x, bottom]]), "grid")
            self.text(x, bottom + 17, said, "middle")

    def clip(self, left: float, top: float, width: float, height: float, first: int) -> None:
        """Show what was drawn from part `first` on only within this box; once for each drawing."""
        box = f'<rect x="{_px(left)}" y="{_px(top)}" width="{_px(width)}" height="{_px(height)}"/>'
        inside = "".join(self.parts[first:])
        self.parts[first:] = [
            f'<clipPath id="box">{box}</clipPath><g clip-path="url(#box)">{inside}</g>'
        ]

    def __str__(self) -> str:
        return (
            f'<svg viewBox="0 0 {_px(WIDTH)} {_px(self.height)}" role="img" '
            f'aria-label="{escape(self.label)}">{"".join(self.parts)}</svg>'
        )


def _path(points: Sequence[Sequence[float]]) -> str:
    return "M" + "L".join(f"{_px(x)} {_px(y)}" for x, y in points)


def _px(value: float) -> str:
    """The number to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")


_DIGITS: Final = 10
"""Significant digits of the value at a tick: sums of steps have rounding errors in later digits."""


def _tick(value: float) -> str:
    """The text at a tick."""
    return amount(value, Sense.PLAIN, digits=_DIGITS)


def draw_axes(drawing: SvgDrawing, across: Scale, up: Scale, titles: tuple[str, str]) -> None:
    """Draw the axes of these scales; `titles` are those across and up."""
    left, right, bottom, top = across.start, across.end, up.start, up.end
    for x, said in across.said(8):
        drawing.line(np.array([[x, bottom], [x, bottom + 4]]), "axis")
        drawing.text(x, bottom + 17, said, "middle")
    for y, said in up.said(6):
        drawing.line(np.array([[left - 4, y], [left, y]]), "axis")
        drawing.text(left - 8, y + 4, said, "end")
    drawing.line(np.array([[left, top], [left, bottom], [right, bottom]]), "axis")
    drawing.text((left + right) / 2, drawing.height - 14, titles[0], "middle title")
    drawing.text(14, (top + bottom) / 2, titles[1], "middle title", turned=True)
