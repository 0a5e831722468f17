"""The traced front is every vertex and no more, proven, the same as a general solver's."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.engines.relaxed import ENERGY, MAKESPAN, lower_bound, trace_front
from core.engines.relaxed.trace import dichotomy
from core.files.samples.generate import Generation, MachineLevels, RangeBased, Uniform, generate
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import NoPowerData, System


@pytest.mark.parametrize("trace", [trace_front, dichotomy])
@pytest.mark.parametrize(
    ("idle", "vertices"),
    [
        ((0, 0), [(900, 30), (1140, 18), (1404, 10.8)]),
        ((10, 5), [(1200, 30), (1260, 18), (1404, 10.8)]),
        ((20, 10), [(1380, 18), (1404, 10.8)]),
        ((100, 30), [(1404, 10.8)]),
    ],
)
def test_the_front_worked_out_by_hand(two_by_two, trace, idle, vertices):
    front = trace(two_by_two(*idle))
    assert front.exact
    assert len(front.lines) == len(front) + 1
    np.testing.assert_allclose(front.points, vertices, rtol=1e-9 if trace is dichotomy else 1e-12)


def test_what_waiting_costs_more_than_it_saves_is_not_on_the_front(two_by_two):
    front = trace_front(two_by_two(20, 10))
    np.testing.assert_allclose(front.slower, [(1500, 30)], rtol=1e-12)
    waiting, edge = front.slower_lines.weights
    np.testing.assert_allclose(waiting, [1, -30], rtol=1e-12)
    np.testing.assert_allclose(front.slower_lines.value, [600, [1500, 30] @ edge], rtol=1e-9)
    assert [1380, 18] @ edge == pytest.approx(front.slower_lines.value[1])


@pytest.mark.parametrize(
    ("sample", "idle", "vertices", "energy", "makespan"),
    [
        ("nine", 0.0, 92, (10_252_153.8, 12_215_477.2), (6812.250, 2597.2182)),
        ("nine", 0.05, 71, (11_096_419, 12_215_477.2), (4629.907, 2597.2182)),
        ("nine", 0.10, 50, (11_581_001, 12_215_477.2), (4000.107, 2597.2182)),
        ("nine", 0.15, 43, (11_797_992, 12_215_477.2), (3262.193, 2597.2182)),
        ("nine", 0.20, 40, (11_919_291, 12_215_477.2), (3013.510, 2597.2182)),
        ("nine", 0.25, 32, (11_961_567, 12_215_477.2), (2637.067, 2597.2182)),
        ("two", 0.0, 14, (16_707_979, 16_841_854), (3992.321, 3228.774)),
        ("ten", 0.0, 63, (486_766, 552_504), (265.1072, 112.23358)),
    ],
)
def test_known_fronts(sample, idle, vertices, energy, makespan):
    front = trace_front(load_sample(sample).with_idle_fraction(idle))
    assert front.exact
    assert len(front) == vertices
    np.testing.assert_allclose(front.energy[[0, -1]], energy, rtol=2e-6)
    np.testing.assert_allclose(front.makespan[[0, -1]], makespan, rtol=2e-6)


def assert_same_boundary(ours, other):
    """Neither front has a point below the other's lines, and neither line cuts off the other."""
    for one, two in ((ours, other), (other, ours)):
        for point in one.points:
            assert point[0] >= two.least_energy(point[1]) * (1 - 1e-7)
            bound = two.least_makespan(point[0] * (1 + 1e-12))
            assert np.isinf(bound) or point[1] >= bound * (1 - 1e-7)
    np.testing.assert_allclose(ours.points[[0, -1]], other.points[[0, -1]], rtol=1e-6)


