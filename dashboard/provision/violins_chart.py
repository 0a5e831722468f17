"""Violins: by how much the two-stage purchase is better than each rival."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.provision.words import RewardRate
from core.say.words import Sense, share
from dashboard.common.drawing import Drawing
from dashboard.common.palette import ACHIEVED, INK, OTHERS, OURS
from dashboard.provision.answer import METHODS
from dashboard.provision.improvement import Violin
from dashboard.provision.inputs import PlanInputs
from dashboard.provision.words import rate

_HEIGHT: Final = 360
_HALF: Final = 0.42


def violins_figure(found: Sequence[Violin], inputs: PlanInputs) -> go.Figure:
    """The width of a violin says how often an improvement occurs; the dot is the mean."""
    drawing, unit = Drawing(), inputs.rate_seconds
    for place, violin in enumerate(found):
        wide, levels = _HALF * violin.density, violin.levels * unit
        drawing.add_scatter(
            x=np.concatenate([place - wide, (place + wide)[::-1]]),
            y=np.concatenate([levels, levels[::-1]]),
            mode="lines",
            fill="toself",
            fillcolor=ACHIEVED,
            line={"color": OURS, "width": 1.5},
            hoverinfo="skip",
        )
    said = [
        f"{METHODS[one.method]}: {rate(one.mean, inputs)} on average, better in "
        f"{share(one.wins, Sense.PLAIN)} of the scenarios"
        for one in found
    ]
    drawing.add_scatter(
        x=list(range(len(found))),
        y=[one.mean * unit for one in found],
        mode="markers",
        marker={"color": INK, "size": 9},
        customdata=said,
        hovertemplate="%{customdata}<extra></extra>",
    )
    drawing.add_hline(0.0, line={"color": OTHERS, "width": 1.5, "dash": "dash"})
    drawing.x_names(
        "",
        tickvals=list(range(len(found))),
        ticktext=[METHODS[one.method] for one in found],
        range=[-0.6, len(found) - 0.4],
        showgrid=False,
    )
    drawing.y_axis(f"More reward than the rival ({RewardRate(inputs.rate_unit).every})")
    return drawing.figure(_HEIGHT, showlegend=False)
