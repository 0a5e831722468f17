"""The Gantt chart of a pool: units as rows, jobs as bars in the colours of their types."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from core.capabilities.arrivals.value_told import amount_said, resource_title
from core.engines.replay.curves import last_moment, resource_curve
from core.engines.replay.layout import laid_out
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.workload import PARTS
from core.vocabulary.arrays import IntArray
from core.vocabulary.say.colours import NO_COLOUR, colour_ranks
from core.vocabulary.say.units import Unit, time_unit
from core.vocabulary.say.words import Sense, counted, duration
from core.vocabulary.system import System
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import OTHERS, OURS, PAPER, paint_task
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.charts.text import labels, plain
from dashboard.parts.charts.timeline import SEVERAL, Bars, spread
from dashboard.workspace import session

_ROW_PIXELS: Final = 15
_LANE_PIXELS: Final = 200
_PARTS_LISTED: Final = 10
_SEVERAL_TYPES: Final = "several types"


@dataclass(frozen=True, eq=False, slots=True)
class PoolRows:
    """The units that have a row, from the top down, numbered from 0; and their bars, whose task
    type is the type of the job. `job[b]` is the first job of a bar.
    """

    pool: int
    units: IntArray
    bars: Bars
    job: IntArray


def pool_rows(outcome: ReplayOutcome, pool: int) -> PoolRows:
    """The rows of a pool; of a large one, units that are evenly far from each other; short bars of
    a row that follow each other become one.
    """
    spans = laid_out(outcome, pool)
    there = int(outcome.workload.pools.units[pool])
    units = spread(there, MOST_ROWS)
    of_row: list[IntArray] = []
    of_span: list[IntArray] = []
    for row, unit in enumerate(units.tolist()):
        on = np.flatnonzero((spans.first <= unit) & (unit <= spans.last))
        on = on[np.argsort(spans.start[on], kind="stable")]
        of_row.append(np.full(len(on), row))
        of_span.append(on)
    in_row, at = np.concatenate(of_row), np.concatenate(of_span)
    job = spans.job[at]
    bars = Bars(
        in_row,
        outcome.workload.jobs.type[job],
        np.ones(len(at), np.int64),
        spans.start[at],
        spans.end[at],
    )
    if len(bars) > MOST_BARS:
        bars = bars.at_most(MOST_BARS, last_moment(outcome))
        place = {
            (r, start): j
            for r, start, j in zip(
                in_row.tolist(), spans.start[at].tolist(), job.tolist(), strict=True
            )
        }
        keys = zip(bars.row.tolist(), bars.start.tolist(), strict=True)
        job = np.array([place[key] for key in keys], np.int64)
    return PoolRows(pool, units, bars, job)


def pool_gantt(outcome: ReplayOutcome, rows: PoolRows, study: System | None = None) -> go.Figure:
    """Types have the colours of the `study`; if they are no task types of it, those with most
    unit-seconds have their own. The axis ends with the day.
    """
    begin, end = outcome.workload.horizon.begin, last_moment(outcome)
    unit = time_unit(end - begin)
    drawing = Drawing()
    _add_breaks(drawing, outcome, rows, unit)
    _add_bars(drawing, outcome, rows, unit, study)
    drawing.x_axis(
        f"Time since the day began ({unit.symbol})",
        range=[min(0.0, -begin) / unit.size, (end - begin) / unit.size],
    )
    shown = len(rows.units)
    ticks = spread(shown, 10).tolist()
    drawing.y_names(
        f"Units of {labels(outcome.workload.pools.names)[rows.pool]}",
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


def _add_bars(
    drawing: Drawing, outcome: ReplayOutcome, rows: PoolRows, unit: Unit, study: System | None
) -> None:
    """One trace for each colour."""
    jobs, bars = outcome.workload.jobs, rows.bars
    busy = outcome.pieces.of_jobs(outcome.pieces.end - outcome.pieces.start, len(jobs))
    weight = np.asarray(np.bincount(jobs.type, busy, len(jobs.types)), float)
    ranks = colour_ranks(jobs.types, weight, study)
    names = dict(zip(ranks.tolist(), labels(jobs.types), strict=True)) | {NO_COLOUR: "all others"}
    rank = np.where(bars.task_type == SEVERAL, NO_COLOUR, ranks[bars.task_type])
    begin = outcome.workload.horizon.begin
    said = _said(outcome, rows)
    for one in np.unique(rank).tolist():
        at = np.flatnonzero(rank == one)
        drawing.add_bar(
            orientation="h",
            width=0.92,
            y=bars.row[at],
            base=((bars.start[at] - begin) / unit.size).tolist(),
            x=(bars.end[at] - bars.start[at]) / unit.size,
            name=names[one],
            marker={**paint_task(one).marker, "line": {"color": PAPER, "width": 0.4}},
            customdata=[said[bar] for bar in at.tolist()],
        )


def _add_breaks(drawing: Drawing, outcome: ReplayOutcome, rows: PoolRows, unit: Unit) -> None:
    """A thin line from each part of a job that was stopped to the next, if both are in sight."""
    bars, begin = rows.bars, outcome.workload.horizon.begin
    if outcome.broken is None:
        return
    one = np.flatnonzero((bars.count == 1) & np.isin(rows.job, outcome.broken.job))
    one = one[np.lexsort((bars.row[one], bars.start[one], rows.job[one]))]
    x: list[float | None] = []
    y: list[float | None] = []
    for before, after in pairwise(one.tolist()):
        if rows.job[before] == rows.job[after] and bars.start[after] >= bars.end[before]:
            ends = float(bars.end[before]), float(bars.start[after])
            x += [(end - begin) / unit.size for end in ends] + [None]
            y += [float(bars.row[before]), float(bars.row[after]), None]
    if x:
        drawing.add_line(OTHERS, 1, "dot", x=x, y=y)


def _said(outcome: ReplayOutcome, rows: PoolRows) -> list[str]:
    jobs, bars, begin = outcome.workload.jobs, rows.bars, outcome.workload.horizon.begin
    found, parts = [], _parts_said(outcome)
    for k, job in enumerate(rows.job.tolist()):
        kind = int(bars.task_type[k])
        name = _SEVERAL_TYPES if kind == SEVERAL else plain(jobs.types[kind])
        count = int(bars.count[k])
        what = f"job {plain(jobs.name(job))}" if count == 1 else counted(count, "job")
        times = [_moment(float(time[k]) - begin) for time in (bars.start, bars.end)]
        more = parts.get(job, "") if count == 1 else ""
        found.append(f"<b>{what}</b>, {name}<br>{times[0]} to {times[1]}{more}")
    return found


def _parts_said(outcome: ReplayOutcome) -> dict[int, str]:
    """The parts of each job that was stopped, a line each."""
    found: dict[int, str] = {}
    if outcome.broken is None:
        return found
    begin, broken = outcome.workload.horizon.begin, outcome.broken
    times = (np.array([broken.start, broken.end]) - begin).T.tolist()
    for job, (start, end) in zip(broken.job.tolist(), times, strict=True):
        known = found.get(job, "<br>in parts:")
        if known.count("<br>") <= _PARTS_LISTED:
            found[job] = f"{known}<br>{_moment(start)} to {_moment(end)}"
        elif not known.endswith("…"):
            found[job] = f"{known}<br>…"
    return found


def _moment(since: float) -> str:
    return f"{'-' if since < 0 else ''}{duration(abs(since), Sense.PLAIN)}"


MOST_ROWS: Final = 40
MOST_BARS: Final = 1_500


def busiest_pool(outcome: ReplayOutcome) -> int:
    """The pool whose units work longest in all."""
    options, pieces = outcome.workload.options, outcome.pieces
    used = pieces.option
    worked = (pieces.end - pieces.start) * options.units[used]
    return int(np.bincount(options.pool[used], worked, len(outcome.workload.pools)).argmax())


def choose_pool(outcome: ReplayOutcome, pool: int, key: str, **settings: Any) -> int:
    """A choice of a pool, at first this one. `settings` are arguments of Streamlit's selectbox."""
    pools = outcome.workload.pools
    chosen: int = st.selectbox(
        "Pool",
        list(range(len(pools))),
        pool,
        format_func=lambda p: f"{pools.names[p]} ({pools.units[p]:,} units)",
        key=key,
        width=320,
        **settings,
    )
    return chosen


