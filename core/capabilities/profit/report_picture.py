"""The picture of profit over the price of a batch, with its upper bound."""

from typing import Final

import numpy as np

from core.capabilities.profit.curve import ProfitCurve
from core.shells.report.svg import Scale, SvgDrawing, draw_axes
from core.vocabulary.say.money import Money
from core.vocabulary.say.words import Sense, amount

WIDTH: Final = 760.0
HEIGHT: Final = 360.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 74.0, 40.0, 744.0, 306.0
_CHARACTER: Final = 6.6
_ROOM: Final = 0.06
# If all values are equal, the axis extends by this share of the value.
_LEAST_EXTENT: Final = 1e-3


def profit_picture(
    curve: ProfitCurve, unit_price: float, overhead: float, now: tuple[float, float], money: Money
) -> SvgDrawing:
    """The picture; its horizontal axis has ratios, or prices if the least energy costs nothing.
    `now` is the price of a batch and the profit found, in money a second.
    """
    per = unit_price or 1.0
    seen = np.isfinite(curve.at_most)
    ratios, rates = curve.prices[seen] / per, money.rate(1.0) * curve.at_most[seen]
    here = now[0] / per, money.rate(now[1])
    values = np.concatenate([rates, [0.0, here[1]]])
    low, high = float(values.min()), float(values.max())
    room = _ROOM * _extent(low, high)
    first, last = float(curve.prices[0] / per), float(curve.prices[-1] / per)
    across = Scale(first, first + _extent(first, last), _LEFT, _RIGHT)
    up = Scale(low - room, high + room, _BOTTOM, _TOP)

    drawing = SvgDrawing(WIDTH, HEIGHT, "Profit over the price of a batch")
    zero = up(0.0)
    drawing.line(np.array([[_LEFT, zero], [_RIGHT, zero]]), "grid")
    steps = curve.steps
    for revenue, said, height in (
        (steps.break_even, "breaks even", 14.0),
        (steps.thriftiest_from, "thriftiest from", 30.0),
        (steps.fastest_from, "fastest from", 46.0),
    ):
        at = (revenue + overhead) / per
        if across.low <= at <= across.high:
            x = across(at)
            drawing.line(np.array([[x, _TOP], [x, _BOTTOM]]), "grid")
            side, shift = ("start", 4.0) if x < (_LEFT + _RIGHT) / 2 else ("end", -4.0)
            drawing.text(
                x + shift, _TOP + height, f"{said} {amount(at, Sense.PLAIN)}", f"{side} title"
            )
    drawing.line(np.column_stack([across.of(ratios), up.of(rates)]), "bound")
    drawing.dots(np.array([[across(here[0]), up(here[1])]]), 5.0, "schedule")
    price = "Profit ratio" if unit_price else "Price of a batch"
    draw_axes(drawing, across, up, (price, f"Profit ({money.rate_unit})"))
    _draw_key(drawing)
    return drawing


def _extent(low: float, high: float) -> float:
    """The distance between both values, or a small one if they are equal."""
    return max(high - low, _LEAST_EXTENT * max(abs(low), abs(high))) or 1.0


def _draw_key(drawing: SvgDrawing) -> None:
    said = "at most, by any schedule (proven)"
    drawing.line(np.array([[_LEFT, 16.0], [_LEFT + 16, 16.0]]), "bound")
    drawing.text(_LEFT + 21, 20.0, said, "start")
    x = _LEFT + 42 + _CHARACTER * len(said)
    drawing.dots(np.array([[x + 5, 16.0]]), 5.0, "schedule")
    drawing.text(x + 15, 20.0, "found", "start")
