"""The divisible front becomes schedules: close together, whole, none there twice."""

import itertools

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENCE
from strategies import systems

from core.engines.lp.program import Program
from core.engines.recover import along, round_rows
from core.engines.recover.along import place_within, points_of, recover_along, recover_within
from core.engines.relaxed import trace_front
from core.engines.relaxed.front import Placements
from core.engines.verify.judge import verify
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.plane.polygons import between, fill
from core.vocabulary.system import System

SYSTEMS = systems(with_apc=True, dyadic=True)


@given(SYSTEMS, st.sampled_from([0.1, 0.3, 2.0]))
@examples(12)
def test_every_filled_point_is_rounded_to_one_of_the_schedules(system, spacing):
    front = trace_front(system)
    schedules, progression = recover_along(system, front.points, front.placements, spacing)
    whole = {schedule.placed.tobytes() for schedule in schedules}
    assert len(whole) == len(schedules) == len(progression.lower)
    left, share = fill(front.points, spacing)
    for vertex, way in zip(left.tolist(), share.tolist(), strict=True):
        rounded = round_rows(front.placed(vertex, way), system.task_counts)
        assert rounded.tobytes() in whole
    filled = between(front.points, left, share)
    assert all((filled == point).all(axis=1).any() for point in progression.lower)
    assert (np.diff(progression.lower[:, 0]) >= 0).all()


@given(SYSTEMS, st.integers(0, 30))
@examples(12)
def test_stopped_early_it_is_a_part_of_the_whole_with_both_ends(system, most):
    front = trace_front(system)
    heard = []
    whole, _ = recover_along(system, front.points, front.placements, 0.1)
    part, progression = recover_along(
        system,
        front.points,
        front.placements,
        0.1,
        should_stop=lambda: len(heard) >= most,
        report=lambda done, points: heard.append((done, points)),
    )
    points = len(fill(front.points, 0.1)[0])
    assert heard == [(done, points) for done in range(1, len(heard) + 1)]
    assert len(heard) == min(max(most, 2), points)
    found = [schedule.placed.tobytes() for schedule in part]
    of_all = [schedule.placed.tobytes() for schedule in whole]
    assert [one for one in of_all if one in found] == found
    assert (found[0], found[-1]) == (of_all[0], of_all[-1])
    assert len(progression.lower) == len(part)


@given(SYSTEMS)
@examples(12)
def test_each_step_from_bound_to_schedule_takes_longer_or_as_long(system):
    front = trace_front(system)
    schedules, progression = recover_along(system, front.points, front.placements, 0.1)
    np.testing.assert_array_equal(progression.assigned, points_of(schedules))
    rounded, assigned = progression.rounded, progression.assigned
    assert (assigned[:, 1] >= rounded[:, 1] * (1 - 1e-9)).all()
    # Assignment changes the energy by what all machines draw while it is longer.
    longer = (assigned - rounded)[:, 1] * system.total_idle_power
    size = 1e-9 * (1 + assigned[:, 0].max())
    np.testing.assert_allclose((assigned - rounded)[:, 0], longer, rtol=1e-9, atol=size)
    for point in rounded:
        below = front.lines.value - front.lines.weights @ point
        assert (below <= 1e-9 * (1 + front.lines.weights @ point)).all()


def test_on_the_front_worked_out_by_hand(two_by_two):
    front = trace_front(two_by_two())
    schedules, progression = recover_along(front.system, front.points, front.placements, 2.0)
    np.testing.assert_allclose(progression.lower, front.points)
    assert points_of(schedules).tolist() == [[900, 30], [1140, 18], [1360, 12]]
    assert progression.rounded.tolist() == progression.assigned.tolist()


@given(SYSTEMS, st.floats(0, 1))
@examples(4)
def test_within_an_energy_limit_only_waiting_draws_more(system, share):
    front = trace_front(system)
    joules = front.energy[0] + share * (front.energy[-1] - front.energy[0])
    for schedule in recover_within(front, joules):
        assert verify(schedule, system).ok
        finish = (schedule.placed * np.where(system.can_run, system.etc, 0.0)).sum(axis=0)
        machines = np.maximum(system.machine_counts, 1)
        waited = schedule.makespan - (finish / machines).max()
        spare = waited * system.total_idle_power
        assert schedule.energy <= joules * (1 + 1e-5) + spare + 1e-5


@pytest.mark.thorough
def test_the_program_rounds_better_within_a_limit_than_one_by_one():
    system = load_sample("nine").with_idle_fraction(0.0)
    front = trace_front(system)
    joules = (front.energy[0] + front.energy[-1]) / 2
    along, _ = recover_along(system, front.points, front.placements, 0.1)
    points = points_of(along)
    rounded = points[points[:, 0] <= joules, 1].min()
    within = recover_within(front, joules)
    assert within
    best = points_of(within)
    assert (best[:, 0] <= joules * (1 + 1e-6)).all()
    assert best[:, 1].min() < rounded


