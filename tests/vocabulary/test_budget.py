"""A budget says what is left of it, a stopwatch how long each phase took, however often it came."""

import pytest

from core.vocabulary import budget
from core.vocabulary.budget import Budget, Stopwatch


def test_laps_of_a_phase_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([10.0, 11.0, 13.0, 17.0])
    monkeypatch.setattr(budget.time, "perf_counter", lambda: next(times))
    clock = Stopwatch(["bound", "assign"])
    for phase in ("assign", "polish", "assign"):
        clock.lap(phase)
    assert clock.seconds == {"bound": 0.0, "assign": 5.0, "polish": 2.0}
    assert list(clock.seconds) == ["bound", "assign", "polish"]


def test_work_is_all_that_a_budget_of_work_counts() -> None:
    whole = Budget.of_work(2.0)
    whole.spend(0.5)
    assert (whole.used, whole.left) == (0.5, 1.5)
    part = whole.part(1.0)
    part.spend(0.25)
    assert (part.used, part.left) == (0.25, 0.75)
    assert (whole.used, whole.left) == (0.75, 1.25)
    part.spend(9.0)
    assert part.left == whole.left == 0


def test_work_costs_nothing_where_seconds_are_counted() -> None:
    now = 5.0
    whole = Budget(2.0, clock=lambda: now)
    whole.spend(100.0)
    assert whole.left == 2.0
    now = 6.5
    assert (whole.used, whole.left, whole.part(1.0).left) == (1.5, 0.5, 1.0)
