"""Judges outcomes that people give: to `wattfront verify WORKLOAD OUTCOME`, or on a page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final, Self

from core.capabilities.arrivals.checking import workload_at
from core.capabilities.arrivals.files.outcome_file import (
    OUTCOME_SUFFIXES,
    WORKLOAD_SUFFIX,
    OutcomeNotes,
    inspect_outcome,
    inspect_outcome_bytes,
)
from core.capabilities.arrivals.files.workload_reader import (
    inspect_workload,
    inspect_workload_bytes,
)
from core.engines.replay.judge import OUTCOME_CHECKS, OutcomeVerdict, judge_stated
from core.engines.replay.outcome import ReplayOutcome
from core.files.archive import ZipArchive, is_archive
from core.files.beside import SETTINGS_SUFFIX
from core.files.findings import Unreadable
from core.shells.cli.answer import Answer
from core.vocabulary.problems import Problem
from core.vocabulary.say.aligned import table
from core.vocabulary.say.columns import exact_duration, exact_energy
from core.vocabulary.say.words import Sense, amount, counted, duration, energy

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
    path = workload_at(given)
    if path is None:
        return None
    reading = inspect_workload(path)
    file = reading.require()
    outcome = inspect_outcome(stated, file)
    notes = outcome.require().notes
    verdict = judge_stated(outcome.require().stated)
    problems = (*_faults(verdict, stated.name), *reading.problems, *outcome.problems)
    if not verdict.ok:
        return Answer.refusal(problems, nothing=_FIGURES)
    jobs = len(file.workload.jobs)
    data = {
        "worth": verdict.worth,
        "energy": verdict.joules,
        "makespan": verdict.makespan,
        "mean_flow": verdict.mean_flow,
        "jobs": jobs,
        "completed": verdict.ran,
        "dropped": verdict.dropped,
        "waiting": verdict.waiting,
        "policy": notes.policy if notes else None,
    }
    said = f"{stated} is an outcome of {given}\n{_rows(verdict, notes, jobs)}"
    return Answer.done(said, data, problems)


def _faults(verdict: OutcomeVerdict, name: str) -> Iterator[Problem]:
    """What the judge found in the file of this name."""
    return (replace(problem, file=name) for problem in verdict.problems)


def _rows(verdict: OutcomeVerdict, notes: OutcomeNotes | None, jobs: int) -> str:
    return table(
        [
            *([("policy", notes.policy)] if notes and notes.policy else []),
            ("worth", amount(verdict.worth, Sense.PLAIN)),
            ("energy", exact_energy(verdict.joules, Sense.SPENT)),
            ("jobs", _fates(verdict, jobs)),
            ("makespan", exact_duration(verdict.makespan, Sense.SPENT)),
            ("mean flow", exact_duration(verdict.mean_flow, Sense.SPENT)),
            *(("checked", check) for check in OUTCOME_CHECKS),
        ]
    )


def _fates(verdict: OutcomeVerdict, jobs: int) -> str:
    """How many of so many jobs ran, were dropped, and were still waiting at the end."""
    others = [(verdict.dropped, "dropped"), (verdict.waiting, "waiting at the end")]
    said = "".join(f", {number:,} {what}" for number, what in others if number)
    return f"{verdict.ran:,} of {counted(jobs, 'job')} ran{said}"


GivenFiles = Sequence[tuple[str, bytes]]
"""Names and contents."""


@dataclass(frozen=True, eq=False, slots=True)
class GivenOutcome:
    """The outcome, if the judge agrees with it; its verdict; and all problems."""

    name: str
    outcome: ReplayOutcome | None
    verdict: OutcomeVerdict | None
    problems: tuple[Problem, ...]

    @classmethod
    def refused(cls, name: str, *problems: Problem | str) -> Self:
        """Files that are no outcome; a text is what is wrong with the first of them."""
        found = (Problem(name, "", "", why) if isinstance(why, str) else why for why in problems)
        return cls(name, None, None, tuple(found))


def read_given_outcome(files: GivenFiles) -> GivenOutcome:
    """The outcome in these files: a table, its workload, and perhaps its notes; or an archive of
    all three.
    """
    name = files[0][0]
    try:
        parts = dict(part for file in files for part in _unpacked(*file))
    except Unreadable as refusal:
        return GivenOutcome.refused(name, str(refusal))
    suffixes = {part: PurePosixPath(part).suffix.casefold() for part in parts}
    tables = [part for part, suffix in suffixes.items() if suffix in OUTCOME_SUFFIXES]
    notes = [part for part, suffix in suffixes.items() if suffix == SETTINGS_SUFFIX]
    workloads = [part for part in parts if part not in (*tables, *notes)]
    if len(tables) != 1 or len(workloads) != 1:
        return GivenOutcome.refused(
            name,
            "is not one outcome (CSV or Parquet) with its workload (ZIP, Excel or JSON); give "
            "both, or the ZIP archive that Export gives",
        )
    workload = inspect_workload_bytes(workloads[0], parts[workloads[0]])
    if workload.value is None:
        return GivenOutcome.refused(name, *workload.problems)
    beside = parts[notes[0]] if len(notes) == 1 else None
    reading = inspect_outcome_bytes(tables[0], parts[tables[0]], workload.value, beside)
    problems = (*reading.problems, *workload.problems)
    if reading.value is None:
        return GivenOutcome.refused(name, *problems)
    stated, beside_it = reading.value.stated, reading.value.notes
    verdict = judge_stated(stated)
    policy = "" if beside_it is None else beside_it.policy
    outcome = stated.outcome(policy) if verdict.ok else None
    return GivenOutcome(tables[0], outcome, verdict, (*_faults(verdict, tables[0]), *problems))


def _unpacked(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """The files of an archive that has a workload among them; any other file is itself."""
    if is_archive(data):
        archive = ZipArchive(data)
        if any(member.endswith(WORKLOAD_SUFFIX) for member in archive.names):
            yield from ((PurePosixPath(one).name, archive.read(one)) for one in archive.names)
            return
    yield name, data


def given_said(given: GivenOutcome) -> list[str]:
    """What the judge found, in sentences; empty if it does not agree."""
    verdict, outcome = given.verdict, given.outcome
    if verdict is None or outcome is None:
        return []
    policy = f", under {outcome.policy}" if outcome.policy else ""
    fates = _fates(verdict, len(outcome.workload.jobs))
    return [
        f"{given.name}{policy}: {fates}; the last ends after "
        f"{duration(verdict.makespan, Sense.PLAIN)}.",
        f"They earn {amount(verdict.worth, Sense.PLAIN)}, with "
        f"{energy(verdict.joules, Sense.PLAIN)}; mean flow "
        f"{duration(verdict.mean_flow, Sense.PLAIN)}.",
        f"Checked by other code than that of the replays: {counted(len(OUTCOME_CHECKS), 'rule')}, "
        "all kept.",
    ]
