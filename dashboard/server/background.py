"""Jobs in the background of a session. Its page stays usable, and polls them."""

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition, Event, local
from typing import Any, Final, Generic, TypeVar
from weakref import WeakSet

from core.engines.compute.task import Task
from dashboard.server import computing
from dashboard.server.computing import LONG, NOBODY, QUICK, Asker, WorkerTurn

T = TypeVar("T")
R = TypeVar("R")

_TURN_SECONDS: Final = 0.5
"""A page is drawn alone for at most this long; then the next may begin beside it."""
FEW: Final = 3
"""If at most so many sessions have jobs, each is served as if it were alone."""
MOST_PATIENCE: Final = 1.0
_UNASKED_SECONDS: Final = 3.0
"""How much later a page may be asked for and still come before one that nobody waits for."""


class RightOfWay:
    """Lets the pages of all sessions be drawn one after the other. Python runs one thread at a
    time: ten pages drawn together would all be late.

    First come, first served. A page that takes long no longer keeps others from beginning. A page
    that waited for a computation goes on before others begin. A page that is drawn again only
    because there is something new is treated as if it had come later.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._waiting: list[_Page] = []
        self._holder: _Page | None = None
        self._since = 0.0
        self._thread = local()

    def stand_back(self) -> None:
        """Says that nobody waits for the page that this thread draws next."""
        self._thread.unasked = True

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Holds the right of way while a page is drawn."""
        unasked = getattr(self._thread, "unasked", False)
        self._thread.unasked = False
        self._begin_turn(_Page(time.monotonic() + (_UNASKED_SECONDS if unasked else 0.0)))
        try:
            yield
        finally:
            self._end_turn()

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Gives the right of way to others while a page waits for a computation."""
        page = self._end_turn()
        try:
            yield
        finally:
            if page is not None:
                self._begin_turn(page)

    def _begin_turn(self, page: "_Page") -> None:
        self._thread.page = page
        with self._changed:
            self._waiting.append(page)
            while not (first := self._is_first(page)) or self._until_next() > 0:
                self._changed.wait(self._until_next() if first else None)
            self._waiting.remove(page)
            self._holder, self._since = page, time.monotonic()
            self._changed.notify_all()

    def _is_first(self, page: "_Page") -> bool:
        return page is min(self._waiting, key=lambda waiting: waiting.asked)

    def _until_next(self) -> float:
        """Seconds until the next page may begin, even if the holder is not done."""
        return self._since + _TURN_SECONDS - time.monotonic() if self._holder else 0.0

    def _end_turn(self) -> "_Page | None":
        """Ends the turn of this thread. Returns its page, if it has one."""
        page: _Page | None = getattr(self._thread, "page", None)
        self._thread.page = None
        with self._changed:
            if page is not None and self._holder is page:
                self._holder = None
                self._changed.notify_all()
        return page


@dataclass(frozen=True, eq=False, slots=True)
class _Page:
    """A page to be drawn, and the time at which it was asked for (s)."""

    asked: float


RIGHT_OF_WAY: Final = RightOfWay()


@dataclass(frozen=True, slots=True)
class JobProgress:
    """What a job is doing, and how many of the allowed seconds it has spent."""

    doing: str
    spent: float = 0.0
    allowed: float = 0.0

    @property
    def share(self) -> float:
        return min(self.spent / self.allowed, 1.0) if self.allowed > 0 else 0.0

    @property
    def words(self) -> str:
        """As in "Polishing, 3 s left"."""
        if not self.allowed:
            return f"{self.doing} …"
        return f"{self.doing}, {math.ceil(self.left)} s left" if self.left else "Checking …"

    @property
    def left(self) -> float:
        """Seconds left; 0 if unknown."""
        return max(self.allowed - self.spent, 0.0)


class Job(Generic[T]):
    """Work in its own thread, which shows results as it gets them.

    The thread calls `show`, `begin`, `rest`, `turn`, `compute` and `should_stop`; everything else
    is for its owner. The thread takes almost no time: worker processes compute for it.
    """

    def __init__(self, work: "Callable[[Job[T]], None]", asker: Asker = NOBODY) -> None:
        self._asker = asker
        self._changed = Condition()
        self._stop = Event()
        self._latest: T | None = None
        self._shown = 0
        self._doing, self._began, self._allowed = "", time.monotonic(), 0.0
        threads = ThreadPoolExecutor(1, thread_name_prefix="wattfront")
        self._end: Future[None] = threads.submit(work, self)
        changed = self._changed  # without the job, which would refer to itself for ever
        self._end.add_done_callback(lambda _: _notify(changed))
        threads.shutdown(wait=False)

    def show(self, value: T) -> None:
        """Shows a result in place of the one before."""
        with self._changed:
            self._latest, self._shown = value, self._shown + 1
            self._changed.notify_all()

    def begin(self, doing: str, allowed: float = 0.0, spent: float = 0.0) -> None:
        """Begins a phase that may take `allowed` seconds, of which `spent` are over."""
        self._doing, self._began, self._allowed = doing, time.monotonic() - spent, allowed

    def rest(self, seconds: float) -> bool:
        """Waits, so that others go first. Returns whether to go on."""
        return not self._stop.wait(seconds)

    @contextmanager
    def turn(self) -> Iterator[WorkerTurn]:
        """Waits for a turn for long computations. Raises `Cancelled` if stopped meanwhile."""
        with computing.turn(self._asker, LONG, self._stop.is_set) as turn:
            yield turn

    def compute(self, task: Task[R]) -> R:
        """The result of a task that somebody waits for. Raises what the task raises."""
        with computing.turn(self._asker, QUICK, self._stop.is_set) as turn:
            return turn.compute(task)

    def should_stop(self) -> bool:
        """Whether it was asked to stop, or its session has ended."""
        return self._stop.is_set() or self._asker.gone()

    def cancel(self) -> None:
        """Asks it to stop soon. It may still show what it has by then."""
        self._stop.set()

    @property
    def latest(self) -> T | None:
        return self._latest

    @property
    def shown(self) -> int:
        """The number of results that it has shown."""
        return self._shown

    @property
    def running(self) -> bool:
        return not self._end.done()

    @property
    def spent(self) -> float:
        """Seconds since the phase began."""
        return time.monotonic() - self._began

    @property
    def progress(self) -> JobProgress:
        return JobProgress(self._doing, self.spent, self._allowed)

    @property
    def failure(self) -> BaseException | None:
        """The error with which it ended, if it did."""
        return self._end.exception() if self._end.done() else None

    def wait(self, results: int, seconds: float) -> None:
        """Waits until it has shown so many results or has ended; at most so many seconds."""
        with RIGHT_OF_WAY.lent(), self._changed:
            self._changed.wait_for(lambda: self._shown >= results or self._end.done(), seconds)


def _notify(changed: Condition) -> None:
    with changed:
        changed.notify_all()


_EVERY: "Final[WeakSet[Jobs]]" = WeakSet()


def sessions_at_work() -> int:
    """The number of sessions with a running job."""
    return sum(bool(jobs.running()) for jobs in _EVERY.copy())


def is_crowded() -> bool:
    """Whether so many sessions have jobs that a page had better wait than be drawn twice."""
    return sessions_at_work() > FEW


def patience(seconds: float) -> float:
    """How long a page waits for a first result before it is drawn (s). `seconds` holds if few
    others have jobs; it grows with their number.
    """
    crowd = sessions_at_work() / FEW
    return seconds if crowd <= 1 else max(seconds, min(seconds * crowd, MOST_PATIENCE))


class Jobs:
    """The jobs of a page of a session, by name."""

    def __init__(self, asker: Asker = NOBODY) -> None:
        self._asker = asker
        self._jobs: dict[str, tuple[object, Job[Any]]] = {}
        _EVERY.add(self)

    def ask(self, name: str, key: object, work: Callable[[Job[T]], None]) -> Job[T]:
        """The job of this name for `key`: the existing one, or a new one that replaces it."""
        found = self._jobs.get(name)
        if found is not None and found[0] == key:
            return found[1]
        self.drop(name)
        job = Job(work, self._asker)
        self._jobs[name] = key, job
        return job

    def drop(self, name: str) -> None:
        """Forgets a job, and stops it if it is running."""
        if name in self._jobs:
            self._jobs.pop(name)[1].cancel()

    def keep_only(self, names: set[str]) -> None:
        for name in set(self._jobs) - names:
            self.drop(name)

    def running(self) -> list[Job[Any]]:
        return [job for _, job in [*self._jobs.values()] if job.running]

    def state(self) -> tuple[tuple[str, object, int, bool], ...]:
        """A value that changes whenever there is something new to show."""
        return tuple((name, key, job.shown, job.running) for name, (key, job) in self._jobs.items())
