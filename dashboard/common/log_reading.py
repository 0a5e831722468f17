"""Logs that a person uploads: a worker process reads them, with progress and Stop."""

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar
from weakref import finalize

import streamlit as st

from core.engine.task import Lost, Task
from core.files.findings import Unreadable
from core.logs.reading import LogProgress, Stopped
from core.model.budget import Cancelled
from core.say.words import counted
from dashboard.common import markup
from dashboard.shell.background import Job
from dashboard.shell.gave_up import show_lost
from dashboard.shell.guard import callback

R = TypeVar("R")
T = TypeVar("T")

READING_SECONDS: Final = 1800.0
_UNSAFE: Final = re.compile(r"[^\w.+-]+")
_NAME: Final = 80
_PREFIX: Final = "wattfront-log-"
_EARLY: Final = 0.02
"""The share of a log that is read before the time left is told."""

LogUploads = Sequence[tuple[str, memoryview | bytes]]
"""Names and contents."""


class LogFolder:
    """A temporary folder, which goes when nobody refers to it, or when the server ends. Those of
    servers that were killed go when the next one makes its first.
    """

    def __init__(self) -> None:
        _remove_stale()
        self.path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
        finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def keep(self, uploads: LogUploads) -> list[Path]:
        """The paths of files with this content. Their names are theirs, without odd characters."""
        paths: list[Path] = []
        for number, (name, content) in enumerate(uploads):
            inside = self.path / f"upload-{number}"
            inside.mkdir()
            path = inside / (_UNSAFE.sub("_", name)[-_NAME:] or "log")
            path.write_bytes(content)
            paths.append(path)
        return paths


@cache
def _remove_stale() -> None:
    """Removes the folders of processes that are no more; once a process."""
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        process = path.name.removeprefix(_PREFIX).partition("-")[0]
        if process.isdigit() and not Path(f"/proc/{process}").exists():
            shutil.rmtree(path, ignore_errors=True)


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


def show_outcome(job: Job[T], read_again: Callable[..., None], *given: object) -> T | None:
    """What a job has read; None as long as there is nothing. If it has failed, shows why, and
    offers to read again if that may help.
    """
    failure = job.failure
    if failure is None:
        return job.latest
    if isinstance(failure, Unreadable):
        st.error("The log cannot be read:", icon=":material/error:")
        st.html(markup.items([f"{failure}."]))
    elif isinstance(failure, Cancelled | Stopped):
        offer_again("Reading was stopped.", "Read the log", read_again, *given)
    elif isinstance(failure, Lost):
        show_lost(failure)
        offer_again("Perhaps there was not enough memory.", "Read the log", read_again, *given)
    else:
        raise failure
    return None


def offer_again(said: str, action: str, again: Callable[..., None], *given: object) -> None:
    """Says why a job has ended, and offers to begin it again."""
    st.caption(said)
    st.button(action, on_click=callback(again), args=given, icon=":material/refresh:")
