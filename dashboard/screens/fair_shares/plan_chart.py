"""The plan as rows of a Gantt chart: what part of the master, of each link and of each kind of
machines every bag has, interval by interval.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import plotly.graph_objects as go

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.day_clock import DayClock
from core.capabilities.fair_shares.plan import FluidPlan
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import Sense, share
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import GRID, PAPER
from dashboard.parts.charts.text import label, plain
from dashboard.screens.fair_shares.dates_chart import paint_bag
from dashboard.screens.fair_shares.day_axis import day_axis

_ROW_PIXELS: Final = 34
_HIGH: Final = 0.84
_LEAST: Final = 1e-4
_LEAST_LINK: Final = 0.1
_LEAST_TIME: Final = 0.01
_NAME: Final = 16


class PlanRow(NamedTuple):
    """A resource: its name, and what share of it each bag has in each interval."""

    name: str
    shares: FloatArray


def plan_rows(plan: FluidPlan) -> list[PlanRow]:
    """The master first, then each worker's link and machines. A link that is not limited has no
    row, nor one that hardly ever carries a tenth of what it could.
    """
    work, lengths = plan.bags.work, np.diff(plan.dates)
    per_second = np.divide(1.0, lengths, where=lengths > 0, out=np.zeros_like(lengths))
    rows = []
    if np.isfinite(work.bandwidth):
        sent = plan.sent.sum(axis=1) * work.master_seconds[:, None]
        rows.append(PlanRow("master", sent * per_second))
    for u, types in enumerate(work.machine_types):
        name = name_of_worker(plan.bags, types)
        if np.isfinite(work.links[u]) and work.data.any():
            sent = plan.sent[:, u] * work.link_seconds[:, u, None]
            shares = sent * per_second
            lasting = lengths >= _LEAST_TIME * lengths.sum()
            if (shares.sum(axis=0)[lasting] >= _LEAST_LINK).any():
                rows.append(PlanRow(f"links, {plan.bags.system.machine_names[types[0]]}", shares))
        computed = np.where(plan.computed[:, u] > 0, plan.computed[:, u], 0.0)
        seconds = np.where(np.isfinite(work.seconds[:, u]), work.seconds[:, u], 0.0)
        rows.append(PlanRow(name, computed * seconds[:, None] * per_second))
    return rows


def name_of_worker(bags: ArrivingBags, types: tuple[int, ...]) -> str:
    """Its machines: "8 × new nodes", or "8 × new nodes and 1 more" of several types."""
    system = bags.system
    first = system.machine_names[types[0]]
    machines = sum(system.machine_types[j].count for j in types)
    more = f" and {len(types) - 1} more" if len(types) > 1 else ""
    return f"{machines:,} × {first}{more}"


def plan_figure(plan: FluidPlan, clock: DayClock) -> go.Figure:
    """Each row is as high as its resource is fast; a bar is the part that a bag has."""
    rows = plan_rows(plan)
    drawing = Drawing()
    below = [np.zeros(len(plan.dates) - 1) for _ in rows]
    for bag, name in enumerate(plan.bags.names):
        bars = [*_bars(plan, rows, below, bag, clock)]
        if not bars:
            continue
        drawing.add_bar(
            x=[bar.middle for bar in bars],
            width=[bar.length for bar in bars],
            base=[bar.base for bar in bars],
            y=[bar.height for bar in bars],
            name=label(name),
            marker={**paint_bag(bag).marker, "line": {"color": PAPER, "width": 0.4}},
            customdata=[bar.said for bar in bars],
            hovertemplate="%{customdata}<extra></extra>",
        )
    for row in range(len(rows)):
        drawing.add_hline(_bottom(row, rows), {"color": GRID, "width": 1})
    busy = np.flatnonzero(np.diff(plan.dates) > 0)
    day_axis(drawing, clock, float(plan.dates[busy[0]]), float(plan.dates[-1]))
    drawing.y_names(
        "",
        tickvals=[_bottom(row, rows) + _HIGH / 2 for row in range(len(rows))],
        ticktext=[_short(row.name) for row in rows],
        range=[-0.1, len(rows)],
        showgrid=False,
        automargin=True,
    )
    return drawing.figure(
        150 + _ROW_PIXELS * len(rows),
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


def _short(name: str) -> str:
    return label(name, _NAME + 6)
