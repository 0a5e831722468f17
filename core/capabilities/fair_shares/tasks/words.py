"""Sentences about policies for whole tasks, for command line, pages and report."""

from collections.abc import Iterable, Mapping
from typing import Final

from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES
from core.shells.told.told import Told, ToldTable
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
"""The scores that are in seconds."""


def told_of_policies(
    scores: Mapping[str, Mapping[str, float]], least: float, wrong: Iterable[str] = ()
) -> Told:
    """All that is said of policies for whole tasks, by their labels: their five scores, beside the
    worst stretch that no policy can be below, and what a judge finds `wrong`.
    """
    best = min(scores, key=lambda one: scores[one]["max_stretch"])
    worst = amount(scores[best]["max_stretch"], Sense.SPENT)
    faults = [f"NOT verified: {fault}" for fault in wrong]
    return Told(
        f"{best} has the smallest worst stretch: {worst}. No policy can be below "
        f"{amount(least, Sense.LOWER_BOUND)}.",
        (
            f"{len(scores):,} of {len(TASK_POLICIES):,} policies were replayed. There are no "
            "intervals: these are one set of bags.",
            *(faults or ("Checked: a judge agrees that whole tasks can run so.",)),
        ),
        tables=(policies_table(scores, least),),
    )


def policies_table(
    scores: Mapping[str, Mapping[str, float]], least: float, by: str = "max_stretch"
) -> ToldTable:
    """A row for each policy, the best by this score first."""
    order = sorted(scores, key=lambda one: scores[one][by])
    columns = {"Policy": order} | {
        title: [score_said(name, scores[one][name]) for one in order]
        for name, title in SCORE_TITLES.items()
    }
    over = [amount(scores[one]["max_stretch"] / least, Sense.SPENT) for one in order]
    return ToldTable.of_columns("Whole tasks", {**columns, "Times the best possible": over}, 0)


def score_said(score: str, value: float) -> str:
    """A score with its unit."""
    said = duration if score in TIME_SCORES else amount
    return said(value, Sense.SPENT)


def score_unit(score: str, values: Iterable[float]) -> Unit:
    """The unit in which a score is given that has these values (s, or none)."""
    return time_unit(max(values)) if score in TIME_SCORES else Unit("", 1.0)
