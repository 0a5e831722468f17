"""A stopwatch tells how long each phase took, however often it came."""

import pytest

from core import budget
from core.budget import Stopwatch


def test_laps_of_a_phase_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([10.0, 11.0, 13.0, 17.0])
    monkeypatch.setattr(budget.time, "perf_counter", lambda: next(times))
    clock = Stopwatch(["bound", "assign"])
    for phase in ("assign", "polish", "assign"):
        clock.lap(phase)
    assert clock.seconds == {"bound": 0.0, "assign": 5.0, "polish": 2.0}
    assert list(clock.seconds) == ["bound", "assign", "polish"]
