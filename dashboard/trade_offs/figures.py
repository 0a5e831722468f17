"""What a front means, in words and key figures."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from core.front.proven import Proven
from core.front.study import Study
from core.model.arrays import FloatArray
from core.model.schedule import Schedule
from core.relaxed import Front
from core.say.words import Sense, amount, counted, duration, rounded, share
from dashboard.common.answer import KeyFigure
from dashboard.workspace.axis import Axis

# Of a saving the largest of these shares that leaves a good part of it is told by its price.
_FIRST: Final = (0.5, 0.25, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
_GOOD_PART: Final = 0.75
NOTHING: Final = 0.0005
"""A saving below this share is none to speak of."""


def sentence(study: Study, axis: Axis, *, final: bool = True) -> str:
    """What there is to trade: from the schedules; while better ones are on their way, from the
    bound, as what can be had at best.
    """
    if final and len(study.achieved):
        return _said(study.achieved, axis, "you can save up to", Sense.SPENT)
    return _said(study.front.points, axis, "you can, at best, save", Sense.LOWER_BOUND)


def _said(chain: FloatArray, axis: Axis, save: str, sense: Sense) -> str:
    thrifty, dear = chain[0], chain[-1]
    fastest, slowest = duration(dear[1], sense), duration(thrifty[1], sense)
    if dear[0] <= 0:
        return f"Nothing here draws power, so that only time matters: {fastest}."
    if len(chain) == 1:
        return (
            f"Nothing to trade: the fastest schedule, {fastest}, is also the thriftiest, "
            f"{axis.say(dear[0], sense)}."
        )
    saving = 1 - thrifty[0] / dear[0]
    if saving < NOTHING:
        return (
            f"Next to nothing to trade: between {fastest} and {slowest}, "
            f"{share(saving, Sense.PLAIN)} {axis.of_all} can be saved."
        )
    text = f"Between {fastest} and {slowest} {save} {share(saving, Sense.EARNED)} {axis.of_all}"
    first = next((part for part in _FIRST if part <= _GOOD_PART * saving), None)
    if first is None:
        return f"{text}."
    enough = chain[chain[:, 0] <= (1 - first) * dear[0]]
    cost = duration(enough[:, 1].min() - dear[1], Sense.SPENT)
    return f"{text}; the first {share(first, Sense.TYPED)} cost {cost}."


@dataclass(frozen=True, eq=False, slots=True)
class Standing:
    """Where points (joules, seconds) stand towards what is proven.

    `energy_gap` and `time_gap`: at most this share less could be had at the same makespan, or with
    the same energy. `rate`: joules that the front takes for the next second saved; infinity where
    no more can be.
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
    """Joules for the next second saved, at each makespan, along the front."""
    steps = np.diff(front.points, axis=0)
    along = np.append(steps[:, 0] / -steps[:, 1], np.inf)
    # Just a little above a vertex is the vertex; its edge leads on to faster ones.
    nearest = np.searchsorted(-front.makespan, -makespans * (1 - 1e-9), side="right") - 1
    rate: FloatArray = along[np.clip(nearest, 0, len(along) - 1)]
    return rate


def words_of(standing: Standing, axis: Axis) -> Iterator[str]:
    """Each point in a few lines, for the hover."""
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
            f"at most {share(energy_gap, Sense.UPPER_BOUND)} above the bound in "
            f"{axis.title.lower()}, {share(time_gap, Sense.UPPER_BOUND)} in time"
        )


def price(rate: float, axis: Axis) -> str:
    """What the next second saved costs."""
    if not math.isfinite(rate):
        return "no schedule can be faster"
    a_minute = axis.say(60 * rate, Sense.PLAIN)
    return f"faster: {amount(rate, Sense.PLAIN, 'J/s')}, {a_minute} a minute saved"


def figures(study: Study, axis: Axis) -> tuple[KeyFigure, ...]:
    """The numbers to read first: both ends, what waiting costs, and how near the proof is."""
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
            f"With {axis.say(fast.energy, Sense.SPENT)}. No schedule is faster than "
            f"{duration(proven.soonest, Sense.LOWER_BOUND)}.",
        ),
        KeyFigure(
            f"Least {quantity}",
            axis.say(thrifty.energy, Sense.SPENT),
            f"No schedule has less than {axis.say(proven.thriftiest, Sense.LOWER_BOUND)}.",
        ),
        KeyFigure(
            "Thriftiest takes",
            duration(thrifty.makespan, Sense.SPENT),
            f"The makespan at which the {quantity} is least. On the proven front it is "
            f"{duration(study.front.makespan[0], Sense.PLAIN)}.",
        ),
        KeyFigure(
            "Energy spent idle",
            share(idle[0], Sense.PLAIN),
            "Share of the energy that machines draw while they wait for the last one, in the "
            f"schedule of least energy; in the fastest it is {share(idle[1], Sense.PLAIN)}.",
        ),
        KeyFigure(
            "Above the bound",
            share(mean, Sense.UPPER_BOUND),
            f"How much {quantity} could be saved at the same makespan, at the very most: the mean "
            "of all schedules on the front; for the worst it is "
            f"{share(worst, Sense.UPPER_BOUND)}.",
        ),
    )


def _idle_share(schedule: Schedule) -> float | None:
    return float(schedule.idle_energy.sum()) / schedule.energy if schedule.energy > 0 else None


def table(study: Study, axis: Axis) -> tuple[pd.DataFrame, list[int]]:
    """The schedules that no other dominates, the fastest first, and which of the study each is."""
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
            "Above bound (%)": _told(100 * standing.energy_gap, Sense.UPPER_BOUND),
        }
    )
    return frame, indices.tolist()


def _told(values: FloatArray, sense: Sense) -> list[float]:
    """As numbers, so that the table can be sorted; NaN for what does not exist."""
    return [
        rounded(value, sense) if math.isfinite(value) else math.nan for value in values.tolist()
    ]


def counts(study: Study) -> str:
    """How many schedules there are, and how many of them no other dominates."""
    on_front = int(study.on_front.sum())
    return f"{on_front:,} of {counted(len(study.schedules), 'schedule')} are on the front"
