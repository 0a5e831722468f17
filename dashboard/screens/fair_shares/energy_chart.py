"""The exact front of the worst stretch against energy, with the stretch that is chosen."""

import math
from typing import Final

import plotly.graph_objects as go

from core.capabilities.fair_shares.energy import EnergyFront
from core.vocabulary.say.units import energy_unit
from core.vocabulary.say.words import Sense, amount, energy
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import CHOSEN, OURS

_HEIGHT: Final = 340
_ROOM: Final = 0.08


def energy_figure(front: EnergyFront, stretch: float) -> go.Figure:
    """Below the line no schedule can be. `stretch` is the one that is chosen."""
    stretches, joules = front.points.T
    unit = energy_unit(float(joules.max()))
    drawing = Drawing()
    drawing.add_scatter(
        x=stretches.tolist(),
        y=unit.of(joules).tolist(),
        mode="lines+markers",
        name="least energy",
        line={"color": OURS, "width": 2},
        marker={"size": 7, "symbol": "circle"},
        customdata=[
            f"worst stretch {amount(one, Sense.PLAIN)}<br>{energy(least, Sense.PLAIN)} at least"
            for one, least in front.points.tolist()
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )
    least = front.least_energy(stretch)
    if math.isfinite(least):
        drawing.add_scatter(
            x=[stretch],
            y=[least / unit.size],
            mode="markers",
            name="at the promised stretch",
            marker={"size": 14, "symbol": "diamond-open", "color": CHOSEN, "line": {"width": 3}},
            hovertemplate=f"{energy(least, Sense.PLAIN)} at least<extra></extra>",
        )
    low, high = float(joules.min()) / unit.size, float(joules.max()) / unit.size
    span = high - low or abs(high) or 1.0
    drawing.x_axis("Worst stretch")
    drawing.y_axis(f"Least energy ({unit.symbol})", range=[low - _ROOM * span, high + _ROOM * span])
    return drawing.figure(_HEIGHT, above=34, showlegend=True)
