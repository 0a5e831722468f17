"""How long something takes."""

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

Result = TypeVar("Result")


def timed(call: Callable[[], Result]) -> tuple[float, Result]:
    """Seconds that a call takes, and what it returns."""
    begun = time.perf_counter()
    result = call()
    return time.perf_counter() - begun, result


def in_turns(
    calls: Mapping[str, Callable[[], Result]], repetitions: int
) -> dict[str, list[Result]]:
    """What each call returns, again and again, after one call each to warm up.

    They take turns, so that whatever else the machine does meanwhile falls on all alike.
    """
    for call in calls.values():
        call()
    results: dict[str, list[Result]] = {name: [] for name in calls}
    for _ in range(repetitions):
        for name, call in calls.items():
            results[name].append(call())
    return results
