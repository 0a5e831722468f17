"""Whole tasks prove a makespan that no schedule gets below, and all of it where tasks are equal."""

import math

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from tiny import all_points, tiny_systems

from core.engines.relaxed import MAKESPAN, lower_bound, soonest, trace_front, whole
from core.engines.relaxed.whole import (
    _Needed,
    _sets,
    _thresholds,
    _too_short,
    are_few,
    few_task_steps,
)
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


def alike(tasks, machines, seconds):
    return System(
        (TaskType("task", tasks),),
        tuple(MachineType(str(j), machines) for j in range(len(seconds))),
        np.array([seconds]),
    )


@given(tiny_systems())
@examples(12)
def test_no_schedule_is_faster(system):
    divisible = lower_bound(system, MAKESPAN).value
    assert divisible <= soonest(system, divisible) <= all_points(system)[:, 1].min()


@pytest.mark.parametrize(("tasks", "machines"), [(1, 1), (1, 1000), (7, 3), (1001, 10), (10**6, 7)])
def test_equal_tasks_on_equal_machines_are_settled(tasks, machines):
    system = alike(tasks, machines, (10 / 3,))
    found = soonest(system, lower_bound(system, MAKESPAN).value)
    assert found <= math.ceil(tasks / machines) * (10 / 3) <= found * (1 + 1e-11)


def test_unlike_machines_run_as_many_as_fit():
    # Within 9 s three and two machines run 3 x 2 + 3 x 1 tasks of 4 and 9 s, before that 3 x 2.
    system = alike(7, 3, (4.0, 9.0))
    assert soonest(system, lower_bound(system, MAKESPAN).value) == pytest.approx(9.0)


def test_long_tasks_of_several_types_share_machines():
    system = System(
        tuple(TaskType(str(i), 1) for i in range(3)),
        (MachineType("machine", 2),),
        np.array([[10.0], [10.0], [9.0]]),
    )
    # Two of the three are on one machine, each as long as the shortest at least.
    assert soonest(system, 14.5) == pytest.approx(18.0)


def test_where_whole_tasks_prove_no_more_it_is_what_it_was():
    system = alike(6, 3, (4.0,))
    assert soonest(system, 8.0) == 8.0


def test_the_longest_of_several_sets_counts():
    """On one machine two tasks of 10 s take 20 s, three of 4 s 12 s, and all at least 5 x 4 s."""
    system = System(
        (TaskType("long", 2), TaskType("short", 3)),
        (MachineType("machine"), MachineType("none", 0)),
        np.array([[10.0, 1.0], [4.0, 1.0]]),
    )
    assert soonest(system, 5.0) == pytest.approx(20.0, rel=1e-11)
    assert soonest(alike(3, 1, (4.0,)), 1.0) == pytest.approx(12.0, rel=1e-11)


def test_sets_are_the_tasks_of_each_type_and_of_the_longest_types_together():
    system = System(
        tuple(TaskType(name, n) for name, n in (("a", 2), ("none", 0), ("b", 1), ("c", 4))),
        (MachineType("A", 3), MachineType("B"), MachineType("none", 0)),
        np.array([[5.0, 6.0, 1.0], [9.0, 9.0, 9.0], [8.0, np.inf, 1.0], [np.inf, 3.0, 1.0]]),
    )
    times, tasks = _sets(system)
    a, b, c = [5, 6, np.inf], [8, np.inf, np.inf], [np.inf, 3, np.inf]
    assert times.tolist() == [a, b, c, b, a, [5, 3, np.inf]]
    assert tasks.tolist() == [2, 1, 4, 1, 3, 7]


def test_of_types_as_long_as_each_other_the_first_come_first():
    counts = np.arange(1, 41)
    system = System(
        tuple(TaskType(str(n), n) for n in counts.tolist()),
        (MachineType("machine"),),
        np.ones((40, 1)),
    )
    assert _sets(system)[1].tolist() == [*counts.tolist(), *np.cumsum(counts).tolist()]


@pytest.mark.parametrize(
    ("seconds", "short"),
    [(5.9, True), (6 * (1 - 2e-12), True), (6 * (1 - 5e-13), False), (6, False)],
)
def test_two_machines_run_two_tasks_of_3_s_each_in_6_s_but_for_rounding(seconds, short):
    found = _too_short(alike(4, 2, (3.0,)), np.array([[3.0]]), np.array([4.0]), seconds)
    assert found.tolist() == [short]


