"""The cost of the electricity of a batch, over the hour of the day at which it starts."""

from typing import Final

import plotly.graph_objects as go

from core.capabilities.profit.day import Day
from core.capabilities.profit.day_tariff import HOURS
from core.vocabulary.say.money import Money
from core.vocabulary.say.words import HOUR, Sense, clock
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, OURS
from dashboard.parts.charts.text import plain_money
from dashboard.screens.profit.start import costs

_HEIGHT: Final = 320
# Hours shown beyond the day, so that marks at midnight are not cut.
_MARGIN: Final = 0.5


def start_figure(day: Day, money: Money) -> go.Figure:
    found, best = costs(day), day.best
    drawing, money = Drawing(), plain_money(money)
    drawing.add_scatter(
        x=found.hours,
        y=found.money,
        mode="lines",
        line={"color": BOUND, "width": 2},
        name="Electricity",
        customdata=[
            f"start at {clock(hour * HOUR)}: {money.say(cost, Sense.SPENT)}"
            for hour, cost in zip(found.hours.tolist(), found.money.tolist(), strict=True)
        ],
        hovertemplate="%{customdata}<extra></extra>",
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
        hovertemplate="%{customdata}<extra></extra>",
    )
    drawing.x_axis(
        "Start of the batch (hour of the day)", range=[-_MARGIN, HOURS + _MARGIN], dtick=3
    )
    drawing.y_axis(f"Cost of electricity ({money.currency})")
    return drawing.figure(_HEIGHT, showlegend=False)
