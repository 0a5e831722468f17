"""Charts over time: releases and promises of bags, and a plan for tasks that can be split."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import plotly.graph_objects as go

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.day_clock import DayClock
from core.capabilities.fair_shares.plan import FluidPlan
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.colours import colour_ranks
from core.vocabulary.say.words import DAY, HOUR, MINUTE, Sense, duration, share
from core.vocabulary.system import System
from dashboard.parts.charts.drawing import CLICKED, Drawing
from dashboard.parts.charts.palette import (
    GHOST,
    GRID,
    HATCHED,
    INK,
    LOSS,
    OURS,
    PAPER,
    Paint,
    paint_task,
)
from dashboard.parts.charts.text import labels, plain

_STEPS: Final = (
    *(1.0, 5.0, 10.0, 30.0),
    *(minutes * MINUTE for minutes in (1, 5, 10, 15, 30)),
    *(hours * HOUR for hours in (1, 2, 3, 6, 12)),
)
_MOST_TICKS: Final = 7
_MOST_WITH_DAYS: Final = 4
"""So many ticks that name the day, too, have room on a phone."""
_ROW_PIXELS: Final = 30
_NAME: Final = 22
_EDGE: Final = {"color": PAPER, "width": 1}
_BEFORE: Final = {"symbol": "diamond-open", "size": 12, "color": GHOST, "line": {"width": 2}}
_WHOLE: Final = {"symbol": "circle", "size": 9, "color": OURS, "line": _EDGE}
_PROMISE: Final = {"symbol": "diamond", "size": 12, "color": INK, "line": _EDGE}
_BROKEN: Final = {"symbol": "x", "size": 12, "color": LOSS, "line": _EDGE}
_UPRIGHT: Final = {"color": INK, "width": 3}
_RELEASE: Final = {"symbol": "line-ns", "size": 18, "color": INK, "line": _UPRIGHT}
_PLAN_ROW: Final = 34
_HIGH: Final = 0.84
_LEAST: Final = 1e-4
_LEAST_LINK: Final = 0.1
_LEAST_TIME: Final = 0.01


def day_axis(drawing: Drawing, clock: DayClock, first: float, last: float) -> None:
    """The axis from `first` to `last`, in seconds since time 0."""
    span = max(last - first, 1e-9)
    most = _MOST_TICKS if span <= DAY else _MOST_WITH_DAYS
    step = next((one for one in _STEPS if span / one <= most), None)
    if step is None:
        step = DAY * max(round(span / DAY / most), 1)
    if span < _STEPS[0]:
        step = span
    begin = np.ceil((first + clock.begins) / step) * step - clock.begins
    ticks = np.arange(begin, last + step / 1e6, step)
    look: dict[str, Any] = {
        "tickvals": ticks.tolist(),
        "ticktext": [clock.said(float(tick), Sense.PLAIN, span) for tick in ticks],
        "range": [first - 0.02 * span, last + 0.04 * span],
    }
    drawing.x_axis("Time of day" if span <= DAY else "Day and time", **look)


class PromisedDates(NamedTuple):
    """When each bag is done at the latest (s), whether that can be kept, how long each takes alone
    (s), the promises before a change, if there is one, and when whole tasks end, if that is known.
    """

    due: FloatArray
    can_be_kept: bool
    alone: FloatArray
    before: FloatArray | None = None
    whole: FloatArray | None = None


def paints_of_bags(bags: ArrivingBags, study: System | None) -> list[Paint]:
    """The paint of each bag, the same in all charts: that of its task type in the `study`, if all
    bags are of task types of it.
    """
    first_most = np.arange(len(bags.names), 0, -1.0)
    return [paint_task(rank) for rank in colour_ranks(bags.names, first_most, study).tolist()]


def dates_figure(
    bags: ArrivingBags,
    promised: PromisedDates,
    clock: DayClock,
    picked: int | None = None,
    study: System | None = None,
) -> go.Figure:
    """Solid: alone from the release on. Hatched: until the promise, which is the diamond. The name
    of the bag that is picked is bold.
    """
    release = bags.release[bags.present]
    points = [*_points(release, promised)]
    first = min(float(times.min()) for _, times, _ in points)
    last = max(float(times.max()) for _, times, _ in points)
    said = _bags_said(bags, promised, clock, last - first)
    marks = [[row, text] for row, text in enumerate(said)]
    drawing = Drawing()
    _add_spans(drawing, release, promised, marks, paints_of_bags(bags, study))
    for name, times, marker in points:
        known = {"hoverinfo": "skip"} if marker is _BEFORE else {"customdata": marks, **CLICKED}
        drawing.add_scatter(
            x=times.tolist(),
            y=list(range(len(times))),
            mode="markers",
            name=name,
            marker=marker,
            **known,
        )
    day_axis(drawing, clock, first, last)
    names = enumerate(labels(bags.names, _NAME))
    shown = [f"<b>▸ {name}</b>" if k == picked else name for k, name in names]
    drawing.rows(shown, automargin=True)
    return drawing.figure(
        110 + _ROW_PIXELS * len(marks), above=34, barmode="overlay", hoverlabel={"align": "left"}
    )


def _add_spans(
    drawing: Drawing,
    release: FloatArray,
    promised: PromisedDates,
    marks: list[list[Any]],
    paints: list[Paint],
) -> None:
    """From the release of each bag until its promise; and on top of that, what it takes alone."""

    def add(name: str, rows: list[int], seconds: FloatArray, **look: Any) -> None:
        drawing.add_bar(
            orientation="h",
            y=rows,
            base=release[rows].tolist(),
            x=seconds[rows].tolist(),
            width=0.5,
            name=name,
            customdata=[marks[row] for row in rows],
            **CLICKED,
            **look,
        )

    rows = list(range(len(release)))
    hatched = {"color": HATCHED["bgcolor"], "pattern": HATCHED}
    add("until the promise", rows, promised.due - release, marker=hatched)
    for row in rows:
        look = {"legendgroup": "alone", "showlegend": row == 0, "marker": paints[row].marker}
        add("alone", [row], promised.alone, **look)


def _points(
    release: FloatArray, promised: PromisedDates
) -> Iterator[tuple[str, FloatArray, dict[str, Any]]]:
    """Times of bags that are marked: what they are, when (s), and by which mark."""
    if promised.before is not None:
        yield "promise before the change", promised.before, _BEFORE
    if promised.whole is not None:
        yield "whole tasks end", promised.whole, _WHOLE
    if promised.can_be_kept:
        yield "promise", promised.due, _PROMISE
    else:
        yield "promise that cannot be kept", promised.due, _BROKEN
    yield "release", release, _RELEASE


def _bags_said(
    bags: ArrivingBags, promised: PromisedDates, clock: DayClock, span: float
) -> list[str]:
    """What is said of each bag when one points at it."""
    release, whole = bags.release[bags.present], promised.whole
    said = [
        f"<b>{plain(name)}</b><br>released {clock.said(r, Sense.PLAIN, span)}<br>"
        f"alone {duration(a, Sense.LOWER_BOUND)}<br>done by {clock.said(d, Sense.SPENT, span)}"
        for name, r, a, d in zip(bags.names, release, promised.alone, promised.due, strict=True)
    ]
    if whole is None:
        return said
    ends = [clock.said(end, Sense.SPENT, span) for end in whole.tolist()]
    return [f"{text}<br>as whole tasks by {end}" for text, end in zip(said, ends, strict=True)]


class PlanRow(NamedTuple):
    """A resource: its name, in which {} stands for a machine type, and what share of it each bag
    has in each interval.
    """

    said: str
    machine_type: str
    shares: FloatArray

    @property
    def name(self) -> str:
        return self.said.format(self.machine_type)


def plan_rows(plan: FluidPlan) -> list[PlanRow]:
    """The master first, then each worker's link and machines. A link that is not limited has no
    row, nor one that hardly ever carries a tenth of what it could.
    """
    work, lengths = plan.bags.work, np.diff(plan.dates)
    per_second = np.divide(1.0, lengths, where=lengths > 0, out=np.zeros_like(lengths))
    rows = []
    if np.isfinite(work.bandwidth):
        sent = plan.sent.sum(axis=1) * work.master_seconds[:, None]
        rows.append(PlanRow("master", "", sent * per_second))
    for u, types in enumerate(work.machine_types):
        name = plan.bags.system.machine_names[types[0]]
        if np.isfinite(work.links[u]) and work.data.any():
            sent = plan.sent[:, u] * work.link_seconds[:, u, None]
            shares = sent * per_second
            lasting = lengths >= _LEAST_TIME * lengths.sum()
            if (shares.sum(axis=0)[lasting] >= _LEAST_LINK).any():
                rows.append(PlanRow("links, {}", name, shares))
        computed = np.where(plan.computed[:, u] > 0, plan.computed[:, u], 0.0)
        seconds = np.where(np.isfinite(work.seconds[:, u]), work.seconds[:, u], 0.0)
        shares = computed * seconds[:, None] * per_second
        rows.append(PlanRow(_of_worker(plan.bags, types), name, shares))
    return rows


def name_of_worker(bags: ArrivingBags, types: tuple[int, ...]) -> str:
    """Its machines: "8 × new nodes", or "8 × new nodes and 1 more" of several types."""
    return _of_worker(bags, types).format(bags.system.machine_names[types[0]])


def _of_worker(bags: ArrivingBags, types: tuple[int, ...]) -> str:
    """The same with {} in place of the machine type."""
    machines = sum(bags.system.machine_types[j].count for j in types)
    more = f" and {len(types) - 1} more" if len(types) > 1 else ""
    return f"{machines:,} × {{}}{more}"


def plan_figure(plan: FluidPlan, clock: DayClock, study: System | None = None) -> go.Figure:
    """Each row is as high as its resource is fast; a bar is the part that a bag has."""
    rows = plan_rows(plan)
    types = labels([row.machine_type for row in rows])
    drawing = Drawing()
    below = [np.zeros(len(plan.dates) - 1) for _ in rows]
    paints = paints_of_bags(plan.bags, study)
    for bag, name in enumerate(labels(plan.bags.names)):
        bars = [*_bars(plan, rows, below, bag, clock)]
        if not bars:
            continue
        drawing.add_bar(
            x=[bar.middle for bar in bars],
            width=[bar.length for bar in bars],
            base=[bar.base for bar in bars],
            y=[bar.height for bar in bars],
            name=name,
            marker={**paints[bag].marker, "line": {"color": PAPER, "width": 0.4}},
            customdata=[bar.said for bar in bars],
        )
    for row in range(len(rows)):
        drawing.add_hline(_bottom(row, rows), {"color": GRID, "width": 1})
    busy = np.flatnonzero(np.diff(plan.dates) > 0)
    day_axis(drawing, clock, float(plan.dates[busy[0]]), float(plan.dates[-1]))
    drawing.y_names(
        tickvals=[_bottom(row, rows) + _HIGH / 2 for row in range(len(rows))],
        ticktext=[row.said.format(name) for row, name in zip(rows, types, strict=True)],
        range=[-0.1, len(rows)],
        showgrid=False,
        automargin=True,
    )
    return drawing.figure(
        150 + _PLAN_ROW * len(rows),
        above=60,
        barmode="overlay",
        showlegend=True,
        hoverlabel={"align": "left"},
    )


class _Bar(NamedTuple):
    middle: float
    length: float
    base: float
    height: float
    said: str


def _bars(
    plan: FluidPlan, rows: list[PlanRow], below: list[FloatArray], bag: int, clock: DayClock
) -> Iterator[_Bar]:
    """The bars of one bag, on top of those of earlier bags (`below`)."""
    name, span = plain(plan.bags.names[bag]), float(plan.dates[-1] - plan.dates[0])
    for row, one in enumerate(rows):
        for j in np.flatnonzero(one.shares[bag] > _LEAST).tolist():
            part = float(one.shares[bag, j])
            begin, end = float(plan.dates[j]), float(plan.dates[j + 1])
            said = (
                f"<b>{name}</b>: {share(part, Sense.PLAIN)} of {plain(one.name)}<br>"
                f"{clock.said(begin, Sense.PLAIN, span)} to {clock.said(end, Sense.PLAIN, span)}"
            )
            base = _bottom(row, rows) + _HIGH * float(below[row][j])
            yield _Bar((begin + end) / 2, end - begin, base, _HIGH * part, said)
        below[row] += one.shares[bag]


def _bottom(row: int, rows: list[PlanRow]) -> float:
    return float(len(rows) - 1 - row)
