"""The Gantt chart: machines as rows, blocks of equal tasks as bars."""

from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.arrays import FloatArray, IntArray
from core.schedule import Schedule
from core.words import duration
from dashboard.charts.drawing import Drawing
from dashboard.charts.palette import BOUND, EDGE, MIXED, paint
from dashboard.charts.text import label, plain
from dashboard.logic.bars import SEVERAL
from dashboard.logic.schedule_leaders import leading_task_types
from dashboard.logic.time_unit import unit_for
from dashboard.logic.timeline import MOST_ROWS, Grain, Row, Timeline

_ROW_TITLES: Final[dict[Grain, str]] = {
    "machine": "Machine",
    "group": "Machines alike",
    "type": "Last of each type",
    "latest": f"Last {MOST_ROWS} to finish",
}
_ROW_PIXELS: Final = 20


def gantt(schedule: Schedule, timeline: Timeline, bound: float | None) -> go.Figure:
    """Bars coloured by task type, those with most work first, the others alike; the proven bound
    (s) as a line. A bar's customdata ends with its machine type and the number of its machine.
    """
    system, bars = schedule.system, timeline.bars
    unit = unit_for(schedule.makespan)
    drawing = Drawing()
    leaders = leading_task_types(system)
    several = bars.task_type == SEVERAL
    rank = np.where(several, leaders.tail, leaders.rank[bars.task_type])
    names = [*system.task_names, "several types"]
    rows = [_row_name(schedule, row) for row in timeline.rows]
    for shown in np.unique(rank).tolist():
        at = np.flatnonzero(rank == shown)
        own = shown < leaders.tail
        colour = paint(shown) if own else MIXED
        of_bar = bars.task_type[at].tolist()
        count = bars.count[at].tolist()
        span = bars.end[at] - bars.start[at]
        drawing.add_bar(
            orientation="h",
            width=0.92,
            y=bars.row[at],
            base=bars.start[at] / unit.seconds,
            x=span / unit.seconds,
            name=label(names[leaders.own[shown]], 12) if own else "all others",
            text=[f"{label(names[i], 12)} ×{n:,}" for i, n in zip(of_bar, count, strict=True)],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            textfont={"size": 11, "color": colour.ink},
            marker={"color": colour.fill, "line": {"color": EDGE, "width": 0.6}},
            customdata=[
                (f"<b>{rows[r]}</b>", said, when, timeline.rows[r].machine_type, first)
                for r, said, when, first in zip(
                    bars.row[at].tolist(),
                    [
                        f"{plain(names[i])}: {n:,} in {duration(seconds)}"
                        for i, n, seconds in zip(of_bar, count, span.tolist(), strict=True)
                    ],
                    _spans(bars.start[at], bars.end[at]),
                    _firsts(timeline, bars.row[at]),
                    strict=True,
                )
            ],
            hovertemplate="%{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]}<extra></extra>",
        )
    if bound is not None:
        drawing.add_vline(bound / unit.seconds, line={"color": BOUND, "width": 1.5, "dash": "dot"})
    drawing.x_axis(
        f"Time since the start ({unit.symbol})"
        + ("" if bound is None else "; dotted: the proven bound"),
        range=[0, 1.01 * schedule.makespan / unit.seconds],
    )
    drawing.y_names(
        _ROW_TITLES[timeline.grain],
        tickvals=list(range(len(rows))),
        ticktext=[_row_tick(schedule, row) for row in timeline.rows],
        range=[len(rows) - 0.4, -0.6],
        showgrid=False,
    )
    drawn = _ROW_PIXELS * max(len(rows), 4)
    return drawing.figure(
        barmode="overlay",
        height=drawn + 150,
        showlegend=True,
        legend={"orientation": "h", "y": -56 / drawn, "yanchor": "top"},
        uniformtext={"minsize": 8, "mode": "hide"},
        hoverlabel={"align": "left"},
    )


def _spans(start: FloatArray, end: FloatArray) -> list[str]:
    return [
        f"{duration(begin)} to {duration(finish)}"
        for begin, finish in zip(start.tolist(), end.tolist(), strict=True)
    ]


def _firsts(timeline: Timeline, row: IntArray) -> list[int]:
    return [timeline.rows[r].first for r in row.tolist()]


def _row_name(schedule: Schedule, row: Row) -> str:
    return f"{plain(schedule.system.machine_names[row.machine_type])} {row.numbers}"


def _row_tick(schedule: Schedule, row: Row) -> str:
    return f"{label(schedule.system.machine_names[row.machine_type])} {row.numbers}"
