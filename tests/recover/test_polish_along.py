"""Polish only makes schedules better, all along the front, and ends when it is told to."""

import itertools
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import systems

from core.model.arrays import FloatArray
from core.model.budget import Budget
from core.model.kinds import MachineType, TaskType
from core.model.schedule import Schedule
from core.model.system import System
from core.plane.points import sorted_front
from core.recover import assign
from core.recover import polish_along as polish
from core.recover.along import points_of, recover_along
from core.recover.annealing import Annealer
from core.recover.archive import NO_ARCHIVE
from core.recover.polish_along import polish_along
from core.relaxed import Front, trace_front
from core.samples.named import load_sample
from core.verify.judge import verify


def begun(front: Front, spacing: float = 0.1) -> list[Schedule]:
    schedules, _ = recover_along(front.system, front.points, front.placements, spacing)
    return schedules


def polished_for(
    turns: int, front: Front, schedules: list[Schedule], near: float | None = None
) -> list[Schedule]:
    """What so many turns make of them, the same on any computer."""
    taken = 0

    def report(spent: float, points: FloatArray) -> None:
        nonlocal taken
        taken += 1

    budget = Budget.of_work(600.0, lambda: taken >= turns)
    return polish_along(front, schedules, budget, near=near, report=report)


def true_front(system: System) -> FloatArray:
    """The points of all 49 schedules of the smallest system that no other dominates."""
    ways = range(7)
    schedules = [
        assign(system, np.array([[i, 6 - i], [k, 6 - k]])) for i, k in itertools.product(ways, ways)
    ]
    return sorted_front(points_of(schedules))


@pytest.mark.parametrize("idle", [(0, 0), (20, 10)])
def test_on_the_smallest_system_all_of_the_best_are_found(
    two_by_two: Callable[..., System], idle: tuple[float, float]
) -> None:
    system = two_by_two(*idle)
    best = true_front(system)
    front = trace_front(system)
    polished = points_of(polished_for(200, front, begun(front)))
    for point in best:
        assert (np.abs(polished - point) < 1e-6).all(axis=1).any()
    for point in polished:
        assert (best <= point + 1e-9).all(axis=1).any()


@given(systems(with_apc=True, dyadic=True), st.integers(0, 3))
@settings(max_examples=12)
def test_what_was_given_is_matched_or_beaten_and_never_the_bound(system: System, seed: int) -> None:
    front = trace_front(system)
    schedules = begun(front)
    polished = polish_along(front, schedules, Budget.of_work(0.03), seed=seed)
    assert all(verify(schedule, system).ok for schedule in polished)
    points = points_of(polished)
    for given_energy, given_makespan in points_of(schedules):
        # Of a stretch of makespans, the thriftiest is kept: by as much it may be slower.
        spare = np.diff(front.makespan[[-1, 0]])[0] / polish.PLACES + 1e-9
        near = points[:, 1] <= given_makespan + spare
        beyond = given_makespan > front.makespan[0]
        assert points[near | beyond, 0].min() <= given_energy * (1 + 1e-9) + 1e-9
    above = points @ front.lines.weights.T - front.lines.value
    assert (above >= -1e-9 * (1 + points @ front.lines.weights.T)).all()


def test_a_real_system_comes_much_nearer_to_the_bound() -> None:
    front = trace_front(load_sample("nine").with_idle_fraction(0.1))
    schedules = begun(front)
    polished = polished_for(400, front, schedules)

    def worst_gap(schedules: list[Schedule]) -> float:
        """How far above the front the schedules are at the deadline where they are furthest."""
        points = points_of(schedules)
        deadlines = np.linspace(1.02 * front.makespan[-1], front.makespan[0], 10)
        gaps = [
            points[points[:, 1] <= at, 0].min(initial=2 * front.energy[-1]) / front.least_energy(at)
            for at in deadlines.tolist()
        ]
        return float(max(gaps))

    assert worst_gap(polished) < 1 + (worst_gap(schedules) - 1) / 2


def test_near_a_makespan_work_is_only_done_there() -> None:
    front = trace_front(load_sample("nine"))
    schedules = begun(front)
    before = points_of(schedules)
    near = float(front.makespan.mean())
    after = points_of(polished_for(20, front, schedules, near))
    kept = {tuple(np.round(point, 6)) for point in before.tolist()}
    new = np.array([point for point in after.tolist() if tuple(np.round(point, 6)) not in kept])
    assert len(new)
    assert np.abs(np.log(np.median(new[:, 1]) / near)) < 0.1


