"""The Gantt chart of machines, and the overview of machine types with shares of what they run."""

from itertools import pairwise
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go

from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.colours import Leaders, leading_task_types
from core.vocabulary.say.units import Unit, time_unit
from core.vocabulary.say.without_work import rest_word
from core.vocabulary.say.words import Sense, counted, duration, share
from core.vocabulary.schedule import Schedule
from dashboard.parts.charts.drawing import TEXT, Drawing
from dashboard.parts.charts.palette import BOUND, LOSS, MIXED, PAPER, UNSEEN, paint_task
from dashboard.parts.charts.text import labels, plain
from dashboard.parts.charts.timeline import SEVERAL, Bars, Grain, Occupancy, Timeline

_ROW_TITLES: Final[dict[Grain, str]] = {"machine": "Machine", "group": "Machines that run the same"}
_ROW_PIXELS: Final = 25
_BAR: Final = 0.92
"""The height of a bar, as a share of its row."""
MOST_HOVERS: Final = 1_000
SEVERAL_TYPES: Final = "several types"


def gantt(
    schedule: Schedule,
    timeline: Timeline,
    bound: float,
    *,
    until: float = 0.0,
    failed: Bars | None = None,
) -> go.Figure:
    """Bars in the colours of their task types; types with little work share one colour. `bound` is
    the lower bound on the makespan (s), drawn as a line. The axis ends at the makespan, or at
    `until` (s) if that is later. Bars that `failed` get a cross at their end. The customdata of the
    bars that take a click ends with the machine type and the machine number.
    """
    seconds = max(schedule.makespan, until)
    unit = time_unit(seconds)
    drawing = Drawing()
    _add_bars(drawing, schedule, timeline, unit)
    _add_hovers(drawing, schedule, timeline, unit, seconds)
    if failed is not None and len(failed):
        _add_crosses(drawing, failed, unit)
    drawing.add_vline(bound / unit.size, line={"color": BOUND, "width": 1.5, "dash": "dot"})
    drawing.x_axis(
        f"Time since the start ({unit.symbol}); dotted: the lower bound",
        range=[0, 1.01 * seconds / unit.size],
    )
    rows = len(timeline.rows)
    types = labels(schedule.system.machine_names)
    names = [f"{types[row.machine_type]} {row.numbers}" for row in timeline.rows]
    drawing.rows(names, _ROW_TITLES[timeline.grain])
    hidden = {"minsize": TEXT, "mode": "hide"}
    return _figure(drawing, _ROW_PIXELS * max(rows, 4), uniformtext=hidden)


def _figure(drawing: Drawing, drawn: float, **layout: Any) -> go.Figure:
    """The figure, with so many pixels of rows, and the legend below."""
    return drawing.figure(
        barmode="overlay",
        height=drawn + 150,
        showlegend=True,
        legend={"orientation": "h", "y": -56 / drawn, "yanchor": "top"},
        hoverlabel={"align": "left"},
        **layout,
    )


def _add_bars(drawing: Drawing, schedule: Schedule, timeline: Timeline, unit: Unit) -> None:
    """One trace for each colour."""
    system, bars = schedule.system, timeline.bars
    leaders = leading_task_types(system)
    rank = np.where(bars.task_type == SEVERAL, leaders.tail, leaders.rank[bars.task_type])
    names = [*system.task_names, SEVERAL_TYPES]
    legend, short = labels(names), labels(names, 12)
    for shown in np.unique(rank).tolist():
        at = np.flatnonzero(rank == shown)
        own = shown < leaders.tail
        colour = paint_task(shown) if own else MIXED
        drawing.add_bar(
            orientation="h",
            width=_BAR,
            y=bars.row[at],
            base=(bars.start[at] / unit.size).tolist(),
            x=(bars.end[at] - bars.start[at]) / unit.size,
            name=legend[leaders.own[shown]] if own else "all others",
            text=[
                f"{short[i]} ×{n:,}"
                for i, n in zip(bars.task_type[at].tolist(), bars.count[at].tolist(), strict=True)
            ],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            textfont={"size": 12, "color": PAPER},
            marker={**colour.marker, "line": {"color": PAPER, "width": 0.6}},
            hoverinfo="skip",
        )


