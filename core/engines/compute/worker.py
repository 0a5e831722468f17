"""Worker processes, and the process that they are forked from:
`python -m core.engines.compute.worker FD MODULE`.

That process has loaded what workers need, by `prepare()` of the module, so a worker starts in
milliseconds and shares that memory. It has one thread only, because locks that other threads hold
would stay locked in the workers. A worker does one task after the other, until the server closes
the pipe.
"""

import ctypes
import faulthandler
import gc
import os
import signal
import socket
import struct
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Lock, Thread
from types import FrameType
from typing import Final

from core.engines.compute.task import Lost, Task, packed, unpacked

STOP: Final = b""
"""A message in place of a task: the server asks the running one to stop."""
REPORT, RESULT, FAILURE = b"p", b"r", b"f"
"""The first byte of a message: what it is."""
_REPORT_SECONDS: Final = 0.1
"""Seconds between two reports: of those in between only the last is sent."""
_FIRST_TO_END: Final = "800"


class _Ear:
    """A thread that hears requests to stop while a task runs, and sends its progress from time to
    time. When the server is gone it ends the process.
    """

    def __init__(self, pipe: Connection) -> None:
        self.tasks: SimpleQueue[bytes] = SimpleQueue()
        self._pipe = pipe
        self._stop, self._speaking = Event(), Lock()
        self._news: object = None
        self._busy = False
        Thread(target=self._listen, daemon=True, name="ear").start()

    def should_stop(self) -> bool:
        return self._stop.is_set()

    def report(self, news: object) -> None:
        self._news = news

    def say(self, kind: bytes, content: bytes) -> None:
        with self._speaking:
            self._news, self._busy = None, False
            self._pipe.send_bytes(kind + content)

    def _listen(self) -> None:
        try:
            while True:
                while not self._pipe.poll(_REPORT_SECONDS if self._busy else None):
                    self._send_news()
                message = self._pipe.recv_bytes()
                if message == STOP:
                    self._stop.set()
                else:
                    self._stop.clear()
                    self._busy = True
                    self.tasks.put(message)
        except (EOFError, OSError):
            os._exit(0)

    def _send_news(self) -> None:
        with self._speaking:
            news, self._news = self._news, None
            if news is not None:
                self._pipe.send_bytes(REPORT + packed(news))


def serve(pipe: Connection) -> None:
    """Do tasks until the other end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, whose end is ours
    faulthandler.enable()  # the log says where it died
    _be_ended_before_the_server()
    ear = _Ear(pipe)
    while True:
        task: Task[object] = unpacked(ear.tasks.get())
        kind, content = _outcome_of(task, ear)
        try:
            ear.say(kind, content)
        except OSError:
            return
        del task


def _outcome_of(task: Task[object], ear: _Ear) -> tuple[bytes, bytes]:
    try:
        return RESULT, packed(task.run(ear.should_stop, ear.report), task.inputs)
    except BaseException as failure:  # of any kind: the server raises it again for the task's owner
        failure.add_note(f"In a process of its own:\n{traceback.format_exc()}")
        try:
            content = packed(failure)
            unpacked(content)
        except Exception:  # a failure of any class may refuse to be pickled, each in its way
            content = packed(Lost(f"{type(failure).__name__}: {failure}"))
        return FAILURE, content


def _be_ended_before_the_server() -> None:
    """Tell Linux to end this process, and not the server, if memory runs out."""
    if sys.platform == "linux":
        with suppress(OSError), Path("/proc/self/oom_score_adj").open("w") as score:
            score.write(_FIRST_TO_END)


PROCESS: Final = struct.Struct("=q")
"""How the number of a new process is sent."""
_END_WITH_PARENT: Final = 1  # PR_SET_PDEATHSIG


def main(asking: socket.socket, module: str) -> None:
    """Fork a worker for each pipe end that is handed over; end when the other side is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, _say_who_died)
    import_module(module).prepare()
    gc.freeze()  # so that collecting garbage copies nothing that workers share
    with suppress(ConnectionError):  # the other side has ended meanwhile, or before it read
        while (pipe := _pipe_for_next(asking)) is not None:
            process = os.fork()
            if process == 0:
                asking.close()
                _become_worker(pipe)
            os.close(pipe)
            asking.send(PROCESS.pack(process))


def _pipe_for_next(asking: socket.socket) -> int | None:
    asked, pipes, _, _ = socket.recv_fds(asking, 1, 1)
    return pipes[0] if asked else None


def _become_worker(pipe: int) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
    try:
        serve(Connection(pipe))
    finally:
        os._exit(0)


def _say_who_died(_signal: int, _frame: FrameType | None) -> None:
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if os.WIFSIGNALED(ended[1]) and os.WTERMSIG(ended[1]) != signal.SIGKILL:
                name = signal.Signals(os.WTERMSIG(ended[1])).name
                os.write(2, f"the process {ended[0]} of a computation died: {name}\n".encode())


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])), sys.argv[2])
