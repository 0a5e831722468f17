"""What a session keeps of a log: its store on disk, and what was asked of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.engines.compute.task import Task
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.nodes import NodeTable
from core.vocabulary.problems import Problem
from dashboard.parts.opening.log_folder import LogFolder, LogUploads
from dashboard.parts.opening.log_reading import read_log_files, read_uploads
from dashboard.screens.system.log_answer import (
    LogAnswer,
    LogAsked,
    LogOverview,
    answer,
    overview,
    with_replay,
)
from dashboard.server.background import Job


@dataclass(frozen=True, eq=False)
class OpenLog:
    """A log that was read."""

    folder: LogFolder
    store: RunStore
    overview: LogOverview


@dataclass(eq=False)
class LogDesk:
    """The log of a session: the uploads that it is from, and what a person has chosen.

    `typed` are the fields of a `Machine` that were typed in, for each machine type; the grid was
    edited `grid_edits` times. `allowed` pairs may run whatever the log says. `answered` is the last
    answer; it stays until there is a new one.
    """

    uploads: tuple[str, ...] = ()
    opened: OpenLog | None = None
    table: NodeTable = field(default_factory=NodeTable)
    table_file: str = ""
    table_problems: tuple[Problem, ...] = ()
    typed: dict[str, dict[str, float]] = field(default_factory=dict)
    grid_edits: int = 0
    allowed: tuple[tuple[str, str], ...] = ()
    answered: LogAnswer | None = None

    def take(self, uploads: tuple[str, ...]) -> None:
        """Begins anew with these uploads. What a person has said of machines stays."""
        self.uploads, self.opened, self.allowed, self.answered = uploads, None, (), None

    @property
    def pairs_to_allow(self) -> list[tuple[str, str]]:
        """The pairs of the last answer that cannot run, or may because they are allowed."""
        if self.answered is None:
            return []
        return sorted({*self.answered.cannot_run, *self.answered.asked.settings.allowed})

    @property
    def table_in_force(self) -> NodeTable:
        """The uploaded table of nodes with what was typed in."""
        return self.table.with_machines(
            {
                name: replace(self.table.of(name), **_cells(typed))
                for name, typed in self.typed.items()
                if typed
            }
        )


def _cells(typed: Mapping[str, float]) -> dict[str, Any]:
    """Values of the fields of a `Machine`."""
    whole = ("nodes", "cores", "gpus")
    return {name: int(value) if name in whole else value for name, value in typed.items()}


def reading(folder: LogFolder, uploads: LogUploads) -> Callable[[Job[OpenLog]], None]:
    """The work of a job that reads uploads into a store."""

    def work(job: Job[OpenLog]) -> None:
        store = read_uploads(job, folder, uploads, read_log_files)
        job.show(OpenLog(folder, RunStore(store), job.compute(Task(overview, (store,)))))

    return work


def deriving(opened: OpenLog, asked: LogAsked) -> Callable[[Job[LogAnswer]], None]:
    """The work of a job that answers what was asked of a log, and then compares it with what the
    same tasks could have taken.
    """

    def work(job: Job[LogAnswer]) -> None:
        job.begin("Deriving the system")
        found = job.compute(Task(answer, (opened.store.folder, asked)))
        job.show(found)
        if found.system is not None and found.replayed is not None and not job.should_stop():
            job.begin("Comparing with what was possible")
            job.show(job.compute(Task(with_replay, (found,))))

    return work
