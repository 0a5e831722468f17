"""Bars: how many jobs of each type arrive in each hour of the day."""

from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.capabilities.arrivals.made.patterns import HOURS
from core.vocabulary.say.words import Sense, amount
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import OTHERS, distinct
from dashboard.parts.charts.text import label
from dashboard.screens.arrivals.hours_desk import HoursDesk

_HEIGHT: Final = 300
_MOST: Final = 8
"""Types with a colour of their own: those with the most jobs."""


def hours_figure(desk: HoursDesk) -> go.Figure:
    """A bar for each hour, with a part for each type."""
    drawing = Drawing()
    a_day = desk.rates.sum(axis=0)
    largest = sorted(np.argsort(-a_day, kind="stable")[:_MOST].tolist())
    parts = [
        (label(desk.names[kind]), distinct(rank), desk.rates[:, kind])
        for rank, kind in enumerate(largest)
    ]
    if len(desk.names) > _MOST:
        others = desk.rates.sum(axis=1) - desk.rates[:, largest].sum(axis=1)
        parts.append(("other types", OTHERS, others))
    hours = np.arange(HOURS)
    for name, colour, jobs in parts:
        drawing.add_bar(
            x=hours + 0.5,
            y=jobs,
            name=name,
            marker={"color": colour},
            customdata=[
                f"{name}<br>{hour:02}–{hour + 1:02}: {amount(value, Sense.PLAIN)} jobs"
                for hour, value in zip(hours.tolist(), jobs.tolist(), strict=True)
            ],
        )
    drawing.x_axis("Hour of the day", range=[0, HOURS], dtick=3)
    drawing.y_axis("Jobs an hour", rangemode="tozero")
    rows = -(-len(parts) // 3)
    return drawing.figure(
        _HEIGHT + 20 * rows, above=16 + 20 * rows, barmode="stack", bargap=0.12, showlegend=True
    )
