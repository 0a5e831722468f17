"""Where pages have things computed: in processes of their own, by turns of those who ask."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from core.engine.task import Task
from core.engine.turns import Lane
from core.engine.workers import Worker
from core.model.budget import never
from dashboard.shell.archive import ARCHIVE
from dashboard.shell.processes import PROCESSORS, WORKERS

T = TypeVar("T")

LIMIT_SECONDS: Final = 600.0
"""Beyond what it is allowed, only what hangs takes so long."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of computation: who takes turns with whom, and how nice its process is, at first and
    once it is long, to all else that wants a processor.
    """

    lane: Lane
    nice: int
    nice_if_long: int


QUICK: Final = Kind(Lane(PROCESSORS, 0.5, 4 + 4 * PROCESSORS, 4), 0, 5)
"""What a page waits for: bounds, first schedules, figures."""
LONG: Final = Kind(Lane(max(PROCESSORS - 1, 1), 5.0, 4 + 2 * PROCESSORS, 3), 10, 15)
"""What improves on that behind the page."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who wants something computed: a session, by its name, and whether it is there no more."""

    name: str
    gone: Callable[[], bool] = never


NOBODY: Final = Asker("")


class WorkerTurn:
    """A turn at the worker processes, for one computation after the other."""

    def __init__(
        self, kind: Kind, is_long: Callable[[], bool], should_stop: Callable[[], bool]
    ) -> None:
        self._kind, self._is_long, self._should_stop = kind, is_long, should_stop

    def compute(
        self,
        task: Task[T],
        allowed: float = 0.0,
        report: Callable[[Any], None] | None = None,
        grace: float = LIMIT_SECONDS,
    ) -> T:
        """What comes of a task that is allowed so many seconds, or what it raises.

        Raises `Lost` where its process died, or had to be ended since it went on for so long beyond
        what it is allowed.
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
                worker.end()  # nobody wants one as nice as that
            else:
                WORKERS.put(worker)

    def _look(self, worker: Worker) -> None:
        if self._is_long():
            worker.be_nicer(self._kind.nice_if_long)


@contextmanager
def turn(asker: Asker, kind: Kind, should_stop: Callable[[], bool] = never) -> Iterator[WorkerTurn]:
    """Waits for a turn. Raises `Cancelled` when asked to stop before, or when the asker is gone."""

    def stop() -> bool:
        return should_stop() or asker.gone()

    with kind.lane.turn(asker.name, stop) as had:
        yield WorkerTurn(kind, lambda: had.long, stop)
