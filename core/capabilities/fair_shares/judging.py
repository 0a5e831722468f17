"""`wattfront verify SYSTEM OUTCOME`: whether whole tasks can have run so in a system with bags."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from core.capabilities.fair_shares.face import bags_named
from core.capabilities.fair_shares.tasks.judge import judged_scores, located_task_faults
from core.capabilities.fair_shares.tasks.outcome import SCORE_NAMES, StretchScores
from core.capabilities.fair_shares.tasks.outcome_file import (
    StatedTasks,
    inspect_task_outcome,
    is_task_outcome,
    scores_beside,
)
from core.shells.cli.answer import Answer
from core.vocabulary.problems import Problem
from core.vocabulary.say.aligned import table
from core.vocabulary.say.columns import exact_duration
from core.vocabulary.say.words import Sense, amount, counted, typed
from core.vocabulary.tolerances import SAME

JUDGED: Final = (
    "SYSTEM OUTCOME, whether whole tasks can have run as wattfront fair-shares -o wrote it (.csv), "
    "and the scores add up"
)
"""What it judges, as the help of the command says it."""
_CHECKED: Final = (
    "each task runs once, on a machine that there is, for the time that it takes",
    "no task is sent before its release, or starts before its data have arrived",
    "no machine runs two tasks at a time, or holds more than its memory",
    "links and the master can carry all data in time",
)


def judged(given: Path, stated: Path) -> Answer | None:
    """The verdict on the tasks in the file `stated`; None if it is no outcome of whole tasks."""
    if not is_task_outcome(stated):
        return None
    named = bags_named(str(given))
    reading = inspect_task_outcome(stated, named.bags)
    found, problems = reading.require(), (*reading.problems, *named.problems)
    wrong = tuple(_faults(stated, found))
    if wrong:
        return Answer.refusal((*wrong, *problems), nothing=(*SCORE_NAMES, "tasks", "policy"))
    scores, outcome = judged_scores(found.outcome), found.outcome
    data = {
        **scores.as_dict(),
        "tasks": len(outcome.bag),
        "policy": outcome.policy or None,
    }
    said = f"{stated} is an outcome of {given}\n{_rows(found, scores)}"
    return Answer.done(said, data, problems)


def _faults(stated: Path, tasks: StatedTasks) -> Iterator[Problem]:
    """What the judge finds, where it is in the file; and scores that do not follow from it."""
    wrong = located_task_faults(tasks.outcome)
    for fault in wrong:
        place = "" if fault.task is None else tasks.places[fault.task]
        remedy = "give each task one row" if fault.task is None else "correct the row"
        yield Problem(stated.name, place, fault.column, f"{fault.said}; {remedy}")
    if wrong:
        return
    found = judged_scores(tasks.outcome).as_dict()
    for name, score in tasks.scores.items():
        if abs(score - found[name]) > SAME * abs(found[name]):
            said = f"is {typed(score)}, but should be {typed(found[name])}; correct it"
            yield Problem(scores_beside(stated).name, "", name, said)


def _rows(tasks: StatedTasks, scores: StretchScores) -> str:
    outcome = tasks.outcome
    bags = counted(len(outcome.bags.names), "bag")
    return table(
        [
            *([("policy", outcome.policy)] if outcome.policy else []),
            ("tasks", f"{counted(len(outcome.bag), 'task')} of {bags}"),
            ("worst stretch", amount(scores.max_stretch, Sense.SPENT)),
            ("sum of stretches", amount(scores.sum_stretch, Sense.SPENT)),
            ("longest time", exact_duration(scores.max_flow, Sense.SPENT)),
            ("sum of times", exact_duration(scores.sum_flow, Sense.SPENT)),
            ("makespan", exact_duration(scores.makespan, Sense.SPENT)),
            *(("checked", check) for check in _CHECKED),
        ]
    )
