"""When tasks come: a bar for each hour of the week, or of the day, with a part for each type."""

from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.calendar import HOURS_OF_DAY, WEEKDAYS
from core.vocabulary.say.colours import colour_ranks
from core.vocabulary.say.words import Sense, amount
from core.vocabulary.system import System
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import OTHERS, paint_task
from dashboard.parts.charts.text import labels

_HEIGHT: Final = 360
_MOST: Final = 8
"""Types with a colour of their own: those with the most tasks."""


def arrivals_figure(arrivals: HourlyArrivals, study: System | None = None) -> go.Figure:
    """The hours of the week if they are known. Types have the colours of the `study`."""
    rates = arrivals.rates if arrivals.week is None else arrivals.week
    drawing = Drawing()
    largest = sorted(np.argsort(-rates.sum(axis=0), kind="stable")[:_MOST].tolist())
    ranks, names = colour_ranks(arrivals.names, rates.sum(axis=0), study), labels(arrivals.names)
    parts = [(names[kind], paint_task(int(ranks[kind])).marker, rates[:, kind]) for kind in largest]
    if len(arrivals.names) > _MOST:
        others = rates.sum(axis=1) - rates[:, largest].sum(axis=1)
        parts.append(("other types", {"color": OTHERS}, np.maximum(others, 0.0)))
    hours = np.arange(len(rates))
    when = [_when(hour, of_week=arrivals.week is not None) for hour in hours.tolist()]
    for name, marker, tasks in parts:
        drawing.add_bar(
            x=hours + 0.5,
            y=tasks,
            name=name,
            marker=marker,
            customdata=[
                f"{name}<br>{at}: {amount(value, Sense.PLAIN)} tasks"
                for at, value in zip(when, tasks.tolist(), strict=True)
            ],
        )
    if arrivals.week is None:
        drawing.x_axis("Hour of the day", range=[0, HOURS_OF_DAY], dtick=3)
    else:
        noons = [HOURS_OF_DAY * day + HOURS_OF_DAY / 2 for day in range(len(WEEKDAYS))]
        days = {"tickvals": noons, "ticktext": [day[:3] for day in WEEKDAYS], "showgrid": False}
        drawing.x_names("Hours of the week", range=[0, len(rates)], **days)
        for day in range(1, len(WEEKDAYS)):
            drawing.add_vline(HOURS_OF_DAY * day, line={"color": OTHERS, "width": 1, "dash": "dot"})
    drawing.y_axis("Tasks an hour", rangemode="tozero")
    rows = -(-len(parts) // 3)
    return drawing.figure(
        _HEIGHT + 20 * rows, above=16 + 20 * rows, barmode="stack", bargap=0.05, showlegend=True
    )


def _when(hour: int, *, of_week: bool) -> str:
    day, hour = divmod(hour, HOURS_OF_DAY)
    said = f"{hour:02}–{hour + 1:02}"
    return f"{WEEKDAYS[day]}, {said}" if of_week else said
