"""Whatever the prices, no schedule earns more than they prove."""

import numpy as np
import pytest
from bags import one_type
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.capabilities.profit.earn import earnings
from core.capabilities.profit.program import most_profit, most_profit_of_part
from core.capabilities.profit.proof import (
    PartOfBatch,
    money_at_cap,
    most_with_whole_tasks,
    proven_profit,
)
from core.capabilities.profit.terms import Terms
from core.engines.front.proven import Proven
from core.engines.relaxed import trace_front
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


@examples(5)
@given(st.data())
def test_any_prices_prove_a_bound_on_any_schedule(any_terms, data):
    schedule = data.draw(schedules(systems(with_apc=True)))
    system = schedule.system
    terms = data.draw(any_terms(system))
    prices = st.floats(0, 1e6)
    machines = data.draw(st.tuples(*[prices] * len(system.machine_types)))
    # Without a cap a watt is free.
    cap_price = data.draw(prices) if np.isfinite(terms.cap) else 0.0
    bound = proven_profit(system, terms, np.array(machines), cap_price)
    assert earnings(schedule, terms).profit <= bound


@examples(5)
@given(st.data())
def test_no_prices_prove_less_than_the_optimum(any_terms, data):
    """Prices a little off the best prove a little more."""
    system = data.draw(systems(dyadic=True, with_apc=True))
    terms = data.draw(any_terms(system))
    best = most_profit(system, terms)
    factor = data.draw(st.floats(0, 3))
    off = proven_profit(
        system, terms, best.machine_prices * factor, best.cap_price * data.draw(st.floats(0, 3))
    )
    assert off >= best.value - 1e-8 * (abs(best.value) + best.standing_costs)
    same = proven_profit(system, terms, best.machine_prices, best.cap_price)
    assert same == best.value


@examples(5)
@given(st.data())
def test_of_part_of_a_bag_likewise(any_terms, any_rewards, data):
    system = data.draw(systems(dyadic=True, with_apc=True))
    terms = data.draw(any_terms(system))
    rewards = data.draw(any_rewards(system))
    period = data.draw(st.floats(0.1, 100))
    best = most_profit_of_part(system, terms, rewards, period)
    off = proven_profit(
        system,
        terms,
        best.machine_prices * data.draw(st.floats(0, 3)),
        best.cap_price * data.draw(st.floats(0, 3)),
        PartOfBatch(rewards, period),
    )
    scale = abs(best.value) + best.standing_costs + float(rewards @ system.task_counts) / period
    assert off >= best.value - 1e-8 * scale


PRICES = np.array([3.0, 5.0])


@pytest.mark.parametrize(
    ("terms", "cap_price", "known", "size"),
    [
        (Terms(1656.0), 0.0, 8 + (1656 - 750) / 9 - 30, 8 + (1656 + 750) / 9 + 30),
        (Terms(750.0), 0.0, 8 - 30, 8 + 1500 / 9 + 30),
        (Terms(0.0, overhead=90.0), 0.0, 8 - 30, 8 + (90 + 750) / 9 + 30),
        (
            Terms(2500.0, 2.0, 1.5, overhead=100.0, wear=(9.0, 1.0), depreciation=(4.0, 6.0)),
            0.0,
            8 + (2400 - 6 * (120 + 12) - 6 * (180 + 18)) / 9 - 100,
            8 + (2400 + 6 * (120 + 12) + 6 * (180 + 18)) / 9 + 100,
        ),
        (
            # At 2 a joule more each type costs three times its energy.
            Terms(3000.0, power_cap=100.0),
            2.0,
            8 + 2 * 70 + (3000 - 6 * 130 - 6 * 195) / 9 - 30,
            8 + 2 * 70 + (3000 + 6 * 130 + 6 * 195) / 9 + 30,
        ),
    ],
)
def test_prices_of_batch_after_batch(two, terms, cap_price, known, size):
    proven = proven_profit(two, terms, PRICES, cap_price)
    assert proven == pytest.approx(known)
    assert proven - known == pytest.approx(1e-12 * size, rel=1e-3)


@pytest.mark.parametrize(
    ("terms", "cap_price", "known", "size"),
    [
        # Type 1 brings 10 more than it costs; type 2 is not worth it.
        (Terms(0.0), 0.0, 8 + 60 / 4 - 30, 8 + (6 * (60 + 50) + 6 * (70 + 75)) / 4 + 30),
        (
            Terms(7.0, overhead=27.0, power_cap=100.0),
            0.1,
            8 + 7 + (6 * (60 - 54) - 20) / 4 - 30,
            8 + 7 + (20 + 6 * (60 + 54) + 6 * (70 + 81)) / 4 + 30,
        ),
    ],
)
def test_prices_of_part_of_a_batch(two, terms, cap_price, known, size):
    part = PartOfBatch(np.array([60.0, 70.0]), 4.0)
    proven = proven_profit(two, terms, PRICES, cap_price, part)
    assert proven == pytest.approx(known)
    assert proven - known == pytest.approx(1e-12 * size, rel=1e-3)


