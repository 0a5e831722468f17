"""Schedules earn what is said, keep the cap, and never more than the bound; the regime is named."""

from dataclasses import replace

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.capabilities.profit.earn import earn, earnings
from core.capabilities.profit.program import CapTooLow, Regime, most_profit
from core.capabilities.profit.sweep import curve, price_steps
from core.capabilities.profit.terms import Terms, ratio_price
from core.engines.recover import assign, round_rows
from core.engines.recover.settling import settle
from core.engines.relaxed import trace_front
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


@given(st.data())
def test_no_schedule_is_said_to_draw_more_than_the_cap(any_terms, data):
    schedule = data.draw(schedules(systems(dyadic=True, with_apc=True)))
    system = schedule.system
    terms = data.draw(any_terms(system))
    earned = earnings(schedule, terms)
    assert earned.period >= schedule.makespan
    assert earned.power <= terms.power_cap * (1 + 1e-12)
    if np.isfinite(earned.period):
        at_site = 1.0 if terms.cap_at_machines else terms.pue
        assert earned.power * earned.period == pytest.approx(at_site * earned.energy)
        wear = np.array(terms.wear or (0.0,) * len(system.machine_types))
        age = np.array(terms.depreciation or (0.0,) * len(system.machine_types))
        spent = (
            terms.overhead
            + terms.energy_price * terms.pue * earned.energy
            + wear @ schedule.busy_seconds
            + age @ system.machine_counts * earned.period
        )
        scale = terms.price + spent
        assert earned.profit * earned.period == pytest.approx(
            terms.price - spent, abs=1e-9 * scale + 1e-12
        )


@pytest.mark.thorough
@examples(8)
@given(st.data())
def test_any_system_on_any_terms(any_terms, data):
    system = data.draw(systems(dyadic=True, with_apc=True))
    terms = data.draw(any_terms(system))
    profit = earn(system, terms, effort=Effort(0.02))
    assert profit.verified
    assert profit.idle_profit <= profit.value <= profit.most <= profit.bound.value
    assert profit.gap == pytest.approx(profit.most - profit.value)
    assert (profit.regime is Regime.DOES_NOT_RUN) == (not profit.bound.runs)
    if profit.earnings:
        assert np.isfinite(profit.earnings.period)
        assert profit.earnings.power <= terms.power_cap * (1 + 1e-9)
        assert profit.earnings.profit == earnings(profit.earnings.schedule, terms).profit


@pytest.mark.parametrize("seconds", [0.0, 0.1])
def test_extreme_systems_come_to_an_end(extreme, seconds):
    profit = earn(extreme, Terms(1e15), effort=Effort(seconds))
    assert profit.verified
    assert profit.value <= profit.bound.value


@pytest.fixture
def extreme(two_by_two):
    return two_by_two().with_counts(np.array([10**12, 1]), np.array([10**6, 1]))


@pytest.mark.parametrize(
    ("ratio", "cap", "regime", "on_front"),
    [
        (1.2, np.inf, Regime.RUNS_ON_FRONT, True),
        (1.2, 100, Regime.RUNS_ON_FRONT, True),
        (0.9, np.inf, Regime.RUNS_ON_FRONT, True),
        (1.2, 60, Regime.RUNS_OFF_FRONT, False),
        (0.5, np.inf, Regime.RUNS_OFF_FRONT, False),
        (1.2, 40, Regime.THROTTLED, False),
        (0.3, np.inf, Regime.DOES_NOT_RUN, False),
        (1.2, 30, Regime.DOES_NOT_RUN, False),
    ],
)
def test_regimes_worked_out_by_hand(two, ratio, cap, regime, on_front):
    profit = earn(two, Terms(1380 * ratio, power_cap=cap), effort=Effort(0))
    assert (profit.regime, profit.on_front) == (regime, on_front)
    assert (profit.earnings is None) == (regime is Regime.DOES_NOT_RUN)


def test_depreciation_goes_on_with_machines_switched_off(two):
    profit = earn(two, Terms(1656.0, depreciation=(20.0, 5.0)), effort=Effort(0))
    assert profit.off_profit == -25
    assert profit.value == pytest.approx(256 / 12 - 25)
    assert profit.loses
    assert not profit.better_switched_off