def test_a_vertex_keeps_its_digits_where_a_machine_type_has_next_to_nothing():
    """What is left for the slow machine is 4 of 10^10 of a task: 1 less the rest has lost that."""
    system = System(
        (TaskType("T"),),
        (MachineType("slow", 1), MachineType("quick", 2)),
        np.array([[1.13e9, 1.0]]),
        np.array([[0.0, 1.0]]),
    )
    front = trace_front(system)
    soonest = 1 / (1 / 1.13e9 + 2)
    np.testing.assert_allclose(front.points, [(0, 1.13e9), (2 * soonest, soonest)], rtol=1e-12)


SHAPES = st.tuples(st.integers(1, 12), st.integers(1, 8))


@st.composite
def tied_systems(draw):
    """Small whole numbers everywhere: every kind of tie, pairs that cannot run, equal columns."""
    tasks, machines = draw(SHAPES)
    seed = draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    etc = random.integers(1, 5, (tasks, machines)).astype(float)
    apc = random.integers(1, 5, (tasks, machines)) * 10.0
    impossible = random.random((tasks, machines)) < 0.2
    impossible[np.arange(tasks), random.integers(0, machines, tasks)] = False
    etc[impossible], apc[impossible] = np.inf, np.nan
    idle = draw(st.sampled_from([0.0, 1.0, 5.0, 20.0]))
    return System(
        (
            *(TaskType(f"t{i}", int(random.integers(0, 4))) for i in range(tasks - 1)),
            TaskType("last", 3),
        ),
        tuple(MachineType(f"m{j}", int(random.integers(1, 3)), idle) for j in range(machines)),
        etc,
        apc,
    )


@given(tied_systems())
@examples(12)
def test_the_simplex_and_the_general_solver_agree_whatever_the_ties(system):
    ours = trace_front(system)
    assert ours.exact
    assert_same_boundary(ours, dichotomy(system))


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.1, 0.5, 1.0]))
@examples(5)
def test_they_agree_on_generated_systems(seed, idle):
    times = (Uniform(), RangeBased())[seed % 2]
    system = generate(
        Generation(
            etc=times,
            apc=MachineLevels(),
            idle_fraction=idle,
            machine_types=6,
            machines=20,
            seed=seed,
        )
    )
    ours, other = trace_front(system), dichotomy(system)
    assert ours.exact
    assert len(ours) == len(other)
    np.testing.assert_allclose(ours.points, other.points, rtol=1e-7)


@given(systems(with_apc=True))
@examples(12)
def test_every_front_is_sorted_convex_and_above_its_lines(system):
    front = trace_front(system)
    steps = np.diff(front.points, axis=0)
    assert (steps[:, 0] > 0).all()
    assert (steps[:, 1] < 0).all()
    slopes = steps[:, 0] / -steps[:, 1]
    assert (np.diff(slopes) > 0).all()
    assert len(front.lines) == len(front) + 1
    for weights, value in zip(front.lines.weights, front.lines.value, strict=True):
        assert (front.points @ weights >= value * (1 - 1e-12)).all()


@given(systems(with_apc=True, dyadic=True))
@examples(8)
def test_the_ends_are_the_least_energy_and_the_least_makespan(system):
    front = trace_front(system)
    energy, makespan = lower_bound(system, ENERGY), lower_bound(system, MAKESPAN)
    size = 1e-9 * (system.total_idle_power * makespan.value + 1)
    assert front.lines.value[0] == pytest.approx(energy.value, rel=1e-7, abs=size)
    assert front.lines.value[-1] == pytest.approx(makespan.value, rel=1e-7)


def test_a_corner_as_thrifty_as_the_thriftiest_is_a_slower_one(two_by_two):
    # At 40/3 W more a second on A the first edge of the front without idle power becomes level.
    for idle in np.nextafter(40 / 3, [-np.inf, 40 / 3, np.inf]).tolist():
        front = trace_front(two_by_two(idle, 0))
        assert front.exact
        np.testing.assert_allclose(front.points, [(1300, 18), (1404, 10.8)], rtol=1e-12)
        np.testing.assert_allclose(front.slower, [(1300, 30)], rtol=1e-12)
        np.testing.assert_allclose(
            front.slower_placements.points(front.system), front.slower, rtol=1e-12
        )
        level = front.slower_lines
        np.testing.assert_allclose(level.weights, [(1, -idle), (1, 0)], atol=1e-9)
        np.testing.assert_allclose(level.value[1], 1300, rtol=1e-9)


