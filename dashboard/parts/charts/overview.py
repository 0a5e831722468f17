"""The overview of a schedule: one row for each machine type, with shares of what it runs."""

from itertools import pairwise
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.colours import Leaders
from core.vocabulary.say.units import time_unit
from core.vocabulary.say.words import Sense, counted, duration, share
from core.vocabulary.schedule import Schedule
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import MIXED, PAPER, UNSEEN, paint_task
from dashboard.parts.charts.schedule_bins import Occupancy
from dashboard.parts.charts.text import label, plain

MOST_HOVERS: Final = 1_200
_HEIGHT: Final = 0.88
_ROW_PIXELS: Final = 46
_NAMED: Final = 5


def overview(schedule: Schedule, shown: Occupancy, tasks: Leaders) -> go.Figure:
    """For each time, the share of the machines of a type that run each task type. Blank is idle.

    The second item of the customdata is the machine type, for a click.
    """
    system, unit = schedule.system, time_unit(schedule.makespan)
    names = system.task_names
    top = np.cumsum(shown.share, axis=1)
    edges = shown.edges / unit.size
    drawing = Drawing()
    for rank in np.flatnonzero(shown.share.any(axis=(0, 2))).tolist():
        own = rank < tasks.tail
        colour = paint_task(rank) if own else MIXED
        x, y = _outlines(shown.share[:, rank], top[:, rank], edges)
        drawing.add_scatter(
            x=x,
            y=y,
            mode="lines",
            fill="toself",
            fillcolor=colour.fill,
            fillpattern=colour.pattern,
            line={"color": PAPER, "width": 0.5},
            name=label(names[tasks.own[rank]], 12) if own else "all others",
            hoverinfo="skip",
        )
    machine_types = [system.machine_types[k] for k in shown.machine_types.tolist()]
    _add_hovers(
        drawing,
        shown,
        [f"<b>{plain(m.name)}</b>, {counted(m.count, 'machine')}" for m in machine_types],
        [*(plain(names[i]) for i in tasks.own), "all others"],
        unit.size,
    )
    drawing.x_axis(f"Time since the start ({unit.symbol})", range=[0, 1.01 * float(edges[-1])])
    there = int((system.machine_counts > 0).sum())
    rows = len(machine_types)
    drawing.y_names(
        "Machine type"
        if rows == there
        else f"Machine type (the {rows} of {there:,} that finish last)",
        tickvals=list(range(rows)),
        ticktext=[f"{label(m.name)} ×{m.count:,}" for m in machine_types],
        range=[rows - 0.45, -0.55],
        showgrid=False,
    )
    drawn = max(min(_ROW_PIXELS * rows, 900), 120)
    return drawing.figure(
        barmode="overlay",
        height=drawn + 150,
        showlegend=True,
        legend={"orientation": "h", "y": -56 / drawn, "yanchor": "top"},
        hoverlabel={"align": "left"},
    )


def _outlines(
    share: FloatArray, top: FloatArray, edges: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The outline of each run of spans in which a share is not 0, with NaN between outlines."""
    across: list[FloatArray] = []
    down: list[FloatArray] = []
    for row, (height, above) in enumerate(zip(share, top, strict=True)):
        bounds = np.flatnonzero(np.diff(height > 0, prepend=False, append=False))
        for first, end in bounds.reshape(-1, 2).tolist():
            x = np.repeat(edges[first : end + 1], 2)[1:-1]
            high = np.repeat(above[first:end], 2)
            low = high - np.repeat(height[first:end], 2)
            # The axis points down: the first task types are at the top of the row.
            y = row + _HEIGHT * (np.concatenate([high, low[::-1], high[:1]]) - 0.5)
            across += [np.concatenate([x, x[::-1], x[:1]]), np.array([np.nan])]
            down += [y, np.array([np.nan])]
    return np.concatenate(across), np.concatenate(down)


def _add_hovers(
    drawing: Drawing, shown: Occupancy, rows: list[str], names: list[str], unit: float
) -> None:
    """Transparent bars that carry the hover and take the click."""
    spans = share_of = shown.share.shape[2]
    while len(rows) * share_of > MOST_HOVERS and share_of % 2 == 0:
        share_of //= 2
    step = spans // share_of
    mean = shown.share.reshape(*shown.share.shape[:2], share_of, step).mean(axis=3)
    edges = shown.edges[::step]
    ends = [duration(edge, Sense.SPENT) for edge in edges.tolist()]
    times = [f"{begin} to {end}" for begin, end in pairwise(ends)]
    said = [
        (
            f"{row}<br>{times[s]}<br>{_span_in_words(mean[r, :, s], names)}",
            int(shown.machine_types[r]),
        )
        for r, row in enumerate(rows)
        for s in range(share_of)
    ]
    drawing.add_bar(
        orientation="h",
        width=_HEIGHT,
        y=np.repeat(np.arange(len(rows)), share_of),
        base=(np.tile(edges[:-1], len(rows)) / unit).tolist(),
        x=np.tile(np.diff(edges), len(rows)) / unit,
        marker={"color": UNSEEN, "line": {"width": 0}},
        customdata=said,
        hovertemplate="%{customdata[0]}<extra></extra>",
        showlegend=False,
    )


def _span_in_words(part: FloatArray, names: list[str]) -> str:
    """What machines do in one span, the largest share first."""
    order = [r for r in np.argsort(-part, kind="stable").tolist() if part[r] >= 0.0005]
    lines = [f"{share(part[r], Sense.PLAIN)} {names[r]}" for r in order[:_NAMED]]
    if len(order) > _NAMED:
        lines.append(f"{share(part[order[_NAMED:]].sum(), Sense.PLAIN)} more types")
    idle = 1 - float(part.sum())
    if idle >= 0.0005:
        lines.append(f"{share(idle, Sense.PLAIN)} idle")
    return "<br>".join(lines)
