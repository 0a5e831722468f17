"""A front says what is possible: more machines never make it worse, idle watts never better."""

from dataclasses import replace

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.engines.relaxed import Objective, lower_bound, trace_front
from core.engines.relaxed.certificate import Lines
from core.engines.relaxed.front import Optima, Placements, front_of
from core.engines.relaxed.trace import dichotomy
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

WITH_WATTS = systems(with_apc=True, dyadic=True)


def steps(front):
    """Deadlines from the least makespan to beyond the largest."""
    return np.linspace(front.makespan[-1], 1.1 * front.makespan[0], 7)


def with_idle(system, watts):
    return system.with_idle_power(watts.tolist())


def single_tasks(tasks, seed=0):
    """Two machines, one fast and one thrifty: each of the task types is worth another price."""
    random = np.random.default_rng(seed)
    fast = random.uniform(1, 2, tasks)
    etc = np.column_stack([fast, fast * random.uniform(1.5, 3, tasks)])
    apc = np.column_stack([np.full(tasks, 300.0), random.uniform(10, 50, tasks)])
    return System(
        tuple(TaskType(f"t{i}") for i in range(tasks)),
        (MachineType("fast"), MachineType("thrifty")),
        etc,
        apc,
    )


@given(WITH_WATTS, st.data())
def test_a_machine_more_that_idles_for_free_raises_neither_bound(system, data):
    kind = data.draw(st.integers(0, len(system.machine_types) - 1))
    watts = system.idle_power.copy()
    watts[kind] = 0.0
    system = with_idle(system, watts)
    machines = system.machine_counts.copy()
    machines[kind] += 1
    before = trace_front(system)
    after = trace_front(system.with_counts(system.task_counts, machines))
    size = 1e-9 * (1 + before.energy[-1])
    assert after.lines.value[0] <= before.lines.value[0] + size
    assert after.lines.value[-1] <= before.lines.value[-1] * (1 + 1e-9)
    for deadline in steps(before):
        assert after.least_energy(deadline * (1 + 1e-9)) <= before.least_energy(deadline) + size


@given(WITH_WATTS, st.lists(st.integers(0, 64), min_size=3, max_size=3))
def test_idle_watts_never_lower_the_energy_bound_at_any_deadline(system, more):
    raised = with_idle(system, system.idle_power + np.array(more[: len(system.machine_types)]))
    before, after = trace_front(system), trace_front(raised)
    assert after.makespan[-1] == pytest.approx(before.makespan[-1], rel=1e-9)
    size = 1e-9 * (1 + after.energy[-1])
    for deadline in steps(before):
        least = before.least_energy(deadline * (1 + 2e-9))  # the front may be steep there
        assert after.least_energy(deadline * (1 + 1e-9)) >= least - size
    for joules in np.linspace(before.energy[0], after.energy[-1], 5):
        later = after.least_makespan(joules * (1 + 1e-9))
        assert later >= before.least_makespan(joules * (1 + 2e-9)) * (1 - 1e-6) - 1e-9


def test_no_rounding_proves_an_energy_below_0():
    n = np.inf
    system = System(
        tuple(TaskType(name, count) for name, count in zip("abcd", (2, 0, 1, 5), strict=True)),
        (MachineType("never idle"), MachineType("idle", idle_power=26.0)),
        np.array([[n, 3.0], [1.0, n], [1.0, n], [1.0, 2.0]]),
        np.array([[np.nan, 0.0], [0.0, np.nan], [0.0, np.nan], [0.0, 0.0]]),
    )
    front = trace_front(system)
    assert min(map(front.least_energy, steps(front))) >= 0


