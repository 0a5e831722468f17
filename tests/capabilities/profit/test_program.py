"""The bound on profit is the optimum of the divisible program, and no schedule earns more."""

import numpy as np
import pytest
import scipy.optimize
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.capabilities.profit.earn import earnings
from core.capabilities.profit.program import CapTooLow, most_profit, most_profit_of_part
from core.capabilities.profit.terms import Terms, ratio_price
from core.engines.relaxed import MAKESPAN, lower_bound, trace_front
from core.vocabulary.system import NoPowerData


def energy_and_period(system, bound):
    placed = np.where(bound.placed > 0, bound.placed, 0.0)
    joules = np.where(placed > 0, system.dynamic_energy, 0.0)
    return (placed * joules).sum() + system.total_idle_power / bound.rate, 1 / bound.rate


@pytest.mark.parametrize(
    ("ratio", "profit", "energy", "makespan"),
    [
        (0.3, -30, None, None),
        (0.5, -27, 1500, 30),
        (0.8, -13.2, 1500, 30),
        (0.86, -10.44, 1500, 30),
        (0.9, -7.666667, 1380, 18),
        (1.0, 0, 1380, 18),
        (1.01, 0.766667, 1380, 18),
        (1.05, 4.166667, 1404, 10.8),
        (1.2, 23.333333, 1404, 10.8),
        (1.5, 61.666667, 1404, 10.8),
    ],
)
def test_the_instance_worked_out_by_hand(two_by_two, ratio, profit, energy, makespan):
    system = two_by_two(20, 10)
    bound = most_profit(system, Terms(1380 * ratio))
    assert bound.value == pytest.approx(profit, abs=1e-6)
    assert bound.runs == (makespan is not None)
    if bound.runs:
        assert energy_and_period(system, bound) == pytest.approx((energy, makespan))
        np.testing.assert_allclose(bound.placed.sum(axis=1), [6, 6])


@pytest.mark.parametrize(
    ("ratio", "profit"), [(0.9, 0), (1.01, 0.3), (1.2, 6), (1.5, 15), (2.0, 36.666667)]
)
def test_without_idle_power_there_is_no_loss(two_by_two, ratio, profit):
    bound = most_profit(two_by_two(), Terms(900 * ratio))
    assert bound.value == pytest.approx(profit, abs=1e-6)
    assert bound.runs == (ratio > 1)


@pytest.mark.parametrize(
    ("cap", "profit", "period"),
    [
        (30, -30, None),
        (40, -12.4, 60),
        (60, 9.0, 24),
        (100, 18.833333, 13.935484),
        (130, 23.333333, 10.8),
        (1e9, 23.333333, 10.8),
    ],
)
def test_power_caps_worked_out_by_hand(two_by_two, cap, profit, period):
    bound = most_profit(two_by_two(20, 10), Terms(1656.0, power_cap=cap))
    assert bound.value == pytest.approx(profit, abs=1e-6)
    assert bound.runs == (period is not None)
    if period:
        assert 1 / bound.rate == pytest.approx(period)
    if cap != 130:  # where it has just begun to matter
        assert (bound.cap_price > 0) == (cap < 130)


def test_a_cap_below_idle_power_is_refused(two_by_two):
    with pytest.raises(CapTooLow, match="30 W, above the cap of 20 W"):
        most_profit(two_by_two(20, 10), Terms(1656.0, power_cap=20))
    with pytest.raises(CapTooLow):
        most_profit(two_by_two(20, 10), Terms(1656.0, pue=1.5, power_cap=44))
    assert most_profit(two_by_two(20, 10), Terms(1656.0, pue=1.5, power_cap=46)).runs


@pytest.mark.parametrize(
    ("extensions", "profit"),
    [
        ({"overhead": 100}, 14.074074),
        ({"pue": 1.1}, 10.333333),
        ({"wear": (5, 1)}, 17.333333),
        ({"overhead": 100, "pue": 1.1, "wear": (5, 1), "depreciation": (1, 1)}, -2.555556),
    ],
)
def test_extensions_worked_out_by_hand(two_by_two, extensions, profit):
    bound = most_profit(two_by_two(20, 10), Terms(1656.0, **extensions))
    assert bound.value == pytest.approx(profit, abs=1e-6)
    assert 1 / bound.rate == pytest.approx(18 if "depreciation" in extensions else 10.8)


