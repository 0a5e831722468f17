"""Where independent runs are computed: here, in processes of this computer, or on a Dask cluster.

All are executors of `concurrent.futures`, so who uses one need not know which it is.
"""

import logging
import os
import time
from abc import abstractmethod
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from typing import TYPE_CHECKING, Any, Final, TypeVar

from core.engines.compute.task import Task
from core.engines.compute.workers import Workers
from core.vocabulary.ranges import Range

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")

ENGINE_VARIABLE: Final = "WATTFRONT_ENGINE"
"""The environment variable with the engine that is used where none is named."""
HERE: Final = "here"
PROCESSES: Final = "processes"
SCHEMES: Final = ("tcp://", "tls://", "ucx://", "ws://", "wss://")
"""How addresses of Dask schedulers begin."""
ENGINES_IN_WORDS: Final = (
    "here, processes, processes:N, or the address of a Dask scheduler, such as tcp://host:8786"
)
NUMBER_OF_PROCESSES: Final = Range(1, 256, "processes")
_CONNECT_SECONDS: Final = 10
_LEAVE_SECONDS: Final = 1.0
_COUNTED_SECONDS: Final = 5.0
"""How long the number of workers of a cluster is taken as the same."""


class EngineRefused(ValueError):
    """There is no engine of this name, or it cannot be used; the message says what to do."""


class Engine(Executor):
    """An executor that says how many calls it computes at a time."""

    @property
    @abstractmethod
    def workers(self) -> int:
        """At least 1."""

    @property
    def most_in_flight(self) -> int:
        """How many calls are given to it at most: one that runs and one that waits, a worker."""
        return 2 * self.workers


class InThisThread(Engine):
    """Computes each call when it is submitted."""

    workers = 1
    most_in_flight = 1

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> "Future[T]":
        done: Future[T] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done


class InProcesses(Engine):
    """Worker processes of this computer, each with one thread for linear algebra.

    They are forked from a process that has called `prepare()` of the module `preparation`. A call
    whose process dies raises `Lost`; another process takes its place. `shutdown` ends calls that
    run.
    """

    def __init__(self, number: int, preparation: str) -> None:
        self._number = number
        self._processes = Workers(preparation, spare=number)
        self._threads = ThreadPoolExecutor(number, thread_name_prefix="wattfront-runs")
        self._ended = Event()

    @property
    def workers(self) -> int:
        return self._number

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> "Future[T]":
        return self._threads.submit(self._computed, Task(fn, args, kwargs))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._ended.set()
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        self._processes.end()

    def _computed(self, task: Task[T]) -> T:
        worker = self._processes.take()
        try:
            return worker.run(task, should_stop=self._ended.is_set)
        finally:
            self._processes.put(worker)


class OnDask(Engine):
    """The workers of a Dask cluster. If the connection is lost, the next call makes another.

    Calls of workers that die are computed by others; one that ends worker after worker raises
    `distributed.KilledWorker`. Raises `EngineRefused` if the scheduler cannot be reached, or if its
    workers have no Wattfront, or another version of it.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._counted, self._counted_at = 1, -_COUNTED_SECONDS
        self._client = self._connected()

    @property
    def workers(self) -> int:
        now = time.monotonic()
        if now - self._counted_at >= _COUNTED_SECONDS:
            self._counted_at = now
            self._counted = max(sum(self._alive().nthreads().values()), 1)
        return self._counted

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> "Future[T]":
        executor = self._alive().get_executor(pure=False)
        given: Future[T] = executor.submit(fn, *args, **kwargs)
        return given

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        self._leave()

    def _alive(self) -> "Client":
        """The connection, made again if it was lost."""
        if self._client.status != "running":
            self._leave()
            self._client = self._connected()
        return self._client

    def _leave(self) -> None:
        with suppress(OSError, TimeoutError):  # of a scheduler that is gone
            self._client.close(timeout=_LEAVE_SECONDS)

    def _connected(self) -> "Client":
        try:
            from distributed import Client
        except ImportError:
            raise EngineRefused(
                f"{self._address} is a Dask scheduler, and Dask is not installed; run "
                "pip install 'wattfront[dask]'"
            ) from None
        # What is lost is said by those who use the engine, once and in a sentence.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        try:
            client = Client(self._address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise EngineRefused(
                f"the Dask scheduler {self._address} does not answer ({error}); check that it runs "
                "and that the address is right"
            ) from error
        try:
            self._refuse_other_versions(client.run(_version))
        except EngineRefused:
            client.close()
            raise
        except Exception as error:
            client.close()
            raise EngineRefused(
                f"the workers of {self._address} cannot run Wattfront ({error}); install it there"
            ) from error
        return client

    def _refuse_other_versions(self, there: dict[str, str]) -> None:
        others = set(there.values()) - {_version()}
        if others:
            raise EngineRefused(
                f"the workers of {self._address} have Wattfront {min(others)}, and here is "
                f"{_version()}; install the same version on both"
            )


def engine_named(name: str, preparation: str) -> Engine:
    """The engine of this name: "here", "processes", "processes:4" or the address of a Dask
    scheduler. `preparation` is the module that loads what processes of this computer need.

    Raises `EngineRefused`.
    """
    check_engine(name)
    if name == HERE:
        return InThisThread()
    if name.startswith(PROCESSES):
        return InProcesses(_number_of_processes(name), preparation)
    return OnDask(name)


def check_engine(name: str) -> None:
    """Raises `EngineRefused` if no engine can have this name; begins nothing."""
    if name == HERE or name.startswith(SCHEMES):
        return
    if name.partition(":")[0] != PROCESSES:
        raise EngineRefused(f"'{name}' is no engine; give {ENGINES_IN_WORDS}")
    if _number_of_processes(name) not in NUMBER_OF_PROCESSES:
        raise EngineRefused(f"'{name}' is no engine; give processes:N, {NUMBER_OF_PROCESSES}")


def usual_engine() -> str:
    """The engine that the environment names; raises `EngineRefused` if there is none such."""
    named = os.environ.get(ENGINE_VARIABLE, HERE)
    try:
        check_engine(named)
    except EngineRefused as refused:
        raise EngineRefused(f"{ENGINE_VARIABLE}: {refused}") from None
    return named


def _number_of_processes(name: str) -> int:
    """As many as processors if it is not said; 0 if it is not a number."""
    if name == PROCESSES:
        return os.cpu_count() or 1
    number = name.partition(":")[2]
    return int(number) if number.isascii() and number.isdecimal() else 0


def _version() -> str:
    from importlib import metadata

    return metadata.version("wattfront")