def test_the_recovered_schedule_of_the_publication_breaks_the_cap_and_ours_does_not(hundredfold):
    system = hundredfold.with_idle_fraction(0.05)
    terms = Terms(ratio_price(trace_front(system), 1.5, 1.0), power_cap=16e3)
    bound = most_profit(system, terms)
    published = assign(system, round_rows(bound.placed, system.task_counts))
    assert published.energy / published.makespan > 16e3
    profit = earn(system, terms, effort=Effort(0))
    assert profit.regime is Regime.THROTTLED
    assert profit.bound_period == pytest.approx(118.847 * 60, rel=1e-5)
    assert profit.earnings.power <= 16e3 * (1 + 1e-12)
    assert 0 < profit.gap < 0.01 * profit.value


def test_off_the_front_with_a_profit(hundredfold):
    system = hundredfold.with_idle_fraction(0.05)
    terms = Terms(ratio_price(trace_front(system), 1.5, 1.0), power_cap=23e3)
    profit = earn(system, terms, effort=Effort(0))
    assert profit.regime is Regime.RUNS_OFF_FRONT
    assert not profit.loses
    assert profit.bound_energy == pytest.approx(111.039e6, rel=1e-5)
    assert profit.bound_period == pytest.approx(80.463 * 60, rel=1e-5)


def test_polish_earns_more(two):
    system, terms = two, Terms(1656.0)
    plain, polished = (earn(system, terms, effort=Effort(seconds)) for seconds in (0, 0.1))
    assert plain.value == pytest.approx(256 / 12)
    assert polished.value >= plain.value
    # The best of all whole schedules, by enumeration.
    whole = [
        earnings(assign(system, np.array([[a, 6 - a], [b, 6 - b]])), terms).profit
        for a in range(7)
        for b in range(7)
    ]
    assert polished.value == pytest.approx(max(whole))


@pytest.mark.thorough
@pytest.mark.parametrize("cap", [np.inf, 100.0])
def test_progress_tells_every_phase_and_never_too_high_a_profit(hundredfold, cap):
    system = hundredfold.with_idle_fraction(0.05)
    price = ratio_price(trace_front(system), 1.5, 1.0)
    terms = Terms(price, power_cap=cap * system.total_idle_power)
    told = []

    def told_enough():
        return sum(each.phase == "polish" for each in told) >= 20

    profit = earn(
        system,
        terms,
        effort=Effort(seconds=600, threads=2),
        should_stop=told_enough,
        report=told.append,
    )
    phases = list(dict.fromkeys(each.phase for each in told))
    assert phases == ["bound", "recover", "polish", "verify"]
    polish = [each for each in told if each.phase == "polish"]
    assert {each.allowed for each in polish} == {600}
    assert all(each.spent > 0 for each in polish)
    assert max(each.profit for each in polish) <= profit.value * (1 + 1e-9)
    assert told[-1].profit == profit.value


def test_a_machine_more_earns_its_value_while_the_basis_stays(hundredfold):
    """As it does where it is one of 4,000."""
    system = hundredfold.with_counts(
        hundredfold.task_counts * 100, hundredfold.machine_counts * 100
    ).with_idle_fraction(0.05)
    price = ratio_price(trace_front(system), 1.5, 1.0)
    for cap in (np.inf, 2.3e6):
        terms = Terms(price, depreciation=(0.5,) * 9, power_cap=cap)
        here = earn(system, terms, effort=Effort(0))
        for kind in range(9):
            earned = most_profit(with_one_more(system, kind), terms).value - here.bound.value
            assert earned == pytest.approx(here.machine_values[kind], rel=1e-4, abs=1e-3)