@given(schedules(WITH_WATTS))
def test_the_front_is_below_every_schedule_in_both(schedule):
    front = trace_front(schedule.system)
    energy, makespan = schedule.energy, schedule.makespan
    assert front.utopia[0] <= energy * (1 + 1e-9) + 1e-9
    assert front.utopia[1] <= makespan * (1 + 1e-9)
    size = 1e-9 * (1 + energy + front.energy[-1])
    assert front.least_energy(makespan) <= energy + size
    assert front.least_makespan(energy * (1 + 1e-12)) <= makespan * (1 + 1e-6)
    if energy:
        assert front.least_makespan_at_power(energy / makespan) <= makespan * (1 + 1e-6)


@given(WITH_WATTS)
def test_the_front_itself_attains_what_it_says_is_least(system):
    front = trace_front(system)
    size = 1e-9 * (1 + front.energy[-1])
    for energy, makespan in front.points:
        assert front.least_energy(makespan) == pytest.approx(energy, rel=1e-7, abs=size)
    assert front.least_energy(np.nextafter(front.lines.value[-1], 0)) == np.inf
    assert front.least_makespan(np.nextafter(front.lines.value[0], -1)) == np.inf
    assert (np.diff([front.least_energy(deadline) for deadline in steps(front)]) <= size).all()


@given(WITH_WATTS, st.floats(0, 1))
def test_between_neighbours_a_mixture_is_on_the_front(system, share):
    front = trace_front(system)
    for vertex in range(len(front) - 1):
        placed = front.placed(vertex, share)
        np.testing.assert_allclose(placed.sum(axis=1), system.task_counts, rtol=1e-9)
        point = Placements.dense([placed]).points(system)[0]
        assert front.lines.weights[front.edge(vertex)] @ point == pytest.approx(
            front.lines.value[front.edge(vertex)], rel=1e-7
        )


@given(systems(with_apc=True))
def test_waste_is_nothing_where_a_task_is_best_and_infinite_where_it_cannot_be(system):
    front = trace_front(system)
    for vertex in range(len(front)):
        waste = front.waste(front.edge(vertex))
        assert (np.isfinite(waste) == system.can_run).all()
        assert (waste >= 0).all()
        assert (waste.min(axis=1)[system.task_counts > 0] == 0).all()


@given(WITH_WATTS)
def test_what_the_front_places_wastes_nothing(system):
    front = trace_front(system)
    for vertex in range(len(front)):
        edge = front.edge(vertex)
        wasted = np.where(front.placed(vertex) > 1e-9, front.waste(edge), 0.0)
        assert wasted.max() <= 1e-7 * (1 + abs(front.lines.value[edge]))


@given(WITH_WATTS, st.sampled_from([0.0, 1.0]))
@examples(12)
def test_idle_power_of_nothing_and_of_all(system, fraction):
    front = trace_front(system.with_idle_fraction(fraction))
    assert front.exact
    gap = front.lines.weights @ front.points.T - front.lines.value[:, None]
    assert (gap >= -1e-9 * (1 + np.abs(front.lines.value))[:, None]).all()


def test_when_machines_draw_the_same_idle_or_not_the_fastest_is_the_thriftiest():
    system = System(
        (TaskType("1", 3), TaskType("2", 4)),
        (MachineType("A", 2, 80.0), MachineType("B", 1, 120.0)),
        np.array([[3.0, 1.0], [2.0, 5.0]]),
        np.array([[80.0, 120.0], [80.0, 120.0]]),
    )
    front = trace_front(system)
    assert len(front) == 1
    assert front.exact
    np.testing.assert_allclose(front.energy, 280.0 * front.makespan, rtol=1e-9)


