"""Violins: by how much the two-stage purchase is better than each rival."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.capabilities.provision.words import DECIDED
from core.vocabulary.say.words import Sense, share
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import ACHIEVED, INK, OTHERS, OURS
from dashboard.parts.charts.text import plain
from dashboard.screens.provision.improvement import Violin, mean_said
from dashboard.screens.provision.inputs import PlanInputs

_HEIGHT: Final = 360
_HALF: Final = 0.42
_PERCENT: Final = 100.0
_LINE: Final = 10
"""Characters of a line below a violin: four titles have room beside each other on a phone."""


def violins_figure(found: Sequence[Violin], inputs: PlanInputs) -> go.Figure:
    """The width of a violin says how often an improvement occurs; the dot is the mean. Shares are
    in percent.
    """
    drawing, relative = Drawing(), any(one.relative for one in found)
    unit = _PERCENT if relative else inputs.rate_seconds
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
    told = [(place, one) for place, one in enumerate(found) if len(one.improvement)]
    drawing.add_scatter(
        x=[place for place, _ in told],
        y=[one.mean * unit for _, one in told],
        mode="markers",
        marker={"color": INK, "size": 9},
        customdata=[
            f"{DECIDED[one.method]}: {plain(mean_said(one, inputs))} on average, better in "
            f"{share(one.wins, Sense.PLAIN)} of the scenarios"
            for _, one in told
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )
    drawing.add_hline(0.0, line={"color": OTHERS, "width": 1.5, "dash": "dash"})
    drawing.x_names(
        "",
        tickvals=list(range(len(found))),
        ticktext=["<br>".join(wrap(DECIDED[one.method], _LINE)) for one in found],
        range=[-0.6, len(found) - 0.4],
        showgrid=False,
    )
    each = "% of the rival's" if relative else plain(inputs.rates.money)
    drawing.y_axis(f"More reward than the rival ({each})")
    return drawing.figure(_HEIGHT, showlegend=False)
