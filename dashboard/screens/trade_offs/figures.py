"""A study as a sentence, key figures and a table."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from core.engines.front.proven import Proven
from core.engines.front.study import Study
from core.engines.relaxed import Front
from core.shells.told.told import KeyFigure
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import Sense, amount, counted, duration, rounded, share
from core.vocabulary.schedule import Schedule
from dashboard.workspace.axis import Axis

# The sentence names the price in time of the largest of these shares that is at most a good part
# of the whole saving.
_FIRST: Final = (0.5, 0.25, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
_GOOD_PART: Final = 0.75
NOTHING: Final = 0.0005
"""A saving below this share counts as none."""


def sentence(study: Study, axis: Axis, *, final: bool = True) -> str:
    """How much energy can be saved for how much time: by the schedules found; while better ones are
    still searched for, by the bound, as the most that is possible.
    """
    if final and len(study.achieved):
        return _said(study.achieved, axis, "you can save up to", Sense.SPENT)
    return _said(study.front.points, axis, "you can save at most", Sense.LOWER_BOUND)


def _said(chain: FloatArray, axis: Axis, save: str, sense: Sense) -> str:
    thrifty, dear = chain[0], chain[-1]
    fastest, slowest = duration(dear[1], sense), duration(thrifty[1], sense)
    if dear[0] <= 0:
        return f"No machine draws power, so only time matters: {fastest}."
    if len(chain) == 1 and sense is Sense.LOWER_BOUND:
        return (
            f"There is no trade-off if tasks can be split: no schedule is done before {fastest} or "
            f"takes less than {axis.say(dear[0], sense)}."
        )
    if len(chain) == 1:
        return (
            f"There is no trade-off: the fastest schedule ({fastest}) is also the thriftiest "
            f"({axis.say(dear[0], sense)})."
        )
    saving = 1 - thrifty[0] / dear[0]
    if saving < NOTHING:
        return (
            f"There is almost no trade-off: between {fastest} and {slowest} you can save only "
            f"{share(saving, Sense.PLAIN)} {axis.of_all}."
        )
    text = f"Between {fastest} and {slowest}, {save} {share(saving, sense.mirrored)} {axis.of_all}"
    first = next((part for part in _FIRST if part <= _GOOD_PART * saving), None)
    if first is None:
        return f"{text}."
    enough = chain[chain[:, 0] <= (1 - first) * dear[0]]
    cost = duration(enough[:, 1].min() - dear[1], Sense.SPENT)
    return f"{text}. The first {share(first, Sense.TYPED)} cost {cost} more time."


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
    rate: FloatArray = along[np.clip(nearest, 0, len(along) - 1)]
    return rate


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


def figures(study: Study, axis: Axis) -> tuple[KeyFigure, ...]:
    """The key figures: both ends of the front, the idle energy, and the gap."""
    if not len(study.achieved):
        return ()
    thrifty, fast = (study.schedules[np.flatnonzero(study.on_front)[end]] for end in (0, -1))
    proven, standing = study.proven, Standing.of(study.proven, study.achieved)
    mean, worst = standing.energy_gap.mean(), standing.energy_gap.max()
    idle = [_idle_share(schedule) for schedule in (thrifty, fast)]
    quantity = axis.title.lower()
    return (
        KeyFigure(
            "Fastest",
            duration(fast.makespan, Sense.SPENT),
            f"It takes {axis.say(fast.energy, Sense.SPENT)}. No schedule is faster than "
            f"{duration(proven.soonest, Sense.LOWER_BOUND)}.",
        ),
        KeyFigure(
            f"Least {quantity}",
            axis.say(thrifty.energy, Sense.SPENT),
            f"No schedule takes less than {axis.say(proven.thriftiest, Sense.LOWER_BOUND)}.",
        ),
        KeyFigure(
            "Thriftiest: time",
            duration(thrifty.makespan, Sense.SPENT),
            f"The makespan of the schedule with the least {quantity}. On the front of the bound "
            f"it is {duration(study.front.makespan[0], Sense.PLAIN)}.",
        ),
        KeyFigure(
            "Idle energy",
            share(idle[0], Sense.PLAIN),
            "The share of the energy that machines use while they wait for the last one, in the "
            f"thriftiest schedule. In the fastest schedule it is {share(idle[1], Sense.PLAIN)}.",
        ),
        KeyFigure(
            "Gap",
            share(mean, Sense.UPPER_BOUND),
            f"How much {quantity} a better schedule with the same makespan could save at most. "
            "This is the mean over all schedules on the front; the largest gap is "
            f"{share(worst, Sense.UPPER_BOUND)}.",
        ),
    )


def _idle_share(schedule: Schedule) -> float | None:
    return float(schedule.idle_energy.sum()) / schedule.energy if schedule.energy > 0 else None


def table(study: Study, axis: Axis) -> tuple[pd.DataFrame, list[int]]:
    """The schedules on the Pareto front, the fastest first, and the index of each in the study."""
    indices = np.flatnonzero(study.on_front)[::-1]
    standing = Standing.of(study.proven, study.points[indices])
    joules, seconds = standing.points.T
    saved = 100 * (1 - joules / joules[0]) if joules[0] > 0 else np.full(len(joules), np.nan)
    frame = pd.DataFrame(
        {
            "Makespan": [duration(value, Sense.SPENT) for value in seconds],
            axis.label: _told(axis.of(joules), Sense.SPENT),
            "Average power (kW)": _told(joules / seconds / 1e3, Sense.SPENT),
            "Saved (%)": _told(saved, Sense.EARNED),
            "Energy per second saved (J/s)": _told(standing.rate, Sense.PLAIN),
            "Gap (%)": _told(100 * standing.energy_gap, Sense.UPPER_BOUND),
        }
    )
    return frame, indices.tolist()


def _told(values: FloatArray, sense: Sense) -> list[float]:
    """Rounded numbers, so that the table can be sorted; NaN if there is none."""
    return [
        rounded(value, sense) if math.isfinite(value) else math.nan for value in values.tolist()
    ]


def counts(study: Study) -> str:
    """How many schedules there are, and how many of them are on the Pareto front."""
    on_front = int(study.on_front.sum())
    return f"{on_front:,} of {counted(len(study.schedules), 'schedule')} are on the front"
