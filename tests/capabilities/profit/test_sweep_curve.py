"""The steps say, for every price at once, what the linear program says for one."""

import math
from dataclasses import replace

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.capabilities.profit.earn import earnings
from core.capabilities.profit.program import most_profit
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.sweep import PriceSteps, curve, price_range, price_steps
from core.capabilities.profit.terms import Terms, ratio_price
from core.engines.relaxed import trace_front
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.prices.site import Site
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System


def test_steps_worked_out_by_hand(two):
    steps = price_steps(two, Terms(0.0))
    np.testing.assert_allclose(steps.revenue / 1380, [0.434783, 0.869565, 1.043478], atol=1e-6)
    np.testing.assert_allclose(steps.makespan, [30, 18, 10.8])
    np.testing.assert_allclose(steps.joules, [1500, 1380, 1404])
    assert steps.break_even == pytest.approx(1380)
    assert steps.thriftiest_from == pytest.approx(1200)
    assert steps.fastest_from == pytest.approx(1440)


def test_a_step_begins_at_its_revenue():
    revenue, costs, makespan = np.array([1.0, 2.0]), np.array([1.0, 0.0]), np.array([2.0, 1.0])
    steps = PriceSteps(revenue, costs, makespan, np.ones(2), 0.5, exact=True, capped_break_even=1.0)
    found = steps.most_profit(np.array([0.9, 1.0, 1.5, 2.0, 3.0]))
    assert found.tolist() == [-0.5, -0.5, -0.25, 1.5, 2.5]


def test_without_idle_power_the_first_step_breaks_even(two_by_two):
    steps = price_steps(two_by_two(), Terms(0.0))
    np.testing.assert_allclose(steps.revenue / 900, [1, 5 / 3, 2])
    assert steps.break_even == pytest.approx(900)
    assert steps.thriftiest_from == steps.break_even
    slowly = price_steps(two_by_two(), Terms(0.0, power_cap=1.0))
    assert slowly.capped_break_even == pytest.approx(900), "waiting costs nothing"


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


@examples(6)
@given(st.data())
def test_the_program_agrees_at_any_price(any_terms, data):
    system = data.draw(systems(dyadic=True, with_apc=True))
    terms = data.draw(any_terms(system))
    uncapped = {"energy_price", "pue", "overhead", "wear", "depreciation"}
    terms = Terms(0.0, **{name: getattr(terms, name) for name in uncapped})
    steps = price_steps(system, terms)
    assert (np.diff(steps.revenue) >= 0).all()
    assert (np.diff(steps.makespan) < 0).all()
    top = 2 * abs(steps.revenue[-1]) + 1
    prices = np.append(np.linspace(0, top, 5), np.maximum(steps.revenue + terms.overhead, 0))
    profits = steps.most_profit(prices - terms.overhead)
    for price, profit in zip(prices, profits, strict=True):
        priced = Terms(float(price), **{name: getattr(terms, name) for name in uncapped})
        bound = most_profit(system, priced)
        scale = price / steps.makespan[-1] + bound.standing_costs + abs(bound.value) + 1
        assert profit <= bound.value + 1e-7 * scale
        if steps.exact:
            assert profit == pytest.approx(bound.value, abs=1e-7 * scale)


def one_task(etc, apc, counts, idle):
    kinds = zip("ABC", counts, idle, strict=True)
    machines = tuple(MachineType(*kind) for kind in kinds)
    return System((TaskType("T", 1),), machines, np.array([etc]), np.array([apc]))


def test_schedules_that_save_more_than_a_batch_brings_are_steps_whichever_solver_finds_the_front():
    """The simplex finds the front to within 2e-9, so another solver finds it anew; A saves 4 J."""
    system = one_task([4.0, 5.0, 11.0], [0.0, 0.0, 1.0], [1, 2, 3], [1.0, 0.0, 1.0])
    terms = Terms(99.6, energy_price=0.3, overhead=100.0, wear=(0.0, 0.0, 100.0))
    steps = price_steps(system, terms)
    assert steps.exact
    np.testing.assert_allclose(steps.makespan, [4, 20 / 13, 1 / (1 / 4 + 2 / 5 + 3 / 11)])
    assert steps.most_profit(np.array([-0.4])) == pytest.approx(most_profit(system, terms).value)


