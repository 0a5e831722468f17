"""The steps say, for every price at once, what the linear program says for one."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.capabilities.profit.prices import PriceSteps, price_steps
from core.capabilities.profit.program import most_profit
from core.capabilities.profit.terms import Terms, ratio_price
from core.engines.relaxed import trace_front
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


def test_steps_worked_out_by_hand(two_by_two):
    steps = price_steps(two_by_two(20, 10), Terms(0.0))
    np.testing.assert_allclose(steps.revenue / 1380, [0.434783, 0.869565, 1.043478], atol=1e-6)
    np.testing.assert_allclose(steps.makespan, [30, 18, 10.8])
    np.testing.assert_allclose(steps.joules, [1500, 1380, 1404])
    assert steps.break_even == pytest.approx(1380)
    assert steps.thriftiest_from == pytest.approx(1200)
    assert steps.fastest_from == pytest.approx(1440)


def test_a_step_begins_at_its_revenue():
    steps = PriceSteps(
        np.array([1.0, 2.0]), np.array([1.0, 0.0]), np.array([2.0, 1.0]), np.ones(2), 0.5
    )
    found = steps.most_profit(np.array([0.9, 1.0, 1.5, 2.0, 3.0]))
    assert found.tolist() == [-0.5, -0.5, -0.25, 1.5, 2.5]


def test_without_idle_power_the_first_step_breaks_even(two_by_two):
    steps = price_steps(two_by_two(), Terms(0.0))
    np.testing.assert_allclose(steps.revenue / 900, [1, 5 / 3, 2])
    assert steps.break_even == pytest.approx(900)
    assert steps.thriftiest_from == steps.break_even


def test_the_first_switch_of_the_nine_environment(hundredfold):
    steps = price_steps(hundredfold, Terms(0.0))
    least = ratio_price(trace_front(hundredfold), 1.0, 1.0)
    assert steps.revenue[1] / least == pytest.approx(1.01572, abs=5e-6)
    assert len(steps.revenue) == 92


def test_below_a_threshold_the_nine_environment_does_not_run(hundredfold):
    system = hundredfold.with_idle_fraction(0.05)
    steps = price_steps(system, Terms(0.0))
    least = ratio_price(trace_front(system), 1.0, 1.0)
    assert steps.revenue[0] / least == pytest.approx(0.874233, abs=1e-6)


@examples(15)
@given(st.data())
def test_the_program_agrees_at_any_price(any_terms, data):
    system = data.draw(systems(dyadic=True, with_apc=True))
    terms = data.draw(any_terms(system))
    uncapped = {"energy_price", "pue", "overhead", "wear", "depreciation"}
    terms = Terms(0.0, **{name: getattr(terms, name) for name in uncapped})
    steps = price_steps(system, terms)
    assert (np.diff(steps.revenue) > -1e-9 * np.abs(steps.revenue[1:])).all()
    assert (np.diff(steps.makespan) < 0).all()
    top = 2 * abs(steps.revenue[-1]) + 1
    prices = np.append(np.linspace(0, top, 5), np.maximum(steps.revenue + terms.overhead, 0))
    profits = steps.most_profit(prices - terms.overhead)
    for price, profit in zip(prices, profits, strict=True):
        priced = Terms(float(price), **{name: getattr(terms, name) for name in uncapped})
        bound = most_profit(system, priced)
        scale = price / steps.makespan[-1] + bound.standing_costs + abs(bound.value) + 1
        assert profit == pytest.approx(bound.value, abs=1e-7 * scale)


def test_corners_that_tie_are_one_step():
    """Only A's idle watts differ from 0: where type 1 runs does not matter to the slower side."""
    system = System(
        (TaskType("1", 1), TaskType("2", 0), TaskType("3", 1)),
        (MachineType("A", 1, 1.0), MachineType("B", 1, 0.0), MachineType("C", 0, 0.0)),
        np.array([[1.0, 1.0, np.inf], [1.0, np.inf, np.inf], [np.inf, 1.0, np.inf]]),
        np.array([[0.0, 0.0, np.nan], [0.0, np.nan, np.nan], [np.nan, 0.0, np.nan]]),
    )
    steps = price_steps(system, Terms(0.0))
    assert steps.makespan.tolist() == [1.0]
    assert steps.most_profit(np.array([5.0])) == pytest.approx(
        most_profit(system, Terms(5.0)).value
    )


def test_schedules_that_tie_where_work_saves_energy_are_all_there():
    """B saves 29 W with type 1, as much as it must be shifted; A neither saves nor spends."""
    system = System(
        (TaskType("1", 19), TaskType("2", 15)),
        (MachineType("A", 16, 17.0), MachineType("B", 6, 52.0)),
        np.array([[9.0, 1.0], [np.inf, 7.0]]),
        np.array([[17.0, 23.0], [np.nan, 47.0]]),
    )
    steps = price_steps(system, Terms(0.0))
    np.testing.assert_allclose(steps.makespan, [62 / 3, 17.5])
    np.testing.assert_allclose(steps.costs, [-19 * 29 - 15 * 35, -15 * 35])


def test_a_scan_finds_the_same_steps(two_by_two):
    """Sampled densely, the best schedule changes where the steps say, and nowhere else."""
    system = two_by_two(20, 10)
    steps = price_steps(system, Terms(0.0))
    prices = np.arange(500.0, 1600.0, 7.3)
    periods = [1 / (most_profit(system, Terms(price)).rate or np.inf) for price in prices]
    expected = np.append(np.inf, steps.makespan)[np.searchsorted(steps.revenue, prices)]
    np.testing.assert_allclose(np.array(periods)[expected < np.inf], expected[expected < np.inf])
    assert not np.array(periods)[expected == np.inf].any()


def test_the_break_even_price_is_where_the_best_profit_is_none(hundredfold):
    terms = {"energy_price": 1e-3, "pue": 1.2, "wear": (0.1,) * 9, "depreciation": (0.2,) * 9}
    steps = price_steps(hundredfold, Terms(0.0, **terms))
    bound = most_profit(hundredfold, Terms(steps.break_even, **terms))
    assert bound.value == pytest.approx(0, abs=1e-8 * steps.break_even)
