"""Worker processes, from where they are asked: given tasks, watched, ended, and replaced."""

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

from core.engine.nursery import PROCESS
from core.engine.parcel import packed, unpacked
from core.engine.task import Lost, Task, TookTooLong
from core.engine.worker import FAILURE, REPORT, STOP
from core.model.budget import Cancelled, never
from core.say.words import Sense, duration

T = TypeVar("T")

GRACE_SECONDS: Final = 4.0
"""A task that is asked to stop has so long for what it has; it is then ended without."""
_LOOK_SECONDS: Final = 0.05
_START_SECONDS: Final = 120.0
"""Where kernels have yet to be compiled, it takes half a minute until there is a worker."""
# Libraries that would begin threads of their own, in each of the processes.
_ONE_THREAD: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class Worker:
    """A process that does one task at a time. Not for two threads at once."""

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
        """What comes of a task, or what it raises, as if it had run here.

        Raises `Lost` if the process died, `TookTooLong` if it had to be ended after so many
        seconds, and `Cancelled` where it was asked to stop and had to be ended. It is told to stop
        when `should_stop` says so, which is asked, like `look`, many times a second.
        """
        begun, stopped = time.monotonic(), math.inf
        self._busy = True
        self._send(packed(task))
        while True:
            if self._pipe.poll(_LOOK_SECONDS):
                kind, content = self._receive()
                if kind != REPORT:
                    return self._taken(kind, content, task)
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
        """Leaves processors to others, by so much more than this process: there is no way back."""
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
        """Whether it is there, and has nothing to do or to say."""
        return not (self._busy or self.ended or self._pipe.poll())

    def end(self) -> None:
        """At once, whatever it does."""
        if not self.ended:
            self._pipe.close()
            with suppress(ProcessLookupError):
                os.kill(self.process, 9)

    def _taken(self, kind: bytes, content: bytes, task: Task[T]) -> T:
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
    """Any number of workers; those that have nothing to do wait for what comes next.

    `preparation` is the module whose `prepare()` loads what tasks need, before there is any. At
    most `spare` wait at a time, of each niceness.
    """

    def __init__(self, preparation: str, spare: int) -> None:
        self._preparation, self._spare = preparation, spare
        self._changing, self._hiring = Lock(), Lock()
        self._idle: list[Worker] = []
        self._nursery: socket.socket | None = None

    def begin(self) -> None:
        """Begins to load, without waiting for it."""
        with self._hiring:
            if self._nursery is None:
                self._nursery = self._begun()

    def take(self, nice: int = 0) -> Worker:
        """A worker that is no nicer than that, for one task; `put` takes it back."""
        worker = self._waiting(nice) or self._hired()
        worker.be_nicer(nice)
        return worker

    def put(self, worker: Worker) -> None:
        """Ends it if there are enough that wait, or if it is still at work."""
        with self._changing:
            alike = sum(worker.nice == other.nice for other in self._idle)
            if worker.waits and alike < self._spare:
                self._idle.append(worker)
                return
        worker.end()

    def end(self) -> None:
        """All that wait; those at work end once nobody takes their result."""
        with self._changing, self._hiring:
            for worker in self._idle:
                worker.end()
            self._idle.clear()
            if self._nursery is not None:
                self._nursery.close()
                self._nursery = None

    def _waiting(self, nice: int) -> Worker | None:
        """Of those that wait, the nicest that is not nicer than that."""
        with self._changing:
            apt = [worker for worker in self._idle if worker.nice <= nice]
            for worker in sorted(apt, key=lambda each: -each.nice):
                self._idle.remove(worker)
                if worker.waits:
                    return worker
                worker.end()  # it died meanwhile
        return None

    def _hired(self) -> Worker:
        """A new one. Of a nursery that is gone, another is begun."""
        for _ in range(2):
            self.begin()
            with self._hiring:
                ours, theirs = Pipe()
                with theirs:
                    process = self._forked(theirs)
                if process is not None:
                    return Worker(process, ours)
                ours.close()
        raise Lost("no process could be begun for the computation")

    def _forked(self, pipe: Connection) -> int | None:
        if self._nursery is None:
            return None
        try:
            socket.send_fds(self._nursery, [b"+"], [pipe.fileno()])
            said = self._nursery.recv(PROCESS.size)
        except OSError:
            said = b""
        if len(said) == PROCESS.size:
            process: int = PROCESS.unpack(said)[0]
            return process
        self._nursery.close()
        self._nursery = None
        return None

    def _begun(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        ours.settimeout(_START_SECONDS)
        with theirs:
            subprocess.Popen(
                [
                    *(sys.executable, "-m", "core.engine.nursery"),
                    *(str(theirs.fileno()), self._preparation),
                ],
                stdin=subprocess.DEVNULL,
                env=os.environ | _ONE_THREAD | {"PYTHONPATH": os.pathsep.join(sys.path)},
                pass_fds=[theirs.fileno()],
            )
        return ours
