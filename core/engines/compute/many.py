"""Many independent runs on an engine: in chunks, with progress, and again where workers are lost.

The result of a run depends on its input alone: not on the engine, the order or the chunk. A run
that needs random numbers takes their seed from its input.
"""

import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from core.engines.compute.executors import Engine, EngineRefused
from core.vocabulary.budget import never
from core.vocabulary.say.words import Sense, counted, duration

T = TypeVar("T")
R = TypeVar("R")

TRIES: Final = 3
"""How often a run is tried before it counts as failed."""
MOST_FAILED: Final = 20
"""After so many failed runs no others are tried."""
_LEAST_SECONDS: Final = 0.25
_MOST_SECONDS: Final = 5.0
_SHARE: Final = 0.02
"""A chunk is to take this share of the time since the beginning, within these limits. So little is
lost with a worker, and there are few chunks: about 50 a worker each time the duration triples.
"""
_CHUNKS_LEFT: Final = 4
"""So many chunks a worker are left for the end, so that all end at about the same time."""
_LOOK_SECONDS: Final = 0.1


@dataclass(frozen=True, slots=True)
class RunsProgress:
    """How many runs are done, of how many, and the estimated seconds left; None before the first
    result.
    """

    done: int
    all: int
    left: float | None

    def in_words(self, run: str = "run") -> str:
        """`12 of 48 runs, about 12 s left`, where a run is called so."""
        said = f"{self.done:,} of {counted(self.all, run)}"
        if self.left is None:
            return said
        return f"{said}, about {duration(max(math.ceil(self.left), 1), Sense.PLAIN)} left"


@dataclass(frozen=True, slots=True)
class FailedRun(Generic[T]):
    """The input of a run that failed `TRIES` times, and how it failed the last time."""

    input: T
    why: str


class RunsFailed(RuntimeError):
    """Some runs failed; the results of all others are there."""

    def __init__(self, runs: Sequence[FailedRun[Any]]) -> None:
        super().__init__(f"{len(runs)} runs failed; the first: {runs[0].why}")
        self.runs = tuple(runs)


@dataclass(frozen=True, slots=True)
class _RunChunk(Generic[T]):
    inputs: Sequence[T]
    tries: int = 0


def run_many(
    function: Callable[[T], R],
    inputs: Sequence[T],
    engine: Engine,
    *,
    should_stop: Callable[[], bool] = never,
    report: Callable[[RunsProgress], None] | None = None,
) -> Iterator[list[tuple[T, R]]]:
    """Inputs with their results, chunk by chunk as they are done: each input once.

    If a worker is lost or a run raises an exception, the runs of that chunk are tried again one by
    one. When all others are done, raises `RunsFailed` with those that failed `TRIES` times. Raises
    `EngineRefused` if the engine is gone. After a request to stop, what is done by then comes, and
    nothing else.

    `function` is one of a module, or a `functools.partial` of it.
    """
    work = _Flight(function, inputs, engine)
    while work.left:
        stopping = should_stop()
        if not stopping:
            work.fill()
        for results in work.done():
            yield results
            if report is not None:
                report(work.progress)
        if stopping:
            break
    for future in work.flying:
        future.cancel()
    if work.failed:
        raise RunsFailed(work.failed)


class _Flight(Generic[T, R]):
    """Which runs wait, which are in flight, and which failed."""

    def __init__(self, function: Callable[[T], R], inputs: Sequence[T], engine: Engine) -> None:
        self.flying: dict[Future[tuple[list[R], float]], _RunChunk[T]] = {}
        self.failed: list[FailedRun[T]] = []
        self._function, self._inputs, self._engine = function, inputs, engine
        self._next = self._finished = 0
        self._again: deque[_RunChunk[T]] = deque()
        self._began = time.monotonic()
        self._run_seconds: float | None = None
        self._first: tuple[float, int] | None = None

    @property
    def left(self) -> bool:
        """Whether there is something to do or to wait for."""
        waiting = self._again or self._next < len(self._inputs)
        return bool(self.flying or (waiting and len(self.failed) < MOST_FAILED))

    @property
    def progress(self) -> RunsProgress:
        left = None
        if self._first is not None and self._finished > self._first[1]:
            since, before = self._first
            pace = (time.monotonic() - since) / (self._finished - before)
            left = pace * (len(self._inputs) - self._finished)
        return RunsProgress(self._finished, len(self._inputs), left)

    def fill(self) -> None:
        """Give the engine as many chunks as it takes."""
        while len(self.flying) < self._engine.most_in_flight and len(self.failed) < MOST_FAILED:
            chunk = self._again.popleft() if self._again else self._new_chunk()
            if not chunk.inputs:
                return
            future = self._engine.submit(compute_chunk, self._function, chunk.inputs)
            self.flying[future] = chunk

    def done(self) -> Iterator[list[tuple[T, R]]]:
        """The results of chunks that are done, after waiting a little for one."""
        for future in wait(self.flying, _LOOK_SECONDS, FIRST_COMPLETED).done:
            chunk = self.flying.pop(future)
            error = _error_of(future)
            if error is None:
                results, seconds = future.result()
                self._count(len(results), seconds)
                yield list(zip(chunk.inputs, results, strict=True))
            else:
                self._try_again(chunk, error)

    def _new_chunk(self) -> _RunChunk[T]:
        left = len(self._inputs) - self._next
        size = 1
        if self._run_seconds is not None:
            wanted = _SHARE * (time.monotonic() - self._began)
            wanted = min(max(wanted, _LEAST_SECONDS), _MOST_SECONDS)
            fair = left // (_CHUNKS_LEFT * self._engine.workers)
            # A clock may be too coarse for a run.
            fits = wanted / self._run_seconds if self._run_seconds else fair
            size = max(int(min(fits, fair)), 1)
        begin, self._next = self._next, min(self._next + size, len(self._inputs))
        return _RunChunk(self._inputs[begin : self._next])

    def _count(self, runs: int, seconds: float) -> None:
        self._finished += runs
        self._run_seconds = seconds / runs
        # The first results are late, because workers must begin.
        if self._first is None:
            self._first = time.monotonic(), self._finished

    def _try_again(self, chunk: _RunChunk[T], error: BaseException) -> None:
        if len(chunk.inputs) > 1:
            self._again.extend(_RunChunk([one]) for one in chunk.inputs)
        elif chunk.tries + 1 < TRIES:
            self._again.append(_RunChunk(chunk.inputs, chunk.tries + 1))
        else:
            why = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            self.failed.append(FailedRun(chunk.inputs[0], why))


def compute_chunk(function: Callable[[T], R], inputs: Sequence[T]) -> tuple[list[R], float]:
    """The result of each input, and the seconds that they took in all. Workers call this."""
    began = time.perf_counter()
    return [function(one) for one in inputs], time.perf_counter() - began


def _error_of(future: "Future[Any]") -> BaseException | None:
    """Why a call has no result; None if it has one. A lost connection cancels calls."""
    if future.cancelled():
        return ConnectionError("the connection to the worker was lost")
    error = future.exception()
    if isinstance(error, EngineRefused):
        raise error
    return error
