"""The Gantt chart: machines as rows, blocks of equal tasks as bars."""

from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.vocabulary.say.colours import leading_task_types
from core.vocabulary.say.units import Unit, time_unit
from core.vocabulary.say.words import Sense, duration
from core.vocabulary.schedule import Schedule
from dashboard.parts.charts.bars import SEVERAL, Bars
from dashboard.parts.charts.drawing import TEXT, Drawing
from dashboard.parts.charts.palette import BOUND, LOSS, MIXED, PAPER, UNSEEN, paint_task
from dashboard.parts.charts.text import label, plain
from dashboard.parts.charts.timeline import Grain, Row, Timeline

_ROW_TITLES: Final[dict[Grain, str]] = {
    "machine": "Machine",
    "group": "Machines that run the same",
}
_ROW_PIXELS: Final = 25
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


def _add_bars(drawing: Drawing, schedule: Schedule, timeline: Timeline, unit: Unit) -> None:
    """One trace for each colour."""
    system, bars = schedule.system, timeline.bars
    leaders = leading_task_types(system)
    rank = np.where(bars.task_type == SEVERAL, leaders.tail, leaders.rank[bars.task_type])
    names = [*system.task_names, SEVERAL_TYPES]
    for shown in np.unique(rank).tolist():
        at = np.flatnonzero(rank == shown)
        own = shown < leaders.tail
        colour = paint_task(shown) if own else MIXED
        drawing.add_bar(
            orientation="h",
            width=0.92,
            y=bars.row[at],
            base=(bars.start[at] / unit.size).tolist(),
            x=(bars.end[at] - bars.start[at]) / unit.size,
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
                **colour.marker,
                "line": {"color": PAPER, "width": 0.6},
            },
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
    drawing.add_bar(
        orientation="h",
        width=0.92,
        y=bars.row[whole],
        base=(bars.start[whole] / unit.size + place * each).tolist(),
        x=each,
        marker={"color": UNSEEN, "line": {"width": 0}},
        customdata=[said[bar] for bar in whole.tolist()],
        hovertemplate="%{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]}<extra></extra>",
        showlegend=False,
    )


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
