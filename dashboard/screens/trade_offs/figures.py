"""Where schedules stand: what is proven of points in the plane, in a hover and in a table."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pandas as pd

from core.engines.front.axis import Axis
from core.engines.front.proven import Proven
from core.engines.front.study import Study
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.say.units import time_unit
from core.vocabulary.say.words import Sense, amount, duration, rounded, share
from core.vocabulary.schedule import Schedule


@dataclass(frozen=True, eq=False, slots=True)
class Standing:
    """Points (joules, seconds) and what is proven of them.

    `energy_gap` is the gap in energy at the same makespan, `time_gap` the gap in makespan at the
    same energy, both as shares. `rate` is the exchange rate (J/s): the energy for one second less;
    infinity if no schedule can be faster.
    """

    points: FloatArray
    energy_gap: FloatArray
    time_gap: FloatArray
    rate: FloatArray

    @classmethod
    def of(cls, proven: Proven, points: FloatArray) -> "Standing":
        return cls(
            points,
            proven.energy_gaps(points),
            proven.time_gaps(points),
            rates(proven.front, points[:, 1]),
        )


def rates(front: Front, makespans: FloatArray) -> FloatArray:
    """The exchange rate of the front (J/s) at each makespan."""
    steps = np.diff(front.points, axis=0)
    along = np.append(steps[:, 0] / -steps[:, 1], np.inf)
    # A makespan just above a vertex counts as the vertex, whose edge leads to shorter makespans.
    nearest = np.searchsorted(-front.makespan, -makespans * (1 - 1e-9), side="right") - 1
    return along[np.clip(nearest, 0, len(along) - 1)]


def words_of(standing: Standing, axis: Axis) -> Iterator[str]:
    """The hover of each point, in a few lines."""
    rows = zip(
        standing.points.tolist(),
        standing.energy_gap.tolist(),
        standing.time_gap.tolist(),
        standing.rate.tolist(),
        strict=True,
    )
    for (joules, seconds), energy_gap, time_gap, rate in rows:
        yield (
            f"<b>{duration(seconds, Sense.SPENT)}, {axis.say(joules, Sense.SPENT)}</b><br>"
            f"{price(rate, axis)}<br>"
            f"gap at most {share(energy_gap, Sense.UPPER_BOUND)} in {axis.title.lower()}, "
            f"{share(time_gap, Sense.UPPER_BOUND)} in time"
        )


def price(rate: float, axis: Axis) -> str:
    """What one second less and one minute less cost."""
    if not math.isfinite(rate):
        return "no schedule can be faster"
    a_minute = axis.say(60 * rate, Sense.PLAIN)
    return f"one second less costs {amount(rate, Sense.PLAIN, 'J')}, one minute {a_minute}"


MOVES: Final = 0.05
"""An assumption that moves an answer by more is said beside it."""


def idle_power_said(study: Study, now: float, fraction: float) -> str:
    """What another idle power than that of `now`, both shares of the mean power at work, would
    change of the ends of the front: their energy, and what the slower saves. Empty if that is
    little.
    """
    if not len(study.achieved):
        return ""
    ends = [study.schedules[k] for k in np.flatnonzero(study.on_front)[[0, -1]].tolist()]
    system = study.system.with_idle_fraction(fraction)
    thrifty, fast = (end.energy for end in ends)
    there_thrifty, there_fast = (replace(end, system=system).energy for end in ends)
    if fast <= 0 or thrifty <= 0:
        return ""
    more, saved, saves = there_fast / fast - 1, 1 - thrifty / fast, 1 - there_thrifty / there_fast
    if max(abs(more), abs(saved - saves)) <= MOVES:
        return ""
    drawn = (
        f"saves {share(saves, Sense.HEADLINE)} of the energy of the fastest"
        if saves > 0
        else f"takes {share(-saves, Sense.HEADLINE)} more energy than the fastest"
    )
    said = (
        f"Assumed: idle machines draw {share(now, Sense.TYPED)} of their power at work. At "
        f"{share(fraction, Sense.TYPED)}, the slowest of these schedules {drawn}, in place of "
        f"saving {share(saved, Sense.HEADLINE)}"
    )
    less = "more" if more > 0 else "less"
    if abs(more) > MOVES:
        said += f", and the fastest takes {share(abs(more), Sense.HEADLINE)} {less} than here"
    return f"{said}."


_STEPS: Final = 30
"""The front is cut into so many steps in time and in energy; the table has one row of each."""


def table(
    study: Study, axis: Axis, chosen: Schedule | None = None
) -> tuple[pd.DataFrame, list[int]]:
    """The schedules on the Pareto front that differ visibly, the fastest first, always with the
    ends and the chosen one, and the index of each in the study. Columns that say the same of all of
    several rows are left out.
    """
    indices = _apart(study, np.flatnonzero(study.on_front)[::-1], chosen)
    standing = Standing.of(study.proven, study.points[indices])
    joules, seconds = standing.points.T
    time = time_unit(float(seconds.max()))
    saved = 100 * (1 - joules / joules[0]) if joules[0] > 0 else np.full(len(joules), np.nan)
    frame = pd.DataFrame(
        {
            "Makespan": [duration(value, Sense.SPENT) for value in seconds],
            axis.label: _told(axis.of(joules), Sense.SPENT),
            "Average power (kW)": _told(joules / seconds / 1e3, Sense.SPENT),
            "Saved (%)": _told(saved, Sense.EARNED),
            f"1 {time.symbol} less costs ({axis.unit})": _told(
                axis.of(standing.rate * time.size), Sense.PLAIN
            ),
            "From the best, at most (%)": _told(100 * standing.energy_gap, Sense.UPPER_BOUND),
        }
    )
    if len(frame) > 1:
        same = [name for name in frame.columns[2:] if frame[name].nunique(dropna=False) == 1]
        frame = frame.drop(columns=same)
    return frame, indices.tolist()


def _apart(study: Study, indices: IntArray, chosen: Schedule | None) -> IntArray:
    """The schedules, the fastest first, that are in another step of the front than the one
    before.
    """
    points = study.points[indices]
    steps = (_STEPS * np.abs(points - points[0]) / _extent(points)).astype(np.int64)
    new = np.ones(len(indices), bool)
    new[1:] = (np.diff(steps, axis=0) != 0).any(axis=1)
    new[-1] = True
    shown = [new[row] or study.schedules[k] is chosen for row, k in enumerate(indices.tolist())]
    return indices[shown]


def _extent(points: FloatArray) -> FloatArray:
    """How far points reach in energy and in time; 1 where they do not differ."""
    extent = np.ptp(points, axis=0)
    return np.where(extent > 0, extent, 1.0)


def _told(values: FloatArray, sense: Sense) -> list[float]:
    """Rounded numbers, so that the table can be sorted; NaN if there is none."""
    return [
        rounded(value, sense) if math.isfinite(value) else math.nan for value in values.tolist()
    ]
