"""What a regular expression finds in names, within a limit of processor time."""

import re
import signal
import threading
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from core.files.findings import shown
from core.runs.rule_parts import RuleRefused

_MOST_PATTERN: Final = 500
_SECONDS: Final = 10.0
"""Of processor time for all names of a log: a million names take an ordinary pattern a second. A
pattern such as (a+)+$ takes years for a single name.
"""


def found_in(pattern: str, names: Iterable[str]) -> list[str | None]:
    """What a pattern finds in each name: its groups with a dash between, or without groups all that
    it matches; None if it matches nowhere. Raises `RuleRefused`.
    """
    compiled = _compiled(pattern)
    with _limited(pattern):
        return [_said(compiled.search(name)) for name in names]


def _said(match: re.Match[str] | None) -> str | None:
    if match is None:
        return None
    return "-".join(filter(None, match.groups())) if match.re.groups else match[0]


def _compiled(pattern: str) -> re.Pattern[str]:
    if not 0 < len(pattern) <= _MOST_PATTERN:
        raise RuleRefused(
            f"a pattern has 1 to {_MOST_PATTERN} characters; write one such as pattern:([a-z]+)"
        )
    try:
        with warnings.catch_warnings(action="ignore"):
            return re.compile(pattern)
    except (re.error, ValueError, OverflowError, RecursionError) as error:
        raise RuleRefused(
            f"'{shown(pattern)}' is no regular expression ({error}); correct it"
        ) from error


@contextmanager
def _limited(pattern: str) -> Iterator[None]:
    """Refuse the pattern if it takes too long. Only the main thread of a process, where commands
    and workers compute, can be interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def refuse(_signal: int, _frame: FrameType | None) -> None:
        raise RuleRefused(
            f"'{shown(pattern)}' takes too long on the names of this log; write it without a "
            "repetition in a repetition, such as (a+)+"
        )

    before = signal.signal(signal.SIGVTALRM, refuse)
    signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