def _add_hovers(
    drawing: Drawing, schedule: Schedule, timeline: Timeline, unit: Unit, seconds: float
) -> None:
    """Transparent bars that carry the hover and take the click. They are short, so that the hover,
    which a browser puts at the end of a bar, is near the pointer.
    """
    bars = timeline.bars
    if not len(bars):
        return
    slices = int(np.clip(MOST_HOVERS // len(timeline.rows), 16, 48))
    pieces = np.ceil(slices * (bars.end - bars.start) / seconds * (1 - 1e-9))
    pieces = np.maximum(pieces, 1).astype(int)
    whole = np.repeat(np.arange(len(bars)), pieces)
    place = np.arange(len(whole)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    each = ((bars.end - bars.start) / pieces / unit.size)[whole]
    said = _hover_data(schedule, timeline, [*schedule.system.task_names, SEVERAL_TYPES])
    _add_unseen(
        drawing,
        width=_BAR,
        y=bars.row[whole],
        base=(bars.start[whole] / unit.size + place * each).tolist(),
        x=each,
        customdata=[said[bar] for bar in whole.tolist()],
        hovertemplate="%{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]}<extra></extra>",
    )


def _add_unseen(drawing: Drawing, **look: Any) -> None:
    """Transparent bars, which carry the hover and take the click."""
    unseen = {"color": UNSEEN, "line": {"width": 0}}
    drawing.add_bar(orientation="h", marker=unseen, showlegend=False, **look)


def _add_crosses(drawing: Drawing, failed: Bars, unit: Unit) -> None:
    drawing.add_scatter(
        x=failed.end / unit.size,
        y=failed.row,
        mode="markers",
        marker={"symbol": "x", "size": 9, "color": LOSS, "line": {"color": PAPER, "width": 1}},
        name="failed",
        hoverinfo="skip",
        cliponaxis=False,
    )


def _hover_data(
    schedule: Schedule, timeline: Timeline, names: list[str]
) -> list[tuple[str, str, str, int, int]]:
    """The customdata of each bar: its row, what it runs, when; machine type and machine number."""
    bars, rows = timeline.bars, timeline.rows
    types = schedule.system.machine_names
    titles = [f"<b>{plain(types[row.machine_type])} {row.numbers}</b>" for row in rows]
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


MOST_SPAN_HOVERS: Final = 1_200
_HEIGHT: Final = 0.88
_TYPE_PIXELS: Final = 46
_NAMED: Final = 5


def overview(schedule: Schedule, shown: Occupancy, tasks: Leaders) -> go.Figure:
    """For each time, the share of the machines of a type that run each task type. Blank is idle.

    The second item of the customdata is the machine type, for a click.
    """
    system, unit = schedule.system, time_unit(schedule.makespan)
    names, legend = system.task_names, labels(system.task_names)
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
            name=legend[tasks.own[rank]] if own else "all others",
            hoverinfo="skip",
        )
    machine_types = [system.machine_types[k] for k in shown.machine_types.tolist()]
    _add_span_hovers(
        drawing,
        shown,
        [f"<b>{plain(m.name)}</b>, {counted(m.count, 'machine')}" for m in machine_types],
        [*(plain(names[i]) for i in tasks.own), "all others"],
        rest_word(system),
        unit.size,
    )
    drawing.x_axis(f"Time since the start ({unit.symbol})", range=[0, 1.01 * float(edges[-1])])
    there = int((system.machine_counts > 0).sum())
    rows, types = len(machine_types), labels(system.machine_names)
    drawing.y_names(
        "Machine type"
        if rows == there
        else f"Machine type (the {rows} of {there:,} that finish last)",
        tickvals=list(range(rows)),
        ticktext=[f"{types[k]} ×{system.machine_types[k].count:,}" for k in shown.machine_types],
        range=[rows - 0.45, -0.55],
        showgrid=False,
    )
    return _figure(drawing, max(min(_TYPE_PIXELS * rows, 900), 120))


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


def _add_span_hovers(
    drawing: Drawing, shown: Occupancy, rows: list[str], names: list[str], rest: str, unit: float
) -> None:
    """Transparent bars with hover and click; `rest` is what machines without work are."""
    spans = share_of = shown.share.shape[2]
    while len(rows) * share_of > MOST_SPAN_HOVERS and share_of % 2 == 0:
        share_of //= 2
    step = spans // share_of
    mean = shown.share.reshape(*shown.share.shape[:2], share_of, step).mean(axis=3)
    edges = shown.edges[::step]
    ends = [duration(edge, Sense.SPENT) for edge in edges.tolist()]
    times = [f"{begin} to {end}" for begin, end in pairwise(ends)]
    said = [
        (
            f"{row}<br>{times[s]}<br>{_span_in_words(mean[r, :, s], names, rest)}",
            int(shown.machine_types[r]),
        )
        for r, row in enumerate(rows)
        for s in range(share_of)
    ]
    _add_unseen(
        drawing,
        width=_HEIGHT,
        y=np.repeat(np.arange(len(rows)), share_of),
        base=(np.tile(edges[:-1], len(rows)) / unit).tolist(),
        x=np.tile(np.diff(edges), len(rows)) / unit,
        customdata=said,
        hovertemplate="%{customdata[0]}<extra></extra>",
    )


def _span_in_words(part: FloatArray, names: list[str], rest: str) -> str:
    """What machines do in one span, the largest share first, and what the others are."""
    order = [r for r in np.argsort(-part, kind="stable").tolist() if part[r] >= 0.0005]
    lines = [f"{share(part[r], Sense.PLAIN)} {names[r]}" for r in order[:_NAMED]]
    if len(order) > _NAMED:
        lines.append(f"{share(part[order[_NAMED:]].sum(), Sense.PLAIN)} more types")
    idle = 1 - float(part.sum())
    if idle >= 0.0005:
        lines.append(f"{share(idle, Sense.PLAIN)} {rest}")
    return "<br>".join(lines)
