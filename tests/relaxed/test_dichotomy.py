"""The general solver finds every vertex, both ends first, and proves what it leaves out."""

from collections.abc import Callable

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from strategies import systems

from core.model.arrays import FloatArray
from core.model.budget import Budget
from core.model.kinds import MachineType, TaskType
from core.model.system import System
from core.relaxed import ENERGY, MAKESPAN, lower_bound
from core.relaxed.dichotomy import dichotomy


@pytest.mark.parametrize(
    ("idle", "vertices"),
    [
        ((0, 0), [(900, 30), (1140, 18), (1404, 10.8)]),
        ((10, 5), [(1200, 30), (1260, 18), (1404, 10.8)]),
        ((20, 10), [(1380, 18), (1404, 10.8)]),
        ((100, 30), [(1404, 10.8)]),
    ],
)
def test_the_front_worked_out_by_hand(
    two_by_two: Callable[..., System], idle: tuple[float, float], vertices: list[FloatArray]
) -> None:
    front = dichotomy(two_by_two(*idle))
    assert front.exact
    np.testing.assert_allclose(front.points, vertices, rtol=1e-9)
    assert len(front.lines) == len(front) + 1
    assert len(front.slower) == len(front.slower_placements) == len(front.slower_lines) == 0


@given(systems(with_apc=True, dyadic=True))
@examples(15)
def test_whatever_the_budget_both_ends_are_there_and_the_lines_hold(system: System) -> None:
    whole = dichotomy(system)
    ends = dichotomy(system, Budget(should_stop=lambda: True))
    assert len(ends) == min(len(whole), 2)
    assert not ends.exact
    np.testing.assert_allclose(ends.points[[0, -1]], whole.points[[0, -1]], rtol=1e-8, atol=1e-9)
    above = whole.points @ ends.lines.weights.T - ends.lines.value
    assert (above >= -1e-9 * (whole.points @ ends.lines.weights.T)).all()


@given(systems(with_apc=True, dyadic=True))
@examples(15)
def test_the_ends_are_best_in_one_and_then_in_the_other(system: System) -> None:
    front = dichotomy(system)
    thriftiest = lower_bound(system, ENERGY, then=MAKESPAN)
    fastest = lower_bound(system, MAKESPAN, then=ENERGY)
    size = 1e-7 * (1 + fastest.energy)
    assert front.energy[0] == pytest.approx(thriftiest.energy, rel=1e-7, abs=size)
    assert front.makespan[0] <= thriftiest.makespan * (1 + 1e-7)
    assert front.makespan[-1] == pytest.approx(fastest.makespan, rel=1e-7)
    assert front.energy[-1] <= fastest.energy * (1 + 1e-7) + size


def test_a_single_vertex_in_between_is_found_however_near_an_end() -> None:
    # Three machine types, the second hardly thriftier than the third.
    system = System(
        (TaskType("t", 60),),
        tuple(MachineType(name) for name in "ABC"),
        np.array([[1.0, 1.0, 1.0]]),
        np.array([[1.0, 2.0, 2.000001]]),
    )
    front = dichotomy(system)
    np.testing.assert_allclose(front.points, [(60, 60), (90, 30), (100.00002, 20)], rtol=1e-9)
