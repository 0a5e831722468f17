"""What 1 more of each resource would be worth in each hour of the day."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.vocabulary.arrays import FloatArray
from core.vocabulary.calendar import HOURS_OF_DAY
from core.vocabulary.say.words import HOUR, Sense, amount, clock
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import dash, distinct
from dashboard.parts.charts.text import labels, plain

_HEIGHT: Final = 320
_LONGEST: Final = 28


def prices_figure(lines: Mapping[str, FloatArray]) -> go.Figure:
    """A line in steps for each resource, by what it is called: its worth from hour to hour."""
    drawing, hours = Drawing(), np.arange(HOURS_OF_DAY + 1)
    names = labels([*lines], _LONGEST)
    for rank, (name, worth) in enumerate(lines.items()):
        steps = np.append(worth, worth[-1])
        drawing.add_scatter(
            x=hours,
            y=steps,
            mode="lines",
            name=names[rank],
            line={
                "color": distinct(rank),
                "width": 2,
                "dash": dash(rank),
                "shape": "hv",
            },
            customdata=[
                f"{plain(name)} from {clock(hour * HOUR)}: {amount(float(one), Sense.PLAIN)}"
                for hour, one in zip(hours.tolist(), steps, strict=True)
            ],
        )
    drawing.x_axis("Hour of the day", range=[0, HOURS_OF_DAY], dtick=3)
    drawing.y_axis("Worth of 1 more for an hour", rangemode="tozero")
    return drawing.figure(_HEIGHT, above=40, showlegend=True)