def system_of(tasks, fast, thrifty):
    """Fast machines take 2 s and 50 J a task, thrifty ones 3 s and 15 J; idle they draw nothing."""
    return System(
        (TaskType("T", tasks), TaskType("none", 0)),
        (MachineType("fast", fast), MachineType("thrifty", thrifty)),
        np.array([[2.0, 3.0], [1.0, 1.0]]),
        np.array([[25.0, 5.0], [1.0, 1.0]]),
    )


@pytest.mark.parametrize(("tasks", "few"), [(29, True), (30, True), (31, False)])
def test_few_are_ten_tasks_a_machine_at_most(tasks, few):
    assert are_few(system_of(tasks, 1, 2)) is few


def test_steps_begin_where_some_machine_can_run_a_task_more():
    """Five tasks: on a fast machine one to five, on each of two thrifty ones up to three."""
    front = trace_front(system_of(5, 1, 2))
    found = _thresholds(front, 0.5, 400)
    # A type of which there are none has no steps; as rounding may be, each begins a little sooner.
    expected = np.array([2, 3, 4, 6, 8, 9, 10])
    assert found[0] == 0.5
    np.testing.assert_allclose(found[1:], expected, rtol=1e-11)
    assert (found[1:] < expected).all()
    # Those before the first makespan that a schedule may have are none, nor is that itself.
    assert len(_thresholds(front, 3.0, 400)) == len(expected[expected > 3]) + 1
    assert _thresholds(front, found[2], 400).tolist() == [found[2], *found[3:]]


@pytest.mark.parametrize(("most", "left"), [(8, 8), (7, 7), (3, 3), (2, 2)])
def test_of_very_many_steps_some_are_tried_evenly(most, left):
    front = trace_front(system_of(5, 1, 2))
    every = _thresholds(front, 0.5, 400)
    assert len(every) == 8
    some = _thresholds(front, 0.5, most)
    assert len(some) == left
    # With fewer than five multiples, one to four tasks a machine are looked at.
    if most >= 5:
        assert some[[0, -1]].tolist() == every[[0, -1]].tolist()
        assert set(some.tolist()) <= set(every.tolist())
    assert _thresholds(front, 0.5, 3).tolist() == pytest.approx([0.5, 3.0, 9.0])


def test_what_is_needed_within_makespans_by_hand():
    """Five tasks. Before 2 s none is done, before 3 s one; up to 4 s the thrifty ones run one each
    and the fast one as well, up to 6 s two: too few. Up to 8 s three, and one each: five.
    """
    needed = _Needed(trace_front(system_of(5, 1, 2)))
    ends = np.array([2.0, 4.0, 5.9, 6.0, 8.0, 8.9, 9.0, 15.0])
    free = needed.at_prices(ends, np.zeros((len(ends), 2)))
    # With 3 s a task: in 6 s four tasks at 15 J and one at 50 J, in 9 s all five at 15 J.
    expected = [np.inf, np.inf, np.inf, 110, 110, 110, 75, 75]
    np.testing.assert_allclose(free, expected, rtol=1e-11)
    assert (free[3:] < expected[3:]).all()
    # Priced, what machines are worth within the makespan comes back: nothing is gained at 6 s, if
    # a thrifty second is 5 J and a fast one 1 J. Four tasks cost 30 J, one 52 J, 11 J a second.
    priced = needed.at_prices(np.array([6.0, 9.0]), np.array([[1.0, 5.0], [0.0, 0.0]]))
    np.testing.assert_allclose(priced, [4 * 30 + 52 - 6 * 11, 75], rtol=1e-11)
    assert (priced < [106, 75]).all()
    # A millionth of a millionth of all amounts counts against it.
    allowed = 1e-12 * np.array([172 + 66, 75])
    np.testing.assert_allclose(priced, [106, 75] - allowed, rtol=1e-13)


def test_machine_seconds_that_cost_little_are_charged_as_well():
    """On both types a second costs 0.25 J: 4 x 15.75 J and 50.5 J, less 0.75 J in each of 6 s."""
    needed = _Needed(trace_front(system_of(5, 1, 2)))
    found = needed.at_prices(np.array([6.0]), np.array([[0.25, 0.25]]))
    np.testing.assert_allclose(found, [4 * 15.75 + 50.5 - 4.5], rtol=1e-11)


