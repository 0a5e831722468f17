"""Logs that a person uploads: a worker process reads them, with progress and Stop."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import streamlit as st

from core.engines.compute.task import Task
from core.engines.logs.reading.dumping import SACCT, SINFO
from core.engines.logs.reading.logs import LogProgress, read_logs
from core.files.findings import Unreadable
from core.vocabulary.budget import never
from core.vocabulary.say.words import counted
from dashboard.parts.frame import markup
from dashboard.parts.frame.watch import show_end
from dashboard.parts.opening.log_folder import LogFolder, LogUploads
from dashboard.parts.opening.panel import UploadedFile, Uploader, given, show_elsewhere
from dashboard.server.background import Job
from dashboard.server.guard import callback
from dashboard.server.sessions import UPLOADED_BYTES_KEPT

R = TypeVar("R")
T = TypeVar("T")

READING_SECONDS: Final = 1800.0
_ALL: Final = UPLOADED_BYTES_KEPT // 10**6
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


def choose_logs(
    label: str, meaning: str, key: str, place: Uploader | None, forget: Callable[[], None]
) -> tuple[tuple[str, ...], LogUploads]:
    """The uploads that a person has chosen, and their content: less of it if the server had to drop
    some. `forget` is called when the last one is removed.
    """

    @callback
    def forget_removed() -> None:
        if not st.session_state[key]:
            forget()

    files = st.file_uploader(
        label, accept_multiple_files=True, key=key, on_change=forget_removed, help=meaning
    )
    uploads = tuple(file.file_id for file in st.session_state[key])
    if place is not None and (handed := given(place, uploads, forget)) is not None:
        content = [(handed.name, handed.data), *handed.beside]
        return tuple(f"{handed.identity} {k}" for k in range(len(content))), content
    return uploads, [(file.name, file.getbuffer()) for file in files]


def may_read(uploads: Sequence[str], content: LogUploads, command: str) -> bool:
    """Whether there are uploads, and the server has all of them. Otherwise it says how large they
    can be, and that `command` reads any.
    """
    missing = len(uploads) - len(content)
    if missing:
        st.error(
            f"{counted(missing, 'file')} of {len(uploads)} {'was' if missing == 1 else 'were'} "
            f"dropped: all files together can have {_ALL} MB. Remove the files, compress them "
            f"(gzip, xz or ZIP), and upload them again; or use `{command}`.",
            icon=":material/error:",
        )
    elif not uploads:
        most = st.get_option("server.maxUploadSize")
        st.caption(
            f"A file can have {most} MB, all files together {_ALL} MB. Compress larger logs first "
            f"(gzip, xz or ZIP), or use `{command}`."
        )
    return bool(uploads) and not missing


def show_commands(*commands: str) -> None:
    """What makes files that are read here, to be copied."""
    what = " and ".join(_WRITTEN[command][1] for command in commands)
    st.caption(f"On a cluster with Slurm, copy this to write {what}, and upload what it writes:")
    for command in commands:
        st.code(f"{command} > {_WRITTEN[command][0]}", language="bash", wrap_lines=True)


_WRITTEN: Final = {
    SACCT: ("jobs.txt", "the jobs of 30 days"),
    SINFO: ("nodes.txt", "the nodes"),
}


def show_refused(refused: Sequence[str], files: Sequence[UploadedFile], here: Uploader) -> None:
    """Which logs could not be read beside others, and why; and where they belong."""
    if refused:
        few = "A log" if len(refused) == 1 else f"{len(refused)} logs"
        st.warning(f"{few} cannot be read; the others are in use:", icon=":material/warning:")
        st.html(markup.items(f"{why}." for why in refused))
        show_elsewhere(files, here)


def show_outcome(job: Job[T], read_again: Callable[[], None]) -> T | None:
    """What a job has read; None as long as there is nothing. If it has failed, shows why, and
    offers to read again if that may help.
    """
    if job.failure is None:
        return job.latest
    if isinstance(job.failure, Unreadable):
        st.error("The log cannot be read:", icon=":material/error:")
        st.html(markup.items([f"{job.failure}."]))
    else:
        show_end(job, "Reading was stopped.", read_again, "Read the log")
    return None
