"""The ETC matrix as a heat map, with the pairs that cannot run."""

import math
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go

from core.system import FloatArray, System
from core.words import duration
from dashboard.charts.palette import OTHERS, SEQUENTIAL
from dashboard.charts.text import label, plain

MOST_ROWS: Final = 200
MOST_COLUMNS: Final = 60
_MOST_NAMES_DOWN: Final = 36
_MOST_NAMES_ACROSS: Final = 20


def heat_map(system: System) -> go.Figure:
    """Colour is the logarithm of the time; of a large system the first rows and columns."""
    etc = system.etc[:MOST_ROWS, :MOST_COLUMNS]
    tasks = [task.name for task in system.task_types[:MOST_ROWS]]
    machines = [machine.name for machine in system.machine_types[:MOST_COLUMNS]]
    possible = np.isfinite(etc)
    shown = etc[possible] if possible.any() else np.ones(1)
    lowest, highest = float(shown.min()), float(shown.max())
    ticks = _ticks(lowest, highest)
    figure = go.Figure()
    figure.add_heatmap(
        z=np.log10(etc, where=possible, out=np.full(etc.shape, np.nan)),
        zmin=math.log10(lowest),
        zmax=math.log10(highest),
        colorscale=SEQUENTIAL,
        reversescale=True,
        customdata=_hover(etc, tasks, machines),
        hovertemplate="%{customdata}<extra></extra>",
        hoverongaps=False,
        xgap=1,
        ygap=1,
        colorbar={
            "title": {"text": "Seconds a task<br>(log scale)"},
            "tickvals": [math.log10(tick) for tick in ticks],
            "ticktext": [_tick_text(tick) for tick in ticks],
            "thickness": 12,
            "outlinewidth": 0,
        },
    )
    if not possible.all():
        row, column = np.nonzero(~possible)
        figure.add_scatter(
            x=column,
            y=row,
            mode="markers",
            name="cannot run",
            marker={"symbol": "x-thin", "size": 9, "line": {"width": 1.6, "color": OTHERS}},
            customdata=[
                f"{plain(tasks[i])} cannot run on {plain(machines[j])}"
                for i, j in zip(row.tolist(), column.tolist(), strict=True)
            ],
            hovertemplate="%{customdata}<extra></extra>",
            showlegend=True,
        )
    figure.update_xaxes(
        title="Machine type" + _part(len(machines), len(system.machine_types)),
        **_named(machines, _MOST_NAMES_ACROSS),
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(
        title="Task type" + _part(len(tasks), len(system.task_types)),
        **_named(tasks, _MOST_NAMES_DOWN),
        range=[len(tasks) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    figure.update_layout(
        height=min(max(110 + 17 * len(tasks), 260), 740),
        margin={"l": 8, "r": 8, "t": 28, "b": 8},
        legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"},
    )
    return figure


def _named(names: list[str], most: int) -> dict[str, list[Any]]:
    """Ticks with as many of the names as fit."""
    step = math.ceil(len(names) / most)
    return {
        "tickvals": list(range(0, len(names), step)),
        "ticktext": [label(name, 12) for name in names[::step]],
    }


def _part(shown: int, there: int) -> str:
    return f" (first {shown:,} of {there:,})" if shown < there else ""


def _ticks(lowest: float, highest: float) -> list[float]:
    """Round values in between: 1, 2 and 5 times powers of ten, or powers alone over many."""
    decades = range(math.floor(math.log10(lowest)), math.ceil(math.log10(highest)) + 1)
    steps = (1, 2, 5) if len(decades) <= 4 else (1,)
    ticks = [step * 10.0**decade for decade in decades for step in steps]
    return [tick for tick in ticks if lowest <= tick <= highest] or [lowest]


def _tick_text(seconds: float) -> str:
    return f"{seconds:,.0f}" if 1 <= seconds < 1e6 else f"{seconds:g}"


def _hover(etc: FloatArray, tasks: list[str], machines: list[str]) -> list[list[str]]:
    return [
        [
            f"<b>{plain(task)}</b> on <b>{plain(machine)}</b><br>"
            + (f"{duration(seconds)} a task" if math.isfinite(seconds) else "cannot run")
            for machine, seconds in zip(machines, row, strict=True)
        ]
        for task, row in zip(tasks, etc.tolist(), strict=True)
    ]
