"""How long runs still take is told by those that are done."""

from unittest.mock import MagicMock

import pytest

from dashboard.server import pace


def test_the_time_that_runs_take_is_without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of three took 3 s, each after 50 s until its turn; three more take 9 s."""
    job, now, takes = MagicMock(), [100.0], iter([60.0, 3.0, 3.0])
    monkeypatch.setattr(pace.time, "monotonic", lambda: now[0])

    def wait(seconds: float) -> None:
        now[0] += seconds

    job.turn.return_value.__enter__.side_effect = lambda: (wait(50.0), job.worker)[1]
    job.worker.compute.side_effect = lambda task: (wait(next(takes)), task)[1]
    known = pace.Pace("trial")
    known.tell(job, 0, 6, 6)
    job.begin.assert_called_with("0 of 6 trials", 0.0, 0.0)
    assert known.compute(job, "the first loads") == "the first loads"
    known.tell(job, 0, 6, 5)
    job.begin.assert_called_with("0 of 6 trials", 0.0, 0.0)
    assert [known.compute(job, task) for task in ("one", "two")] == ["one", "two"]
    known.tell(job, 3, 6, 3)
    job.begin.assert_called_with("3 of 6 trials", 75.0, 66.0)
