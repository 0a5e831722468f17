"""A day under one policy, over time: worth, energy against the goal line, queue, busy units and
power.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
import plotly.graph_objects as go

from core.engines.replay.curves import (
    TimeCurve,
    busy_curve,
    goal_curve,
    last_moment,
    power_curve,
    spent_curve,
    waiting_curve,
    worth_curve,
)
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.policy import Measure
from core.engines.replay.stopping.score import Stops
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.units import Unit, energy_unit, power_unit, time_unit
from core.vocabulary.say.words import HOUR, Sense, counted, duration
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, CHOSEN, IDLE, OURS, PAPER, RIVAL, distinct
from dashboard.parts.charts.text import labels
from dashboard.screens.arrivals.event import prices_said

_HEIGHT: Final = 280
MOST_POOLS: Final = 8
"""Pools with a line of their own: those with most units."""
SPANS: Final = 112
"""Spans of time whose means are shown of busy units: quarters of an hour of a published day."""


def energy_figure(outcome: ReplayOutcome) -> go.Figure:
    """What jobs have drawn of the budget so far, beside the line of a constant rate; and when the
    policy changes its measure, or sets its prices anew.
    """
    drawing, spent, goal = Drawing(), spent_curve(outcome), goal_curve(outcome)
    most = [float(curve.value.max(initial=0.0)) for curve in (spent, goal) if curve is not None]
    unit = energy_unit(max(most))
    _add_line(drawing, outcome, spent, unit, "spent", OURS)
    if goal is not None:
        _add_line(drawing, outcome, goal, unit, "constant rate", BOUND, "dash")
    scale, height = _scale(outcome)[0], 1.05 * max(most) / unit.size
    below = add_strip(drawing, outcome, scale, height)
    add_prices(drawing, outcome, spent, (scale, unit))
    _time_axis(drawing, outcome)
    drawing.y_axis(f"Energy since the day began ({unit.symbol})", range=[-below, height or 1.0])
    return drawing.figure(_HEIGHT, above=40, showlegend=True)


def earned_figure(outcome: ReplayOutcome) -> go.Figure:
    unit = Unit("", 1.0)
    return _one_line(outcome, worth_curve(outcome), unit, "worth", "Worth earned so far")


def waiting_figure(outcome: ReplayOutcome) -> go.Figure:
    unit = Unit("jobs", 1.0)
    return _one_line(outcome, waiting_curve(outcome), unit, "waiting", "Jobs that wait")


def lost_figure(outcome: ReplayOutcome) -> go.Figure:
    """The work that was lost so far because jobs were stopped."""
    stops, begin = Stops.of(outcome), outcome.workload.horizon.begin
    time = np.concatenate([[min(begin, 0.0)], stops.time, [last_moment(outcome)]])
    lost = np.cumsum(np.concatenate([[0.0], stops.lost, [0.0]]))
    title = "Work lost so far (core-hours)"
    return _one_line(outcome, TimeCurve(time, lost, True), Unit("h", HOUR), "lost", title)


def power_figure(outcome: ReplayOutcome) -> go.Figure:
    curve = power_curve(outcome)
    unit = power_unit(float(curve.value.max(initial=0.0)))
    return _one_line(outcome, curve, unit, "power", f"Power ({unit.symbol})")


def _one_line(
    outcome: ReplayOutcome, curve: TimeCurve, unit: Unit, name: str, title: str
) -> go.Figure:
    drawing = Drawing()
    _add_line(drawing, outcome, curve, unit, name, OURS)
    _time_axis(drawing, outcome)
    drawing.y_axis(title, rangemode="tozero")
    return drawing.figure(_HEIGHT, above=16, showlegend=False)


def busy_figure(outcome: ReplayOutcome) -> go.Figure:
    """The mean share of the units of each pool that work; the largest pools have a line."""
    drawing, pools = Drawing(), outcome.workload.pools
    largest, names = np.argsort(-pools.units, kind="stable")[:MOST_POOLS], labels(pools.names)
    for rank, pool in enumerate(sorted(largest.tolist())):
        percent = Unit("%", float(pools.units[pool]) / 100)
        curve = mean_curve(busy_curve(outcome, pool))
        _add_line(drawing, outcome, curve, percent, names[pool], distinct(rank))
    _time_axis(drawing, outcome)
    drawing.y_axis("Units that work (mean, %)", range=[0, 102])
    return drawing.figure(_HEIGHT, above=64, showlegend=True)


def mean_curve(curve: TimeCurve) -> TimeCurve:
    """The means of a curve of steps, over equal spans of time."""
    begin, end = float(curve.time[0]), float(curve.time[-1])
    edges = np.linspace(begin, end, SPANS + 1)
    total = np.concatenate([[0.0], np.cumsum(curve.value[:-1] * np.diff(curve.time))])
    means = np.diff(np.interp(edges, curve.time, total)) / max((end - begin) / SPANS, 1e-9)
    return TimeCurve(edges, np.append(means, means[-1]), steps=True)


def _scale(outcome: ReplayOutcome) -> tuple[Unit, float]:
    """The unit of time of the axis, and where it has its 0 (s): where the day begins."""
    begin = outcome.workload.horizon.begin
    return time_unit(last_moment(outcome) - begin), begin


def _time_axis(drawing: Drawing, outcome: ReplayOutcome) -> None:
    scale, begin = _scale(outcome)
    ends: Iterable[float] = (min(0.0, -begin), last_moment(outcome) - begin)
    drawing.x_axis(
        f"Time since the day began ({scale.symbol})", range=[end / scale.size for end in ends]
    )


def _add_line(
    drawing: Drawing,
    outcome: ReplayOutcome,
    curve: TimeCurve,
    unit: Unit,
    name: str,
    colour: str,
    dash: str = "solid",
) -> None:
    scale, begin = _scale(outcome)
    thin = curve.thinned()
    drawing.add_scatter(
        x=(thin.time - begin) / scale.size,
        y=thin.value / unit.size,
        mode="lines",
        name=name,
        line={
            "color": colour,
            "width": 2,
            "dash": dash,
            "shape": "hv" if curve.steps else "linear",
        },
        hovertemplate=f"%{{y:,.4~r}} {unit.symbol}",
    )


MOST_SPANS: Final = 20_000
"""The most spans of a strip; a published day has 1,440 at most."""
_BELOW: Final = 0.045
"""How far the strip lies below 0, as a share of the height of the chart."""
_WIDTH: Final = 8
_SIDES: Final = (
    (Measure.PER_RESOURCE, "as most worth per core-second", CHOSEN),
    (Measure.PER_ENERGY, "as most worth per kWh", RIVAL),
)


class MeasureSpan(NamedTuple):
    """From when to when (s) a policy looks at a measure."""

    begin: float
    end: float
    measure: Measure


def measure_spans(outcome: ReplayOutcome) -> list[MeasureSpan]:
    """One after the other, each as long as the measure stays; a policy that does not change its
    measure has one. Empty if it never decides.
    """
    time, measure = outcome.decisions.time, outcome.decisions.measure
    if not len(time):
        return []
    at = np.concatenate([[0], np.flatnonzero(np.diff(measure)) + 1])
    begins = time[at].tolist()
    ends = [
        *begins[1:],
        max(float(time[-1]), min(outcome.workload.horizon.end, last_moment(outcome))),
    ]
    codes = measure[at].tolist()
    return [MeasureSpan(*one) for one in zip(begins, ends, map(Measure, codes), strict=True)]


def changes_said(outcome: ReplayOutcome) -> str:
    """How often a policy changes its measure or its prices, and where that is marked; empty if it
    never does.
    """
    changes = len(measure_spans(outcome)) - 1
    if changes > 0:
        marked = "" if changes < MOST_SPANS else f", the first {MOST_SPANS - 1:,} times"
        return (
            f"The policy changes its measure {changes:,} times: where the strip below the lines "
            f"changes its colour{marked}."
        )
    if priced := len(outcome.decisions.priced):
        return f"The policy sets its prices {counted(priced, 'time')}: at the diamonds."
    return ""


def add_strip(drawing: Drawing, outcome: ReplayOutcome, scale: Unit, height: float) -> float:
    """Each span of a policy that changes its measure, in the colour of the measure. `scale` is of
    the time since the day began, `height` that of the chart. Returns the room below 0 that it
    takes; 0 if the measure never changes.
    """
    spans = measure_spans(outcome)[:MOST_SPANS]
    if len(spans) < 2:
        return 0.0
    begin = outcome.workload.horizon.begin
    for measure, title, colour in _SIDES:
        mine = [span for span in spans if span.measure is measure]
        x = np.full((len(mine), 3), np.nan)
        x[:, :2] = [[span.begin - begin, span.end - begin] for span in mine]
        said = [f"{_since(span.begin - begin)} to {_since(span.end - begin)}" for span in mine]
        drawing.add_scatter(
            x=x.ravel() / scale.size,
            y=np.where(np.isnan(x.ravel()), np.nan, -_BELOW * height),
            mode="lines",
            name=title,
            line={"color": colour, "width": _WIDTH},
            customdata=np.repeat(said, 3).tolist(),
            hovertemplate=f"decides {title}: %{{customdata}}<extra></extra>",
        )
    return 2 * _BELOW * height


def add_prices(
    drawing: Drawing, outcome: ReplayOutcome, spent: TimeCurve, units: tuple[Unit, Unit]
) -> None:
    """A diamond on the line of the energy spent wherever prices were set anew. `units` are those of
    time and energy.
    """
    priced = outcome.decisions.priced
    if not priced:
        return
    workload, begin = outcome.workload, outcome.workload.horizon.begin
    times: FloatArray = np.array([one.time for one in priced])
    drawing.add_scatter(
        x=(times - begin) / units[0].size,
        y=np.interp(times, spent.time, spent.value) / units[1].size,
        mode="markers",
        name="prices are set",
        marker={
            "color": CHOSEN,
            "symbol": "diamond",
            "size": 10,
            "line": {"color": PAPER, "width": 1},
        },
        customdata=[
            f"{_since(one.time - begin)}: a job {prices_said(workload, one.prices)}"
            for one in priced
        ],
    )


def _since(seconds: float) -> str:
    """A time after the day began, or before."""
    if seconds < 0:
        return f"{duration(-seconds, Sense.PLAIN)} before the day"
    return duration(seconds, Sense.PLAIN)


_POOL_ROW: Final = 30
_MOST_SHOWN: Final = 30


def pools_figure(pools: Sequence[tuple[str, int, int]]) -> go.Figure:
    """`pools` are names with busy and free units; at most 30 are drawn."""
    drawing, shown = Drawing(), pools[:_MOST_SHOWN]
    # The zero-width space keeps pools apart whose labels are the same text.
    names = [name + "\u200b" * k for k, name in enumerate(labels([name for name, *_ in shown]))]
    units = [max(busy + free, 1) for _, busy, free in shown]
    for title, colour, numbers in (
        ("busy", OURS, [busy for _, busy, _ in shown]),
        ("free", IDLE, [free for _, _, free in shown]),
    ):
        drawing.add_bar(
            orientation="h",
            x=[100 * number / of for number, of in zip(numbers, units, strict=True)],
            y=names,
            name=title,
            marker={"color": colour},
            customdata=[
                f"{number:,} of {of:,} units {title}"
                for number, of in zip(numbers, units, strict=True)
            ],
            hovertemplate="%{y}: %{customdata}<extra></extra>",
        )
    drawing.x_axis("Units (%)", range=[0, 100])
    drawing.y_names(autorange="reversed", showgrid=False, automargin=True)
    return drawing.figure(
        110 + _POOL_ROW * len(shown),
        above=40,
        barmode="stack",
        bargap=0.35,
        legend={"orientation": "h", "y": 1.01, "yanchor": "bottom", "traceorder": "normal"},
    )
