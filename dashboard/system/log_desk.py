"""What a session keeps of a log: its store on disk, and what was asked of it."""

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final
from weakref import finalize

from core.engine.task import Task
from core.logs.reading import LogProgress
from core.logs.store import RunStore
from core.model.problems import Problem
from core.runs.node_table import NodeTable
from core.say.words import counted
from dashboard.shell.background import Job
from dashboard.system.log_answer import (
    LogAnswer,
    LogAsked,
    LogOverview,
    answer,
    overview,
    read_log_files,
    with_replay,
)

READING_SECONDS: Final = 1800.0
DERIVING_SECONDS: Final = 600.0
_UNSAFE: Final = re.compile(r"[^\w.+-]+")
_NAME: Final = 80
_PREFIX: Final = "wattfront-log-"


class LogFolder:
    """A temporary folder, which goes when nobody refers to it, or when the server ends. Those of
    servers that were killed go when the next one makes its first.
    """

    def __init__(self) -> None:
        _remove_stale()
        self.path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
        finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def keep(self, files: Sequence[tuple[str, memoryview | bytes]]) -> list[Path]:
        """The paths of files with this content. Their names are theirs, without odd characters."""
        paths: list[Path] = []
        for number, (name, content) in enumerate(files):
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
    edited `grid_edits` times. `answered` is the last answer; it stays until there is a new one.
    """

    uploads: tuple[str, ...] = ()
    opened: OpenLog | None = None
    table: NodeTable = field(default_factory=NodeTable)
    table_file: str = ""
    table_problems: tuple[Problem, ...] = ()
    typed: dict[str, dict[str, float]] = field(default_factory=dict)
    grid_edits: int = 0
    answered: LogAnswer | None = None

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
    return {name: value if name.endswith("watts") else int(value) for name, value in typed.items()}


def reading(
    folder: LogFolder, files: Sequence[tuple[str, memoryview | bytes]]
) -> Callable[[Job[OpenLog]], None]:
    """The work of a job that reads uploads into a store."""

    def work(job: Job[OpenLog]) -> None:
        job.begin("Reading the log")
        paths = folder.keep(files)

        def report(progress: LogProgress) -> None:
            left = job.spent / progress.fraction if progress.fraction > 0.02 else 0.0
            job.begin(f"Reading the log: {counted(progress.rows, 'row')}", left, job.spent)

        with job.turn() as turn:
            task = Task(read_log_files, (folder.path, paths), {}, reports=True)
            store = turn.compute(task, READING_SECONDS, report)
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
