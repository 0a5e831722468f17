"""Placements keep what is placed where, and know when it is done and what it draws."""

from itertools import pairwise

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.engines.relaxed import ENERGY, MAKESPAN, lower_bound
from core.engines.relaxed.front import Placements
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import NoPowerData, System
from core.vocabulary.tolerances import SUM_ROUNDING


def some_placed(system, seed, number):
    """Matrices of any fractions that sum to the counts, a few cells of each in use."""
    random = np.random.default_rng(seed)
    matrices = []
    for _ in range(number):
        share = random.random(system.etc.shape) * system.can_run
        share *= random.random(share.shape) < 0.7
        rows = np.flatnonzero(share.sum(axis=1) == 0)
        share[rows, system.can_run[rows].argmax(axis=1)] = 1.0
        share /= share.sum(axis=1, keepdims=True)
        matrices.append(share * system.task_counts[:, None])
    return matrices


@pytest.mark.thorough
@given(systems(with_apc=True, dyadic=True), st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_they_give_back_the_matrices_they_are_made_of(system, seed, number):
    matrices = some_placed(system, seed, number)
    placements = Placements.dense(matrices)
    assert len(placements) == number
    for k, matrix in enumerate(matrices):
        np.testing.assert_array_equal(placements.placed(k, system), matrix)
    for before, (matrix, following) in enumerate(pairwise(matrices)):
        between = placements.placed(before, system, 0.25)
        np.testing.assert_allclose(between, 0.75 * matrix + 0.25 * following)
    assert (placements.number > 0).all()
    np.testing.assert_array_equal(
        placements.owner, np.repeat(np.arange(number), [(m > 0).sum() for m in matrices])
    )


@given(systems(with_apc=True, dyadic=True), st.integers(0, 2**32 - 1), st.data())
def test_the_chosen_are_those_chosen_in_that_order(system, seed, data):
    matrices = some_placed(system, seed, 4)
    which = data.draw(st.lists(st.integers(0, 3), max_size=6))
    chosen = Placements.dense(matrices).chosen(np.array(which, np.int64))
    assert len(chosen) == len(which)
    for k, original in enumerate(which):
        np.testing.assert_array_equal(chosen.placed(k, system), matrices[original])


@given(systems(with_apc=True, dyadic=True))
def test_points_are_those_of_the_bound(system):
    bounds = [lower_bound(system, objective) for objective in (MAKESPAN, ENERGY)]
    placements = Placements.dense([bound.placed for bound in bounds])
    np.testing.assert_allclose(
        placements.points(system), [(b.energy, b.makespan) for b in bounds], rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(placements.finish(system), [bound.finish for bound in bounds])


@examples(5)
@given(schedules(systems(with_apc=True)))
def test_a_schedule_is_never_done_before_its_placement(schedule):
    system = schedule.system
    placements = Placements.dense([schedule.placed.astype(float)])
    energy, makespan = placements.points(system)[0]
    assert schedule.makespan >= makespan * (1 - 1e-9)
    longer = system.total_idle_power * (schedule.makespan - makespan)
    size = schedule.energy + energy
    # Both makespans are sums, so their difference is off by the rounding of sums, also where
    # machines draw nothing but while they wait.
    rounding = SUM_ROUNDING * system.total_idle_power * schedule.makespan
    off = 1e-9 * size + rounding + 1e-300
    assert schedule.energy - energy == pytest.approx(longer, rel=1e-9, abs=off)


def test_without_watts_there_are_no_points():
    system = System((TaskType("t"),), (MachineType("m"),), np.ones((1, 1)))
    with pytest.raises(NoPowerData):
        Placements.dense([np.ones((1, 1))]).points(system)


def test_cells_by_hand(two_by_two):
    """Two schedules: two tasks 1 on A and three on B; then half a task 2 on A, four on B."""
    cells = np.array([[0, 0, 2, 2], [0, 0, 1, 1], [0, 1, 0, 1]])
    placements = Placements.of(*cells, np.array([2.0, 3.0, 0.5, 4.0]))
    assert placements.first.tolist() == [0, 2, 2, 4]
    assert len(placements) == 3
    assert placements.owner.tolist() == [0, 0, 2, 2]
    system = two_by_two(20.0, 10.0)
    assert [placements.placed(k, system).tolist() for k in range(3)] == [
        [[2, 3], [0, 0]],
        [[0, 0], [0, 0]],
        [[0, 0], [0.5, 4]],
    ]
    assert placements.placed(0, system, 0.25).tolist() == [[1.5, 2.25], [0, 0]]
    assert placements.placed(1, system, 0.25).tolist() == [[0, 0], [0.125, 1]]
    assert placements.finish(system).tolist() == [[2, 6], [0, 0], [1, 12]]
    # 100 W for 2 s and 30 W for 6 s, 20 W idling for 4 s; 100 W for 1 s, 30 W for 12 s, 11 s idle.
    assert placements.points(system).tolist() == [[460, 6], [0, 0], [680, 12]]
    twice = placements.followed_by(placements.chosen(np.array([2, 0])))
    assert twice.first.tolist() == [0, 2, 2, 4, 6, 8]
    assert twice.number.tolist() == [2, 3, 0.5, 4, 0.5, 4, 2, 3]
    assert twice.task.tolist() == [0, 0, 1, 1, 1, 1, 0, 0]
    assert twice.machine.tolist() == [0, 1, 0, 1, 0, 1, 0, 1]
    assert len(Placements.of(*np.zeros((3, 0), np.int64), np.zeros(0))) == 0
