"""Each method of the comparison gives a verified makespan, or says why it has none."""

import pytest

from core.capabilities.makespan.solve import solve
from core.engines.rivals import RIVALS, Rival
from core.files.samples.named import load_sample
from core.vocabulary.budget import TooLong
from dashboard.screens.schedule import comparison
from dashboard.screens.schedule.comparison import (
    COMPARED,
    MethodOutcome,
    is_quick,
    method_bars,
    outcome,
    own_outcome,
)


@pytest.mark.parametrize("rival", COMPARED)
def test_no_method_beats_the_proven_bound(rival):
    system = load_sample("two-by-two")
    bound = solve(system, method="paper").bound.value
    found = outcome(system, rival)
    assert found.makespan is not None
    assert found.makespan >= bound
    assert found.makespan == RIVALS[rival].solve(system).makespan


def test_a_method_that_runs_out_of_time_is_reported_as_such(monkeypatch):
    def slow(*_):
        raise TooLong("passed")

    monkeypatch.setattr(comparison, "RIVALS", {"slow": Rival("slow", "Slow: is slow", slow)})
    found = outcome(load_sample("two-by-two"), "slow")
    assert found == MethodOutcome("Slow", None, "no schedule within 5 s")


def test_ours_goes_by_our_name():
    solution = solve(load_sample("two-by-two"), method="paper")
    assert own_outcome(solution) == MethodOutcome("Wattfront", solution.schedule.makespan)


def test_samples_are_compared_at_once():
    assert is_quick(load_sample("nine"))


def test_bars_are_percent_above_the_bound():
    (bars,) = method_bars(
        [MethodOutcome("Wattfront", 101.0), MethodOutcome("Other", 110.0)], 100.0
    ).data
    assert bars.x == pytest.approx((1.0, 10.0))
    assert bars.text == ("101 s (+1 %)", "110 s (+10 %)")


def test_the_makespan_of_a_method_is_rounded_up():
    (bars,) = method_bars([MethodOutcome("Wattfront", 100.01)], 100.0).data
    assert bars.text == ("100.1 s (+0.01 %)",)


def test_a_method_without_a_schedule_says_why():
    (bars,) = method_bars(
        [MethodOutcome("Wattfront", 101.0), MethodOutcome("Slow", None, "no time")], 100
    ).data
    assert bars.text[1] == "no time"
    assert bars.x[1] == 0


def test_a_hopeless_method_ends_at_the_edge_and_tells_its_value():
    outcomes = [MethodOutcome(str(k), 110.0 + k) for k in range(4)] + [MethodOutcome("MET", 900.0)]
    figure = method_bars(outcomes, 100.0)
    (bars,) = figure.data
    assert bars.x[-1] == pytest.approx(figure.layout.xaxis.range[1])
    assert bars.x[-1] < 100
    assert bars.text[-1] == "15 min (+800 %, off the scale)"
    assert bars.textposition[-1] == "inside"


def test_all_on_the_bound_is_a_figure_too():
    (bars,) = method_bars([MethodOutcome("Wattfront", 5.0), MethodOutcome("Other", 5.0)], 5.0).data
    assert bars.x == (0.0, 0.0)


def test_where_most_are_on_the_bound_a_few_percent_are_not_off_the_scale():
    outcomes = [MethodOutcome(str(k), 100.0) for k in range(4)] + [
        MethodOutcome("Close", 104.0),
        MethodOutcome("MET", 400.0),
    ]
    figure = method_bars(outcomes, 100.0)
    (bars,) = figure.data
    assert bars.text[-2] == "104 s (+4 %)"
    assert bars.x[-2] == pytest.approx(4.0)
    assert figure.layout.xaxis.range[1] == pytest.approx(8.0)
    assert bars.text[-1].endswith("off the scale)")
