"""How many nodes are needed in each hour of the week, as a heat map."""

from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.capabilities.switch_off.hours import HoursOfWeek
from core.vocabulary.calendar import HOURS_OF_DAY, WEEKDAYS
from core.vocabulary.say.words import Sense, amount
from dashboard.parts.charts.drawing import Drawing

_HEIGHT: Final = 290


def week_figure(found: HoursOfWeek, nodes: int) -> go.Figure:
    """A row for each day, a column for each hour; colours reach from 0 to the most."""
    most = found.most.reshape(len(WEEKDAYS), HOURS_OF_DAY)
    mean = found.mean.reshape(most.shape)
    said = [
        [
            _said(day, hour, int(most[row, hour]), float(mean[row, hour]), nodes)
            for hour in range(HOURS_OF_DAY)
        ]
        for row, day in enumerate(WEEKDAYS)
    ]
    drawing = Drawing()
    drawing.add_heatmap(
        {},
        f"Most nodes busy at once, of {nodes:,}",
        z=np.where(most < 0, np.nan, most.astype(float)),
        zmin=0,
        zmax=max(int(most.max()), 1),
        customdata=said,
        hoverongaps=True,
        xgap=1,
        ygap=1,
    )
    hours = list(range(0, HOURS_OF_DAY, 3))
    drawing.x_names(
        "Hour of the day, by the cluster's clock",
        tickvals=hours,
        ticktext=[str(hour) for hour in hours],
        showgrid=False,
    )
    drawing.rows([day[:3] for day in WEEKDAYS], range=[len(WEEKDAYS) - 0.5, -0.5], automargin=True)
    return drawing.figure(_HEIGHT, above=56)


def _said(day: str, hour: int, most: int, mean: float, nodes: int) -> str:
    when = f"{day}, {hour}:00 to {hour + 1}:00"
    if most < 0:
        return f"{when}: not in the log"
    busy = amount(mean, Sense.PLAIN, digits=2)
    return f"{when}: at most {most:,} of {nodes:,} nodes busy at once, {busy} on average"
