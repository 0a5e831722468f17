"""The process that worker processes are forked from: `python -m core.engines.compute.nursery FD
MODULE`.

It has loaded what workers need, by `prepare()` of the module, so a worker starts in milliseconds
and shares that memory. It has one thread only, because locks that other threads hold would stay
locked in the workers.
"""

import ctypes
import gc
import os
import signal
import socket
import struct
import sys
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from types import FrameType
from typing import Final

from core.engines.compute.worker import serve

PROCESS: Final = struct.Struct("=q")
"""How the number of a new process is sent."""
_END_WITH_PARENT: Final = 1  # PR_SET_PDEATHSIG


def main(asking: socket.socket, module: str) -> None:
    """Fork a worker for each pipe end that is handed over; end when the other side is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, _say_who_died)
    import_module(module).prepare()
    gc.freeze()  # so that collecting garbage copies nothing that workers share
    while True:
        asked, pipes, _, _ = socket.recv_fds(asking, 1, 1)
        if not asked:
            return
        (pipe,) = pipes
        process = os.fork()
        if process == 0:
            asking.close()
            _become_worker(pipe)
        os.close(pipe)
        try:
            asking.send(PROCESS.pack(process))
        except BrokenPipeError:  # the other side has ended meanwhile
            return


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
