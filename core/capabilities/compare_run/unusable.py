"""Logs that cannot say what became of a schedule: why, and what to do about it."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from core.engines.logs.reading.store import RunStore
from core.engines.slurm.job_names import PREFIX
from core.files.findings import shown, shown_list
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import counted

DUMP: Final = (
    "sacct --parsable2 --duplicates --starttime=DATE "
    "--format=JobID,JobName,State,Start,End,NodeList,ConsumedEnergyRaw"
)
"""How to dump what is needed."""


def check_columns(store: RunStore) -> None:
    """Raise `InvalidInput` unless there are jobs with names, numbers and starts."""
    missing = list(_missing(store))
    if not len(store):
        raise _refused(store, "", f"has no jobs; dump them with {DUMP}")
    if missing:
        raise InvalidInput(
            Problem(_label(store), "", column, f"is missing; dump the jobs with {DUMP}")
            for column in missing
        )


def _missing(store: RunStore) -> Iterator[str]:
    if "name" not in store.texts:
        yield "JobName"
    if "job" not in store.known:
        yield "JobID"
    if "start" not in store.known:
        yield "Start"


def no_job(store: RunStore, digest: str, others: Collection[str]) -> InvalidInput:
    """The log has no job of the schedule."""
    names = store.values("name")
    if cut := [name for name in names if name.startswith(f"{PREFIX}-") and name.endswith("+")]:
        return _refused(
            store, "JobName", f"has names that are cut off ('{shown(cut[0])}'); dump with {DUMP}"
        )
    said = f"has no job of this schedule that started, which would be called {PREFIX}-{digest}-…"
    if others:
        return _refused(
            store,
            "",
            f"{said}; it has jobs of {counted(len(others), 'other schedule')} "
            f"({shown_list(sorted(others))}), so give the system and the schedule that were "
            "exported",
        )
    return _refused(store, "", f"{said}; give a log of the days on which its jobs ran")


def no_numbers(store: RunStore) -> InvalidInput:
    """The log does not say which task of a job array a job is."""
    said = f"does not say the tasks of job arrays, as JobIDRaw does not; dump with {DUMP}"
    return _refused(store, "JobID", said)


def no_run(store: RunStore, run: str, runs: Sequence[str]) -> InvalidInput:
    """The log does not have the run that was asked for."""
    return _refused(
        store, "", f"has no run '{shown(run)}' of this schedule; give one of {shown_list(runs)}"
    )


def _refused(store: RunStore, column: str, message: str) -> InvalidInput:
    return InvalidInput([Problem(_label(store), "", column, message)])


def _label(store: RunStore) -> str:
    return shown_list((log.name for log in store.logs), 3)