@pytest.mark.parametrize("near", [1e-3, 1e9])
def test_near_what_is_beyond_the_front_is_its_end(
    two_by_two: Callable[..., System], near: float
) -> None:
    front = trace_front(two_by_two())
    assert len(polished_for(3, front, begun(front), near)) >= 3


def test_it_can_be_stopped_and_reports_what_there_is() -> None:
    front = trace_front(load_sample("nine"))
    schedules = begun(front)
    stop = threading.Event()
    reports: list[tuple[float, FloatArray]] = []

    def report(spent: float, points: FloatArray) -> None:
        reports.append((spent, points))
        if len(reports) == 3:
            stop.set()

    budget = Budget(600.0, 2, stop.is_set)
    polished = polish_along(front, schedules, budget, report=report)
    assert budget.left > 0
    assert 3 <= len(reports) <= 3 + 2
    assert sorted(spent for spent, _ in reports) == [spent for spent, _ in reports]
    last, back = reports[-1][1], points_of(polished)
    np.testing.assert_allclose(last, back, rtol=1e-9)


def test_stopped_at_once_the_best_of_those_given_come_back(
    two_by_two: Callable[..., System],
) -> None:
    front = trace_front(two_by_two())
    schedules = begun(front)
    back = polish_along(front, schedules, Budget(should_stop=lambda: True))
    assert {tuple(p) for p in points_of(back)} <= {tuple(p) for p in points_of(schedules)}


def test_too_large_a_system_comes_back_as_it_is(two_by_two: Callable[..., System]) -> None:
    machines = polish.MOST_NUMBERS // polish.PLACES // 2
    small = two_by_two(10, 5)
    system = small.with_counts(small.task_counts * machines, small.machine_counts * machines)
    front = trace_front(system)
    schedules = begun(front)
    assert polish_along(front, schedules, Budget(600.0)) == schedules


def test_a_front_of_a_thousand_vertices_takes_no_more_memory_than_another() -> None:
    tasks = 1500
    random = np.random.default_rng(0)
    fast = random.uniform(1, 2, tasks)
    system = System(
        tuple(TaskType(f"t{i}") for i in range(tasks)),
        (MachineType("fast"), MachineType("thrifty")),
        np.column_stack([fast, fast * random.uniform(1.5, 3, tasks)]),
        np.column_stack([np.full(tasks, 300.0), random.uniform(10, 50, tasks)]),
    )
    front = trace_front(system)
    assert len(front) > 1000
    ends = [assign(system, np.rint(front.placed(k)).astype(int)) for k in (0, len(front) - 1)]
    polished = polished_for(10, front, ends)
    assert 2 < len(polished) <= polish.SLOTS + 1
    assert all(verify(schedule, system).ok for schedule in polished[::100])


@given(systems(with_apc=True))
@settings(max_examples=15)
def test_any_system_can_be_polished(system: System) -> None:
    front = trace_front(system)
    schedules = begun(front, 0.5)
    polished = polish_along(front, schedules, Budget.of_work(0.02))
    assert all(verify(schedule, system).ok for schedule in polished)
    assert polished


@pytest.mark.parametrize(("much", "weights"), [(0.0, 2), (1e9, 1)])
def test_where_much_is_wasted_energy_is_charged_less_every_other_time(
    two_by_two: Callable[..., System],
    monkeypatch: pytest.MonkeyPatch,
    much: float,
    weights: int,
) -> None:
    monkeypatch.setattr(polish, "MOST_WASTED", much)
    charged: dict[float, set[float]] = {}
    run_for = Annealer.run_for

    def watched(annealer: Annealer, *asked: Any) -> None:
        if annealer.archive is not NO_ARCHIVE:
            charged.setdefault(asked[3], set()).add(asked[4])
        run_for(annealer, *asked)

    monkeypatch.setattr(Annealer, "run_for", watched)
    front = trace_front(two_by_two())
    polish_along(front, begun(front), Budget.of_work(0.5), near=float(front.makespan[0]))
    most = max(charged.values(), key=len)
    assert len(most) == weights
    assert max(most) == pytest.approx(min(most) * (polish.LOWER_TOLLS if weights == 2 else 1))


def test_all_of_a_visit_is_paid_for(two_by_two: Callable[..., System]) -> None:
    front = trace_front(two_by_two())
    work, spent = 0.3, list[float]()
    polish_along(
        front,
        begun(front),
        Budget.of_work(work),
        report=lambda now, _: spent.append(now),
    )
    annealed = (
        (polish.VISITS - 1) * polish.TYPES_SECONDS + polish.MACHINES_SECONDS
    ) / polish.VISITS
    visits = work / (annealed + polish.VISIT_WORK)
    assert visits / 2 < len(spent) <= visits + 2
    assert spent == sorted(set(spent))
