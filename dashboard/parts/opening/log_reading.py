"""Logs that a person uploads: a worker process reads them, with progress and Stop."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import streamlit as st

from core.engines.compute.task import Task
from core.engines.logs.reading.logs import LogProgress, read_logs
from core.files.findings import Unreadable
from core.vocabulary.budget import never
from core.vocabulary.say.words import counted
from dashboard.parts.frame import markup
from dashboard.parts.frame.watch import show_end
from dashboard.parts.opening.log_folder import LogFolder, LogUploads
from dashboard.server.background import Job

R = TypeVar("R")
T = TypeVar("T")

READING_SECONDS: Final = 1800.0
_EARLY: Final = 0.02
"""The share of a log that is read before the time left is told."""


def read_uploads(
    job: Job[Any], folder: LogFolder, uploads: LogUploads, reader: Callable[..., R], *given: object
) -> R:
    """The result of `reader(folder, paths, *given)` in a worker process, while the job tells how
    much of the uploads it has read. Their copies on disk are removed.
    """
    job.begin("Reading the log")
    paths = folder.keep(uploads)

    def report(progress: LogProgress) -> None:
        spent = job.spent
        allowed = spent / progress.fraction if progress.fraction > _EARLY else 0.0
        job.begin(f"Reading the log: {counted(progress.rows, 'row')}", allowed, spent)

    try:
        with job.turn() as turn:
            task: Task[R] = Task(reader, (folder.path, paths, *given), reports=True)
            return turn.compute(task, READING_SECONDS, report)
    finally:
        for path in paths:
            path.unlink(missing_ok=True)


def read_log_files(
    folder: Path,
    paths: Sequence[Path],
    should_stop: Callable[[], bool] = never,
    report: Callable[[LogProgress], None] | None = None,
) -> Path:
    """Read logs into a store within the folder, those that can be read; where it is."""
    store = read_logs(
        paths, folder=folder, skip_unreadable=True, should_stop=should_stop, report=report
    )
    return store.folder


def show_refused(refused: Sequence[str]) -> None:
    """Which logs could not be read beside others, and why."""
    if refused:
        few = "A log" if len(refused) == 1 else f"{len(refused)} logs"
        st.warning(f"{few} cannot be read; the others are in use:", icon=":material/warning:")
        st.html(markup.items(f"{why}." for why in refused))


def show_outcome(job: Job[T], read_again: Callable[[], None]) -> T | None:
    """What a job has read, or None; shows why it has failed, and offers to read again."""
    if job.failure is None:
        return job.latest
    if isinstance(job.failure, Unreadable):
        st.error("The log cannot be read:", icon=":material/error:")
        st.html(markup.items([f"{job.failure}."]))
    else:
        show_end(job, "Reading was stopped.", read_again, "Read the log")
    return None
