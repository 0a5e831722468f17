"""The Gantt chart: machines as rows, blocks of equal tasks as bars."""

from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.schedule import Schedule
from core.system import FloatArray, IntArray, System
from core.words import duration
from dashboard.charts.palette import EDGE, GRID, MIXED, paint
from dashboard.charts.text import label, plain
from dashboard.charts.time_axis import unit_for
from dashboard.logic.bars import SEVERAL
from dashboard.logic.timeline import Grain, Row, Timeline

_ROW_TITLES: Final[dict[Grain, str]] = {
    "machine": "Machine",
    "group": "Machines that run the same",
    "type": "Last machines of each type",
}
_LEGEND_ENTRIES: Final = 40
_ROW_PIXELS: Final = 20


def gantt(schedule: Schedule, timeline: Timeline, bound: float) -> go.Figure:
    """Bars coloured by task type, those with most work first; the proven bound (s) as a line."""
    system, bars = schedule.system, timeline.bars
    unit = unit_for(schedule.makespan)
    figure = go.Figure()
    shown = set(bars.task_type.tolist())
    legend = len(shown) <= _LEGEND_ENTRIES
    by_work = np.argsort(-_least_work(system), kind="stable").tolist()
    styles = [(i, plain(system.task_types[i].name), paint(rank)) for rank, i in enumerate(by_work)]
    styles.append((SEVERAL, "several types", MIXED))
    rows = [_row_name(schedule, row) for row in timeline.rows]
    for task_type, name, colour in styles:
        if task_type not in shown:
            continue
        at = np.flatnonzero(bars.task_type == task_type)
        span = bars.end[at] - bars.start[at]
        text = name if task_type == SEVERAL else label(system.task_types[task_type].name, 12)
        figure.add_bar(
            orientation="h",
            width=0.92,
            y=bars.row[at],
            base=bars.start[at] / unit.seconds,
            x=span / unit.seconds,
            name=text,
            text=[f"{text} ×{count:,}" for count in bars.count[at].tolist()],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            textfont={"size": 11, "color": colour.ink},
            marker={"color": colour.fill, "line": {"color": EDGE, "width": 0.6}},
            customdata=_hover(name, rows, bars.row[at], bars.count[at], bars.start[at], span),
            hovertemplate="%{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]}<extra></extra>",
        )
    figure.add_vline(bound / unit.seconds, line={"color": "#d55e00", "width": 1.5, "dash": "dot"})
    figure.update_xaxes(
        title=f"Time since the start ({unit.symbol}); dotted: the proven bound",
        range=[0, 1.01 * schedule.makespan / unit.seconds],
        gridcolor=GRID,
        zeroline=False,
    )
    figure.update_yaxes(
        title=_ROW_TITLES[timeline.grain],
        tickvals=list(range(len(rows))),
        ticktext=[_row_tick(schedule, row) for row in timeline.rows],
        range=[len(rows) - 0.4, -0.6],
        showgrid=False,
        zeroline=False,
    )
    figure.update_layout(
        barmode="overlay",
        height=_ROW_PIXELS * max(len(rows), 4) + (150 if legend else 80),
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        showlegend=legend,
        legend={"orientation": "h", "y": -56 / (_ROW_PIXELS * max(len(rows), 4)), "yanchor": "top"},
        uniformtext={"minsize": 8, "mode": "hide"},
        hoverlabel={"align": "left"},
    )
    return figure


def _least_work(system: System) -> FloatArray:
    """Machine-seconds of each task type where it runs fastest: the same for every schedule."""
    fastest: FloatArray = system.task_counts * system.etc.min(axis=1)
    return fastest


def _row_name(schedule: Schedule, row: Row) -> str:
    return f"{plain(schedule.system.machine_types[row.machine_type].name)} {row.numbers}"


def _row_tick(schedule: Schedule, row: Row) -> str:
    return f"{label(schedule.system.machine_types[row.machine_type].name)} {row.numbers}"


def _hover(
    name: str, rows: list[str], row: IntArray, count: IntArray, start: FloatArray, span: FloatArray
) -> list[tuple[str, str, str]]:
    columns = (array.tolist() for array in (row, count, start, span))
    return [
        (
            f"<b>{rows[r]}</b>",
            f"{name}: {tasks:,} in {duration(seconds)}",
            f"{duration(begin)} to {duration(begin + seconds)}",
        )
        for r, tasks, begin, seconds in zip(*columns, strict=True)
    ]