@pytest.mark.parametrize("trace", [trace_front, dichotomy])
def test_ends_that_are_horizontal_or_vertical_are_cut_to_the_vertex(trace):
    # The least makespan leaves open where the short one runs, which then decides the energy.
    horizontal = System(
        (TaskType("long"), TaskType("short")),
        (MachineType("A"), MachineType("B")),
        np.array([[10.0, np.inf], [1.0, 2.0]]),
        np.array([[5.0, np.nan], [1.0, 3.0]]),
    )
    np.testing.assert_allclose(trace(horizontal).points, [(51, 11), (56, 10)], rtol=1e-9)
    vertical = System(
        (TaskType("t", 4),),
        (MachineType("A"), MachineType("B")),
        np.array([[1.0, 1.0]]),
        np.array([[7.0, 7.0]]),
    )
    # Any split costs as much.
    np.testing.assert_allclose(trace(vertical).points, [(28, 2)], rtol=1e-9)
    faster_for_nothing = System(
        (TaskType("t", 4),),
        (MachineType("A"), MachineType("B"), MachineType("C")),
        np.array([[1.0, 1.0, 1.0]]),
        np.array([[7.0, 7.0, 9.0]]),
    )
    np.testing.assert_allclose(
        trace(faster_for_nothing).points, [(28, 2), (28 + 8 / 3, 4 / 3)], rtol=1e-9
    )


@pytest.mark.thorough
def test_a_front_of_thousands_of_vertices():
    system = single_tasks(1800)
    front = trace_front(system)
    assert front.exact
    assert len(front) > 1000
    slopes = -np.diff(front.energy) / np.diff(front.makespan)
    assert (np.diff(slopes) > 0).all()
    for price in (slopes[0] / 2, slopes[500] * 1.0001, slopes[-1] * 2):
        least = (front.points @ [1.0, price]).min()
        assert lower_bound(system, Objective(1.0, price)).value == pytest.approx(least, rel=1e-9)


def test_a_million_million_tasks_trade_as_one_does(two_by_two):
    small = two_by_two(10, 5)
    large = small.with_counts(small.task_counts * 10**11, small.machine_counts)
    front = trace_front(large)
    assert front.exact
    np.testing.assert_allclose(front.points, trace_front(small).points * 1e11, rtol=1e-12)
    many = small.with_counts(small.task_counts * 10**6, small.machine_counts * 10**6)
    np.testing.assert_allclose(
        trace_front(many).points, trace_front(small).points * [1e6, 1.0], rtol=1e-12
    )


@given(WITH_WATTS, st.integers(-20, 20), st.integers(-20, 20))
@examples(12)
def test_units_do_not_matter(system, time, power):
    seconds, watts = 2.0**time, 2.0**power
    assert system.apc is not None
    scaled = with_idle(
        replace(system, etc=system.etc * seconds, apc=system.apc * watts), system.idle_power * watts
    )
    np.testing.assert_allclose(
        trace_front(scaled).points,
        trace_front(system).points * [seconds * watts, seconds],
        rtol=1e-9,
    )


def test_of_steps_made_one_the_longest_is_what_proves_it(two_by_two):
    # The second point is next to the first, so it is no vertex; the first step's line is steep.
    steps = np.array([[1e-9, -2e-9], [5.0, -5.0], [9.0, -1.0]])
    points = np.array([1.0, 100.0]) + np.vstack([[0, 0], np.cumsum(steps, axis=0)])
    weights = np.vstack([[1, 0], np.column_stack([np.ones(3), -steps[:, 0] / steps[:, 1]]), [0, 1]])
    value = (weights * points[[0, 0, 1, 2, 3]]).sum(axis=1)
    placements = Placements.dense([np.full((2, 2), 3.0)] * 4)
    lines = Lines(weights, value, np.ones((5, 2)))
    front = front_of(two_by_two(), Optima(points, placements, lines), complete=True)
    np.testing.assert_array_equal(front.points, points[[0, 2, 3]])
    np.testing.assert_array_equal(front.lines.weights, weights[[0, 2, 3, 4]])
    assert front.exact


def test_where_work_draws_nothing_the_bound_of_nothing_is_still_good():
    # Relative to an energy of 0 no rounding error is small, so the proof is not called exact.
    system = System(
        (TaskType("t"),),
        (MachineType("A", 1, 1.0), MachineType("B", 2, 1.0)),
        np.ones((1, 2)),
        np.zeros((1, 2)),
    )
    front = trace_front(system)
    np.testing.assert_allclose(front.points, [(0, 1 / 3)], atol=1e-12)
    assert front.least_energy(1.0) == pytest.approx(0.0, abs=1e-9)


