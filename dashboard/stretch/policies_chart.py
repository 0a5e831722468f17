"""Bars: one score of whole tasks under each policy, the best first, and what none can be below."""

from collections.abc import Sequence
from typing import Final

import plotly.graph_objects as go

from core.say.units import Unit, time_unit
from core.say.words import Sense, amount
from core.stretch.shares import FairShares
from core.stretch.tasks.words import SCORE_TITLES, score_said
from dashboard.common.drawing import Drawing
from dashboard.common.palette import BOUND, OURS, RIVAL
from dashboard.stretch.whole_tasks import PolicyFound

_ROW: Final = 22
_ROOM: Final = 1.05


def policies_figure(found: FairShares, policies: Sequence[PolicyFound], score: str) -> go.Figure:
    """`score` is one of `SCORE_TITLES`; the bound is that of the worst stretch alone."""
    order = sorted(policies, key=lambda one: one.scores[score])
    values = [one.scores[score] for one in order]
    is_time = score in ("max_flow", "sum_flow", "makespan")
    unit = time_unit(max(values)) if is_time else Unit("", 1.0)
    drawing = Drawing()
    drawing.add_bar(
        orientation="h",
        x=[value / unit.size for value in values],
        y=[one.label for one in order],
        marker={"color": [OURS, *[RIVAL] * (len(order) - 1)]},
        customdata=[score_said(score, value) for value in values],
        hovertemplate="%{y}: %{customdata}<extra></extra>",
        showlegend=False,
    )
    if score == "max_stretch":
        least = found.now.proven
        drawing.add_vline(least, line={"color": BOUND, "width": 2, "dash": "dash"})
        drawing.add_annotation(
            x=least,
            y=1,
            yref="paper",
            yanchor="bottom",
            xanchor="left",
            text=f"possible at least: {amount(least, Sense.LOWER_BOUND)}",
        )
    symbol = f" ({unit.symbol})" if unit.symbol else ""
    drawing.x_axis(f"{SCORE_TITLES[score]}{symbol}", range=[0, _ROOM * max(values) / unit.size])
    drawing.y_names(autorange="reversed", showgrid=False, automargin=True)
    return drawing.figure(90 + _ROW * max(len(order), 3), above=26, bargap=0.3)
