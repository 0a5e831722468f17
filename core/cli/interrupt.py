"""Ctrl-C while something is being improved: the first asks to stop, the second insists."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_STDERR = 2


@contextmanager
def first_interrupt_stops() -> Iterator[Callable[[], bool]]:
    """Gives a question to ask: has the user pressed Ctrl-C?"""
    asked = False

    def ask(_signal: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        # Past the buffers of sys.stderr, which may be in the middle of a write.
        os.write(_STDERR, b"\nstopping; press Ctrl-C once more to leave with nothing\n")

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)
