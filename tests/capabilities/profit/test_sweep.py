"""A sweep is what the program says at each value, and nothing where idle machines break the cap."""

from dataclasses import replace

import numpy as np
import pytest

from core.capabilities.profit.program import most_profit
from core.capabilities.profit.sweep import most_swept, sweep
from core.capabilities.profit.terms import Terms
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


def test_prices_worked_out_by_hand(two_by_two):
    ratios = {0.3: -30, 0.8: -13.2, 1.0: 0, 1.5: 61.666667}
    bounds = sweep(two_by_two(20, 10), Terms(0.0), "price", [1380 * ratio for ratio in ratios])
    assert [bound.value for bound in bounds] == pytest.approx(list(ratios.values()), abs=1e-6)


def test_caps_below_idle_power_are_no_bounds(two_by_two):
    bounds = sweep(two_by_two(20, 10), Terms(1656.0), "power cap", [20, 30, 60, 200])
    assert bounds[0] is None
    assert [bound.value for bound in bounds[1:]] == pytest.approx([-30, 9, 23.333333], abs=1e-6)


def test_idle_power_is_a_share_of_the_mean(two_by_two):
    half, none = sweep(two_by_two(20, 10), Terms(1656.0), "idle power", [0.5, 0.0])
    assert half.standing_costs == pytest.approx(65)
    assert none.standing_costs == 0
    with pytest.raises(ValueError, match="is not"):
        sweep(two_by_two(), Terms(1.0), "idle power", [1.5])


def test_energy_prices(two_by_two):
    system, terms = two_by_two(20, 10), Terms(1656.0)
    bounds = sweep(system, terms, "energy price", [0.0, 0.5, 2.0])
    for bound, price in zip(bounds, [0.0, 0.5, 2.0], strict=True):
        assert bound.value == most_profit(system, replace(terms, energy_price=price)).value


def test_what_whole_tasks_earn_at_most_is_swept():
    """A task of 10 s and 100 W on ten machines of 50 idle watts, which in parts would take 1 s."""
    system = System(
        (TaskType("task", 1),),
        (MachineType("machine", 10, 50.0),),
        np.array([[10.0]]),
        np.array([[100.0]]),
    )
    terms = Terms(1500.0)
    for quantity, values, expected in (
        ("price", [1500.0, 2500.0], [100 - 500, 200 - 500]),
        ("energy price", [1.0, 2.0], [100 - 500, 50 - 1000]),
        ("power cap", [499.0, 900.0], [np.nan, 100 - 500]),
        ("idle power", [0.5, 1.0], [100 - 500, 150 - 1000]),
    ):
        np.testing.assert_allclose(most_swept(system, terms, quantity, values), expected)