def test_all_machine_types_may_be_needed():
    system = System(
        (TaskType("T", 3), TaskType("none", 0)),
        tuple(MachineType(name) for name in "ABC"),
        np.array([[2.0, 2.0, 2.0], [np.inf, 1.0, 1.0]]),
        np.array([[5.0, 10.0, 15.0], [np.nan, 1.0, 1.0]]),
    )
    needed = _Needed(trace_front(system))
    found = needed.at_prices(np.array([1.9, 2.0, 4.0, 6.0]), np.zeros((4, 3)))
    np.testing.assert_allclose(found, [np.inf, 60, 40, 30], rtol=1e-11)


def test_no_makespan_is_too_long_where_machines_are_free():
    needed = _Needed(trace_front(system_of(5, 1, 2)))
    found = needed.at_prices(np.array([np.inf]), np.zeros((1, 2)))
    assert found.tolist() == pytest.approx([75.0])
    within = needed.within(np.array([6.0, np.inf]))
    assert within[0] >= 110 * (1 - 1e-11)
    assert within[1] == pytest.approx(75.0)


def test_the_prices_are_those_of_the_line_that_proves_most_at_a_makespan(two_by_two):
    front = trace_front(two_by_two())
    needed = _Needed(front)
    assert len(needed.lines) == len(front.lines) - 1
    # Between 30 s and 18 s a second is worth 20 J, between 18 s and 10.8 s 264 J in 7.2 s.
    for seconds, line in ((29.0, 1), (18.5, 1), (17.5, 2), (11.0, 2), (31.0, 0)):
        prices = needed.line_prices(np.array([seconds]))
        assert prices.tolist() == [front.lines.machine_prices[line].tolist()]


def test_what_cannot_run_is_neither_fast_nor_cheap():
    system = System(
        (TaskType("T", 2), TaskType("U", 1)),
        (MachineType("A"), MachineType("B", 2)),
        np.array([[2.0, np.inf], [1.0, 4.0]]),
        np.array([[10.0, np.nan], [7.0, 5.0]]),
    )
    needed = _Needed(trace_front(system))
    ends = np.array([1.0, 3.9, 4.0, 5.0])
    found = needed.at_prices(ends, np.zeros((4, 2)))
    # T twice on A is 40 J in 4 s; U is 7 J on A.
    np.testing.assert_allclose(found, [np.inf, np.inf, 47, 47], rtol=1e-11)


def test_the_steps_hold_each_until_the_next():
    system = system_of(5, 1, 2)
    front = trace_front(system)
    steps = few_task_steps(front, 5.5)
    # Before 6 s there is no schedule at all.
    assert steps.begins[0] == pytest.approx(6.0)
    found = dict(zip(np.round(steps.begins, 6).tolist(), steps.joules.tolist(), strict=True))
    assert found[6.0] == pytest.approx(110.0)
    assert found[9.0] == pytest.approx(75.0)


def test_where_tasks_are_many_or_systems_large_nothing_is_tried(monkeypatch):
    few, many = (trace_front(system_of(tasks, 1, 2)) for tasks in (30, 31))
    assert len(few_task_steps(few, 1.0).begins) > 2
    assert len(few_task_steps(many, 1.0).begins) <= 2
    # Four numbers a step: two steps are the fewest that are worth it.
    asked = []

    def thresholds(_front, soonest, most):
        asked.append(most)
        return np.array([soonest])

    monkeypatch.setattr(whole, "_thresholds", thresholds)
    for most in (7, 8, 9, 12):
        monkeypatch.setattr(whole, "MOST_NUMBERS", most)
        few_task_steps(few, 1.0)
    monkeypatch.setattr(whole, "MOST_NUMBERS", 10**9)
    few_task_steps(few, 1.0)
    assert asked == [2, 2, 3, 400]


@given(tiny_systems())
@examples(25)
def test_no_schedule_gets_below(system):
    front = trace_front(system)
    points = all_points(system)
    steps = few_task_steps(front, float(points[:, 1].min()))
    idle = system.total_idle_power
    for joules, seconds in points.tolist():
        at = int(np.searchsorted(steps.begins, seconds * (1 + 1e-12), side="right")) - 1
        assert joules - idle * seconds >= steps.joules[at] - 1e-9 * (1 + abs(joules))


def test_where_types_share_machines_the_line_proves_more_than_whole_tasks(two_by_two):
    """On B each type alone has room for all of it within 18 s, for 900 J; the front has 1140 J."""
    needed = _Needed(trace_front(two_by_two()))
    ends = np.array([18.0, np.inf])
    assert needed.at_prices(ends, np.zeros((2, 2))).tolist() == pytest.approx([900, 900])
    assert needed.within(ends).tolist() == pytest.approx([1140, 900])