def test_types_without_tasks_and_pairs_that_cannot_run_cost_nothing():
    system = System(
        (TaskType("1", 0), TaskType("2", 4)),
        (MachineType("A", 2, 0.0), MachineType("B", 0, 0.0)),
        np.array([[1.0, 1.0], [3.0, np.inf]]),
        np.array([[1.0, 1.0], [2.0, np.nan]]),
    )
    # 4 x (6 J + 3 s x 5), and 2 machines; 6 s at least.
    proven = proven_profit(system, Terms(90.0), np.array([5.0, 7.0]), 0.0)
    assert proven == pytest.approx(10 + (90 - 84) / 6)
    part = PartOfBatch(np.array([1e3, 25.0]), 2.0)
    proven = proven_profit(system, Terms(0.0), np.array([5.0, 7.0]), 0.0, part)
    assert proven == pytest.approx(10 + 4 * (25 - 21) / 2)


def test_money_at_a_price_of_the_cap(two):
    """A joule at the machines costs 2 x 1.25, and 3 because of the cap."""
    money = money_at_cap(two, Terms(0.0, 2.0, 1.25), 3.0)
    joules = np.array([[80.0, 40.0], [160.0, 60.0]])
    np.testing.assert_allclose(money.unit * money.system.dynamic_energy, 5.5 * joules)


@pytest.mark.parametrize("unit", [1.0, 2.0**40])
@pytest.mark.parametrize(
    ("terms", "cap_price", "most", "power"),
    [
        (Terms(1000.0), 0.0, 600 / 20, 0.0),
        (Terms(1000.0, power_cap=45.0), 0.5, 400 / 20, 7.5),
        (Terms(1000.0, power_cap=45.0), 2.0, 0.0, 30.0),
        (Terms(1000.0, overhead=200.0), 0.0, 400 / 20, 0.0),
    ],
)
def test_whole_tasks_at_a_price_of_the_cap(terms, cap_price, most, power, unit):
    """Two tasks in turn take 20 s, and 400 J above the 30 W of idleness; all in a unit of money."""
    system = one_type(30.0, 50.0)
    dear = Terms(
        terms.price * unit, unit, overhead=terms.overhead * unit, power_cap=terms.power_cap
    )
    money = money_at_cap(system, dear, cap_price * unit)
    assert (money.unit > 1) == (unit > 1)
    proven = Proven.of(trace_front(money.system))
    found = most_with_whole_tasks(proven, money.unit, system, dear, cap_price * unit) / unit
    assert found == pytest.approx(most + power - 30, abs=1e-9)
    assert found - (most + power - 30) == pytest.approx(1e-12 * (most + power + 30), rel=0.05)


def test_a_cap_below_idle_power_takes_what_is_due_for_it():
    """Work saves 20 W, of which 10 must be saved: at 2 a joule that is 20 a second."""
    system = one_type(30.0, 10.0)
    terms = Terms(100.0, power_cap=20.0)
    money = money_at_cap(system, terms, 2.0)
    found = most_with_whole_tasks(
        Proven.of(trace_front(money.system)), money.unit, system, terms, 2.0
    )
    # A batch brings 100 and saves 400 J at 3 each.
    known = (100 + 1200) / 20 - 20 - 30
    assert found == pytest.approx(known)
    idle = money.unit * money.system.total_idle_power
    assert found - known == pytest.approx(1e-12 * (65 + 20 + 30 + idle), rel=0.05)


def test_a_type_without_tasks_that_can_run_nowhere_changes_no_proof():
    system = one_type(30.0, 80.0)
    more = System(
        (*system.task_types, TaskType("none", 0)),
        (*system.machine_types, MachineType("none", 0)),
        np.array([[10.0, 1.0], [np.inf, 1.0]]),
        np.array([[80.0, 1.0], [np.nan, 1.0]]),
    )
    terms, prices = Terms(2000.0, power_cap=90.0), np.array([3.0, 0.0])
    proven = proven_profit(system, terms, prices[:1], 2.0)
    assert np.isfinite(proven)
    assert proven_profit(more, terms, prices, 2.0) == proven
    parts = PartOfBatch(np.array([900.0]), 15.0), PartOfBatch(np.array([900.0, 7.0]), 15.0)
    proven = proven_profit(system, terms, prices[:1], 2.0, parts[0])
    assert np.isfinite(proven)
    assert proven_profit(more, terms, prices, 2.0, parts[1]) == proven
