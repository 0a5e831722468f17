"""The server's side of worker processes: they are given tasks, watched, ended and replaced."""

import math
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any, Final, TypeVar

from core.engines.compute.blas import ONE_THREAD
from core.engines.compute.task import Lost, Task, TookTooLong, packed, unpacked
from core.engines.compute.worker import FAILURE, PROCESS, REPORT, STOP
from core.vocabulary.budget import Cancelled, never
from core.vocabulary.say.words import Sense, duration

T = TypeVar("T")

GRACE_SECONDS: Final = 4.0
"""Seconds that a task has to return what it found after it is asked to stop; then it is ended."""
_LOOK_SECONDS: Final = 0.05
_START_SECONDS: Final = 120.0
"""Seconds until the first worker must be ready; compiling the kernels takes half a minute of them.
"""


class Worker:
    """A process that does one task at a time. Only one thread may use it at a time."""

    def __init__(self, process: int, pipe: Connection) -> None:
        self.process = process
        self.nice = 0
        self._pipe = pipe
        self._busy = False

    def run(
        self,
        task: Task[T],
        *,
        should_stop: Callable[[], bool] = never,
        report: Callable[[Any], None] | None = None,
        seconds: float = math.inf,
        look: Callable[["Worker"], None] | None = None,
    ) -> T:
        """The result of a task; raises what the task raises.

        `should_stop` and `look` are called many times a second, and the task is asked to stop when
        `should_stop` says so. Raises `Lost` if the process died, `TookTooLong` if it was ended
        after so many seconds, and `Cancelled` if it was asked to stop, had no result after
        `GRACE_SECONDS` and was ended.
        """
        begun, stopped = time.monotonic(), math.inf
        self._busy = True
        self._send(packed(task))
        while True:
            if self._pipe.poll(_LOOK_SECONDS):
                kind, content = self._receive()
                if kind != REPORT:
                    return self._result_of(kind, content, task)
                if report is not None:
                    report(unpacked(content))
            now = time.monotonic()
            if math.isinf(stopped) and should_stop():
                stopped = now
                if task.can_stop:
                    self._send(STOP)
            if now - stopped >= (GRACE_SECONDS if task.can_stop else 0.0):
                self.end()
                raise Cancelled("stopped, with nothing to show for it yet")
            if now - begun >= seconds:
                self.end()
                raise TookTooLong(f"ended after {duration(seconds, Sense.TYPED)} without a result")
            if look is not None:
                look(self)

    def be_nicer(self, nice: int) -> None:
        """Lower the priority to `nice` steps below this process's; it cannot be raised again."""
        if nice > self.nice:
            self.nice = nice
            own = os.getpriority(os.PRIO_PROCESS, 0)
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self.process, own + nice)

    @property
    def ended(self) -> bool:
        return self._pipe.closed

    @property
    def waits(self) -> bool:
        """Whether it is alive, and has neither a task nor a message."""
        return not (self._busy or self.ended or self._pipe.poll())

    def end(self) -> None:
        """End the process at once."""
        if not self.ended:
            self._pipe.close()
            with suppress(ProcessLookupError):
                os.kill(self.process, 9)

    def _result_of(self, kind: bytes, content: bytes, task: Task[T]) -> T:
        self._busy = False
        if kind == FAILURE:
            raise unpacked(content)
        result: T = unpacked(content, task.inputs)
        return result

    def _send(self, message: bytes) -> None:
        try:
            self._pipe.send_bytes(message)
        except OSError as gone:
            self.end()
            raise Lost("the process of the computation is gone") from gone

    def _receive(self) -> tuple[bytes, bytes]:
        try:
            message = self._pipe.recv_bytes()
        except (EOFError, OSError) as gone:
            self.end()
            raise Lost("the process of the computation died") from gone
        return message[:1], message[1:]


class Workers:
    """Any number of workers; idle ones wait for the next task.

    `preparation` is the module whose `prepare()` loads what tasks need. At most `spare` of each
    priority wait at a time.
    """

    def __init__(self, preparation: str, spare: int) -> None:
        self._preparation, self._spare = preparation, spare
        self._changing, self._hiring = Lock(), Lock()
        self._idle: list[Worker] = []
        self._nursery: socket.socket | None = None
        self._ready = False

    @property
    def ready(self) -> bool:
        """Whether the preparation is loaded: a first worker was there."""
        return self._ready

    def begin(self) -> None:
        """Begin to load the preparation, without waiting for it."""
        with self._hiring:
            if self._nursery is None:
                self._nursery = self._begin_nursery()

    def take(self, nice: int = 0) -> Worker:
        """A worker for one task, of this priority or a higher one; give it back with `put`."""
        worker = self._idle_worker(nice) or self._new_worker()
        worker.be_nicer(nice)
        return worker

    def put(self, worker: Worker) -> None:
        """Take a worker back; end it if enough others wait, or if it is still at work."""
        with self._changing:
            alike = sum(worker.nice == other.nice for other in self._idle)
            if worker.waits and alike < self._spare:
                self._idle.append(worker)
                return
        worker.end()

    def end(self) -> None:
        """End all workers that wait; those at work end when nobody takes their result."""
        with self._changing, self._hiring:
            for worker in self._idle:
                worker.end()
            self._idle.clear()
            if self._nursery is not None:
                self._nursery.close()
                self._nursery = None

    def _idle_worker(self, nice: int) -> Worker | None:
        """A waiting worker of this priority, or else of the next higher one; None if none waits."""
        with self._changing:
            apt = [worker for worker in self._idle if worker.nice <= nice]
            for worker in sorted(apt, key=lambda each: -each.nice):
                self._idle.remove(worker)
                if worker.waits:
                    return worker
                worker.end()  # it died meanwhile
        return None

    def _new_worker(self) -> Worker:
        """A new worker. A nursery that died is started again."""
        for _ in range(2):
            self.begin()
            with self._hiring:
                ours, theirs = Pipe()
                with theirs:
                    process = self._fork_worker(theirs)
                if process is not None:
                    return Worker(process, ours)
                ours.close()
        raise Lost("no process could be begun for the computation")

    def _fork_worker(self, pipe: Connection) -> int | None:
        if self._nursery is None:
            return None
        try:
            socket.send_fds(self._nursery, [b"+"], [pipe.fileno()])
            said = self._nursery.recv(PROCESS.size)
        except OSError:
            said = b""
        if len(said) == PROCESS.size:
            process: int = PROCESS.unpack(said)[0]
            self._ready = True
            return process
        self._nursery.close()
        self._nursery = None
        return None

    def _begin_nursery(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        ours.settimeout(_START_SECONDS)
        with theirs:
            subprocess.Popen(
                [
                    *(sys.executable, "-m", "core.engines.compute.worker"),
                    *(str(theirs.fileno()), self._preparation),
                ],
                stdin=subprocess.DEVNULL,
                env=os.environ | ONE_THREAD | {"PYTHONPATH": os.pathsep.join(sys.path)},
                pass_fds=[theirs.fileno()],
            )
        return ours