@pytest.mark.parametrize(
    ("idle", "ratio", "cap", "profit"),
    [
        (0.0, 1.01, np.inf, 150.496),
        (0.0, 1.2, np.inf, 3814.180),
        (0.0, 1.5, np.inf, 13043.856),
        (0.05, 0.8, np.inf, -2395.857),
        (0.05, 0.9, np.inf, -1971.287),
        (0.05, 0.95, np.inf, -1102.537),
        (0.05, 1.2, np.inf, 5880.455),
        (0.05, 1.5, 23e3, 11476.64),
        (0.05, 1.5, 16e3, 7341.85),
        (0.05, 1.5, 30e3, 14358.49),
    ],
)
def test_the_nine_environment_of_the_publication(hundredfold, idle, ratio, cap, profit):
    system = hundredfold.with_idle_fraction(idle)
    price = ratio_price(trace_front(system), ratio, 1.0)
    bound = most_profit(system, Terms(price, power_cap=cap))
    assert bound.value == pytest.approx(profit, abs=6e-3 if profit > 7000 else 6e-4)
    assert bound.runs == (ratio > 0.8)


@given(st.data())
def test_cvxpy_finds_the_same(any_terms, optimum_by_cvxpy, data):
    system = data.draw(systems(dyadic=True, with_apc=True))
    terms = data.draw(any_terms(system))
    bound = most_profit(system, terms)
    scale = bound.standing_costs + terms.price * bound.rate + 1
    assert bound.value == pytest.approx(optimum_by_cvxpy(system, terms), abs=1e-6 * scale)


@examples(10)
@given(st.data())
def test_cvxpy_accepts_the_same_tasks(any_terms, any_rewards, optimum_by_cvxpy, data):
    system = data.draw(systems(dyadic=True, with_apc=True))
    terms = data.draw(any_terms(system))
    rewards = data.draw(any_rewards(system))
    period = data.draw(st.floats(0.1, 100))
    bound = most_profit_of_part(system, terms, rewards, period)
    scale = bound.standing_costs + (terms.price + rewards @ system.task_counts) / period + 1
    expected = optimum_by_cvxpy(system, terms, rewards, period)
    assert bound.value == pytest.approx(expected, abs=1e-6 * scale)
    assert (bound.placed.sum(axis=1) <= system.task_counts * (1 + 1e-9)).all()


@examples(10)
@given(st.data())
def test_so_does_the_iteration_of_dinkelbach(any_terms, data):
    system = data.draw(systems(dyadic=True, with_apc=True))
    terms = data.draw(any_terms(system))
    bound = most_profit(system, terms)
    scale = bound.standing_costs + terms.price * bound.rate + 1
    profit = optimum_by_dinkelbach(system, terms) - terms.standing_costs(system)
    assert bound.value == pytest.approx(profit, abs=1e-6 * scale)


def optimum_by_dinkelbach(system, terms):
    """The most that a batch brings a second, by guessing it and looking for what brings more.

    Periods are as long as the machines and the cap need them to be.
    """
    task, machine = np.nonzero(system.can_run & (system.task_counts > 0)[:, None])
    cells = np.arange(len(task))
    costs = terms.task_costs(system)[task, machine]
    done = np.zeros((len(system.task_types), len(cells) + 1))
    done[task, cells] = 1.0
    limits = np.zeros((len(system.machine_types), len(cells) + 1))
    limits[machine, cells] = system.etc[task, machine]
    limits[:, -1] = -system.machine_counts
    if np.isfinite(terms.cap):
        draw = np.append(system.dynamic_energy[task, machine], -terms.spare_power(system))
        limits = np.vstack([limits, draw])
    guess = 0.0
    for _ in range(50):
        found = scipy.optimize.linprog(
            np.append(costs, guess),
            A_eq=done,
            b_eq=system.task_counts,
            A_ub=limits,
            b_ub=np.zeros(len(limits)),
        )
        if found.status == 2:  # nothing may draw more than idle machines
            return 0.0
        assert found.status == 0
        surplus = terms.revenue - found.fun
        if surplus <= 1e-9 * (abs(terms.revenue) + abs(costs) @ found.x[:-1]):
            return guess
        guess += surplus / found.x[-1]
    raise AssertionError("no end in 50 guesses")


@examples(30)
@given(st.data())
def test_no_schedule_of_any_system_earns_more(any_terms, data):
    schedule = data.draw(schedules(systems(with_apc=True)))
    terms = data.draw(any_terms(schedule.system))
    bound = most_profit(schedule.system, terms)
    assert earnings(schedule, terms).profit <= bound.value
    assert -terms.standing_costs(schedule.system) <= bound.value


