"""The upper bound on profit over a range of one quantity."""

from typing import Final

import plotly.graph_objects as go

from core.say.money import Money
from core.say.words import Sense, amount
from dashboard.common.drawing import Drawing
from dashboard.common.palette import BOUND, OTHERS
from dashboard.common.text import plain, plain_money
from dashboard.profit.sweeps import Sweep

_HEIGHT: Final = 320


def sweep_figure(sweep: Sweep, money: Money) -> go.Figure:
    """The line is interrupted where no schedule keeps the cap."""
    drawing, money = Drawing(), plain_money(money)
    drawing.add_scatter(
        x=sweep.values,
        y=money.rate(1.0) * sweep.at_most,
        mode="lines+markers",
        line={"color": BOUND, "width": 2},
        marker={"size": 4},
        name="Upper bound",
        customdata=[
            f"{amount(value, Sense.PLAIN)}: {money.say_rate(most, Sense.UPPER_BOUND)}"
            for value, most in zip(sweep.values.tolist(), sweep.at_most.tolist(), strict=True)
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )
    drawing.add_hline(0.0, line={"color": OTHERS, "width": 1})
    if sweep.now is not None:
        drawing.add_vline(sweep.now, line={"color": OTHERS, "width": 1.5, "dash": "dash"})
        drawing.add_annotation(
            text="now",
            x=sweep.now,
            y=1,
            yref="y domain",
            xanchor="left",
            yanchor="top",
            font={"size": 12},
        )
    drawing.x_axis(plain(sweep.label))
    drawing.y_axis(f"Upper bound on profit ({money.rate_unit})")
    return drawing.figure(_HEIGHT, showlegend=False)
