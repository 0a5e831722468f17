"""The Gantt chart of a pool: units as rows, jobs as bars in the colours of their types."""

from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.engines.replay.curves import last_moment
from core.engines.replay.outcome import ReplayOutcome
from core.vocabulary.say.leaders import MOST_TASK_TYPES, leaders
from core.vocabulary.say.units import Unit, time_unit
from core.vocabulary.say.words import Sense, counted, duration
from dashboard.parts.charts.bars import SEVERAL
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import MIXED, PAPER, paint_task
from dashboard.parts.charts.text import label, plain
from dashboard.screens.arrivals.gantt_rows import PoolRows

_ROW_PIXELS: Final = 15
_SEVERAL_TYPES: Final = "several types"


def pool_gantt(outcome: ReplayOutcome, rows: PoolRows) -> go.Figure:
    """The types with most unit-seconds have their own colours. The axis ends with the day."""
    begin, end = outcome.workload.horizon.begin, last_moment(outcome)
    unit = time_unit(end - begin)
    drawing = Drawing()
    _add_bars(drawing, outcome, rows, unit)
    pool = outcome.workload.pools.names[rows.pool]
    drawing.x_axis(
        f"Time since the day began ({unit.symbol})",
        range=[min(0.0, -begin) / unit.size, (end - begin) / unit.size],
    )
    shown = len(rows.units)
    ticks = np.unique(np.linspace(0, shown - 1, min(shown, 10)).astype(int)).tolist()
    drawing.y_names(
        f"Units of {label(pool)}",
        tickvals=ticks,
        ticktext=[f"#{rows.units[tick] + 1:,}" for tick in ticks],
        range=[shown - 0.4, -0.6],
        showgrid=False,
    )
    return drawing.figure(
        150 + _ROW_PIXELS * max(shown, 10),
        above=16,
        barmode="overlay",
        showlegend=True,
        legend={"orientation": "h", "y": -60 / (_ROW_PIXELS * max(shown, 10)), "yanchor": "top"},
        hoverlabel={"align": "left"},
    )


def _add_bars(drawing: Drawing, outcome: ReplayOutcome, rows: PoolRows, unit: Unit) -> None:
    """One trace for each colour."""
    jobs, bars = outcome.workload.jobs, rows.bars
    busy = np.where(outcome.ran, outcome.end - outcome.start, 0.0)
    lead = leaders(
        np.asarray(np.bincount(jobs.type, busy, len(jobs.types)), float), MOST_TASK_TYPES
    )
    rank = np.where(bars.task_type == SEVERAL, lead.tail, lead.rank[bars.task_type])
    begin = outcome.workload.horizon.begin
    said = _said(outcome, rows)
    for one in np.unique(rank).tolist():
        at = np.flatnonzero(rank == one)
        own = one < lead.tail
        paint = paint_task(one) if own else MIXED
        drawing.add_bar(
            orientation="h",
            width=0.92,
            y=bars.row[at],
            base=((bars.start[at] - begin) / unit.size).tolist(),
            x=(bars.end[at] - bars.start[at]) / unit.size,
            name=label(jobs.types[lead.own[one]], 12) if own else "all others",
            marker={**paint.marker, "line": {"color": PAPER, "width": 0.4}},
            customdata=[said[bar] for bar in at.tolist()],
            hovertemplate="%{customdata}<extra></extra>",
        )


def _said(outcome: ReplayOutcome, rows: PoolRows) -> list[str]:
    """What each bar is: a job, or several."""
    jobs, bars, begin = outcome.workload.jobs, rows.bars, outcome.workload.horizon.begin
    found = []
    for k, job in enumerate(rows.job.tolist()):
        kind = int(bars.task_type[k])
        name = _SEVERAL_TYPES if kind == SEVERAL else plain(jobs.types[kind])
        count = int(bars.count[k])
        what = f"job {plain(jobs.name(job))}" if count == 1 else counted(count, "job")
        times = [
            f"{'-' if time < begin else ''}{duration(abs(time - begin), Sense.PLAIN)}"
            for time in (float(bars.start[k]), float(bars.end[k]))
        ]
        found.append(f"<b>{what}</b>, {name}<br>{times[0]} to {times[1]}")
    return found
