"""Each method of the comparison gives a verified makespan, or says why it has none."""

import pytest

from core.capabilities.makespan.solve import solve
from core.engines.rivals import RIVALS, Rival
from core.files.samples.named import load_sample
from core.vocabulary.budget import TooLong
from core.vocabulary.schedule import Schedule
from dashboard.screens.fastest import comparison
from dashboard.screens.fastest.comparison import (
    COMPARED,
    MethodOutcome,
    is_quick,
    outcome,
    own_outcome,
)


@pytest.mark.parametrize("rival", COMPARED)
def test_no_method_beats_the_proven_bound(rival: str) -> None:
    system = load_sample("two-by-two")
    bound = solve(system, method="paper").bound.value
    found = outcome(system, rival)
    assert found.makespan is not None
    assert found.makespan >= bound
    assert found.makespan == RIVALS[rival].solve(system).makespan


def test_a_method_that_runs_out_of_time_is_reported_as_such(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def slow(*_: object) -> Schedule:
        raise TooLong("passed")

    monkeypatch.setattr(comparison, "RIVALS", {"slow": Rival("slow", "Slow: is slow", slow)})
    found = outcome(load_sample("two-by-two"), "slow")
    assert found == MethodOutcome("Slow", None, "no schedule within 5 s")


def test_ours_goes_by_our_name() -> None:
    solution = solve(load_sample("two-by-two"), method="paper")
    assert own_outcome(solution) == MethodOutcome("Wattfront", solution.schedule.makespan)


def test_samples_are_compared_at_once() -> None:
    assert is_quick(load_sample("nine"))
