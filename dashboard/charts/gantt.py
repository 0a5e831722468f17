"""The Gantt chart: machines as rows, blocks of equal tasks as bars."""

from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.schedule import Schedule
from core.words import Sense, duration
from dashboard.charts.drawing import TEXT, Drawing
from dashboard.charts.palette import BOUND, MIXED, PAPER, paint_task
from dashboard.charts.text import label, plain
from dashboard.logic.bars import SEVERAL
from dashboard.logic.schedule_leaders import leading_task_types
from dashboard.logic.time_unit import TimeUnit, unit_for
from dashboard.logic.timeline import MOST_ROWS, Grain, Row, Timeline

_ROW_TITLES: Final[dict[Grain, str]] = {
    "machine": "Machine",
    "group": "Machines alike",
    "type": "Last of each type",
    "latest": f"Last {MOST_ROWS} to finish",
}
_ROW_PIXELS: Final = 22


def gantt(schedule: Schedule, timeline: Timeline, bound: float) -> go.Figure:
    """Bars coloured by task type, those with most work first, the others alike; the proven bound
    (s) as a line. A bar's customdata ends with its machine type and the number of its machine.
    """
    unit = unit_for(schedule.makespan)
    drawing = Drawing()
    _add_bars(drawing, schedule, timeline, unit)
    drawing.add_vline(bound / unit.seconds, line={"color": BOUND, "width": 1.5, "dash": "dot"})
    drawing.x_axis(
        f"Time since the start ({unit.symbol}); dotted: the proven bound",
        range=[0, 1.01 * schedule.makespan / unit.seconds],
    )
    rows = len(timeline.rows)
    drawing.y_names(
        _ROW_TITLES[timeline.grain],
        tickvals=list(range(rows)),
        ticktext=[_row_tick(schedule, row) for row in timeline.rows],
        range=[rows - 0.4, -0.6],
        showgrid=False,
    )
    drawn = _ROW_PIXELS * max(rows, 4)
    return drawing.figure(
        barmode="overlay",
        height=drawn + 150,
        showlegend=True,
        legend={"orientation": "h", "y": -56 / drawn, "yanchor": "top"},
        uniformtext={"minsize": TEXT, "mode": "hide"},
        hoverlabel={"align": "left"},
    )


def _add_bars(drawing: Drawing, schedule: Schedule, timeline: Timeline, unit: TimeUnit) -> None:
    """Those of one colour together."""
    system, bars = schedule.system, timeline.bars
    leaders = leading_task_types(system)
    rank = np.where(bars.task_type == SEVERAL, leaders.tail, leaders.rank[bars.task_type])
    names = [*system.task_names, "several types"]
    said = _said(schedule, timeline, names)
    for shown in np.unique(rank).tolist():
        at = np.flatnonzero(rank == shown)
        own = shown < leaders.tail
        colour = paint_task(shown) if own else MIXED
        drawing.add_bar(
            orientation="h",
            width=0.92,
            y=bars.row[at],
            base=bars.start[at] / unit.seconds,
            x=(bars.end[at] - bars.start[at]) / unit.seconds,
            name=label(names[leaders.own[shown]], 12) if own else "all others",
            text=[
                f"{label(names[i], 12)} ×{n:,}"
                for i, n in zip(bars.task_type[at].tolist(), bars.count[at].tolist(), strict=True)
            ],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            textfont={"size": 12, "color": PAPER},
            marker={
                "color": colour.fill,
                "pattern": colour.pattern if colour.shape else None,
                "line": {"color": PAPER, "width": 0.6},
            },
            customdata=[said[bar] for bar in at.tolist()],
            hovertemplate="%{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]}<extra></extra>",
        )


def _said(
    schedule: Schedule, timeline: Timeline, names: list[str]
) -> list[tuple[str, str, str, int, int]]:
    """Of each bar: its row, what it runs, and when; its machine type, and its machine's number."""
    bars, rows = timeline.bars, timeline.rows
    titles = [f"<b>{_row_name(schedule, row)}</b>" for row in rows]
    return [
        (
            titles[r],
            f"{plain(names[i])}: {n:,} in {duration(end - start, Sense.PLAIN)}",
            f"{duration(start, Sense.SPENT)} to {duration(end, Sense.SPENT)}",
            rows[r].machine_type,
            rows[r].first,
        )
        for r, i, n, start, end in zip(
            bars.row.tolist(),
            bars.task_type.tolist(),
            bars.count.tolist(),
            bars.start.tolist(),
            bars.end.tolist(),
            strict=True,
        )
    ]


def _row_name(schedule: Schedule, row: Row) -> str:
    return f"{plain(schedule.system.machine_names[row.machine_type])} {row.numbers}"


def _row_tick(schedule: Schedule, row: Row) -> str:
    return f"{label(schedule.system.machine_names[row.machine_type])} {row.numbers}"
