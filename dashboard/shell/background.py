"""Work in the background of a session: the page stays usable, and looks in from time to time."""

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition, Event, local
from typing import Any, Final, Generic, TypeVar
from weakref import WeakSet

from core.engine.task import Task
from dashboard.shell import computing
from dashboard.shell.computing import LONG, NOBODY, QUICK, Asker, WorkerTurn

T = TypeVar("T")
R = TypeVar("R")

_TURN_SECONDS: Final = 0.5
"""How long a page is drawn alone; no page waits longer for one that takes long."""
FEW: Final = 3
"""Sessions at work, who are served as if each were alone."""
MOST_PATIENCE: Final = 1.0
_UNASKED_SECONDS: Final = 3.0
"""Pages that somebody asked for so much later still come before those that nobody asked for."""


class RightOfWay:
    """That of the pages being drawn, of all sessions, one after the other: Python runs one thread
    at a time, and ten pages at once would all be there last.

    Who came first is next: once the page before is drawn, or has taken long enough, beside it. A
    page that was begun goes on before others begin; one that is drawn anew since there is more to
    see, for which nobody waits, comes as if it had come later.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._waiting: list[_Page] = []
        self._holder: _Page | None = None
        self._since = 0.0
        self._thread = local()

    def stand_back(self) -> None:
        """Nobody asked for the page that this thread draws next."""
        self._thread.unasked = True

    @contextmanager
    def taken(self) -> Iterator[None]:
        """For as long as a page is drawn."""
        unasked = getattr(self._thread, "unasked", False)
        self._thread.unasked = False
        self._begin_turn(_Page(time.monotonic() + (_UNASKED_SECONDS if unasked else 0.0)))
        try:
            yield
        finally:
            self._end_turn()

    @contextmanager
    def lent(self) -> Iterator[None]:
        """While a page waits for what is computed elsewhere."""
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
        """Seconds until the next may begin whatever the holder does."""
        return self._since + _TURN_SECONDS - time.monotonic() if self._holder else 0.0

    def _end_turn(self) -> "_Page | None":
        """What this thread draws, if anything; it may have been overtaken since."""
        page: _Page | None = getattr(self._thread, "page", None)
        self._thread.page = None
        with self._changed:
            if page is not None and self._holder is page:
                self._holder = None
                self._changed.notify_all()
        return page


@dataclass(frozen=True, eq=False, slots=True)
class _Page:
    """A page to be drawn, and when it was asked for."""

    asked: float


RIGHT_OF_WAY: Final = RightOfWay()


@dataclass(frozen=True, slots=True)
class JobProgress:
    """What is being done, and how much of the seconds allowed for it is spent."""

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
        """Seconds; 0 where nobody knows."""
        return max(self.allowed - self.spent, 0.0)


class Job(Generic[T]):
    """Work in a thread of its own, which shows what it has, at best more than once.

    The thread calls `show`, `begin`, `rest`, `turn`, `compute` and `should_stop`; everything else
    is for its owner. It costs next to nothing, since what it has computed runs elsewhere.
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
        self._end.add_done_callback(lambda _: self._notify())
        threads.shutdown(wait=False)

    def show(self, value: T) -> None:
        """A result that may be looked at from now on, in place of the one before."""
        with self._changed:
            self._latest, self._shown = value, self._shown + 1
            self._changed.notify_all()

    def begin(self, doing: str, allowed: float = 0.0, spent: float = 0.0) -> None:
        """A phase begins, or has begun so many seconds ago, for which so many are allowed."""
        self._doing, self._began, self._allowed = doing, time.monotonic() - spent, allowed

    def rest(self, seconds: float) -> bool:
        """Lets others go first; whether it should go on afterwards."""
        return not self._stop.wait(seconds)

    @contextmanager
    def turn(self) -> Iterator[WorkerTurn]:
        """Waits for a turn at what takes long. Raises `Cancelled` when stopped meanwhile."""
        with computing.turn(self._asker, LONG, self._stop.is_set) as turn:
            yield turn

    def compute(self, task: Task[R]) -> R:
        """What comes of a task that somebody waits for, or what it raises."""
        with computing.turn(self._asker, QUICK, self._stop.is_set) as turn:
            return turn.compute(task)

    def should_stop(self) -> bool:
        """Whether it was asked to, or nobody is there any more."""
        return self._stop.is_set() or self._asker.gone()

    def cancel(self) -> None:
        """Asks it to stop soon; what it has by then it may still show."""
        self._stop.set()

    @property
    def latest(self) -> T | None:
        return self._latest

    @property
    def shown(self) -> int:
        """How many results it has shown."""
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
        """What it ended with, if that was an error."""
        return self._end.exception() if self._end.done() else None

    def wait(self, results: int, seconds: float) -> None:
        """Until it has shown so many results, or has ended; no longer than so many seconds."""
        with RIGHT_OF_WAY.lent(), self._changed:
            self._changed.wait_for(lambda: self._shown >= results or self._end.done(), seconds)

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()


_EVERY: "Final[WeakSet[Jobs]]" = WeakSet()


def sessions_at_work() -> int:
    """How many have something running."""
    return sum(bool(jobs.running()) for jobs in _EVERY.copy())


def is_crowded() -> bool:
    """Whether to draw a page twice costs others more than to wait costs who looks at it."""
    return sessions_at_work() > FEW


def patience(seconds: float) -> float:
    """How long a page waits for something new before it is drawn, where it would wait so long if
    few others were there.
    """
    crowd = sessions_at_work() / FEW
    return seconds if crowd <= 1 else max(seconds, min(seconds * crowd, MOST_PATIENCE))


class Jobs:
    """The jobs of a session, one by each name."""

    def __init__(self, asker: Asker = NOBODY) -> None:
        self._asker = asker
        self._jobs: dict[str, tuple[object, Job[Any]]] = {}
        _EVERY.add(self)

    def ask(self, name: str, key: object, work: Callable[[Job[T]], None]) -> Job[T]:
        """The job that answers `key`: the one there is, or a new one in place of an older."""
        found = self._jobs.get(name)
        if found is not None and found[0] == key:
            return found[1]
        self.drop(name)
        job = Job(work, self._asker)
        self._jobs[name] = key, job
        return job

    def drop(self, name: str) -> None:
        """Forget a job, and stop it if it still runs."""
        if name in self._jobs:
            self._jobs.pop(name)[1].cancel()

    def keep_only(self, names: set[str]) -> None:
        for name in set(self._jobs) - names:
            self.drop(name)

    def running(self) -> list[Job[Any]]:
        return [job for _, job in [*self._jobs.values()] if job.running]

    def state(self) -> tuple[tuple[str, object, int, bool], ...]:
        """Changes whenever there is more to see."""
        return tuple((name, key, job.shown, job.running) for name, (key, job) in self._jobs.items())