def lane_figure(outcome: ReplayOutcome, pool: int, resource: int) -> go.Figure:
    """What the jobs of a pool take of a further resource over time, below its Gantt chart."""
    pools, begin, end = (
        outcome.workload.pools,
        outcome.workload.horizon.begin,
        last_moment(outcome),
    )
    unit, name = time_unit(end - begin), pools.resources[resource]
    there = float(pools.parts[pool, resource]) / PARTS
    curve = resource_curve(outcome, pool, resource).thinned()
    drawing = Drawing()
    drawing.add_scatter(
        x=(curve.time - begin) / unit.size,
        y=curve.value,
        mode="lines",
        line={"color": OURS, "width": 1, "shape": "hv"},
        fill="tozeroy",
        name="taken",
        customdata=[
            f"{_moment(float(time) - begin)}: {plain(amount_said(float(value), name))} of "
            f"{plain(amount_said(there, name))}"
            for time, value in zip(curve.time, curve.value, strict=True)
        ],
    )
    drawing.add_hline(there, {"color": OTHERS, "width": 1.5, "dash": "dash"})
    span = [min(0.0, -begin) / unit.size, (end - begin) / unit.size]
    drawing.x_axis(f"Time since the day began ({unit.symbol})", range=span)
    drawing.y_axis(plain(resource_title(name)), range=[0.0, 1.05 * there or 1.0])
    return drawing.figure(_LANE_PIXELS, above=8, showlegend=False)


def _show_lane(outcome: ReplayOutcome, pool: int, resource: int, key: str) -> None:
    title = resource_title(outcome.workload.pools.resources[resource])
    alt = f"Line chart over time: how much the jobs of the pool take. {title}."
    show_chart(lane_figure(outcome, pool, resource), key, alt=alt)


def show_pool(outcome: ReplayOutcome, pool: int, name: str, label: str) -> None:
    """The chart of a pool; `name` is that of the chart, `label` of the policy."""
    rows, there = pool_rows(outcome, pool), int(outcome.workload.pools.units[pool])
    show_chart(
        pool_gantt(outcome, rows, session.system()),
        name,
        alt=f"Gantt chart of a pool under {label}: {counted(len(rows.job), 'bar')}, a job or some "
        f"short ones each, on {len(rows.units):,} of {there:,} units as rows",
    )
    for resource, title in enumerate(outcome.workload.pools.resources):
        _show_lane(outcome, pool, resource, f"{name}_{title}")
    if not len(rows.job):
        st.caption("No job ran on this pool.")
    if len(rows.units) < there:
        st.caption(
            f"{len(rows.units)} of {there:,} units are shown, evenly far from each other. Each row "
            "is one unit, with all of its jobs."
        )
