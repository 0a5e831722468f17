"""Terms refuse what is no price, and turn tasks and machines into money."""

from dataclasses import replace

import numpy as np
import pytest

from core.capabilities.profit.terms import Terms, ratio_price
from core.engines.relaxed import trace_front
from core.vocabulary.system import MachineType, System, TaskType


@pytest.mark.parametrize(
    "wrong",
    [
        {"price": -1.0},
        {"price": np.inf},
        {"price": np.nan},
        {"energy_price": -1.0},
        {"overhead": -1.0},
        {"wear": (-1.0, 0.0)},
        {"depreciation": (0.0, np.inf)},
        {"pue": 0.9},
        {"pue": np.nan},
        {"power_cap": -1.0},
        {"power_cap": np.nan},
    ],
)
def test_what_is_no_price_is_refused(wrong):
    with pytest.raises(ValueError, match="or more"):
        Terms(**{"price": 1.0, **wrong})


def test_rates_are_given_for_every_machine_type(two_by_two):
    with pytest.raises(ValueError, match="each of 2 machine types, not 3"):
        Terms(1.0, wear=(1.0, 2.0, 3.0)).task_costs(two_by_two())
    with pytest.raises(ValueError, match="each of 2 machine types, not 1"):
        Terms(1.0, depreciation=(1.0,)).standing_costs(two_by_two())


def test_a_task_costs_its_power_above_idle_and_its_wear(two_by_two):
    terms = Terms(0.0, energy_price=2.0, pue=1.5, wear=(5.0, 1.0))
    # (100 - 20) W x 1 s x 2 x 1.5 + 5 x 1 s, and so on.
    expected = [[245.0, 122.0], [490.0, 183.0]]
    np.testing.assert_allclose(terms.task_costs(two_by_two(20, 10)), expected)


def test_idle_machines_cost_their_power_and_their_age(two_by_two):
    system, terms = two_by_two(20, 10), Terms(0.0, 2.0, 1.5, depreciation=(3.0, 4.0))
    assert terms.standing_costs(system) == pytest.approx(2 * 1.5 * 30 + 7)
    assert terms.depreciation_of_all(system) == 7


def test_the_cap_is_of_the_site_unless_said_otherwise(two_by_two):
    system = two_by_two(20, 10)
    assert Terms(0.0, pue=2.0, power_cap=100.0).spare_power(system) == pytest.approx(20)
    assert Terms(0.0, pue=2.0, power_cap=100.0, cap_at_machines=True).spare_power(system) == 70
    assert Terms(0.0).spare_power(system) == np.inf


@pytest.mark.parametrize("idle", [(0, 0), (20, 10), (90, 90)])
def test_energy_of_the_money_system_is_what_tasks_cost(two_by_two, idle):
    """But for a shift where tasks cost less than idle machines do."""
    system = two_by_two(*idle)
    terms = Terms(0.0, energy_price=2.0, pue=1.5, wear=(5.0, 1.0))
    money = terms.money(system)
    assert money.unit == 1
    np.testing.assert_allclose(money.system.dynamic_energy, terms.task_costs(system), rtol=1e-12)
    assert (money.system.total_idle_power > 0) == (idle == (90, 90))
    # Money that is much is counted in a unit, so that it is as few as joules may be.
    dear = replace(terms, energy_price=3e13)
    money = dear.money(system)
    costs = money.unit * money.system.dynamic_energy
    np.testing.assert_allclose(costs, dear.task_costs(system), rtol=1e-12)
    assert 0.25e12 < money.system.apc.max() <= 1e12


def test_the_ratio_is_of_the_least_energy_with_idle_power(two_by_two):
    front = trace_front(two_by_two(20, 10))
    assert ratio_price(front, 1.2, 0.5) == pytest.approx(1.2 * 1380 * 0.5)


def test_energy_that_costs_nothing_has_a_price_of_nothing_however_sums_are_rounded():
    """The only task draws 1 W less than its machine does when idle: no energy is proven, but for
    rounding, which here leaves less than nothing.
    """
    system = System(
        (TaskType("T1", 1),), (MachineType("T1", 1, 1.0),), np.array([[1.0]]), np.array([[0.0]])
    )
    front = trace_front(system)
    assert front.lines.value[0] < 0
    assert ratio_price(front, 2.0, 1.0) == 0
