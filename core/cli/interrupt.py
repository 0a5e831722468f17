"""Ctrl-C during a local search: the first asks it to stop, the second ends the command."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_STDERR = 2


@contextmanager
def first_interrupt_stops() -> Iterator[Callable[[], bool]]:
    """Yields a function that says whether the user has pressed Ctrl-C."""
    asked = False

    def ask(_signal: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        # Written without the buffer of sys.stderr, which may be in the middle of a write.
        os.write(_STDERR, b"\nstopping; press Ctrl-C again to end without a result\n")

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)
