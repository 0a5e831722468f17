"""Bars say how far above the bound each method ends; a hopeless one does not squeeze the rest."""

import pytest

from dashboard.screens.fastest.comparison import MethodOutcome
from dashboard.screens.fastest.method_bars import method_bars


def test_bars_are_percent_above_the_bound() -> None:
    (bars,) = method_bars(
        [MethodOutcome("Wattfront", 101.0), MethodOutcome("Other", 110.0)], 100.0
    ).data
    assert bars.x == pytest.approx((1.0, 10.0))
    assert bars.text == ("101 s (+1 %)", "110 s (+10 %)")


def test_the_makespan_of_a_method_is_rounded_up() -> None:
    (bars,) = method_bars([MethodOutcome("Wattfront", 100.01)], 100.0).data
    assert bars.text == ("100.1 s (+0.01 %)",)


def test_a_method_without_a_schedule_says_why() -> None:
    (bars,) = method_bars(
        [MethodOutcome("Wattfront", 101.0), MethodOutcome("Slow", None, "no time")], 100
    ).data
    assert bars.text[1] == "no time"
    assert bars.x[1] == 0


def test_a_hopeless_method_ends_at_the_edge_and_tells_its_value() -> None:
    outcomes = [MethodOutcome(str(k), 110.0 + k) for k in range(4)] + [MethodOutcome("MET", 900.0)]
    figure = method_bars(outcomes, 100.0)
    (bars,) = figure.data
    assert bars.x[-1] == pytest.approx(figure.layout.xaxis.range[1])
    assert bars.x[-1] < 100
    assert bars.text[-1] == "15 min (+800 %, off the scale)"
    assert bars.textposition[-1] == "inside"


def test_all_on_the_bound_is_a_figure_too() -> None:
    (bars,) = method_bars([MethodOutcome("Wattfront", 5.0), MethodOutcome("Other", 5.0)], 5.0).data
    assert bars.x == (0.0, 0.0)


def test_where_most_are_on_the_bound_a_few_percent_are_not_off_the_scale() -> None:
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