@examples(5)
@given(st.data())
def test_a_machine_more_never_earns_more_than_its_value(any_terms, data):
    """Profit is concave in the number of machines, those not there yet included."""
    system = data.draw(systems(dyadic=True, with_apc=True))
    terms = data.draw(any_terms(system))
    kind = data.draw(st.integers(0, len(system.machine_types) - 1))
    here = earn(system, terms, effort=Effort(0))
    try:
        more = most_profit(with_one_more(system, kind), terms)
    except CapTooLow:
        assert system.idle_power[kind] > 0
        return
    scale = abs(here.bound.value) + abs(more.value) + more.standing_costs + 1
    value = here.machine_values[kind]
    assert more.value - here.bound.value <= value + 1e-7 * (scale + abs(value))


def test_costs_next_to_nothing_are_no_measure_of_others():
    """No float says how many times as much a task costs on A as on B, where it runs for nothing."""
    system = System(
        (TaskType("T", 1),),
        (MachineType("A", 1), MachineType("B", 1)),
        np.array([[1.0, 1.0]]),
        np.array([[0.0, 0.0]]),
    )
    profit = earn(system, Terms(2.0, 0.0, wear=(1.0, 2e-309)), effort=Effort(0))
    assert profit.most == pytest.approx(2)
    assert profit.verified


def with_one_more(system, kind):
    machines = system.machine_counts.copy()
    machines[kind] += 1
    return system.with_counts(system.task_counts, machines)


@pytest.mark.thorough
def test_work_that_is_counted_gives_the_same_again():
    nine = load_sample("nine").with_idle_fraction(0.1)
    terms = Terms(price=1000.0, energy_price=1e-7)
    once, again = (earn(nine, terms, effort=Effort(seconds=0, work=0.2)) for _ in range(2))
    assert once.seconds["polish"] > 0
    np.testing.assert_array_equal(once.earnings.schedule.tasks, again.earnings.schedule.tasks)
    assert once.value == again.value > earn(nine, terms, effort=Effort(0)).value


@pytest.mark.thorough
@pytest.mark.parametrize("cap", [np.inf, 3.2e12])
@pytest.mark.parametrize("tasks", [3, 3000])
def test_prices_far_beyond_all_usual_ones_change_no_answer(cap, tasks):
    """Of idle powers of 1e11 W and more; money counted in billions changes all amounts alike."""
    system = System(
        (TaskType("T1", tasks), TaskType("T2", 2)),
        (MachineType("A", 2, 1e12), MachineType("B", 1, 1e11)),
        np.array([[3.0, 5.0], [7.0, 4.0]]),
        np.array([[9e11, 3e11], [1e12, 5e11]]),
    )
    terms = Terms(4e13 * tasks, 1.0, power_cap=cap)
    usual, dear = (
        earn(
            system,
            replace(terms, price=terms.price * unit, energy_price=unit),
            effort=Effort(seconds=0, work=0.05),
        )
        for unit in (1.0, 2.0**40)
    )
    assert usual.verified
    assert dear.verified
    assert usual.earnings is not None
    assert dear.value / 2.0**40 == pytest.approx(usual.value, rel=1e-9)
    assert dear.most / 2.0**40 == pytest.approx(usual.most, rel=1e-9)
    assert usual.value <= usual.most
    steps, many = (
        price_steps(system, terms),
        price_steps(system, replace(terms, energy_price=2.0**40)),
    )
    np.testing.assert_allclose(many.costs / 2.0**40, steps.costs, rtol=1e-9)
    front = trace_front(system)
    ends = (terms.price / 2, terms.price * 2)
    one = curve(system, terms, front, ends)
    other = curve(
        system, replace(terms, energy_price=2.0**40), front, (ends[0] * 2.0**40, ends[1] * 2.0**40)
    )
    np.testing.assert_allclose(other.on_front / 2.0**40, one.on_front, rtol=1e-6)
    np.testing.assert_allclose(other.at_most / 2.0**40, one.at_most, rtol=1e-6)


def test_a_cancel_is_passed_on(two, monkeypatch):
    """Energy and money are settled, and both may take long."""
    told = []

    def stop():
        return False

    def settling(system, should_stop):
        told.append(should_stop)
        return settle(system)

    monkeypatch.setattr("core.capabilities.profit.earn.settle", settling)
    earn(two, Terms(1656.0), effort=Effort(work=0.01), should_stop=stop)
    assert told == [stop, stop]