def test_a_curve_is_not_below_what_can_be_earned_where_the_front_is_not_exact():
    """A and C together cost next to nothing beside B, and the front lacks them."""
    system = one_task([1.0, 7.0, 6.0], [1.0, 0.0, 0.0], [3, 1, 3], [1.0, 1.0, 1.0])
    terms = Terms(0.0, overhead=100.0, wear=(1e-12, 100.0, 1.0))
    assert not price_steps(system, terms).exact
    drawn = curve(system, terms, trace_front(system), (120.0, 140.0))
    on_a = Schedule(system, [0, 0, 1, 2], [1, 2, 1, 3], [[1], [0], [0], [0]])
    earned = [earnings(on_a, replace(terms, price=price)).profit for price in drawn.prices]
    assert (drawn.at_most >= earned).all()
    np.testing.assert_allclose(drawn.at_most, earned)


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


def test_the_break_even_price_is_where_the_best_profit_is_none(hundredfold):
    terms = {"energy_price": 1e-3, "pue": 1.2, "wear": (0.1,) * 9, "depreciation": (0.2,) * 9}
    steps = price_steps(hundredfold, Terms(0.0, **terms))
    bound = most_profit(hundredfold, Terms(steps.break_even, **terms))
    assert bound.value == pytest.approx(0, abs=1e-8 * steps.break_even)
    assert steps.capped_break_even == steps.break_even


@pytest.mark.parametrize("over_idle", [0.05, 0.5, 2.0, 1e5])
def test_the_break_even_price_under_a_cap_is_where_the_best_profit_is_none(hundredfold, over_idle):
    front = trace_front(hundredfold)
    idle, least = hundredfold.total_idle_power, float((front.energy / front.makespan).min())
    cap = idle + over_idle * (least - idle)
    terms = Terms(0.0, 1e-3, 1.2, 7.0, (0.1,) * 9, (0.2,) * 9, cap, cap_at_machines=True)
    steps = price_steps(hundredfold, terms)
    even = steps.capped_break_even
    assert even > steps.break_even * (1 - 1e-9)
    assert (even > steps.break_even * 1.001) == (over_idle < 10)
    profits = [
        most_profit(hundredfold, replace(terms, price=share * even + 7)).value
        for share in (0.99, 1.0, 1.01)
    ]
    assert profits[0] < 0 < profits[2]
    assert profits[1] == pytest.approx(0, abs=1e-6 * profits[2])


def test_where_no_schedule_keeps_the_cap_no_price_breaks_even(hundredfold):
    terms = Terms(0.0, power_cap=0.5 * hundredfold.total_idle_power)
    assert price_steps(hundredfold, terms).capped_break_even == math.inf


