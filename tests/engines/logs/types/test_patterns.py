"""A pattern finds parts of names, and cannot take forever."""

import re
import signal
import threading
from contextlib import AbstractContextManager, nullcontext

import pytest

from core.engines.logs.types import patterns
from core.engines.logs.types.patterns import found_in
from core.engines.logs.types.rule_parts import RuleRefused


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("[a-z]+", ["job", "x", None]),
        ("([a-z]+)_(\\d)", ["job-1", None, None]),
        ("(job)|(x)", ["job", "x", None]),
        ("z*", ["", "", ""]),
        ("[[a-z]", ["j", "x", None]),
    ],
)
def test_groups_are_found_or_all_that_matches(pattern: str, expected: list[str | None]) -> None:
    assert [*found_in(pattern, ["job_1", "x", "7"])] == expected


@pytest.mark.parametrize(
    "pattern", ["", "x" * 501, "(", "a{99999999999}", "(?L)a", "(?au)a", "[b-a]", "\\8"]
)
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(RuleRefused, match=r"write one such as|correct it"):
        found_in(pattern, ["a"])


def test_the_longest_pattern_is_accepted() -> None:
    assert [*found_in("x" * 500, ["x" * 500])] == ["x" * 500]


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*$", "(.*)*(.*)*(.*)*x"])
def test_a_pattern_that_takes_years_is_refused(
    pattern: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patterns, "_SECONDS", 0.01)
    before = signal.getsignal(signal.SIGVTALRM)
    with pytest.raises(RuleRefused, match=re.escape("such as (a+)+")):
        list(found_in(pattern, ["a" * 60 + "!"]))
    assert signal.getsignal(signal.SIGVTALRM) == before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)


def test_other_threads_find_the_same_without_a_limit() -> None:
    found: list[list[str | None]] = []
    thread = threading.Thread(target=lambda: found.append([*found_in("b", ["abc"])]))
    thread.start()
    thread.join()
    assert found == [["b"]]


def test_all_names_share_one_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 100, 3))
    given: list[float] = []

    def limited(_pattern: str, seconds: float) -> AbstractContextManager[None]:
        given.append(seconds)
        return nullcontext()

    monkeypatch.setattr(patterns, "AT_ONCE", 1)
    monkeypatch.setattr(patterns, "_limited", limited)
    monkeypatch.setattr(patterns.time, "thread_time", lambda: float(next(clock)))
    assert [*found_in("b", ["b"] * 5)] == ["b"] * 5
    assert given == [10, 7, 4, 1, 1e-3]
