"""Sentences about policies for whole tasks, for command line, pages and report."""

from collections.abc import Iterable, Sequence
from typing import Final

from core.capabilities.fair_shares.tasks.comparison import PolicyRun
from core.vocabulary.say.units import Unit, time_unit
from core.vocabulary.say.words import Sense, amount, duration

SCORE_TITLES: Final = {
    "max_stretch": "Worst stretch",
    "sum_stretch": "Sum of stretches",
    "max_flow": "Longest time",
    "sum_flow": "Sum of times",
    "makespan": "Makespan",
}
"""The five scores, as people read them."""
TIME_SCORES: Final = ("max_flow", "sum_flow", "makespan")
"""Those in seconds."""
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
    return "\n".join(["whole tasks:", *aligned(rows), "", *judged])


def score_said(score: str, value: float) -> str:
    """A score with its unit."""
    said = duration if score in TIME_SCORES else amount
    return said(value, Sense.SPENT)


def score_unit(score: str, values: Iterable[float]) -> Unit:
    """The unit in which a score is given that has these values (s, or none)."""
    return time_unit(max(values)) if score in TIME_SCORES else Unit("", 1.0)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """A line a row, with its cells in columns; the first row has the titles."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  "
        + "  ".join(
            f"{cell:<{width}}" if column == 0 else f"{cell:>{width}}"
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
