"""What a regular expression finds in names, within a limit of processor time."""

import re
import signal
import threading
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from types import FrameType
from typing import Final

from core.engines.logs.types.rule_parts import AT_ONCE, RuleRefused
from core.files.findings import shown

_MOST_PATTERN: Final = 500
_SECONDS: Final = 10.0
"""The processor time (s) for all names of a log: a million names take an ordinary pattern a second.
A pattern such as (a+)+$ takes years for a single name.
"""
_LEAST_SECONDS: Final = 1e-3
"""A limit of 0 s would be none."""


def found_in(pattern: str, names: Iterable[str]) -> Iterator[str | None]:
    """What a pattern finds in each name: its groups with a dash between, or without groups all that
    it matches; None if it matches nowhere. Raises `RuleRefused`: at once if it is no pattern, and
    with a name for which it takes too long.
    """
    return _found(pattern, _compiled(pattern), iter(names))


def _found(pattern: str, compiled: re.Pattern[str], rest: Iterator[str]) -> Iterator[str | None]:
    left = _SECONDS
    while some := [*islice(rest, AT_ONCE)]:
        begun = time.thread_time()
        with _limited(pattern, left):
            found = [_said(compiled.search(name)) for name in some]
        left = max(left - (time.thread_time() - begun), _LEAST_SECONDS)
        yield from found


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
def _limited(pattern: str, seconds: float) -> Iterator[None]:
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
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