def test_nothing_is_within_less_than_the_least_energy(two_by_two):
    front = trace_front(two_by_two())
    assert recover_within(front, 800.0) == []
    # Of the little less that waiting may need nothing is left at the very least.
    assert [schedule.energy for schedule in recover_within(front, 900.0)] == [900.0]


def test_a_single_point_will_do(two_by_two):
    front = trace_front(two_by_two(100, 30))
    schedules, progression = recover_along(front.system, front.points, front.placements, 0.01)
    assert len(schedules) == len(progression.lower) == 1
    assert recover_within(front, 1e6)


def test_of_no_schedules_there_are_no_points():
    assert points_of([]).shape == (0, 2)


def test_limits_a_little_lower_are_tried_because_waiting_costs_energy(two_by_two, monkeypatch):
    tried = []
    monkeypatch.setattr(along, "place_within", lambda *given: tried.append(given[2:]))
    assert along.recover_within(trace_front(two_by_two()), 1000.0) == []
    assert tried == [(1000.0, 0.2), (999.5, 0.2), (998.0, 0.2)]


def compositions(tasks, kinds):
    """Every way to share tasks among machine types."""
    for cuts in itertools.combinations(range(tasks + kinds - 1), kinds - 1):
        ends = (-1, *cuts, tasks + kinds - 1)
        yield tuple(b - a - 1 for a, b in itertools.pairwise(ends))


def every_point(system):
    """(joules, seconds) of every placement of whole tasks, the machines of a type sharing them."""
    kinds = len(system.machine_types)
    rows = [
        [row for row in compositions(count, kinds) if not (np.array(row)[~able] > 0).any()]
        for count, able in zip(system.task_counts.tolist(), system.can_run, strict=True)
    ]
    placed = [np.array(choice, float) for choice in itertools.product(*rows)]
    return Placements.dense(placed).points(system)


def point(system, placed):
    return Placements.dense([placed.astype(float)]).points(system)[0]


def anywhere(system):
    return np.where(system.can_run, 0.0, np.inf)


SMALL = systems(3, 3, with_apc=True, dyadic=True, max_count=4)


@given(SMALL, st.floats(0, 1))
@examples(8)
def test_within_an_energy_limit_no_placement_is_faster(system, share):
    points = every_point(system)
    thriftiest, dearest = points[:, 0].min(), points[:, 0].max()
    limit = float((thriftiest + share * (dearest - thriftiest)) * (1 + 1e-9) + 1e-9)
    placed = place_within(system, anywhere(system), limit, PATIENCE)
    assert (placed.sum(axis=1) == system.task_counts).all()
    assert (placed[~system.can_run] == 0).all()
    energy, makespan = point(system, placed)
    assert energy <= limit * (1 + 1e-5) + 1e-5
    affordable = points[:, 0] <= limit
    assert makespan <= points[affordable, 1].min() * (1 + 2e-5)


def test_only_the_least_wasteful_machine_types_are_considered():
    kinds = 12
    system = System(
        (TaskType("t", 12),),
        tuple(MachineType(f"m{j}") for j in range(kinds)),
        np.ones((1, kinds)),
        np.ones((1, kinds)),
    )
    waste = np.arange(kinds, dtype=float)[None, ::-1]
    placed = place_within(system, waste, 100.0, PATIENCE)
    # Nine types share twelve tasks: two each at most.
    assert placed.max() == 2
    assert (placed[0, :3] == 0).all()


@pytest.mark.parametrize(
    ("joules", "point_found"),
    [(1379.0, None), (1381.0, (1380.0, 18.0)), (1401.0, (1400.0, 12.0)), (1431.0, (1430.0, 11.0))],
)
def test_what_idle_machines_draw_counts_against_the_limit(two_by_two, joules, point_found):
    """The fastest placement draws 1100 J above idle power, and is within each of these limits
    where that is left out.
    """
    system = two_by_two(20.0, 10.0)
    placed = place_within(system, anywhere(system), joules, PATIENCE)
    assert (placed is None) == (point_found is None)
    if placed is not None:
        assert tuple(point(system, placed).tolist()) == point_found


@pytest.mark.parametrize(("tasks", "tried"), [(999_999, True), (10**6, True), (10**6 + 1, False)])
def test_a_million_tasks_are_placed_and_one_more_are_not(tasks, tried):
    system = System((TaskType("t", tasks),), (MachineType("m"),), np.ones((1, 1)), np.ones((1, 1)))
    placed = place_within(system, anywhere(system), 1e9, PATIENCE)
    assert (placed is not None) == tried


def test_an_answer_that_loses_a_task_is_none(two_by_two, monkeypatch):
    """Whole numbers are whole for a solver within its tolerance: one may come out as another."""
    searched = Program.search

    def losing(program):
        solution = searched(program)
        solution.values[int(solution.values[:-1].argmax())] -= 1
        return solution

    monkeypatch.setattr(Program, "search", losing)
    assert place_within(two_by_two(), anywhere(two_by_two()), 1e9, PATIENCE) is None
