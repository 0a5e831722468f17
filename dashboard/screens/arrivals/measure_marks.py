"""When a policy changes what it looks at: a strip of two colours below a chart over the day, and
marks where prices of energy were set anew.
"""

from typing import Final, NamedTuple

import numpy as np

from core.engines.replay.curves import TimeCurve, last_moment
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.policy import Measure
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.units import Unit
from core.vocabulary.say.words import Sense, counted, duration
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import CHOSEN, PAPER, RIVAL
from dashboard.screens.arrivals.event import prices_said

MOST_SPANS: Final = 20_000
"""The most spans of a strip; a published day has 1,440 at most."""
_BELOW: Final = 0.045
"""How far the strip lies below 0, as a share of the height of the chart."""
_WIDTH: Final = 8
_SIDES: Final = (
    (Measure.PER_RESOURCE, "as Max UPR", CHOSEN),
    (Measure.PER_ENERGY, "as Max UPE", RIVAL),
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
    begin = outcome.workload.horizon.begin
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
            f"{_since(one.time - begin)}: a job must be worth {prices_said(one.prices)}"
            for one in priced
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _since(seconds: float) -> str:
    """A time after the day began, or before."""
    if seconds < 0:
        return f"{duration(-seconds, Sense.PLAIN)} before the day"
    return duration(seconds, Sense.PLAIN)