@examples(12)
@given(st.data())
def test_prices_are_not_negative_and_what_is_placed_can_run(any_terms, data):
    system = data.draw(systems(with_apc=True))
    bound = most_profit(system, data.draw(any_terms(system)))
    assert (bound.machine_prices >= 0).all()
    assert bound.cap_price >= 0
    assert (bound.placed >= 0).all()
    assert not bound.placed[~system.can_run].any()
    if bound.runs:
        np.testing.assert_allclose(bound.placed.sum(axis=1), system.task_counts, rtol=1e-12)


def test_a_cap_of_just_what_idle_machines_draw_leaves_nothing_to_run(two_by_two):
    for price in (0.0, 1656.0, 1e9):
        bound = most_profit(two_by_two(20, 10), Terms(price, power_cap=30))
        assert not bound.runs
        assert bound.value == pytest.approx(-30, abs=1e-9 + 1e-12 * price)


def test_unless_work_draws_no_more_than_idleness(two_by_two):
    """B draws 30 W, idle or not."""
    bound = most_profit(two_by_two(0, 30), Terms(1656.0, power_cap=30))
    np.testing.assert_allclose(bound.placed, [[0, 6], [0, 6]], atol=1e-6)
    assert bound.value == pytest.approx(1656 / 30 - 30, rel=1e-6)


def test_what_brings_nothing_is_not_run(two_by_two):
    bound = most_profit(two_by_two(20, 10), Terms(0.0))
    assert not bound.runs
    assert bound.value == pytest.approx(-30)


def test_work_that_draws_less_than_idleness_pays_by_itself(two_by_two):
    """On B, 2 s save 120 J and 3 s 180 J, while A does the rest for nothing: so B is always busy.

    The overhead, next to nothing, must not be taken for the measure of all things.
    """
    system = two_by_two(100, 90)
    bound = most_profit(system, Terms(0.0, overhead=1e-7))
    assert bound.value == pytest.approx(-190 + 60, rel=1e-6)
    np.testing.assert_allclose(bound.machine_prices, [0, 60], atol=1e-4)


def test_what_costs_nothing_is_run_as_fast_as_can_be(hundredfold):
    bound = most_profit(hundredfold, Terms(1.0, energy_price=0.0))
    fastest = lower_bound(hundredfold, MAKESPAN).value
    assert bound.value == pytest.approx(1 / fastest)
    assert 1 / bound.rate == pytest.approx(fastest)


def test_power_must_be_known(two_by_two):
    system = two_by_two()
    unknown = type(system)(system.task_types, system.machine_types, system.etc)
    with pytest.raises(NoPowerData):
        most_profit(unknown, Terms(1.0))


def test_a_price_of_the_cap_is_what_a_watt_more_earns(two_by_two):
    system = two_by_two(20, 10)
    terms = {"price": 3000.0, "pue": 1.25}
    for at_machines in (False, True):
        here, beyond = (
            most_profit(system, Terms(**terms, power_cap=cap, cap_at_machines=at_machines))
            for cap in (115.0, 116.0)
        )
        assert here.cap_value > 0
        assert beyond.value - here.value == pytest.approx(here.cap_value, rel=1e-6)


@examples(12)
@given(st.data())
def test_and_never_less(any_terms, data):
    """Profit is concave in the cap."""
    system = data.draw(systems(dyadic=True, with_apc=True))
    terms = data.draw(any_terms(system))
    more = type(terms)(**{**fields(terms), "power_cap": terms.power_cap + 1})
    here, beyond = most_profit(system, terms), most_profit(system, more)
    scale = abs(here.value) + abs(beyond.value) + here.standing_costs + 1
    assert beyond.value <= here.value + here.cap_value + 1e-7 * scale


def fields(terms):
    return {name: getattr(terms, name) for name in Terms.__dataclass_fields__}


def test_high_rewards_and_enough_time_accept_everything(hundredfold):
    rewards = np.full(30, 1e9)
    period = 1.01 * lower_bound(hundredfold, MAKESPAN).value
    bound = most_profit_of_part(hundredfold, Terms(0.0), rewards, period)
    np.testing.assert_allclose(bound.placed.sum(axis=1), hundredfold.task_counts)


def test_what_pays_least_is_left_out(two_by_two):
    """In six seconds A runs all of type 1 and B two of type 2; type 1 pays more a second."""
    system = two_by_two()
    bound = most_profit_of_part(system, Terms(0.0, 0.0), np.array([10.0, 5.0]), 6.0)
    np.testing.assert_allclose(bound.placed, [[6, 0], [0, 2]], atol=1e-9)
    assert bound.value == pytest.approx(70 / 6)
