"""What is accepted runs in time and within the cap, and is worth nearly what the bound says."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.capabilities.profit.accept import _Group, _Order, accept
from core.capabilities.profit.program import CapTooLow
from core.capabilities.profit.terms import Terms
from core.engines.relaxed import MAKESPAN, lower_bound
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


@pytest.mark.parametrize("period", [0.5, 1.0, 2.5, 5.0, 7.0, 11.0, 40.0])
@pytest.mark.parametrize("cap", [np.inf, 90.0, 45.0, 30.0])
def test_little_is_lost_against_the_best_choice(two, period, cap):
    """Against all placements of all numbers of tasks, one task at most."""
    system, rewards = two, np.array([300.0, 350.0])
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


@examples(6)
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


@pytest.mark.parametrize(
    ("idle", "cap", "accepted"), [(1.6e6, np.inf, 1), (1.6e6, 8e6 + 0.008, 1), (0.0, 0.0, 0)]
)
def test_a_task_that_draws_next_to_nothing_is_accepted_unless_nothing_may_be_drawn(
    idle, cap, accepted
):
    """No float is as large as a quotient by its joules, be it of money or of joules to spare."""
    system = System(
        (TaskType("T", 1),),
        (MachineType("idle", 5, idle), MachineType("frugal", 1)),
        np.array([[np.inf, 1.0]]),
        np.array([[np.nan, 2e-311]]),
    )
    answer = accept(system, Terms(0.0, 0.0, power_cap=cap), np.array([1.0]), 1.0)
    assert answer.accepted.tolist() == [accepted]
    assert (answer.profit, answer.verified) == (accepted, True)


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


def test_a_trillion_tasks(two):
    system = two.with_counts(np.array([10**12, 10**12]), np.array([10**5, 10**5]))
    answer = accept(system, Terms(0.0), np.array([300.0, 350.0]), 6e6)
    assert answer.verified
    assert answer.gap < 1e-6 * answer.bound.value


def test_a_cap_below_idle_power_is_refused(two):
    with pytest.raises(CapTooLow):
        accept(two, Terms(0.0, power_cap=29), np.array([1.0, 1.0]), 10.0)


def test_a_gap_is_never_below_nothing(two):
    answer = accept(two, Terms(0.0), np.array([300.0, 350.0]), 1.0)
    assert replace(answer, profit=answer.bound.value - 3).gap == pytest.approx(3)
    assert replace(answer, profit=answer.bound.value + 3).gap == 0


def test_as_many_are_accepted_as_the_cap_lets_run(two):
    """Of 210 J above idle power one task on A takes 80, and three on B take 40 each."""
    answer = accept(two, Terms(0.0, power_cap=60.0), np.array([300.0, 350.0]), 7.0)
    assert answer.accepted.tolist() == [4, 0]
    assert answer.profit == pytest.approx((4 * 300 - 200) / 7 - 30)
    assert answer.power == pytest.approx(30 + 200 / 7)


def order(system, *, cap=np.inf, period=10.0, rewards=(300.0, 350.0), cap_price=0.0):
    return _Order(system, Terms(0.0, power_cap=cap), np.array(rewards), period, cap_price)


def shown(groups):
    """What machines of each type run, how many of them, and how long."""
    return [(g.kind, g.machines, g.tasks.tolist(), pytest.approx(g.load)) for g in groups]


def group(kind, tasks, load, machines=1):
    return _Group(kind, machines, np.array(tasks), load)


def test_what_tasks_earn_by_hand():
    """On A 80 and 160 J above idle power, on B 40 J; nothing on C, of which there are none."""
    system = System(
        (TaskType("1", 6), TaskType("2", 6)),
        (MachineType("A", 1, 20.0), MachineType("B", 1, 10.0), MachineType("C", 0)),
        np.array([[1.0, 2.0, 1.0], [2.0, np.inf, 1.0]]),
        np.array([[100.0, 30.0, 1.0], [100.0, np.nan, 1.0]]),
    )
    found = order(system, cap=60.0, cap_price=0.5)
    assert found.money.tolist() == [[220, 260, -np.inf], [190, -np.inf, -np.inf]]
    assert found.worth.tolist() == [[180, 240, -np.inf], [110, -np.inf, -np.inf]]
    assert found.density.tolist() == [[180, 120, -np.inf], [55, -np.inf, -np.inf]]
    assert found.joules == 300
    assert 10 < found.limit < 10 * (1 + 2e-12)


@pytest.mark.parametrize(
    ("joules", "kept"),
    [
        # 480 J are 2 x 80 + 40 on A and B, and 160 + 2 x 60. For a joule they earn 2.75, 6.5, 1.2
        # and 4.8, and are given back in that order, from the least on.
        (480.0, [[2, 1], [1, 2]]),
        (480 * (1 - 5e-13), [[2, 1], [1, 2]]),
        (480 * (1 - 1e-11), [[2, 1], [0, 2]]),
        (320.0, [[2, 1], [0, 2]]),
        (319.0, [[1, 1], [0, 2]]),
        (239.0, [[0, 1], [0, 2]]),
        (120.0, [[0, 1], [0, 1]]),
        (10.0, [[0, 0], [0, 0]]),
        (0.0, [[0, 0], [0, 0]]),
    ],
)
def test_what_earns_least_for_a_joule_is_given_back_first(two, joules, kept):
    chosen = order(two, cap=30 + joules / 10)
    assert chosen.within_cap(np.array([[2, 1], [1, 2]])).tolist() == kept


@pytest.mark.parametrize(
    ("idle", "placed", "joules", "kept"),
    [
        # Tasks on A draw as much as an idle machine, or less.
        (100.0, [[6, 4], [0, 0]], 1.0, [[6, 2], [0, 0]]),
        (130.0, [[1, 40], [0, 0]], -11.0, [[1, 38], [0, 0]]),
    ],
)
def test_tasks_that_draw_no_more_than_idle_machines_are_kept(
    two_by_two, idle, placed, joules, kept
):
    """Those on B draw half a joule each."""
    system = two_by_two(idle, 29.75)
    chosen = order(system, cap=idle + 29.75 + joules / 16, period=16.0)
    assert chosen.within_cap(np.array(placed)).tolist() == kept


@pytest.mark.parametrize(
    ("period", "on_a", "on_b"),
    [
        # Three tasks of 1 s and two of 2 s on A. A second earns 220 with the first, 95 with these.
        (7.0, [3, 2], [1, 0]),
        (6.5, [3, 1], [1, 0]),
        (5.0, [3, 1], [1, 0]),
        (4.5, [3, 0], [1, 0]),
        (2.0, [2, 0], [1, 0]),
        (0.5, [0, 0], [0, 0]),
    ],
)
def test_what_ends_late_gives_back_what_earns_least_a_second(two, period, on_a, on_b):
    chosen = order(two, period=period)
    groups = chosen.on_time(np.array([[3, 1], [2, 0]]))
    loads = [on_a[0] + 2 * on_a[1], 2 * on_b[0]]
    assert shown(groups) == [(0, 1, on_a, loads[0]), (1, 1, on_b, loads[1])]


def test_where_nothing_is_placed_all_machines_are_empty(two_by_two):
    system = two_by_two().with_counts(np.array([6, 6]), np.array([3, 0]))
    nothing = np.zeros((2, 2), np.int64)
    assert shown(order(system).on_time(nothing)) == [(0, 3, [0, 0], 0)]


@pytest.mark.parametrize(
    ("idle", "limits", "on_a", "on_b"),
    [
        # A second earns 220 with task 1 on A, 130 on B; with task 2 97 on B, 95 on A.
        ((20.0, 10.0), {"period": 7.0}, [6, 0], [0, 2]),
        ((20.0, 10.0), {"period": 8.5}, [6, 1], [0, 2]),
        # 210 J are two tasks at 80 J and one at 40 J; 160 J are two, but for rounding.
        ((20.0, 10.0), {"period": 7.0, "cap": 60.0}, [2, 0], [1, 0]),
        ((20.0, 10.0), {"period": 8.0, "cap": 50.0}, [2, 0], [0, 0]),
        ((20.0, 10.0), {"period": 8.0, "cap": 30.0}, [0, 0], [0, 0]),
        # What costs as much as it brings is not worth it; what brings half a unit more, is.
        ((20.0, 10.0), {"rewards": (40.0, 60.5)}, [0, 0], [0, 3]),
        ((20.0, 10.0), {"rewards": (300.0, 350.0), "cap_price": 7.0}, [0, 0], [0, 0]),
        # On A tasks draw as much as idle machines; or 30 and 60 J less, which others may draw.
        ((100.0, 10.0), {"period": 4.0, "cap": 130.0}, [4, 0], [2, 0]),
        ((130.0, 10.0), {"period": 4.0, "cap": 140.0}, [4, 0], [2, 0]),
        ((110.0, 10.0), {"period": 4.0, "cap": 120.0}, [4, 0], [1, 0]),
    ],
)
def test_free_time_takes_what_earns_most_a_second(two_by_two, idle, limits, on_a, on_b):
    chosen = order(two_by_two(*idle), **limits)
    groups = chosen.filled(iter([group(0, [0, 0], 0.0), group(1, [0, 0], 0.0)]))
    loads = [on_a[0] + 2 * on_a[1], 2 * on_b[0] + 3 * on_b[1]]
    assert shown(groups) == [(0, 1, on_a, loads[0]), (1, 1, on_b, loads[1])]


def test_what_is_placed_already_is_not_taken_again(two):
    """Of 300 J three tasks 1 on A have 240; the next on A would take 80, one on B takes 40."""
    chosen = order(two, cap=60.0)
    groups = chosen.filled(iter([group(0, [3, 0], 3.0), group(1, [0, 0], 0.0)]))
    assert shown(groups) == [(0, 1, [3, 0], 3), (1, 1, [1, 0], 2)]
    chosen = order(two)
    groups = chosen.filled(iter([group(0, [5, 0], 5.0), group(1, [0, 3], 9.0)]))
    assert shown(groups) == [(0, 1, [6, 2], 10), (1, 1, [0, 3], 9)]


@pytest.mark.parametrize(
    ("number", "load", "given", "left"),
    [
        # In 2.5 s each of three machines runs two tasks of 1 s.
        (0, 0.0, [(3, [0, 1], 0.0)], 0),
        (1, 0.0, [(1, [1, 1], 1.0), (2, [0, 1], 0.0)], 0),
        (3, 0.0, [(3, [1, 1], 1.0)], 0),
        (5, 0.0, [(2, [2, 1], 2.0), (1, [1, 1], 1.0)], 0),
        (7, 0.0, [(3, [2, 1], 2.0)], 1),
        (7, 0.9, [(3, [1, 1], 1.9)], 4),
        (7, 1.5, [(3, [1, 1], 2.5)], 4),
        (7, 3.0, [(3, [0, 1], 3.0)], 7),
    ],
)
def test_tasks_are_spread_over_the_machines_of_a_group(two_by_two, number, load, given, left):
    chosen = order(two_by_two(), period=2.5)
    groups, rest = chosen._hand_out([group(0, [0, 1], load, machines=3)], 0, number)
    assert [(machines, tasks, time) for _, machines, tasks, time in shown(groups)] == given
    assert rest == left


@pytest.mark.parametrize(
    ("cap", "tasks"),
    [
        # In 10 s a task of 3 s and 50 W less than idling is run three times: 55 W on average.
        (100.0, [3]),
        (55.0, [3]),
        (54.0, None),
    ],
)
def test_a_cap_that_only_divisible_tasks_keep_is_too_low(cap, tasks):
    system = System(
        (TaskType("T", 9),), (MachineType("M", 1, 100.0),), np.array([[3.0]]), np.array([[50.0]])
    )
    terms = Terms(0.0, power_cap=cap)
    if tasks is not None:
        assert accept(system, terms, np.array([1000.0]), 10.0).accepted.tolist() == tasks
        return
    with pytest.raises(CapTooLow) as raised:
        accept(system, terms, np.array([1000.0]), 10.0)
    assert raised.value.terms is terms
    assert raised.value.least == pytest.approx(55.0)
    assert not raised.value.proven
