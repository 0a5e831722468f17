"""What is accepted runs in time and within the cap, and is worth nearly what the bound says."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.capabilities.profit.accept import accept
from core.capabilities.profit.program import CapTooLow
from core.capabilities.profit.terms import Terms
from core.engines.relaxed import MAKESPAN, lower_bound


def test_the_best_of_all_choices_of_whole_tasks(two_by_two):
    """Six seconds; A has room for six of type 1, B for two of type 2: both have none to spare."""
    answer = accept(two_by_two(), Terms(0.0, 0.0), np.array([10.0, 5.0]), 6.0)
    assert answer.accepted.tolist() == [6, 2]
    assert answer.profit == pytest.approx(70 / 6)
    assert answer.gap == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("period", [0.5, 1.0, 2.5, 5.0, 7.0, 11.0, 40.0])
@pytest.mark.parametrize("cap", [np.inf, 90.0, 45.0, 30.0])
def test_little_is_lost_against_the_best_choice(two_by_two, period, cap):
    """Against all placements of all numbers of tasks, one task at most."""
    system, rewards = two_by_two(20, 10), np.array([300.0, 350.0])
    answer = accept(system, Terms(0.0, power_cap=cap), rewards, period)
    gains = rewards[:, None] - system.dynamic_energy
    best = max(
        ((np.array(placed).reshape(2, 2) * gains).sum() / period - 30)
        for placed in itertools.product(range(7), repeat=4)
        if (np.array(placed).reshape(2, 2).sum(axis=1) <= 6).all()
        and ((np.array(placed).reshape(2, 2) * system.etc).sum(axis=0) <= period).all()
        and (np.array(placed).reshape(2, 2) * system.dynamic_energy).sum() <= (cap - 30) * period
    )
    assert best - gains.max() / period <= answer.profit <= best + 1e-9
    assert best <= answer.bound.value


@examples(15)
@given(st.data())
def test_it_is_verified_and_never_better_than_the_bound(any_terms, any_rewards, data):
    system = data.draw(systems(with_apc=True, max_count=30))
    terms = data.draw(any_terms(system))
    rewards = data.draw(any_rewards(system, most=1e12))
    period = data.draw(st.floats(1e-3, 1e6))
    answer = accept(system, terms, rewards, period)
    assert answer.verified
    assert answer.profit <= answer.bound.value
    assert (answer.accepted <= system.task_counts).all()
    assert answer.power <= terms.cap * (1 + 1e-9)
    if answer.schedule is None:
        assert not answer.accepted.any()
        assert answer.power == system.total_idle_power
        return
    schedule = answer.schedule
    assert (schedule.system.task_counts == answer.accepted).all()
    assert schedule.makespan <= period * (1 + 1e-9)
    waiting = system.total_idle_power * (period - schedule.makespan)
    assert answer.power * period == pytest.approx(schedule.energy + waiting)


@pytest.mark.parametrize("share", [0.3, 0.7, 1.2])
@pytest.mark.parametrize("cap", [np.inf, 25e3])
def test_with_many_tasks_little_is_lost(hundredfold, share, cap):
    rng = np.random.default_rng(5)
    joules = hundredfold.dynamic_energy.mean(axis=1)
    rewards = joules * rng.uniform(0.5, 3, len(joules))
    period = share * lower_bound(hundredfold, MAKESPAN).value
    answer = accept(hundredfold, Terms(0.0, power_cap=cap), rewards, period)
    assert answer.verified
    assert answer.gap < 0.04 * answer.bound.value


def test_a_trillion_tasks(two_by_two):
    system = two_by_two(20, 10).with_counts(np.array([10**12, 10**12]), np.array([10**5, 10**5]))
    answer = accept(system, Terms(0.0), np.array([300.0, 350.0]), 6e6)
    assert answer.verified
    assert answer.gap < 1e-6 * answer.bound.value


def test_what_costs_more_than_it_brings_is_refused(two_by_two):
    """Type 1 takes at least 40 J above idle power, type 2 60."""
    answer = accept(two_by_two(20, 10), Terms(0.0), np.array([41.0, 59.0]), 100.0)
    assert answer.accepted.tolist() == [6, 0]
    assert answer.profit == pytest.approx(6 / 100 - 30)


def test_nothing_is_accepted_where_nothing_fits(two_by_two):
    answer = accept(two_by_two(20, 10), Terms(0.0), np.array([1e3, 1e3]), 0.9)
    assert answer.schedule is None
    assert (answer.profit, answer.power) == (pytest.approx(-30), 30)
    assert answer.verified


def test_enough_time_and_high_rewards_accept_everything(hundredfold):
    period = 1.1 * lower_bound(hundredfold, MAKESPAN).value
    answer = accept(hundredfold, Terms(0.0), np.full(30, 1e9), period)
    assert (answer.accepted == hundredfold.task_counts).all()


def test_a_cap_below_idle_power_is_refused(two_by_two):
    with pytest.raises(CapTooLow):
        accept(two_by_two(20, 10), Terms(0.0, power_cap=29), np.array([1.0, 1.0]), 10.0)


def test_a_gap_is_never_below_nothing(two_by_two):
    answer = accept(two_by_two(20, 10), Terms(0.0), np.array([300.0, 350.0]), 1.0)
    assert replace(answer, profit=answer.bound.value - 3).gap == pytest.approx(3)
    assert replace(answer, profit=answer.bound.value + 3).gap == 0


def test_as_many_are_accepted_as_the_cap_lets_run(two_by_two):
    """Of 210 J above idle power one task on A takes 80, and three on B take 40 each."""
    answer = accept(two_by_two(20, 10), Terms(0.0, power_cap=60.0), np.array([300.0, 350.0]), 7.0)
    assert answer.accepted.tolist() == [4, 0]
    assert answer.profit == pytest.approx((4 * 300 - 200) / 7 - 30)
    assert answer.power == pytest.approx(30 + 200 / 7)
