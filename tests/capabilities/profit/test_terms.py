"""Terms refuse what is no price, and turn tasks and machines into money."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.capabilities.profit.terms import Terms, keeps_terms, ratio_price
from core.engines.relaxed import trace_front
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import MachineType, System, TaskType


def test_rates_are_given_for_every_machine_type(two_by_two):
    with pytest.raises(ValueError, match="each of 2 machine types, not 3"):
        Terms(1.0, wear=(1.0, 2.0, 3.0)).task_costs(two_by_two())
    with pytest.raises(ValueError, match="each of 2 machine types, not 1"):
        Terms(1.0, depreciation=(1.0,)).standing_costs(two_by_two())


def test_a_task_costs_its_power_above_idle_and_its_wear(two):
    terms = Terms(0.0, energy_price=2.0, pue=1.5, wear=(5.0, 1.0))
    # (100 - 20) W x 1 s x 2 x 1.5 + 5 x 1 s, and so on.
    expected = [[245.0, 122.0], [490.0, 183.0]]
    np.testing.assert_allclose(terms.task_costs(two), expected)


def test_idle_machines_cost_their_power_and_their_age(two):
    system, terms = two, Terms(0.0, 2.0, 1.5, depreciation=(3.0, 4.0))
    assert terms.standing_costs(system) == pytest.approx(2 * 1.5 * 30 + 7)
    assert terms.depreciation_of_all(system) == 7


def test_the_cap_is_of_the_site_unless_said_otherwise(two):
    assert Terms(0.0, pue=2.0, power_cap=100.0).spare_power(two) == pytest.approx(20)
    assert Terms(0.0, pue=2.0, power_cap=100.0, cap_at_machines=True).spare_power(two) == 70
    assert Terms(0.0).spare_power(two) == np.inf


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


def test_the_ratio_is_of_the_least_energy_with_idle_power(two):
    front = trace_front(two)
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


@pytest.mark.parametrize(
    "fair",
    [
        {"price": 0.0},
        {"energy_price": 0.0},
        {"overhead": 0.0},
        {"wear": (0.0, 0.0)},
        {"pue": 1.0},
        {"power_cap": 0.0},
        {"power_cap": math.inf},
    ],
)
def test_terms_may_be_at_their_limits(fair):
    Terms(**{"price": 1.0, **fair})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        *(
            ({name: wrong}, "prices and costs must be 0 or more, and finite")
            for name in ("price", "energy_price", "overhead")
            for wrong in (-1e-300, math.inf, math.nan)
        ),
        ({"wear": (-1.0, 0.0)}, "prices and costs must be 0 or more, and finite"),
        ({"depreciation": (0.0, math.inf)}, "prices and costs must be 0 or more, and finite"),
        ({"pue": 0.999}, "the PUE is 1 or more, not 0.999"),
        ({"pue": math.inf}, "the PUE is 1 or more, not inf"),
        ({"pue": math.nan}, "the PUE is 1 or more, not nan"),
        ({"power_cap": -0.5}, "the power cap is 0 W or more, not -0.5"),
        ({"power_cap": math.nan}, "the power cap is 0 W or more, not nan"),
    ],
)
def test_terms_may_not_be_beyond_their_limits(wrong, said):
    with pytest.raises(ValueError, match=f"^{said}$"):
        Terms(**{"price": 1.0, **wrong})


@pytest.mark.parametrize(
    ("times", "spare"), [(-1.1, -33e-9), (-0.9, 0.0), (0.0, 0.0), (0.9, 0.0), (1.1, 33e-9)]
)
def test_a_cap_is_what_idle_machines_draw_but_for_rounding(two, times, spare):
    terms = Terms(1.0, power_cap=30 * (1 + times * 1e-9))
    assert terms.spare_power(two) == pytest.approx(spare, rel=1e-6)


@pytest.mark.parametrize(("times", "kept"), [(0.0, True), (0.9, True), (1.1, False)])
def test_a_cap_is_kept_but_for_rounding(times, kept):
    terms = Terms(1.0, power_cap=50.0, pue=1.25)
    assert terms.keeps_cap(40 * 10 * (1 + times * 1e-9), 10.0) is kept
    assert terms.keeps_cap(math.inf, math.inf) is True


def test_what_is_left_out_is_as_usual(two_by_two):
    usual = Terms(5.0)
    assert usual == Terms(5.0, 1.0, 1.0, 0.0, (), (), math.inf, False)
    assert usual.depreciation_of_all(two_by_two()) == 0
    assert Terms(5.0, overhead=2.0).revenue == 3


@pytest.mark.parametrize("idle", [(0, 0), (20, 40)])
@pytest.mark.parametrize("wear", [(), (0.0, 5e-324)])
def test_what_costs_nothing_or_next_to_it_is_counted_in_ones(two_by_two, idle, wear):
    assert Terms(1.0, 0.0, wear=wear).money(two_by_two(*idle)).unit == 1


def test_where_tasks_save_money_machines_cost_twice_as_much(two_by_two):
    """B draws 10 W less at work than idle; A draws 80 more."""
    money = Terms(1.0).money(two_by_two(20, 40))
    assert money.system.idle_power.tolist() == [0, 20]
    assert money.system.apc.tolist() == [[80, 10], [80, 10]]


@pytest.mark.parametrize(
    ("period", "cap", "fit"),
    [
        (12.0, math.inf, True),
        (12.0 * (1 - 0.9e-9), math.inf, True),
        (12.0 * (1 - 1.1e-9), math.inf, False),
        (24.0, 77.5, True),
        (24.0, 77.4, False),
        (12.0, 125.0, True),
        (12.0, 124.9, False),
    ],
)
def test_a_schedule_fits_its_period_and_the_cap(two, period, cap, fit):
    """All of type 1 and 3 of type 2 on A, 3 of type 2 on B, which waits 3 s: 1,200 + 270 + 30 J in
    12 s, and 30 W while both wait.
    """
    schedule = Schedule(two, np.array([0, 1]), np.array([1, 1]), np.array([[6, 3], [0, 3]]))
    assert (schedule.makespan, schedule.energy) == (12, 1500)
    assert keeps_terms(schedule, Terms(1.0, power_cap=cap), period) is fit


def test_machines_that_draw_nothing_idle_wait_for_nothing(two_by_two):
    """All on B: 900 J in 30 s, of which 60 s may draw 15 W."""
    tasks = np.array([[0, 0], [6, 6]])
    schedule = Schedule(two_by_two(), np.array([0, 1]), np.array([1, 1]), tasks)
    assert keeps_terms(schedule, Terms(1.0, power_cap=15.0), 60.0)
    assert keeps_terms(schedule, Terms(1.0, power_cap=0.0), math.inf)
