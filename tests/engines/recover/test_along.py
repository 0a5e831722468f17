"""The divisible front becomes schedules: close together, whole, none there twice."""

from collections.abc import Callable

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.engines.recover import along, round_rows
from core.engines.recover.along import points_of, recover_along, recover_within
from core.engines.relaxed import trace_front
from core.engines.verify.judge import verify
from core.files.samples.named import load_sample
from core.vocabulary.plane.polygons import between, fill
from core.vocabulary.system import System

SYSTEMS = systems(with_apc=True, dyadic=True)


@given(SYSTEMS, st.sampled_from([0.1, 0.3, 2.0]))
@examples(12)
def test_every_filled_point_is_rounded_to_one_of_the_schedules(
    system: System, spacing: float
) -> None:
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
def test_stopped_early_it_is_a_part_of_the_whole_with_both_ends(system: System, most: int) -> None:
    front = trace_front(system)
    heard: list[tuple[int, int]] = []
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
def test_each_step_from_bound_to_schedule_takes_longer_or_as_long(system: System) -> None:
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


def test_on_the_front_worked_out_by_hand(two_by_two: Callable[..., System]) -> None:
    front = trace_front(two_by_two())
    schedules, progression = recover_along(front.system, front.points, front.placements, 2.0)
    np.testing.assert_allclose(progression.lower, front.points)
    assert points_of(schedules).tolist() == [[900, 30], [1140, 18], [1360, 12]]
    assert progression.rounded.tolist() == progression.assigned.tolist()


@given(SYSTEMS, st.floats(0, 1))
@examples(10)
def test_within_an_energy_limit_only_waiting_draws_more(system: System, share: float) -> None:
    front = trace_front(system)
    joules = front.energy[0] + share * (front.energy[-1] - front.energy[0])
    for schedule in recover_within(front, joules):
        assert verify(schedule, system).ok
        finish = (schedule.placed * np.where(system.can_run, system.etc, 0.0)).sum(axis=0)
        machines = np.maximum(system.machine_counts, 1)
        waited = schedule.makespan - (finish / machines).max()
        spare = waited * system.total_idle_power
        assert schedule.energy <= joules * (1 + 1e-5) + spare + 1e-5


def test_the_program_rounds_better_within_a_limit_than_one_by_one() -> None:
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


def test_nothing_is_within_less_than_the_least_energy(two_by_two: Callable[..., System]) -> None:
    front = trace_front(two_by_two())
    assert recover_within(front, 800.0) == []
    # Of the little less that waiting may need nothing is left at the very least.
    assert [schedule.energy for schedule in recover_within(front, 900.0)] == [900.0]


def test_a_single_point_will_do(two_by_two: Callable[..., System]) -> None:
    front = trace_front(two_by_two(100, 30))
    schedules, progression = recover_along(front.system, front.points, front.placements, 0.01)
    assert len(schedules) == len(progression.lower) == 1
    assert recover_within(front, 1e6)


def test_of_no_schedules_there_are_no_points() -> None:
    assert points_of([]).shape == (0, 2)


def test_limits_a_little_lower_are_tried_because_waiting_costs_energy(
    two_by_two: Callable[..., System], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[tuple[float, float]] = []
    monkeypatch.setattr(along, "place_within", lambda *given: tried.append(given[2:]))
    assert along.recover_within(trace_front(two_by_two()), 1000.0) == []
    assert tried == [(1000.0, 0.2), (999.5, 0.2), (998.0, 0.2)]
