"""Sentences about policies for whole tasks, for command line, pages and report."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from core.engine.many import RunsProgress
from core.model.arrays import FloatArray
from core.model.intervals import Interval
from core.say.words import Sense, amount, counted, duration
from core.stretch.drawn_trials import PolicyScores
from core.stretch.tasks.comparison import PolicyRun

SCORE_TITLES: Final = {
    "max_stretch": "Worst stretch",
    "sum_stretch": "Sum of stretches",
    "max_flow": "Longest time",
    "sum_flow": "Sum of times",
    "makespan": "Makespan",
}
"""The five scores, as people read them."""
_HEADS = (
    *("policy", "worst stretch", "over best possible", "sum of stretches"),
    *("longest time", "sum of times", "makespan"),
)


def policies_report(runs: Sequence[PolicyRun], least: float) -> str:
    """A line for each policy, beside the least worst stretch, and what the judge says."""
    rows = [_HEADS]
    for one in runs:
        scores = one.scores
        rows.append(
            (
                one.policy.name,
                amount(scores.max_stretch, Sense.SPENT),
                amount(scores.max_stretch / least, Sense.SPENT),
                amount(scores.sum_stretch, Sense.SPENT),
                duration(scores.max_flow, Sense.SPENT),
                duration(scores.sum_flow, Sense.SPENT),
                duration(scores.makespan, Sense.SPENT),
            )
        )
    wrong = [f"  {one.policy.name}: {fault}" for one in runs for fault in one.faults]
    judged = wrong or ["  outcomes keep all limits (verified)"]
    return "\n".join(["whole tasks:", *_aligned(rows), "", *judged])


def score_said(score: str, value: float) -> str:
    """A score with its unit."""
    is_time = score in ("max_flow", "sum_flow", "makespan")
    return duration(value, Sense.SPENT) if is_time else amount(value, Sense.SPENT)


def trials_report(name: str, trials: Sequence[Sequence[PolicyScores]], least: FloatArray) -> str:
    """A line for each policy: means over scenarios, with half of the width of their intervals."""
    rows = [("policy", "worst stretch", "over best possible")]
    for p, one in enumerate(trials[0]):
        worst = np.array([runs[p].scores.max_stretch for runs in trials])
        rows.append((one.policy, _mean(worst), _mean(worst / least)))
    wrong = sorted({f"  {one.policy}: {f}" for runs in trials for one in runs for f in one.faults})
    judged = wrong or ["  outcomes keep all limits (verified)"]
    said = f"{name}: {counted(len(trials), 'scenario')}, best possible worst stretch {_mean(least)}"
    return "\n".join([said, *_aligned(rows), "", *judged])


def trials_progress(progress: RunsProgress) -> str:
    """`12 of 48 scenarios, about 12 s left`."""
    said = f"{progress.done:,} of {counted(progress.all, 'scenario')}"
    if progress.left is None:
        return said
    return f"{said}, about {duration(max(math.ceil(progress.left), 1), Sense.PLAIN)} left"


def _mean(values: FloatArray) -> str:
    found = Interval.of(values)
    return f"{amount(found.mean, Sense.PLAIN)} ± {amount(found.half_width, Sense.SPENT)}"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  "
        + "  ".join(
            f"{cell:<{width}}" if column == 0 else f"{cell:>{width}}"
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
