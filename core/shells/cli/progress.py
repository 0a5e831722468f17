"""Progress on a terminal, and Ctrl-C: the first asks to stop, the second ends the command."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Final, TypeVar

from core.engines.relaxed import SolverFailed
from core.engines.rivals.rival import MissingExtra
from core.vocabulary.budget import NoScheduleFound
from core.vocabulary.problems import refusing
from core.vocabulary.system import NoPowerData

State = TypeVar("State")

CLEAR_LINE: Final = "\r\033[K"
_STDERR: Final = 2


@dataclass(frozen=True, slots=True)
class Watch:
    """Whether standard error is a terminal, and whether the user has asked to stop."""

    stop_was_asked: Callable[[], bool]
    on_terminal: bool

    def showing(self, in_words: Callable[[State], str]) -> Callable[[State], None] | None:
        """A callback that shows each new state of the work; None if there is no terminal."""
        if not self.on_terminal:
            return None

        def show(state: State) -> None:
            sys.stderr.write(f"{CLEAR_LINE}{in_words(state)}")
            sys.stderr.flush()

        return show


@contextmanager
def watching(name: str) -> Iterator[Watch]:
    """A context for the work on what has this name; errors for people become `InvalidInput`.

    Work that is stopped before it has a result counts as interrupted.
    """
    on_terminal = sys.stderr.isatty()
    with (
        refusing(NoPowerData, NoScheduleFound, MissingExtra, SolverFailed, of=name),
        first_interrupt_stops() as stop_was_asked,
    ):
        try:
            yield Watch(stop_was_asked, on_terminal)
        except NoScheduleFound:
            if stop_was_asked():
                raise KeyboardInterrupt from None
            raise
        finally:
            if on_terminal:
                sys.stderr.write(CLEAR_LINE)


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
