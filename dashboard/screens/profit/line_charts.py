"""Charts of lines: profit over the price of a batch, and the cost of a batch by its start."""

import math
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.capabilities.profit.day import Day
from core.capabilities.profit.earn import Profit
from core.capabilities.profit.sweep import ProfitCurve
from core.vocabulary.calendar import HOURS_OF_DAY
from core.vocabulary.say.money import Money
from core.vocabulary.say.words import HOUR, Sense, amount, clock
from dashboard.parts.charts.drawing import Drawing, spanning
from dashboard.parts.charts.palette import BOUND, OTHERS, OURS, PAPER
from dashboard.parts.charts.text import plain_money
from dashboard.screens.profit.plane_chart import HEIGHT
from dashboard.screens.profit.usual import costs

_MORE: Final = 0.08


def curve_figure(
    curve: ProfitCurve, unit_price: float, overhead: float, profit: Profit, money: Money
) -> go.Figure:
    """Profit ratios to the right if the least energy costs something, otherwise prices."""
    per = unit_price or 1.0
    ratios = curve.prices / per
    drawing, money = Drawing(), plain_money(money)
    for values, name, colour, dash, sense in (
        (curve.on_front, "Best on the front", OURS, "dash", Sense.PLAIN),
        (curve.at_most, "Upper bound", BOUND, "solid", Sense.UPPER_BOUND),
    ):
        drawing.add_scatter(
            x=ratios,
            y=money.rate(1.0) * values,
            mode="lines",
            line={"color": colour, "width": 2, "dash": dash},
            name=name,
            customdata=[
                f"{name}: {money.say_rate(profit.settled(rate), sense)}" for rate in values.tolist()
            ],
        )
    drawing.add_hline(0.0, line={"color": OTHERS, "width": 1})
    first, last = ratios[0], ratios[-1]
    fastest = "fastest is best from"
    if math.isfinite(profit.bound.terms.power_cap):
        fastest = f"without the cap, {fastest}"
    for revenue, words, height in (
        (curve.steps.capped_break_even, "break even", 0.97),
        (curve.steps.fastest_from, fastest, 0.87),
    ):
        at = (revenue + overhead) / per
        if first <= at <= last:
            _add_step(drawing, at, words, height, leftwards=at >= (first + last) / 2)
    drawing.add_scatter(
        x=[profit.bound.terms.price / per],
        y=[money.rate(profit.value)],
        mode="markers",
        marker={"symbol": "diamond", "size": 12, "color": OURS},
        name="Found" if profit.earnings is not None else "Not run",
        customdata=[money.say_rate(profit.settled(profit.value), Sense.EARNED)],
    )
    drawing.x_axis("Profit ratio" if unit_price else f"Price of a batch ({money.currency})")
    drawing.y_axis(f"Profit ({money.rate_unit})", range=_visible_range(curve, money))
    return drawing.figure(HEIGHT, hovermode="x unified")


def _add_step(drawing: Drawing, at: float, words: str, height: float, *, leftwards: bool) -> None:
    """A vertical line at a price, with a label on the side where there is room."""
    drawing.add_vline(at, line={"color": OTHERS, "width": 1, "dash": "dot"})
    drawing.add_annotation(
        x=at,
        y=height,
        yref="paper",
        text=f"{words}: {amount(at, Sense.PLAIN)}",
        xanchor="right" if leftwards else "left",
        xshift=-3 if leftwards else 3,
        bgcolor=PAPER,
    )


def _visible_range(curve: ProfitCurve, money: Money) -> list[float] | None:
    """The range of the axis: the upper bound, with some room."""
    finite = money.rate(1.0) * curve.at_most[np.isfinite(curve.at_most)]
    if not len(finite):
        return None
    low, high = spanning(float(finite.min()), float(finite.max()))
    room = _MORE * (high - low or 1.0)
    # The front may be far below the bound, which would then look flat.
    return [low - 2.5 * room, high + room]


_HEIGHT: Final = 320
# Hours shown beyond the day, so that marks at midnight are not cut.
_MARGIN: Final = 0.5


def start_figure(day: Day, money: Money) -> go.Figure:
    (hours, spent), best = costs(day), day.best
    drawing, money = Drawing(), plain_money(money)
    drawing.add_scatter(
        x=hours,
        y=spent,
        mode="lines",
        line={"color": BOUND, "width": 2},
        name="Electricity",
        customdata=[
            f"start at {clock(hour * HOUR)}: {money.say(cost, Sense.SPENT)}"
            for hour, cost in zip(hours.tolist(), spent.tolist(), strict=True)
        ],
    )
    drawing.add_scatter(
        x=[best.second / HOUR],
        y=[best.cost],
        mode="markers+text",
        marker={"symbol": "diamond", "size": 12, "color": OURS},
        text=[clock(best.second)],
        textposition="top center" if 3 * HOUR < best.second < 21 * HOUR else "top right",
        name="Cheapest",
        customdata=[f"{clock(best.second)}: {money.say(best.cost, Sense.SPENT)}"],
    )
    drawing.x_axis(
        "Start of the batch (hour of the day)", range=[-_MARGIN, HOURS_OF_DAY + _MARGIN], dtick=3
    )
    drawing.y_axis(f"Cost of electricity ({money.currency})")
    return drawing.figure(_HEIGHT, showlegend=False)
