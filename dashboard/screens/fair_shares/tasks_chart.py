"""Charts of whole tasks, machine by machine and by the scores of policies; and of energy."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
import plotly.graph_objects as go

from core.capabilities.fair_shares.day_clock import DayClock
from core.capabilities.fair_shares.energy import EnergyFront
from core.capabilities.fair_shares.tasks.outcome import TaskOutcome
from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES
from core.capabilities.fair_shares.told import (
    SCORE_TITLES,
    behind_said,
    score_unit,
    unit_of,
)
from core.capabilities.fair_shares.trials import TaskTrials
from core.shells.told.bars import ToldBar, ToldBars
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.say.means import mean_within
from core.vocabulary.say.units import energy_unit
from core.vocabulary.say.words import Sense, amount, counted, energy
from core.vocabulary.system import System
from dashboard.parts.charts.bars import bars_figure
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import CHOSEN, INK, MIXED, OURS, PAPER
from dashboard.parts.charts.text import labels, plain
from dashboard.parts.charts.timeline import SEVERAL, Bars, spread
from dashboard.screens.fair_shares.dates_chart import day_axis, paints_of_bags

MOST_ROWS: Final = 30
MOST_BARS: Final = 2_500
_ROW_PIXELS: Final = 26
_MACHINE: Final = (0.14, 0.5)
"""Where the bars of a machine are in its row, and how high."""
_LINK: Final = (-0.28, 0.22)
_NAME: Final = 20
_PALE: Final = 0.4


class Moment(NamedTuple):
    """A time of a replay, and from when to when the picture goes (s)."""

    now: float
    first: float
    last: float


class TaskRows(NamedTuple):
    """Machines that have a row, as a type and a number from 0; and bars of their links and of what
    they run, where bags take the place of task types.
    """

    machines: tuple[tuple[int, int], ...]
    sent: Bars
    run: Bars


def task_rows(outcome: TaskOutcome) -> TaskRows:
    """A row a machine, or some evenly chosen ones of many; runs of short tasks become one bar."""
    system = outcome.bags.system
    every = [
        (j, number) for j, kind in enumerate(system.machine_types) for number in range(kind.count)
    ]
    shown = spread(len(every), MOST_ROWS)
    first = np.cumsum(system.machine_counts) - system.machine_counts
    row_of = np.full(len(every), -1)
    row_of[shown] = np.arange(len(shown))
    row = row_of[first[outcome.machine_type] + outcome.machine]
    on = row >= 0
    with_data = outcome.bags.data[outcome.bags.present][outcome.bag] > 0
    return TaskRows(
        tuple(every[k] for k in shown.tolist()),
        _bars(outcome, row, on & with_data, outcome.sent, outcome.arrived),
        _bars(outcome, row, on, outcome.start, outcome.end),
    )


def _bars(
    outcome: TaskOutcome, row: IntArray, on: BoolArray, start: FloatArray, end: FloatArray
) -> Bars:
    at = np.flatnonzero(on)
    at = at[np.lexsort((start[at], row[at]))]
    bars = Bars(row[at], outcome.bag[at], np.ones(len(at), np.int64), start[at], end[at]).joined()
    return bars.at_most(MOST_BARS, float(end.max() - start.min()))


def shown_said(rows: TaskRows, outcome: TaskOutcome) -> str:
    """How many machines have a row, if not all have one."""
    shown, every = len(rows.machines), outcome.bags.system.machines
    return f" {shown:,} of {counted(every, 'machine')} are shown." if shown < every else ""


def tasks_figure(
    outcome: TaskOutcome,
    rows: TaskRows,
    clock: DayClock,
    moment: Moment | None = None,
    study: System | None = None,
) -> go.Figure:
    """Thin bars: data on the way to a machine. Thick bars: what it runs; pale after the moment."""
    drawing = Drawing()
    if moment is None:
        last = float(outcome.end.max())
        moment = Moment(last, float(outcome.sent.min()), last)
    else:
        drawing.add_vline(moment.now, {"color": INK, "width": 1.5})
    paints = [*paints_of_bags(outcome.bags, study), MIXED]
    for bag, name in enumerate([*labels(outcome.bags.names), "several bags"]):
        which = bag if bag < len(outcome.bags.names) else SEVERAL
        look = {
            "orientation": "h",
            "name": name,
            "legendgroup": str(bag),
            "marker": {**paints[bag].marker, "line": {"color": PAPER, "width": 0.3}},
        }
        legend = True
        for bar in _bars_of(outcome, rows, which, clock, moment.now):
            drawing.add_bar(**look, **bar, showlegend=legend)
            legend = False
    day_axis(drawing, clock, moment.first, moment.last)
    names = labels(outcome.bags.system.machine_names, _NAME)
    shown = [f"{names[j]} #{number + 1:,}" for j, number in rows.machines]
    drawing.rows(shown, automargin=True)
    return drawing.figure(
        130 + _ROW_PIXELS * len(rows.machines),
        above=60,
        barmode="overlay",
        showlegend=True,
        hoverlabel={"align": "left"},
    )


def _bars_of(
    outcome: TaskOutcome, rows: TaskRows, which: int, clock: DayClock, now: float
) -> Iterator[dict[str, Any]]:
    """The bars of a bag: what machines run, then data on their way; pale from now on."""
    for bars, (middle, high), verb in ((rows.run, _MACHINE, "runs"), (rows.sent, _LINK, "to")):
        own = bars.chosen(bars.task_type == which)
        said = np.array(_said(outcome, rows, own, verb, clock))
        for begin, until, opacity in (
            (own.start, np.minimum(own.end, now), 1.0),
            (np.maximum(own.start, now), own.end, _PALE),
        ):
            on = until > begin
            if on.any():
                yield {
                    "y": (own.row[on] + middle).tolist(),
                    "width": high,
                    "base": begin[on].tolist(),
                    "x": (until - begin)[on].tolist(),
                    "opacity": opacity,
                    "customdata": said[on].tolist(),
                }


def _said(
    outcome: TaskOutcome, rows: TaskRows, bars: Bars, verb: str, clock: DayClock
) -> list[str]:
    names, machines = outcome.bags.names, outcome.bags.system.machine_names
    span = float(outcome.end.max() - outcome.sent.min())
    found = []
    for k in range(len(bars)):
        kind = int(bars.task_type[k])
        bag = "several bags" if kind == SEVERAL else plain(names[kind])
        j, number = rows.machines[int(bars.row[k])]
        machine = f"{plain(machines[j])} #{number + 1:,}"
        what = counted(int(bars.count[k]), "task")
        done = f"{machine} runs {what}" if verb == "runs" else f"data of {what} to {machine}"
        times = [
            clock.said(float(time), Sense.PLAIN, span) for time in (bars.start[k], bars.end[k])
        ]
        found.append(f"<b>{bag}</b>: {done}<br>{times[0]} to {times[1]}")
    return found


_ROW: Final = 22
_HEIGHT: Final = 340
_SPARE: Final = 0.08


def scores_figure(bars: Sequence[ToldBar], score: str, least: float | None, what: str) -> go.Figure:
    """A score of each policy, the best first; bars are given in SI units. No policy can be below
    the `least`, which is `what`.
    """
    unit = score_unit(score, [bar.value.mean + bar.value.sides()[1] for bar in bars])
    drawn = [replace(bar, value=bar.value.over(unit.size)) for bar in bars]
    drawn.sort(key=lambda bar: bar.value.mean)
    symbol = f" ({unit.symbol})" if unit.symbol else ""
    return bars_figure(ToldBars(f"{SCORE_TITLES[score]}{symbol}", tuple(drawn), least, what), _ROW)


def means_figure(found: TaskTrials, score: str) -> go.Figure:
    """Bars with intervals; the best possible worst stretch is a mean, too."""
    unit, optimum = unit_of(found, score), float(found.optimum.mean())
    bars = [
        ToldBar(
            TASK_POLICIES[policy].label,
            mean,
            f"{mean_within(mean, unit)} {unit.symbol}<br>more than the best: "
            f"{behind_said(found, policy, score)}",
        )
        for policy, mean in found.means[score].items()
    ]
    what = f"best possible, on average: {amount(optimum, Sense.PLAIN)}"
    return scores_figure(bars, score, optimum if score == "max_stretch" else None, what)


def energy_figure(front: EnergyFront, stretch: float) -> go.Figure:
    """Below the line no schedule can be. `stretch` is the one that is chosen."""
    stretches, joules = front.points.T
    unit = energy_unit(float(joules.max()))
    drawing = Drawing()
    drawing.add_scatter(
        x=stretches.tolist(),
        y=unit.of(joules).tolist(),
        mode="lines+markers",
        name="least energy",
        line={"color": OURS, "width": 2},
        marker={"size": 7, "symbol": "circle"},
        customdata=[
            f"worst stretch {amount(one, Sense.PLAIN)}<br>{energy(least, Sense.PLAIN)} at least"
            for one, least in front.points.tolist()
        ],
    )
    least = front.least_energy(stretch)
    if math.isfinite(least):
        drawing.add_scatter(
            x=[stretch],
            y=[least / unit.size],
            mode="markers",
            name="at the promised stretch",
            marker={"size": 14, "symbol": "diamond-open", "color": CHOSEN, "line": {"width": 3}},
            hovertemplate=f"{energy(least, Sense.PLAIN)} at least<extra></extra>",
        )
    low, high = float(joules.min()) / unit.size, float(joules.max()) / unit.size
    span = high - low or abs(high) or 1.0
    drawing.x_axis("Worst stretch")
    drawing.y_axis(
        f"Least energy ({unit.symbol})", range=[low - _SPARE * span, high + _SPARE * span]
    )
    return drawing.figure(_HEIGHT, above=34, showlegend=True)
