"""A day under one policy, over time: worth, energy against the goal line, queue, busy units and
power.
"""

from collections.abc import Iterable
from typing import Final

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
from core.vocabulary.say.units import Unit, energy_unit, power_unit, time_unit
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, OURS, distinct
from dashboard.parts.charts.text import label
from dashboard.screens.arrivals.measure_marks import add_prices, add_strip

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
    """The worth earned so far."""
    drawing = Drawing()
    _add_line(drawing, outcome, worth_curve(outcome), Unit("", 1.0), "worth", OURS)
    _time_axis(drawing, outcome)
    drawing.y_axis("Worth earned so far", rangemode="tozero")
    return drawing.figure(_HEIGHT, above=16, showlegend=False)


def waiting_figure(outcome: ReplayOutcome) -> go.Figure:
    """Jobs that wait."""
    drawing = Drawing()
    _add_line(drawing, outcome, waiting_curve(outcome), Unit("jobs", 1.0), "waiting", OURS)
    _time_axis(drawing, outcome)
    drawing.y_axis("Jobs that wait", rangemode="tozero")
    return drawing.figure(_HEIGHT, above=16, showlegend=False)


def busy_figure(outcome: ReplayOutcome) -> go.Figure:
    """The mean share of the units of each pool that work; the largest pools have a line."""
    drawing, pools = Drawing(), outcome.workload.pools
    largest = np.argsort(-pools.units, kind="stable")[:MOST_POOLS]
    for rank, pool in enumerate(sorted(largest.tolist())):
        percent = Unit("%", float(pools.units[pool]) / 100)
        curve, name = mean_curve(busy_curve(outcome, pool)), label(pools.names[pool])
        _add_line(drawing, outcome, curve, percent, name, distinct(rank))
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


def power_figure(outcome: ReplayOutcome) -> go.Figure:
    """What all jobs draw, and machines that are on."""
    drawing, curve = Drawing(), power_curve(outcome)
    unit = power_unit(float(curve.value.max(initial=0.0)))
    _add_line(drawing, outcome, curve, unit, "power", OURS)
    _time_axis(drawing, outcome)
    drawing.y_axis(f"Power ({unit.symbol})", rangemode="tozero")
    return drawing.figure(_HEIGHT, above=16, showlegend=False)


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
