"""`wattfront verify WORKLOAD OUTCOME`: whether an outcome can have come of a workload."""

from pathlib import Path
from typing import Final

from core.capabilities.arrivals.files.outcome_file import OutcomeNotes
from core.capabilities.arrivals.files.outcome_reader import inspect_outcome
from core.capabilities.arrivals.files.workload_reader import inspect_workload, is_workload
from core.engines.replay.judge import judge_stated
from core.engines.replay.verdict import OutcomeVerdict
from core.shells.cli.answer import Answer, as_dicts
from core.vocabulary.say.columns import exact_duration, exact_energy, table
from core.vocabulary.say.words import Sense, amount, counted

JUDGED: Final = (
    "WORKLOAD OUTCOME, whether what wattfront replay -o wrote (.csv or .parquet) can have come of "
    "a workload, and its worth and energy add up"
)
"""What it judges, as the help of the command says it."""
_FIGURES = (
    *("worth", "energy", "makespan", "mean_flow"),
    *("jobs", "completed", "dropped", "waiting", "policy"),
)


def judged(given: Path, stated: Path) -> Answer | None:
    """The verdict on the outcome in the file `stated`; None if `given` is no workload."""
    if not is_workload(given):
        return None
    reading = inspect_workload(given)
    file = reading.require()
    outcome = inspect_outcome(stated, file)
    notes = outcome.require().notes
    verdict = judge_stated(outcome.require().stated)
    problems = (*verdict.problems, *reading.problems, *outcome.problems)
    if not verdict.ok:
        refusal = Answer.refusal(problems)
        data = {**refusal.data, **dict.fromkeys(_FIGURES)}
        return Answer(data, "", problems, refusal.status)
    jobs = len(file.workload.jobs)
    return Answer(
        {
            "ok": True,
            "problems": as_dicts(problems),
            "worth": verdict.worth,
            "energy": verdict.joules,
            "makespan": verdict.makespan,
            "mean_flow": verdict.mean_flow,
            "jobs": jobs,
            "completed": verdict.ran,
            "dropped": verdict.dropped,
            "waiting": verdict.waiting,
            "policy": notes.policy if notes else None,
        },
        f"{stated} is an outcome of {given}\n{_rows(verdict, notes, jobs)}",
        problems,
    )


def _rows(verdict: OutcomeVerdict, notes: OutcomeNotes | None, jobs: int) -> str:
    others = [(verdict.dropped, "dropped"), (verdict.waiting, "waiting at the end")]
    said = "".join(f", {number:,} {what}" for number, what in others if number)
    return table(
        [
            *([("policy", notes.policy)] if notes and notes.policy else []),
            ("worth", amount(verdict.worth, Sense.PLAIN)),
            ("energy", exact_energy(verdict.joules, Sense.SPENT)),
            ("jobs", f"{verdict.ran:,} of {counted(jobs, 'job')} ran{said}"),
            ("makespan", exact_duration(verdict.makespan, Sense.SPENT)),
            ("mean flow", exact_duration(verdict.mean_flow, Sense.SPENT)),
            *(("checked", check) for check in verdict.checks),
        ]
    )
