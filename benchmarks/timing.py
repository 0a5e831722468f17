"""Measures times."""

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

Result = TypeVar("Result")


def timed(call: Callable[[], Result]) -> tuple[float, Result]:
    """The time of a call (s), and its result."""
    begun = time.perf_counter()
    result = call()
    return time.perf_counter() - begun, result


def in_turns(
    calls: Mapping[str, Callable[[], Result]], repetitions: int
) -> dict[str, list[Result]]:
    """The results of repeated calls, after one call each to warm up.

    The calls take turns, so that other load of the machine affects all of them.
    """
    for call in calls.values():
        call()
    results: dict[str, list[Result]] = {name: [] for name in calls}
    for _ in range(repetitions):
        for name, call in calls.items():
            results[name].append(call())
    return results
