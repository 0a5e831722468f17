"""Placements keep what is placed where, and know when it is done and what it draws."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.model.arrays import FloatArray
from core.model.kinds import MachineType, TaskType
from core.model.schedule import Schedule
from core.model.system import NoPowerData, System
from core.recover import assign, round_rows
from core.relaxed import ENERGY, MAKESPAN, lower_bound
from core.relaxed.placements import Placements


def some_placed(system: System, seed: int, number: int) -> list[FloatArray]:
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


@given(systems(with_apc=True, dyadic=True), st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_they_give_back_the_matrices_they_are_made_of(
    system: System, seed: int, number: int
) -> None:
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
def test_the_chosen_are_those_chosen_in_that_order(
    system: System, seed: int, data: st.DataObject
) -> None:
    matrices = some_placed(system, seed, 4)
    which = data.draw(st.lists(st.integers(0, 3), max_size=6))
    chosen = Placements.dense(matrices).chosen(np.array(which, np.int64))
    assert len(chosen) == len(which)
    for k, original in enumerate(which):
        np.testing.assert_array_equal(chosen.placed(k, system), matrices[original])


@given(systems(with_apc=True, dyadic=True))
def test_points_are_those_of_the_bound(system: System) -> None:
    bounds = [lower_bound(system, objective) for objective in (MAKESPAN, ENERGY)]
    placements = Placements.dense([bound.placed for bound in bounds])
    np.testing.assert_allclose(
        placements.points(system), [(b.energy, b.makespan) for b in bounds], rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(placements.finish(system), [bound.finish for bound in bounds])


@given(schedules(systems(with_apc=True)))
def test_a_schedule_is_never_done_before_its_placement(schedule: Schedule) -> None:
    system = schedule.system
    placements = Placements.dense([schedule.placed.astype(float)])
    energy, makespan = placements.points(system)[0]
    assert schedule.makespan >= makespan * (1 - 1e-9)
    longer = system.total_idle_power * (schedule.makespan - makespan)
    size = schedule.energy + energy
    assert schedule.energy - energy == pytest.approx(longer, rel=1e-9, abs=1e-9 * size)


def test_one_machine_of_each_type_ends_when_its_type_does(
    two_by_two: Callable[..., System],
) -> None:
    system = two_by_two(20, 10)
    placed = round_rows(np.array([[6.0, 0.0], [2.4, 3.6]]), system.task_counts)
    schedule = assign(system, placed)
    point = Placements.dense([placed.astype(float)]).points(system)[0]
    assert point.tolist() == [schedule.energy, schedule.makespan] == [1400.0, 12.0]


def test_without_watts_there_are_no_points() -> None:
    system = System((TaskType("t"),), (MachineType("m"),), np.ones((1, 1)))
    with pytest.raises(NoPowerData):
        Placements.dense([np.ones((1, 1))]).points(system)
