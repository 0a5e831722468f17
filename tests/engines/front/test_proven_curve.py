"""Every question about what is possible has the answer that a curve drawn by hand gives."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from core.engines.front.proven import Proven, above, raised, share_above
from core.engines.recover.settling import Settled
from core.engines.relaxed import ENERGY, MAKESPAN, lower_bound, trace_front
from core.engines.relaxed.certificate import Lines
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.plane.boundaries import distinct
from core.vocabulary.plane.points import Steps
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

SOME_MAKESPANS = np.random.default_rng(1).uniform(1, 100, 200).tolist()


@pytest.fixture(scope="module")
def falling(two_by_two):
    """Idle machines draw nothing. From 11 s on it is 1,400 J, from 13 s on 1,800 J - 110/3 W T down
    to 1,250 J at 15 s, from 16 s on that line again down to 1,140 J at 18 s, then 1,500 J - 20 W T
    down to 900 J at 30 s, which is the slowest schedule, too.
    """
    steps = Steps(np.array([11.0, 13.0, 16.0]), np.array([1400.0, 1250.0, -np.inf]))
    return Proven(trace_front(two_by_two()), steps)


@pytest.fixture(scope="module")
def rising(two_by_two):
    """Idle machines draw 30 W. From 1,405 J at 11 s it rises by 30 W, from 1,395 J at 14 s again;
    from 16 s on it is 1,440 J - 10/3 W T down to 1,380 J at 18 s, then it rises by 10 W to 1,500 J
    at 30 s, which is the slowest schedule, too.
    """
    steps = Steps(np.array([11.0, 14.0, 16.0]), np.array([1075.0, 975.0, -np.inf]))
    return Proven(trace_front(two_by_two(20, 10)), steps)


def settled(two_by_two, rounding):
    """As if 1,400 J in 12 s, 1,390 J in 15 s and 1,380 J in 18 s were the best of all."""
    system = two_by_two(20, 10)
    ways = tuple(
        Schedule(system, np.arange(2), np.ones(2, np.int64), np.array(tasks))
        for tasks in ([[6, 2], [0, 4]], [[6, 1], [0, 5]], [[6, 0], [0, 6]])
    )
    assert [(way.energy, way.makespan) for way in ways] == [(1400, 12), (1390, 15), (1380, 18)]
    return Proven(trace_front(system), Steps.none_before(10.8), Settled(ways, rounding))


def lines_of(front, *lines):
    """As if these were the lines of a front: (watts by which it falls, joules in no time)."""
    rates, values = np.array(lines).T
    weights = np.vstack([np.column_stack([np.ones(len(lines)), rates]), [[0.0, 1.0]]])
    these = Lines(weights, np.append(values, 1.0), np.zeros((len(weights), 2)))
    return replace(front, lines=these, slower_lines=these.chosen(slice(0, 0)))


def answers(ask, questions):
    return [float(ask(question)) for question in questions]  # type: ignore[arg-type]


def corners(proven, most, longest):
    """Of its boundary up to so many joules and seconds, without those that only rounding parts."""
    return distinct(proven.boundary(np.array([most, longest], float)).round(9))


def test_both_ends(falling, rising):
    ends = [
        (each.soonest, each.latest, each.thriftiest, each.least_power) for each in (falling, rising)
    ]
    assert ends[0] == pytest.approx((11, 30, 900, 30))
    assert ends[1] == pytest.approx((11, 30, 1380, 50))
    assert 30 < falling.latest <= 30 * (1 + 2e-12)


def test_the_least_energy_of_each_deadline(falling, rising):
    assert falling.least_energy([10.999, 11, 12.9]).tolist() == pytest.approx([np.inf, 1400, 1400])
    assert falling.least_energy([13, 14]) == pytest.approx([1800 - 1430 / 3, 1800 - 1540 / 3])
    assert falling.least_energy([15, 15.9, 16]) == pytest.approx([1250, 1250, 1800 - 1760 / 3])
    assert falling.least_energy([18, 24, 30, 100]) == pytest.approx([1140, 1020, 900, 900])
    # Slower schedules that take more count for nothing.
    assert rising.least_energy([10.999, 11, 13]).tolist() == pytest.approx([np.inf, 1405, 1405])
    assert rising.least_energy([14, 15.9, 16]) == pytest.approx([1395, 1395, 1440 - 160 / 3])
    assert rising.least_energy([17, 18, 24, 99]) == pytest.approx([1440 - 170 / 3, *[1380] * 3])
    assert float(falling.least_energy(14)) == falling.least_energy(np.array([14.0]))[0]


def test_what_each_makespan_needs_above_idle_power(falling, rising):
    makespans = np.array([10.999, 11, 12.9, 13, 14, 15.9, 16, 18, 24, 30])
    assert rising.above_idle(makespans) == pytest.approx(
        [np.inf, 1075, 1075, 1075, 975, 975, 1440 - 1600 / 3, 840, 720, 600]
    )
    assert falling.above_idle(makespans[1:]) == pytest.approx(falling.least_energy(makespans[1:]))


def test_the_least_makespan_of_each_energy_budget(falling, rising):
    budgets = [1500, 1400, 1399, 1300, 1250, 1249, 1200, 1140, 1020, 900, 899.9]
    assert falling.least_makespan(budgets) == pytest.approx(
        [11, 11, 13, 1500 / 110, 15, 16, 1800 / 110, 18, 24, 30, np.inf]
    )
    budgets = [1500, 1405, 1404, 1395, 1394, 1387, 1383, 1380, 1379]
    assert rising.least_makespan(budgets) == pytest.approx(
        [11, 11, 14, 14, 16, 16, 17.1, 18, np.inf]
    )


def test_the_least_makespan_at_each_power(falling, rising):
    watts = [200, 1401 / 11, 120, 105, 100, 80, 50, 30.0001, 29.9]
    assert answers(falling.least_makespan_at_power, watts) == pytest.approx(
        [11, 11, 35 / 3, 13, 1800 / (100 + 110 / 3), 15.625, 150 / 7, 30, np.inf], rel=1e-5
    )
    watts = [200, 110, 105, 100, 95, 90, 80, 60, 50.0001, 49.9]
    assert answers(rising.least_makespan_at_power, watts) == pytest.approx(
        [11, 1075 / 80, 14, 14, 15, 16, 17.28, 24, 30, np.inf], rel=1e-5
    )


def test_the_least_of_energy_and_time_together(falling, rising):
    rates = [0.0, 5.0, 25.0, 50.0, 100.0]
    assert answers(falling.least_weighed, rates) == pytest.approx([900, 1050, 1590, 1950, 2500])
    assert answers(rising.least_weighed, rates) == pytest.approx([1380, 1460, 1680, 1955, 2505])


def test_the_most_that_is_gained_a_second(falling, rising):
    amounts = [2000.0, 1100.0, 1000.0, 900.0, 500.0]
    assert answers(falling.most_a_second, amounts) == pytest.approx(
        [600 / 11, 20 / 3, 10 / 3, 0, 0], abs=1e-9
    )
    assert answers(rising.most_a_second, amounts) == pytest.approx(
        [925 / 11, 50 / 3, 40 / 3, 10, 0], abs=1e-9
    )


def test_small_amounts_have_the_same_answers(falling, two_by_two):
    """All powers a millionth, all times a hundredth: neither is above 1 W or 1 s."""
    system = two_by_two()
    assert system.apc is not None
    steps = Steps(falling.steps.begins / 100, falling.steps.joules / 1e8)
    small = Proven(trace_front(replace(system, etc=system.etc / 100, apc=system.apc / 1e6)), steps)
    makespans = np.array([11.0, 12, 13, 14, 15, 16, 17, 20, 30])
    joules = falling.least_energy(makespans)
    assert small.least_energy(makespans / 100) * 1e8 == pytest.approx(joules)
    assert small.above_idle(makespans / 100) * 1e8 == pytest.approx(joules)
    assert small.least_makespan(joules / 1e8) * 100 == pytest.approx(falling.least_makespan(joules))
    for watts in (120.0, 100.0, 80.0, 50.0):
        expected = falling.least_makespan_at_power(watts)
        assert small.least_makespan_at_power(watts / 1e6) * 100 == pytest.approx(expected)
    box = np.array([1390, 20])
    assert small.boundary(box * [1e-8, 1e-2]) * [1e8, 1e2] == pytest.approx(falling.boundary(box))
    assert small.energy_gaps(np.array([[1540e-8, 0.11]])) == pytest.approx([0.1])
    # Nothing else is known of it: no schedule is as slow as a second.
    assert Proven.of(small.front).soonest == pytest.approx(0.108)


def test_gaps_are_shares_of_what_is_proven_at_the_same_place(falling):
    points = np.array([[1540.0, 11.0], [1250.0, 18.0], [1400.0, 12.0]])
    assert falling.energy_gaps(points) == pytest.approx([0.1, 1250 / 1140 - 1, 0])
    assert falling.time_gaps(points) == pytest.approx([0, 0.2, 12 / 11 - 1])


@pytest.mark.parametrize(
    ("most", "longest", "expected"),
    [
        (1500, 14, [(1286 + 2 / 3, 14), (1323 + 1 / 3, 13), (1400, 13), (1400, 11), (1500, 11)]),
        (1300, 16, [(1213 + 1 / 3, 16), (1250, 16), (1250, 15), (1300, 150 / 11)]),
        (1390, 13, [(1323 + 1 / 3, 13), (1390, 13)]),
        (1249, 17, [(1800 - 1870 / 3, 17), (1213 + 1 / 3, 16), (1249, 16)]),
        (1500, 12, [(1400, 12), (1400, 11), (1500, 11)]),
        (1500, 11, [(1400, 11), (1500, 11)]),
        (1010, 25, [(1000, 25), (1010, 24.5)]),
        (1500, 10.999, []),
        (1399, 12, []),
        (999, 25, []),
    ],
)
def test_the_boundary_within_a_box(falling, most, longest, expected):
    boundary = corners(falling, most, longest)
    assert boundary.shape == (len(expected), 2)
    assert boundary == pytest.approx(np.array(expected).reshape(-1, 2))


@pytest.mark.parametrize(
    ("most", "longest", "expected"),
    [
        (
            1450,
            20,
            [
                (1380, 20),
                (1380, 18),
                (1386 + 2 / 3, 16),
                (1395, 16),
                (1395, 14),
                (1405, 14),
                (1405, 11),
                (1450, 11),
            ],
        ),
        (1400, 13.9, []),
        (1381, 17.9, [(1380 + 1 / 3, 17.9), (1381, 17.7)]),
    ],
)
def test_a_boundary_does_not_rise_where_the_curve_does(rising, most, longest, expected):
    boundary = corners(rising, most, longest)
    assert boundary.shape == (len(expected), 2)
    assert boundary == pytest.approx(np.array(expected).reshape(-1, 2))


def test_a_boundary_follows_a_line_down_to_where_a_step_is_above_it(two_by_two):
    front = trace_front(two_by_two(20, 10))
    steps = Steps(np.array([10.0, 14.0]), np.array([1000.0, -np.inf]))
    proven = Proven(lines_of(front, (200.0, 4200.0)), steps)
    # 4,200 J - 200 W T meets 1,000 J + 30 W T.
    meets = 3200 / 230
    level = 1000 + 30 * meets
    assert proven.least_energy([13, meets, 13.99, 14]) == pytest.approx([1600, level, level, 1400])
    expected = [(1200, 15), (1400, 14), (level, 14), (level, meets), (1800, 12)]
    assert corners(proven, 1800, 15) == pytest.approx(np.array(expected))


def test_lines_that_others_hide_change_nothing(two_by_two):
    front = trace_front(two_by_two())
    makespans = np.linspace(1.0, 20.0, 39)
    for rates, values in (
        ([10.0, 5.0, 4.0, 4.0, 2.0, 0.0], [100.0, 60.0, 54.0, 40.0, 46.0, 20.0]),
        ([10.0, 6.0, 5.0, 3.0, 1.0, 0.0], [100.0, 74.0, 70.0, 54.0, 30.0, 20.0]),
    ):
        hidden = Proven(lines_of(front, *zip(rates, values, strict=True)), Steps.none_before(1.0))
        levels = (np.array(values) - np.array(rates) * makespans[:, None]).max(axis=1)
        assert hidden.least_energy(makespans) == pytest.approx(levels)


def test_a_line_that_meets_a_step_at_no_makespan_is_below_it_from_the_beginning(two_by_two):
    falls = lines_of(trace_front(two_by_two()), (10.0, 0.0))
    proven = Proven(falls, Steps(np.array([1.0]), np.array([0.0])))
    assert proven.least_energy([1.0, 5.0]).tolist() == [0, 0]
    level = lines_of(trace_front(two_by_two()), (0.0, 0.5))
    above = Proven(level, Steps(np.array([1.0]), np.array([0.0])))
    assert above.least_energy([1.0, 5.0]).tolist() == pytest.approx([0.5, 0.5])


def test_where_idle_machines_draw_more_the_fastest_draw_the_least(two_by_two):
    low = lines_of(trace_front(two_by_two(20, 10)), (0.0, -1e9))
    # 30 W T - 100 J from 10 s on: 20 W on average there, and more later.
    proven = Proven(low, Steps(np.array([10.0]), np.array([-100.0])))
    assert proven.least_power == pytest.approx(20)
    assert answers(proven.least_makespan_at_power, [25, 20.01, 19.95]) == [10, 10, np.inf]
    assert proven.above_idle(np.array([12.0])) == pytest.approx(-100)


def test_where_all_is_settled_the_schedules_are_the_bound(two_by_two):
    proven = settled(two_by_two, 0.0)
    deadlines = np.array([11.999, 12, 14.9, 15, 18, 40])
    assert proven.least_energy(deadlines).tolist() == [np.inf, 1400, 1400, 1390, 1380, 1380]
    assert proven.least_makespan([1400, 1399, 1390, 1380, 1379]).tolist() == [
        12,
        15,
        15,
        18,
        np.inf,
    ]
    assert (proven.soonest, proven.thriftiest) == (12, 1380)
    assert corners(proven, 1380, 20).tolist() == [[1380, 20], [1380, 18]]
    # Slower ones draw no less on average than the best that is as fast.
    assert proven.least_power == pytest.approx(1380 / 18)
    assert answers(proven.least_makespan_at_power, [1400 / 12, 110, 93, 80, 76]) == pytest.approx(
        [12, 15, 15, 18, np.inf]
    )
    assert proven.above_idle(np.array([13.0])) == pytest.approx(1400 / 12 * 13 - 30 * 13)


def test_what_settled_sums_may_be_off_by_is_taken_off(two_by_two):
    proven = settled(two_by_two, 0.01)
    assert proven.soonest == 0.99 * 12
    assert proven.least_energy([11.88, 14.85, 17.82]) == pytest.approx([1386, 1376.1, 1366.2])


def test_machines_that_draw_nothing_are_settled_too():
    system = System(
        (TaskType("t", 2),), (MachineType("m", 1),), np.array([[3.0]]), np.array([[0.0]])
    )
    only = Schedule(system, np.array([0]), np.array([1]), np.array([[2]]))
    proven = Proven(trace_front(system), Steps.none_before(6.0), Settled((only,), 0.0))
    assert proven.least_energy([5.9, 6.0, 9.0]).tolist() == [np.inf, 0.0, 0.0]
    assert proven.least_makespan([0.0, 1.0]).tolist() == [6.0, 6.0]


@pytest.mark.parametrize(("joules", "idle"), [(1e6 / 3, 0.1), (0.1, 1e3 / 3), (-1e6 / 3, 1e3 / 7)])
def test_rounding_of_a_step_never_proves_too_much(two_by_two, joules, idle):
    front = trace_front(two_by_two(idle, 0.0))
    low = lines_of(front, (0.0, -1e9))
    for makespan in SOME_MAKESPANS:
        proven = Proven(low, Steps(np.array([makespan]), np.array([joules])))
        exact = Fraction(joules) + Fraction(idle) * Fraction(makespan)
        assert Fraction(float(proven.least_energy(makespan))) <= exact
        assert proven.above_idle(np.array([makespan]))[0] <= joules


@pytest.mark.parametrize("idle", [0.1, 1e3 / 3])
def test_rounding_of_a_line_never_proves_too_much(two_by_two, idle):
    rate, value = 100 / 3, 1e4 / 3
    front = lines_of(trace_front(two_by_two(idle, 0.0)), (rate, value))
    proven = Proven(front, Steps.none_before(1.0))
    for makespan in SOME_MAKESPANS:
        exact = Fraction(value) - (Fraction(rate) + Fraction(idle)) * Fraction(makespan)
        found = Fraction(float(proven.above_idle(np.array([makespan]))[0]))
        size = Fraction(value) + Fraction(rate + 2 * idle) * Fraction(makespan)
        assert exact - size * Fraction(1e-14) <= found <= exact


def test_the_bound_above_is_taken_where_values_meet_it_or_not():
    values = np.array([3.0, 2.0, 1.9, 0.5, 0.0, 1.0, 1e-13, -1.0, 5.0])
    bounds = np.array([2.0, 2.0, 2.0, 0.25, 0.0, 0.0, 0.0, -2.0, np.inf])
    # Nothing is above what no schedule can be, such as a vertex that splits tasks.
    expected = [0.5, 0, 0, 1, 0, np.inf, np.inf, np.inf, 0]
    assert above(values, bounds, values).tolist() == expected
    assert share_above(3.0, 2.0) == 0.5
    # At work the machine draws nothing, and what it draws idle is taken off and put on again.
    assert share_above(1e-13, -1e-13, 1.0) == share_above(1e-13, 0.0, 1.0) == 0.0
    assert share_above(1e-3, -1e-3, 1.0) == np.inf
    # As much as a rounding error of 4 J may be, or a little more.
    assert share_above(1 + 3.9e-11, 1.0, 3.0) == 0.0
    assert share_above(1 + 4.1e-11, 1.0, 3.0) == pytest.approx(4.1e-11, rel=1e-3)


@pytest.fixture(scope="module")
def one_task():
    """One task on any of a thousand machines; it takes 10 s and 1,000 J."""
    return trace_front(
        System(
            (TaskType("t"),),
            (MachineType("m", 1000, 2.0),),
            np.array([[10.0]]),
            np.array([[100.0]]),
        )
    )


def test_a_bound_alone_is_raised_by_whole_tasks(one_task):
    system = one_task.system
    split = lower_bound(system, MAKESPAN)
    assert split.value == pytest.approx(0.01)
    whole = raised(split)
    assert whole.value == pytest.approx(10.0)
    assert whole.placed is split.placed
    joules = lower_bound(system, ENERGY)
    assert joules.value == pytest.approx(1000.0)
    # 980 J above idle power, and 999 other machines wait as long.
    assert raised(joules).value == pytest.approx(980 + 2 * 1000 * 10)
    assert raised(replace(joules, value=1e6)).value == 1e6


def test_where_tasks_are_many_the_least_energy_is_that_of_split_tasks(two_by_two):
    small = two_by_two(20, 10)
    many = lower_bound(small.with_counts(small.task_counts * 10, small.machine_counts), ENERGY)
    assert raised(many) is many


def test_what_is_known_besides_counts_where_it_proves_more(two_by_two):
    front = trace_front(two_by_two())
    assert Proven.of(front).soonest == pytest.approx(10.8)
    assert Proven.of(front, not_before=11.5).soonest == 11.5
    assert Proven.of(front, not_before=5.0).soonest == pytest.approx(10.8)
    patterns = Steps(np.array([11.0, 12.0]), np.array([1500.0, -np.inf]))
    both = Proven.of(front, patterns)
    assert both.soonest == 11.0
    assert both.least_energy(11.9) == pytest.approx(1500.0)
    assert both.least_energy(12.0) >= Proven.of(front).least_energy(12.0)
