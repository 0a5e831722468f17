"""The sweep finds the optima that weights lead to, each with what its weights prove."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given
from strategies import schedules, systems

from core.engines.rivals import weighted_sweep
from core.files.samples.named import load_sample
from core.vocabulary.budget import Budget, Cancelled
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

TwoByTwo = Callable[..., System]

small = systems(with_apc=True, dyadic=True)


@pytest.mark.parametrize(
    ("idle", "vertices"),
    [
        ((0, 0), [(900, 30), (1140, 18), (1404, 10.8)]),
        ((10, 5), [(1200, 30), (1260, 18), (1404, 10.8)]),
        ((20, 10), [(1380, 18), (1404, 10.8)]),
    ],
)
def test_two_by_two_by_hand(
    two_by_two: TwoByTwo, idle: tuple[int, int], vertices: list[tuple[float, float]]
) -> None:
    sweep = weighted_sweep(two_by_two(*idle), 50)
    np.testing.assert_allclose(sweep.points, vertices, rtol=1e-9)


@pytest.mark.thorough
def test_nine_environment_as_known() -> None:
    sweep = weighted_sweep(load_sample("nine"))
    assert 86 <= len(sweep) <= 90
    # At the fast end a joule is worth 2e-7 s, so its energy is known to no more digits.
    known = [(10_252_153.8, 6812.250), (12_215_477.2, 2597.2182)]
    np.testing.assert_allclose(sweep.points[[0, -1]], known, rtol=2e-7)


@given(system=small)
def test_points_are_a_convex_front_of_divisible_schedules(system: System) -> None:
    sweep = weighted_sweep(system, 20)
    energy, makespan = np.diff(sweep.points, axis=0).T
    assert (energy > 0).all()
    assert (makespan < 0).all()
    slope = makespan / energy
    assert (np.diff(slope) > -1e-6 * np.abs(slope[1:])).all()
    for k in range(len(sweep)):
        placed = sweep.placements.placed(k, system)
        assert (placed[~system.can_run] == 0).all()
        np.testing.assert_allclose(placed.sum(axis=1), system.task_counts, rtol=1e-9)
        busy = np.einsum("ij,ij->j", placed, np.where(system.can_run, system.etc, 0.0))
        there = system.machine_counts > 0
        last = (busy[there] / system.machine_counts[there]).max()
        dynamic = np.where(system.can_run, system.dynamic_energy, 0.0)
        joules = (placed * dynamic).sum() + system.total_idle_power * last
        np.testing.assert_allclose(sweep.points[k], [joules, last], rtol=1e-9, atol=1e-9)


def test_points_are_a_front_even_where_the_solver_is_out_of_its_depth() -> None:
    system = System(
        (TaskType("T1", 1), TaskType("T2", 3)),
        (MachineType("M1", 1), MachineType("M2", 133058)),
        np.array([[1.37708461e13, 5.33232785e14], [4.44974866e08, 185.0]]),
        np.array([[1.0, 0.0], [0.0, 0.0]]),
    )
    energy, makespan = np.diff(weighted_sweep(system, 20).points, axis=0).T
    assert (energy > 0).all()
    assert (makespan < 0).all()


@given(system=small)
def test_each_alpha_belongs_to_one_point(system: System) -> None:
    sweep = weighted_sweep(system, 20)
    joules, seconds = (sweep.lines.weights * np.maximum(np.ptp(sweep.points, axis=0), 1e-300)).T
    alphas = (joules / (joules + seconds)).reshape(-1, 2)
    assert alphas[0, 1] == 1
    assert alphas[-1, 0] == 0
    assert (alphas[:, 0] <= alphas[:, 1]).all()
    assert (alphas[:-1, 0] > alphas[1:, 1]).all()


@given(schedule=schedules(small))
def test_lines_touch_their_points_and_no_schedule_gets_below(schedule: Schedule) -> None:
    sweep = weighted_sweep(schedule.system, 20)
    assume(sweep.points[0, 0] > 0)  # what costs nothing is proven to cost little less
    weights, points = sweep.lines.weights, np.repeat(sweep.points, 2, axis=0)
    gap = (weights * points).sum(axis=1) - sweep.lines.value
    assert (np.abs(gap) < 1e-8 * (weights * (points + 1)).sum(axis=1)).all()
    weighed = weights @ [schedule.energy, schedule.makespan]
    assert (weighed >= sweep.lines.value * (1 - 1e-15)).all()


def test_lines_are_those_of_their_alphas(two_by_two: TwoByTwo) -> None:
    sweep = weighted_sweep(two_by_two(), 21)
    extent = np.array([1404 - 900, 30 - 10.8])
    np.testing.assert_allclose(sweep.lines.weights[2:4] * extent, [[0.45, 0.55], [0.55, 0.45]])
    np.testing.assert_allclose(sweep.lines.value[2:4], sweep.lines.weights[2:4] @ [1140, 18])


def test_one_machine_type_leaves_one_point(two_by_two: TwoByTwo) -> None:
    system = two_by_two()
    alone = System(
        system.task_types,
        system.machine_types[:1],
        np.array([[1.0], [2.0]]),
        np.array([[100.0], [100.0]]),
    )
    sweep = weighted_sweep(alone)
    np.testing.assert_allclose(sweep.points, [(1800, 18)])
    assert sweep.lines.weights.tolist() == [[0, 1], [1, 0]]
    np.testing.assert_allclose(sweep.lines.value, [18, 1800])


def test_it_needs_two_weights_and_can_be_stopped(two_by_two: TwoByTwo) -> None:
    with pytest.raises(ValueError, match="at least 2 weights, not 1"):
        weighted_sweep(two_by_two(), 1)
    asked = itertools.count()
    with pytest.raises(Cancelled, match="3 of 1,000 were done"):
        weighted_sweep(two_by_two(), budget=Budget(should_stop=lambda: next(asked) == 3))
