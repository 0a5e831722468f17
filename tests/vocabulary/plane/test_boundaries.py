"""Boundaries are what they are said to be, and nothing feasible is below those called outer."""

from collections.abc import Callable

import numpy as np
import pytest
from chains import convex_chains
from hypothesis import given
from hypothesis import strategies as st

from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.boundaries import distinct, loose_boundary, staircase


def test_the_known_triangles(known_front: FloatArray) -> None:
    expected = [[900, 30], [900, 24.545454545454545], [1140, 18], [1284, 10.8], [1404, 10.8]]
    assert loose_boundary(known_front) == pytest.approx(np.array(expected))
    # With idle power only two vertices are left, and the triangle is half the box.
    two = np.array([[1380.0, 18.0], [1404.0, 10.8]])
    assert loose_boundary(two).tolist() == [[1380, 18], [1380, 10.8], [1404, 10.8]]


@pytest.mark.parametrize("boundary", [loose_boundary, staircase])
def test_a_single_point_is_its_own_boundary_and_nothing_has_none(
    boundary: Callable[[FloatArray], FloatArray],
) -> None:
    assert boundary(np.array([[5.0, 3.0], [6.0, 3.0], [5.0, 3.0]])).tolist() == [[5.0, 3.0]]
    assert boundary(np.empty((0, 2))).shape == (0, 2)


@given(convex_chains(), st.data())
def test_the_front_between_known_points_is_not_below_the_triangles(
    front: FloatArray, data: st.DataObject
) -> None:
    inner = data.draw(st.sets(st.integers(0, len(front) - 1)))
    known = front[sorted(inner | {0, len(front) - 1})]
    boundary = loose_boundary(known)
    lowest_makespan = np.interp(front[:, 0], boundary[:, 0], boundary[:, 1])
    corner = front[:, 0] == boundary[0, 0]
    assert (front[~corner, 1] >= lowest_makespan[~corner] - 1e-9).all()
    assert (np.diff(boundary[:, 0]) >= 0).all()
    assert (np.diff(boundary[:, 1]) <= 0).all()


def test_points_in_a_row_but_for_rounding_leave_next_to_nothing(
    nearly_in_a_row: list[FloatArray],
) -> None:
    for front in nearly_in_a_row:
        boundary = loose_boundary(front)
        assert boundary.sum(axis=1) == pytest.approx(1, abs=1e-12)
        assert (np.diff(boundary, axis=0) * [1, -1] >= 0).all()


def test_known_schedules_certify_what_is_up_and_right_of_them(known_schedules: FloatArray) -> None:
    with_dominated = np.vstack([known_schedules, [[1361.0, 12.0], [1150.0, 18.0]]])
    assert staircase(with_dominated).tolist() == [
        [900, 30],
        [1140, 30],
        [1140, 18],
        [1360, 18],
        [1360, 12],
    ]


def test_only_repeats_in_a_row_are_dropped() -> None:
    rows = np.array([[0, 0], [0, 0], [1, 0], [0, 0], [0, 0]], float)
    assert distinct(rows).tolist() == [[0, 0], [1, 0], [0, 0]]