def test_all_of_a_front_by_hand(two_by_two):
    """The thriftiest that can be is all on B, in 30 s; but idling draws 30 W meanwhile."""
    front = trace_front(two_by_two(20.0, 10.0))
    np.testing.assert_allclose(front.points, [[1380, 18], [1404, 10.8]])
    np.testing.assert_allclose(front.energy, [1380, 1404])
    np.testing.assert_allclose(front.makespan, [18, 10.8])
    np.testing.assert_allclose(front.utopia, [1380, 10.8])
    np.testing.assert_allclose(front.lines.weights, [[1, 0], [1, 10 / 3], [0, 1]])
    np.testing.assert_allclose(front.lines.value, [1380, 1440, 10.8])
    np.testing.assert_allclose(
        front.lines.machine_prices, [[0, 30], [0, 100 / 3], [0.6, 0.4]], atol=1e-9
    )
    np.testing.assert_allclose(front.slower, [[1500, 30]])
    np.testing.assert_allclose(front.slower_placements.placed(0, front.system), [[0, 6], [0, 6]])
    # Waiting costs 30 J a second, and from 30 s to 18 s 120 J are saved in 12 s.
    np.testing.assert_allclose(front.slower_lines.weights, [[1, -30], [1, -10]])
    np.testing.assert_allclose(front.slower_lines.value, [600, 1200])
    np.testing.assert_allclose(front.slower_lines.machine_prices, [[0, 0], [0, 20]], atol=1e-9)
    assert front.exact
    assert len(front) == 2
    np.testing.assert_allclose(front.placed(1), [[6, 0], [2.4, 3.6]], atol=1e-9)
    np.testing.assert_allclose(front.placed(0, 0.5), [[6, 0], [1.2, 4.8]], atol=1e-9)


@pytest.mark.parametrize(
    ("watts", "seconds"),
    [
        # No more than idling draws; the slower lines; between them; the front; the fastest.
        (30.0, np.inf),
        (31.0, 600.0),
        (50.0, 30.0),
        (60.0, 24.0),
        (78.0, 1440 / (78 + 10 / 3)),
        (130.0, 10.8),
        (1e6, 10.8),
    ],
)
def test_the_least_makespan_at_a_power_by_hand(two_by_two, watts, seconds):
    front = trace_front(two_by_two(20.0, 10.0))
    assert front.least_makespan_at_power(watts) == pytest.approx(seconds, rel=1e-9)


def test_the_least_energy_and_makespan_by_hand(two_by_two):
    front = trace_front(two_by_two(20.0, 10.0))
    for deadline, joules in ((10.79, np.inf), (10.8, 1404), (14.4, 1392), (18, 1380), (99, 1380)):
        assert front.least_energy(deadline) == pytest.approx(joules)
    for joules, seconds in ((1379.9, np.inf), (1380, 18), (1392, 14.4), (1404, 10.8), (9e9, 10.8)):
        assert front.least_makespan(joules) == pytest.approx(seconds)


def test_the_waste_by_hand(two_by_two):
    """At 100/3 J a second of B task 1 costs 80 J on A, 40 + 200/3 J on B; task 2 160 J on both."""
    front = trace_front(two_by_two(20.0, 10.0))
    np.testing.assert_allclose(front.waste(1), [[0, 80 / 3], [0, 0]], atol=1e-9)
    # As the line of the least makespan charges, in seconds: 0.6 and 0.8, 1.2 and 1.2.
    np.testing.assert_allclose(front.waste(2), [[0, 0.2], [0, 0]], atol=1e-9)
    assert [front.edge(vertex) for vertex in (0, 1)] == [1, 1]
    longer = trace_front(two_by_two())
    assert [longer.edge(vertex) for vertex in (0, 1, 2)] == [1, 2, 2]
    assert trace_front(two_by_two(100.0, 30.0)).edge(0) == 1
