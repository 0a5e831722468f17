"""A sweep in the background: chunk by chunk in worker processes, or on a Dask cluster."""

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeVar

from core.capabilities.sweep.question import SweepQuestion
from core.capabilities.sweep.run import PREPARATION, ResultRow, computed_run
from core.engines.compute.executors import SCHEMES, Engine, InThisThread, engine_named
from core.engines.compute.many import FailedRun, RunsFailed, RunsProgress, compute_chunk, run_many
from core.engines.compute.task import Task
from core.vocabulary.say.words import counted
from dashboard.server.background import Job
from dashboard.workspace.workspace import Workspace

T = TypeVar("T")
SweepRows = Mapping[int, ResultRow]
"""The results of runs by their numbers."""

TRIED: Final = 4
"""So many runs are computed to estimate how long all take."""
_SHOW_SECONDS: Final = 1.0
"""Seconds between two pictures of what is there so far."""


@dataclass(frozen=True, eq=False)
class AskedSweep:
    """A sweep of the system of `workspace`; `turn` tells it from others, `rows` were known."""

    question: SweepQuestion
    workspace: Workspace
    turn: int
    rows: SweepRows = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class SweepSoFar:
    """The results so far, and the runs that failed."""

    rows: SweepRows
    failed: tuple[FailedRun[int], ...] = ()


class InTurns(InThisThread):
    """Worker processes of the server, with which all sessions take turns."""

    def __init__(self, job: Job[Any]) -> None:
        self._job = job

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> "Future[T]":
        return super().submit(self._in_turn, Task(fn, args, kwargs))

    def _in_turn(self, task: Task[T]) -> T:
        with self._job.turn() as turn:
            return turn.compute(task)


def sweeping(asked: AskedSweep, engine: str) -> Callable[[Job[SweepSoFar]], None]:
    """The work of a job that shows results as they come. `engine` may be a Dask scheduler; with any
    other name the server's own processes compute.
    """
    question = asked.question

    def work(job: Job[SweepSoFar]) -> None:
        job.begin("Computing")
        rows = dict(asked.rows)
        job.show(SweepSoFar(dict(rows)))
        runs = [run for run in question.order().tolist() if run not in rows]
        failed: tuple[FailedRun[int], ...] = ()
        shown = time.monotonic()
        try:
            with _engine(engine, job) as used:
                for results in run_many(
                    partial(computed_run, question),
                    runs,
                    used,
                    should_stop=job.should_stop,
                    report=partial(_tell, job, len(rows)),
                ):
                    rows.update(results)
                    if time.monotonic() - shown >= _SHOW_SECONDS:
                        job.show(SweepSoFar(dict(rows)))
                        shown = time.monotonic()
        except RunsFailed as failure:
            failed = failure.runs
        finally:
            job.show(SweepSoFar(rows, failed))

    return work


def tried_seconds(question: SweepQuestion) -> float:
    """Seconds of one run on one processor, tried on a few runs of the sweep."""
    runs = question.order()[:TRIED].tolist()
    compute_chunk(partial(computed_run, question), runs[:1])  # which may load what the next use
    _, seconds = compute_chunk(partial(computed_run, question), runs)
    return seconds / len(runs)


def is_cluster(engine: str) -> bool:
    """Whether an engine is a Dask scheduler."""
    return engine.startswith(SCHEMES)


@contextmanager
def _engine(engine: str, job: Job[SweepSoFar]) -> Iterator[Engine]:
    with engine_named(engine, PREPARATION) if is_cluster(engine) else InTurns(job) as used:
        yield used


def _tell(job: Job[SweepSoFar], before: int, progress: RunsProgress) -> None:
    done, all_ = progress.done + before, progress.all + before
    left = progress.left or 0.0
    spent = left * progress.done / max(progress.all - progress.done, 1)
    job.begin(f"{done:,} of {counted(all_, 'run')}", spent + left, spent)
