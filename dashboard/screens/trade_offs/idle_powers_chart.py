"""A figure over the idle power: one curve, with a mark at the present idle power."""

from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.vocabulary.say.words import Sense, amount, share
from dashboard.parts.charts.drawing import Drawing, spanning
from dashboard.parts.charts.palette import BOUND
from dashboard.parts.fields.idle_power import IdlePowerCurve

HEIGHT: Final = 210
_ROOM: Final = 0.12
_ALL: Final = 100.0
"""Percent."""


def idle_figure(curve: IdlePowerCurve, fraction: float) -> go.Figure:
    """Idle power to the right, the proven figure upwards. The axis starts at 0 if that is near."""
    drawing = Drawing()
    percent = 100 * curve.fractions
    drawing.add_scatter(
        x=percent,
        y=curve.values,
        mode="lines+markers",
        line={"color": BOUND, "width": 2},
        marker={"color": BOUND, "size": 5},
        customdata=[
            f"idle power {share(one, Sense.TYPED)}: {amount(value, Sense.PLAIN, curve.unit)}"
            for one, value in zip(curve.fractions.tolist(), curve.values.tolist(), strict=True)
        ],
        showlegend=False,
    )
    here = float(np.interp(fraction, curve.fractions, curve.values))
    # A saving is seen against all that is spent.
    low, high = spanning(
        float(curve.values.min()), float(curve.values.max()), _ALL if curve.unit == "%" else 0.0
    )
    if low < 0.5 * high:
        low = 0.0
    room = _ROOM * (high - low or 1.0)
    drawing.add_ring(
        x=[100 * fraction],
        y=[here],
        mode="markers+text",
        text=[amount(here, Sense.PLAIN, curve.unit, digits=3)],
        textposition="top right" if fraction < 0.8 else "top left",
        cliponaxis=False,
    )
    drawing.x_axis("Idle power (% of the mean power at work)", range=[-4, 104])
    drawing.y_axis(f"{curve.unit}", range=[low - room / 3, high + 2 * room])
    return drawing.figure(height=HEIGHT)
