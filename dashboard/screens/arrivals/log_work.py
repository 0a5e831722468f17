"""Accounting logs that a person opens, and the workload that they give."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core.capabilities.arrivals.made.from_logs import LogWork, LogWorkload, workload_of_log
from core.capabilities.arrivals.made.job_sizes import NO_SIZES, JobSizes
from core.capabilities.arrivals.study_block import digest_of
from core.engines.compute.task import Task
from core.engines.logs.reading.store import RunStore
from core.engines.replay.classes import JobClass
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import Sense, counted, power
from dashboard.parts.opening.log_folder import LogFolder, LogUploads
from dashboard.parts.opening.log_reading import read_log_files, read_uploads
from dashboard.server.background import Job

MOST_ROWS: Final = 1_000_000
COMMAND: Final = "wattfront generate-workload log"

MadeOfLog = LogWorkload | tuple[Problem, ...]
"""The workload, or why there is none."""


@dataclass(frozen=True, eq=False)
class ReadLog:
    """Logs that were read: their store, within a folder that goes with it."""

    folder: LogFolder
    store: RunStore

    @property
    def name(self) -> str:
        """The name of the first log, and how many there are more."""
        first, *others = self.store.logs
        return f"{first.name} and {len(others):,} more" if others else first.name

    def digest(self, work: LogWork) -> str:
        """What tells the workload of these logs from others."""
        told = (*(log.digest for log in self.store.logs), repr(work))
        return digest_of(" ".join(told).encode())


@dataclass(eq=False)
class LogWorkDesk:
    """The logs of a session: what tells them from others; what was read; what a unit is; and what
    was made of it last, with the choices that it was made for. `classes` of jobs stay for others;
    those that wait `for_next` are of a file that was opened without a log. `sizes` are those of
    the file that was opened last.
    """

    log: str = ""
    opened: ReadLog | None = None
    work: LogWork = field(default_factory=LogWork)
    classes: tuple[JobClass, ...] = ()
    for_next: tuple[JobClass, ...] = ()
    sizes: JobSizes = NO_SIZES
    made: MadeOfLog | None = None
    made_for: LogWork | None = None

    def take(self, log: str, known: tuple[JobClass, ...] = ()) -> None:
        """Begins anew with other logs, whose jobs have `known` classes; or with none."""
        self.log, self.opened, self.made, self.made_for = log, None, None, None
        if log:
            self.classes, self.for_next = self.for_next or known or self.classes, ()

    def take_classes(self, classes: tuple[JobClass, ...]) -> None:
        """Takes the classes of a file, or keeps them for the next log."""
        if self.log:
            self.classes = classes
        else:
            self.for_next = classes

    @property
    def is_awaited(self) -> bool:
        """Whether a workload is being made for other choices than those of the last one."""
        return self.opened is not None and self.made_for != self.work


def reading_logs(folder: LogFolder, uploads: LogUploads) -> Callable[[Job[ReadLog]], None]:
    """The work of a job that reads uploads into a store."""

    def work(job: Job[ReadLog]) -> None:
        job.show(ReadLog(folder, RunStore(read_uploads(job, folder, uploads, read_log_files))))

    return work


def making_work(opened: ReadLog, asked: LogWork) -> Callable[[Job[MadeOfLog]], None]:
    """The work of a job that makes a workload of what was read."""

    def work(job: Job[MadeOfLog]) -> None:
        job.begin("Making the workload")
        job.show(job.compute(Task(work_of_store, (opened.store.folder, asked, opened.name))))

    return work


def work_of_store(folder: Path, asked: LogWork, name: str) -> MadeOfLog:
    """The workload of a store; problems that a person can mend are its result."""
    store = RunStore(folder)
    if len(store) > MOST_ROWS:
        message = (
            f"has {counted(len(store), 'job')}; this page takes {MOST_ROWS:,} at most. Make a "
            f"workload with {COMMAND}, and replay it with wattfront replay"
        )
        return (Problem(name, "", "", message),)
    try:
        return workload_of_log(store, asked, name)
    except InvalidInput as invalid:
        return invalid.problems


def made_said(name: str, made: LogWorkload, asked: LogWork) -> str:
    """How large the workload is, and what a unit draws."""
    workload = made.file.workload
    jobs = counted(len(workload.jobs), "job")
    units = counted(int(workload.pools.units[0]), asked.unit.removesuffix("s"))
    if not made.file.draws:
        return f"{name}: {jobs} on {units}, which draw nothing; so no energy budget limits them."
    if asked.watts is None:
        return f"{name}: {jobs} on {units}."
    return f"{name}: {jobs} on {units}, which draw {power(asked.watts, Sense.TYPED)} each."
