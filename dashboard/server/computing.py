"""Runs the computations of pages in worker processes. Sessions take turns."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.engines.compute.task import Task
from core.engines.compute.turns import Lane
from core.engines.compute.workers import Worker
from core.vocabulary.budget import never
from dashboard.server.archive import ARCHIVE
from dashboard.server.processes import PROCESSORS, WORKERS

T = TypeVar("T")

LIMIT_SECONDS: Final = 600.0
"""A computation that takes so much longer than allowed hangs."""


@dataclass(frozen=True, slots=True)
class ComputationKind:
    """A kind of computation: the lane in which it takes turns, and the nice values of its process,
    at first and when it has become long.
    """

    lane: Lane
    nice: int
    nice_if_long: int


QUICK: Final = ComputationKind(Lane(PROCESSORS, 0.5, 4 + 4 * PROCESSORS, 4), 0, 5)
"""Computations that a page waits for: bounds, first schedules, figures."""
LONG: Final = ComputationKind(Lane(max(PROCESSORS - 1, 1), 5.0, 4 + 2 * PROCESSORS, 3), 10, 15)
"""Computations that improve a result in the background."""


@dataclass(frozen=True, slots=True)
class Asker:
    """The session that asks for a computation: its name, and whether it has ended."""

    name: str
    gone: Callable[[], bool] = never


NOBODY: Final = Asker("")


class WorkerTurn:
    """A turn in which a session may run computations, one after the other."""

    def __init__(
        self, kind: ComputationKind, is_long: Callable[[], bool], should_stop: Callable[[], bool]
    ) -> None:
        self._kind, self._is_long, self._should_stop = kind, is_long, should_stop

    def compute(
        self,
        task: Task[T],
        allowed: float = 0.0,
        report: Callable[[Any], None] | None = None,
        grace: float = LIMIT_SECONDS,
    ) -> T:
        """The result of a task that may take `allowed` seconds. Raises what the task raises.

        Raises `Lost` if its process died, or was ended because it took `grace` seconds longer.
        """
        worker = WORKERS.take(self._kind.nice)
        try:
            result = worker.run(
                task,
                should_stop=self._should_stop,
                report=report,
                seconds=allowed + grace,
                look=self._look,
            )
            ARCHIVE.take(result)
            return result
        finally:
            if worker.nice > self._kind.nice:
                worker.end()  # a process cannot become less nice
            else:
                WORKERS.put(worker)

    def _look(self, worker: Worker) -> None:
        if self._is_long():
            worker.be_nicer(self._kind.nice_if_long)


def is_ready() -> bool:
    """Whether a worker process has been there; the first one waits for kernels to be loaded."""
    return WORKERS.ready


@contextmanager
def turn(
    asker: Asker, kind: ComputationKind, should_stop: Callable[[], bool] = never
) -> Iterator[WorkerTurn]:
    """Waits for a turn. Raises `Cancelled` if asked to stop before, or if the session has ended."""

    def stop() -> bool:
        return should_stop() or asker.gone()

    with kind.lane.turn(asker.name, stop) as had:
        yield WorkerTurn(kind, lambda: had.long, stop)


AWAY_SECONDS: Final = 3.0
"""A browser that lost its connection is back within so many seconds."""


# Internals: streamlit/streamlit#8545.
class _Presence:
    def __init__(self, session: str) -> None:
        self._session = session
        self._since = math.inf

    def ended(self) -> bool:
        """Whether no browser was connected for a while. It must be called from time to time."""
        if not runtime.exists() or runtime.get_instance().is_active_session(self._session):
            self._since = math.inf
            return False
        now = time.monotonic()
        self._since = min(self._since, now)
        return now - self._since > AWAY_SECONDS


def asker() -> Asker:
    """The session that is being drawn, as one that asks for computations."""
    context = get_script_run_ctx()
    if context is None:
        return NOBODY
    return Asker(context.session_id, _Presence(context.session_id).ended)
