"""Heat maps of value of service: which sizes run, and what jobs earn by hour and category."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.capabilities.arrivals.value_told import resource_title, size_said
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import HOUR, Sense, amount, clock, counted, typed
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.text import labels, plain

_ROW: Final = 30
_FRAME: Final = 150
_NAME: Final = 24
MOST_CELLS: Final = 60
"""Different amounts along a side of a chart; more would not be readable."""


def sizes_figure(sizes: Mapping[tuple[float, ...], float], resources: Sequence[str]) -> go.Figure:
    """How many jobs ran in each size, over the first two of its resources."""
    across, down = (sorted({size[side] for size in sizes})[:MOST_CELLS] for side in (0, 1))
    jobs = np.full((len(down), len(across)), np.nan)
    for size, count in sizes.items():
        if size[0] in across and size[1] in down:
            cell = down.index(size[1]), across.index(size[0])
            jobs[cell] = np.nansum([jobs[cell], count])
    said = [
        [
            f"{plain(size_said((x, y), (resources[1],)))}: "
            f"{'no such job' if np.isnan(one) else counted(round(one), 'job')}"
            for x, one in zip(across, row, strict=True)
        ]
        for y, row in zip(down, jobs.tolist(), strict=True)
    ]
    drawing = Drawing()
    drawing.add_heatmap({}, "Jobs", z=jobs, customdata=said, xgap=2, ygap=2)
    drawing.x_names(plain(resource_title(resources[0])), **_ticks(across))
    drawing.y_names(plain(resource_title(resources[1])), **_ticks(down))
    return drawing.figure(_FRAME + _ROW * len(down), above=56)


def _ticks(amounts: Sequence[float]) -> dict[str, object]:
    places = list(range(len(amounts)))
    return {"tickvals": places, "ticktext": list(map(typed, amounts)), "showgrid": False}


def hours_figure(worth: FloatArray, categories: Sequence[str]) -> go.Figure:
    """What jobs earned (`worth[category, hour]`), by the hour at which they were submitted."""
    hours = range(worth.shape[1])
    said = [
        [
            f"<b>{plain(name)}</b>, submitted from {clock(hour * HOUR)} to "
            f"{clock((hour + 1) * HOUR)}<br>worth {amount(float(one), Sense.PLAIN)}"
            for hour, one in zip(hours, row, strict=True)
        ]
        for name, row in zip(categories, worth, strict=True)
    ]
    drawing = Drawing()
    drawing.add_heatmap({}, "Worth", z=worth, customdata=said, xgap=1, ygap=2, zmin=0.0)
    drawing.x_axis("Hour of submission", dtick=3, showgrid=False)
    drawing.rows(labels(categories, _NAME))
    return drawing.figure(_FRAME + _ROW * len(categories), above=56)