def test_what_only_waits_longer_is_no_slower_corner():
    # On one machine or on both, it draws nothing.
    system = System(
        (TaskType("t"),), (MachineType("A"), MachineType("B")), np.ones((1, 2)), np.zeros((1, 2))
    )
    front = trace_front(system)
    np.testing.assert_allclose(front.points, [(0.0, 0.5)], rtol=1e-9)
    assert len(front.slower) == 0


@given(tied_systems())
@examples(20)
def test_waiting_beyond_the_slowest_corner_is_the_first_of_the_slower_lines(system):
    front = trace_front(system)
    corners = np.concatenate([front.slower, front.points])
    assert (np.diff(corners[:, 1]) < 0).all()
    assert len(front.slower) == len(front.slower_placements) == len(front.slower_lines) - 1
    without_waiting = corners[:, 0] - system.total_idle_power * corners[:, 1]
    assert (np.diff(without_waiting) > 0).all()
    # Line k runs from corner k to the next.
    for line in range(1, len(front.slower_lines)):
        ends = corners[line - 1 : line + 1]
        value = front.slower_lines.value[line]
        weighed = ends @ front.slower_lines.weights[line]
        np.testing.assert_allclose(weighed, value, rtol=1e-7, atol=1e-7 * ends[0, 0])


def over_thirteen_orders_of_magnitude():
    return System(
        (TaskType("t"),),
        (MachineType("A"), MachineType("B"), MachineType("C", 0)),
        np.array([[0.5, 5.35e12, 1.0]]),
        np.array([[1.0, 0.0, 0.0]]),
    )


def test_an_absurd_range_of_times_hides_neither_end():
    front = trace_front(over_thirteen_orders_of_magnitude())
    assert front.exact
    np.testing.assert_allclose(front.points, [(0.0, 5.35e12), (0.5, 0.5)], rtol=1e-9)
    np.testing.assert_allclose(front.lines.value[[0, -1]], [0.0, 0.5], rtol=1e-9)


def test_a_cost_from_far_away_does_not_drown_those_that_matter():
    # Against idling a task on A gains 1e22 J, of which a share of 1e-11 is as much as B and C draw.
    system = System(
        (TaskType("t", 20),),
        (MachineType("A", 1, 1e12), MachineType("B", 1), MachineType("C", 1)),
        np.array([[1e10, 1.0, 2.0]]),
        np.array([[1.0, 3e11, 2e11]]),
    )
    front = trace_front(system)
    np.testing.assert_allclose(front.points[1:, 1], [20, 40 / 3], rtol=1e-5)
    above = (front.lines.weights[:-1] * front.points).sum(axis=1) / front.lines.value[:-1] - 1
    assert above.max() < 0.01
    assert front.gap < 0.01


def test_without_watts_there_is_no_front(two_by_two):
    system = two_by_two(0, 0)
    with pytest.raises(NoPowerData):
        trace_front(System(system.task_types, system.machine_types, system.etc))


def test_what_a_wish_proves(two_by_two):
    front = trace_front(two_by_two(20, 10))
    assert front.least_energy(10.7) == np.inf
    assert front.least_energy(14.4) == pytest.approx(1392)
    assert front.least_makespan(1379) == np.inf
    assert front.least_makespan(1392) == pytest.approx(14.4)
    assert front.least_makespan_at_power(20) == np.inf
    assert front.least_makespan_at_power(30) == np.inf
    assert front.least_makespan_at_power(40) == pytest.approx(60)
    assert front.least_makespan_at_power(60) == pytest.approx(24)
    assert front.least_makespan_at_power(100) == pytest.approx(13.935484)
    assert front.least_makespan_at_power(500) == pytest.approx(10.8)
