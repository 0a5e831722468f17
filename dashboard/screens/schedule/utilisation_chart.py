"""Utilisation: the share of machine time spent on tasks, as a heat map over time."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import plotly.graph_objects as go

from core.vocabulary.say.units import time_unit
from core.vocabulary.say.words import Sense, counted, duration, share
from core.vocabulary.schedule import Schedule
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.text import labels, plain
from dashboard.parts.charts.timeline import Row, Utilisation

_ROW_PIXELS: Final = 14
_MOST_NAMES: Final = 24


def utilisation_map(schedule: Schedule, shown: Utilisation) -> go.Figure:
    """Dark means busy. A row is a machine, machines that run the same tasks, or a machine type."""
    unit, rows = time_unit(schedule.makespan), shown.rows
    drawing = Drawing()
    drawing.add_heatmap(
        {"tickvals": [0, 25, 50, 75, 100], "ticktext": ["idle", "25 %", "50 %", "75 %", "busy"]},
        x=shown.edges / unit.size,
        y=list(range(len(rows))),
        z=100 * shown.busy,
        zmin=0,
        zmax=100,
        ygap=1,
        customdata=_hover_texts(schedule, shown),
    )
    step = -(-len(rows) // _MOST_NAMES)
    drawing.x_axis(
        f"Time since the start ({unit.symbol})",
        range=[0, schedule.makespan / unit.size],
        showgrid=False,
    )
    drawing.y_names(
        tickvals=list(range(0, len(rows), step)),
        ticktext=_ticks(schedule, rows[::step]),
        range=[len(rows) - 0.5, -0.5],
        showgrid=False,
    )
    return drawing.figure(min(max(_ROW_PIXELS * len(rows), 180), 600) + 100, above=36)


def _hover_texts(schedule: Schedule, shown: Utilisation) -> list[list[str]]:
    ends = [duration(edge, Sense.SPENT) for edge in shown.edges.tolist()]
    times = [f"{begin} to {end}" for begin, end in pairwise(ends)]
    return [
        [
            f"<b>{_name(schedule, row)}</b><br>{time}<br>{share(part, Sense.PLAIN)} busy"
            for time, part in zip(times, busy, strict=True)
        ]
        for row, busy in zip(shown.rows, shown.busy.tolist(), strict=True)
    ]


def _is_type(schedule: Schedule, row: Row) -> bool:
    return row.machines == schedule.system.machine_types[row.machine_type].count


def _name(schedule: Schedule, row: Row) -> str:
    name = plain(schedule.system.machine_names[row.machine_type])
    if _is_type(schedule, row):
        return f"{name}, {counted(row.machines, 'machine')}"
    return f"{name} {row.numbers}"


def _ticks(schedule: Schedule, rows: Sequence[Row]) -> list[str]:
    names = labels(schedule.system.machine_names)
    return [
        f"{names[row.machine_type]} "
        + (f"×{row.machines:,}" if _is_type(schedule, row) else row.numbers)
        for row in rows
    ]