@pytest.mark.parametrize("cap", [None, 0.3])
def test_the_curve_is_the_program_at_every_price(testbed, testbed_front, cap):
    wear = tuple((machine.name, 1e-3) for machine in testbed.machine_types)
    settings = ProfitSettings(site=Site(cap_kw=cap), overhead=1e-3, wear=wear)
    terms, unit = settings.terms(testbed_front), settings.unit_price(testbed_front)
    found = curve(testbed, terms, testbed_front, price_range(unit, terms.price))
    assert found.prices[[0, -1]] == pytest.approx([0.3 * unit, 3.0 * unit])
    for k in range(0, len(found.prices), len(found.prices) // 6):
        at = most_profit(testbed, replace(terms, price=float(found.prices[k])))
        assert found.at_most[k] == pytest.approx(at.value, rel=1e-6, abs=1e-12)
    loose = 1e-9 * np.abs(found.at_most).max()
    assert (found.on_front <= found.at_most + loose).all()


def along(system, terms, ends):
    return curve(system, terms, trace_front(system), ends)


def best_of(points, prices):
    """Money a second of the best of these costs and seconds of a batch."""
    return np.max([(prices - cost) / seconds for cost, seconds in points], axis=0)


def test_every_price_without_a_cap(two):
    """At a joule's price of 2, with an overhead of 100, standing costs of 60 + 5."""
    terms = Terms(1.0, 2.0, overhead=100.0, depreciation=(2.0, 3.0))
    found = along(two, terms, (1000.0, 4000.0))
    steps = [2 * 600 + 100, 2 * 1200 + 100, 2 * 1440 + 100]
    expected = np.union1d(np.linspace(1000, 4000, 271), steps)
    assert found.prices == pytest.approx(expected)
    prices = found.prices
    front = [(2 * 840 + 100, 18.0), (2 * 1080 + 100, 10.8)]
    most = np.maximum(best_of([*front, (2 * 600 + 100, 30.0)], prices), 0.0) - 65
    assert found.at_most == pytest.approx(most)
    assert found.on_front == pytest.approx(best_of(front, prices) - 65)
    assert found.steps.break_even == pytest.approx(2 * 840 + 65 * 18)


def test_steps_beyond_the_ends_are_left_out(two):
    found = along(two, Terms(1.0), (600.0, 1200.0))
    assert len(found.prices) == 271
    assert found.prices[[0, -1]].tolist() == [600, 1200]
    wider = along(two, Terms(1.0), (599.0, 1201.0))
    assert len(wider.prices) == 273


def test_a_cap_cuts_the_front(two):
    """Between 1,380 J in 18 s and 1,404 J in 10.8 s lies what draws 100 W."""
    found = along(two, Terms(1.0, power_cap=100.0), (1300.0, 2000.0))
    assert found.prices == pytest.approx(np.linspace(1300, 2000, 28))
    way = 420 / (420 + 324)
    cut = (840 + way * 240, 18 - way * 7.2)
    assert found.on_front == pytest.approx(best_of([(840, 18.0), cut], found.prices) - 30)
    assert found.at_most == pytest.approx(found.on_front)


def test_a_cap_cuts_the_front_where_other_schedules_cost_less(two):
    """B wears out, which is busy throughout; from 1,600 to 4,100 the cut is the best of the front,
    and A alone is better.
    """
    terms = Terms(1.0, wear=(0.0, 100.0), power_cap=100.0)
    found = along(two, terms, (1700.0, 4000.0))
    way = 420 / (420 + 324)
    cut = (2640 + way * (2160 - 2640), 18 - way * 7.2)
    assert found.on_front == pytest.approx(best_of([cut], found.prices) - 30)
    assert (found.on_front < found.at_most - 0.5).all()


@pytest.mark.parametrize("cap", [130 * (1 + 1e-12), 200.0])
def test_a_cap_that_all_keep_cuts_nothing(two, cap):
    found = along(two, Terms(1.0, power_cap=cap), (1300.0, 2000.0))
    front = [(840, 18.0), (1080, 10.8)]
    assert found.on_front == pytest.approx(best_of(front, found.prices) - 30)


def test_the_first_of_the_front_may_be_all_that_keeps_the_cap(two):
    found = along(two, Terms(1.0, power_cap=1380 / 18 * (1 + 1e-12)), (1300.0, 2000.0))
    assert found.on_front == pytest.approx(best_of([(840, 18.0)], found.prices) - 30)


def test_a_cap_that_nothing_of_the_front_keeps(two):
    found = along(two, Terms(1.0, power_cap=76.0), (1300.0, 2000.0))
    assert np.isnan(found.on_front).all()
    assert np.isfinite(found.at_most).all()


@pytest.mark.parametrize(
    ("price", "ends"), [(2.0, (0.6, 6.0)), (0.5, (0.5, 6.0)), (7.0, (0.6, 7.0)), (0.0, (0.0, 6.0))]
)
def test_prices_reach_from_low_to_high_ratios_and_to_the_price_that_there_is(price, ends):
    assert price_range(2.0, price) == pytest.approx(ends)
