"""A sweep is what the program says at each value, and nothing where idle machines break the cap."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from bags import one_type
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from tiny import all_points, tiny_systems

from core.capabilities.profit.accept import accept
from core.capabilities.profit.earn import earn
from core.capabilities.profit.program import CapTooLow, most_profit
from core.capabilities.profit.proof import money_at_cap
from core.capabilities.profit.sweep import curve, most_at_prices, most_of, most_swept, sweep
from core.capabilities.profit.terms import Terms
from core.engines.recover.settling import settle
from core.engines.relaxed import trace_front
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort


def test_prices_worked_out_by_hand(two):
    ratios = {0.3: -30, 0.8: -13.2, 1.0: 0, 1.5: 61.666667}
    bounds = sweep(two, Terms(0.0), "price", [1380 * ratio for ratio in ratios])
    assert [bound.value for bound in bounds] == pytest.approx(list(ratios.values()), abs=1e-6)


def test_caps_below_idle_power_are_no_bounds(two):
    bounds = sweep(two, Terms(1656.0), "power cap", [20, 30, 60, 200])
    assert bounds[0] is None
    assert [bound.value for bound in bounds[1:]] == pytest.approx([-30, 9, 23.333333], abs=1e-6)


def test_idle_power_is_a_share_of_the_mean(two_by_two):
    half, none = sweep(two_by_two(20, 10), Terms(1656.0), "idle power", [0.5, 0.0])
    assert half.standing_costs == pytest.approx(65)
    assert none.standing_costs == 0
    with pytest.raises(ValueError, match="is not"):
        sweep(two_by_two(), Terms(1.0), "idle power", [1.5])


def test_energy_prices(two):
    system, terms = two, Terms(1656.0)
    bounds = sweep(system, terms, "energy price", [0.0, 0.5, 2.0])
    for bound, price in zip(bounds, [0.0, 0.5, 2.0], strict=True):
        assert bound.value == most_profit(system, replace(terms, energy_price=price)).value


def test_what_whole_tasks_earn_at_most_is_swept():
    """A task of 10 s and 100 W on ten machines of 50 idle watts, which in parts would take 1 s."""
    system = one_type(50.0, 100.0, tasks=1, machines=10)
    terms = Terms(1500.0)
    for quantity, values, expected in (
        ("price", [1500.0, 2500.0], [100 - 500, 200 - 500]),
        ("energy price", [1.0, 2.0], [100 - 500, 50 - 1000]),
        ("power cap", [499.0, 900.0], [np.nan, 100 - 500]),
        ("idle power", [0.5, 1.0], [100 - 500, 150 - 1000]),
    ):
        np.testing.assert_allclose(most_swept(system, terms, quantity, values), expected)


def most_earned(system, points, price, cap):
    """Money a second of the best of these schedules, run again and again at a price of 1 a joule,
    each beginning when most is earned; minus infinity if none keeps the cap.
    """
    idle = system.total_idle_power
    best = -np.inf if cap < idle * (1 - 1e-9) else -idle
    for energy, makespan in points:
        above_idle = energy - idle * makespan
        # A wait adds idle power, so the average moves from the schedule's own towards that.
        periods = [makespan]
        if np.isfinite(cap) and cap != idle:
            periods.append(above_idle / (cap - idle))
        for period in periods:
            spent = above_idle + idle * period
            if period >= makespan * (1 - 1e-9) and spent <= cap * period * (1 + 1e-9):
                best = max(best, (price - spent) / period)
    return best


@given(tiny_systems(), st.floats(0.2, 2.0), st.floats(0.0, 1.0) | st.floats(0.9, 1.5), st.data())
@examples(24)
def test_a_cap_that_a_schedule_keeps_is_kept(system, ratio, share, data):
    points = all_points(system)
    watts = points[:, 0] / points[:, 1]
    low, high = watts.min(), max(watts.max(), system.total_idle_power)
    cap = data.draw(
        st.sampled_from([float(low), float(low + share * (high - low)), 0.9 * low, np.inf])
    )
    price = ratio * float(points[:, 0].min())
    best = most_earned(system, points, price, cap)
    terms = Terms(price, power_cap=cap)
    if best == -np.inf:
        with pytest.raises(CapTooLow):
            earn(system, terms, effort=Effort(0))
        return
    profit = earn(system, terms, effort=Effort(0))
    size = 1e-7 * (1 + abs(best) + system.total_idle_power)
    assert profit.verified
    assert best <= profit.most + size
    assert profit.value <= best + size
    if cap < system.total_idle_power * (1 - 1e-9):
        # Only work keeps it, so all schedules were considered.
        assert profit.earnings.power <= cap * (1 + 1e-9)
        assert profit.value == pytest.approx(best, abs=size)


def test_where_work_draws_less_than_idle_a_cap_below_idle_power_is_kept():
    # Two of three machines work: 2 x 10 W + 30 W.
    system = one_type(idle=30.0, watts=10.0, machines=3)
    assert earn(system, Terms(1e4, power_cap=50.0), effort=Effort(0)).value == pytest.approx(950.0)
    with pytest.raises(CapTooLow, match=r"at least 49\.99 W, above the cap of 49\.9 W"):
        earn(system, Terms(1e4, power_cap=49.9), effort=Effort(0))


def test_a_cap_of_what_is_drawn_but_for_rounding_is_kept():
    system = one_type(idle=15.0, watts=15.0)
    for cap in (np.nextafter(15.0, 0), 15.0, np.nextafter(15.0, 20)):
        assert earn(system, Terms(1e4, power_cap=float(cap)), effort=Effort(0)).earnings is not None
    third = one_type(idle=0.1, watts=0.3, machines=3)
    drawn = third.total_idle_power
    assert earn(third, Terms(0.0, power_cap=drawn * (1 - 1e-15)), effort=Effort(0)).idle_profit < 0


def test_what_is_accepted_may_be_what_keeps_the_cap():
    system = one_type(idle=30.0, watts=10.0)
    part = accept(system, Terms(0.0, power_cap=25.0), np.array([0.0]), 40.0)
    assert part.verified
    assert part.power <= 25.0
    with pytest.raises(CapTooLow):
        accept(system, Terms(0.0, power_cap=15.0), np.array([0.0]), 40.0)


def test_a_refusal_says_the_same_in_another_process():
    for proven in (True, False):
        refusal = CapTooLow(Terms(1.0, power_cap=20.0), 30.0, proven=proven)
        again = pickle.loads(pickle.dumps(refusal))  # noqa: S301
        assert str(again) == str(refusal)
        assert (again.least, again.proven) == (30.0, proven)


@pytest.mark.parametrize("cap", [np.inf, 8_000.0])
def test_curve_and_sweeps_say_no_more_than_whole_tasks_may_earn(cap):
    """One task of 10 s and 100 W on 100 machines of 50 W; divisible it would take 0.1 s."""
    system = one_type(50.0, 100.0, tasks=1, machines=100)
    terms = Terms(1_500.0, power_cap=cap)
    profit = earn(system, terms, effort=Effort(0))
    # Each 10 s the task brings 1,500 and costs 500 above the 5,000 W that all machines draw.
    assert profit.most == pytest.approx(100 - 5_000)
    assert profit.bound.value > 0
    along = curve(system, terms, trace_front(system), (500.0, 2_500.0))
    np.testing.assert_allclose(along.at_most, (along.prices - 500) / 10 - 5_000, rtol=1e-9)
    assert not (along.on_front > along.at_most).any()
    assert (along.on_front == along.at_most).all() == np.isinf(cap)
    (swept,) = most_swept(system, terms, "energy price", [2.0])
    assert swept == pytest.approx((1_500 - 2 * 500) / 10 - 2 * 5_000)
    capped = most_swept(system, terms, "power cap", [4_000.0, 9_000.0])
    assert np.isnan(capped[0])
    assert capped[1] == pytest.approx(100 - 5_000)


def test_of_many_tasks_the_divisible_bound_is_as_good():
    nine = load_sample("nine").with_idle_fraction(0.1)
    terms = Terms(2e8)
    (bound,) = sweep(nine, terms, "price", [2e8])
    assert most_swept(nine, terms, "price", [2e8]) == [bound.value]


def test_where_tasks_are_many_each_price_keeps_its_divisible_bound():
    divisible, prices = np.array([1.0, 2.0]), np.array([5.0, 6.0])
    system = load_sample("nine")
    assert most_at_prices(divisible, prices, system, Terms(1.0)) is divisible


def test_all_schedules_prove_more_than_tasks_in_parts(two):
    system, terms = two, Terms(1656.0)
    bound = most_profit(system, terms)
    by_money = settle(money_at_cap(system, terms, bound.cap_price).system)
    assert most_of(bound, system) == pytest.approx(252 / 10.8)
    assert most_of(bound, system, by_money) == pytest.approx(256 / 12)
