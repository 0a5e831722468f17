"""The upper bound on profit over a range of one quantity."""

from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.vocabulary.say.money import Money
from core.vocabulary.say.words import Sense, amount
from dashboard.parts.charts.drawing import Drawing, spanning
from dashboard.parts.charts.palette import BOUND, OTHERS
from dashboard.parts.charts.text import plain, plain_money
from dashboard.screens.profit.sweeps import Sweep

_HEIGHT: Final = 320
_ROOM: Final = 0.06


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
    drawing.y_axis(f"Upper bound on profit ({money.rate_unit})", range=_range(sweep, money))
    return drawing.figure(_HEIGHT, showlegend=False)


def _range(sweep: Sweep, money: Money) -> list[float] | None:
    """What is seen of the profits; 0 is among it where they are near."""
    rates = money.rate(1.0) * sweep.at_most[np.isfinite(sweep.at_most)]
    if not rates.size:
        return None
    low, high = spanning(float(rates.min()), float(rates.max()))
    low, high = (0.0 if 0 < low < high - low else low), (0.0 if low - high < high < 0 else high)
    room = _ROOM * (high - low or 1.0)
    return [low - room, high + room]
