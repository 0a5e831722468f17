"""Weighings are spread evenly, and what they prove of a front bounds all that is possible."""

import numpy as np
import pytest

from core.capabilities.provision.fronts.weighings import (
    lines_for,
    most_beyond,
    orthogonal_weighings,
)


@pytest.mark.parametrize(("lines", "kept"), [(5, 8), (11, 34), (21, 140), (31, 293), (51, 814)])
def test_as_many_points_of_the_grid_are_weights(lines: int, kept: int) -> None:
    found = orthogonal_weighings(3, lines)
    assert len(found) == 3 + kept
    assert (found >= 0).all()
    assert found.sum(axis=1) == pytest.approx(1)
    assert (found[:3] == np.eye(3)).all()


def test_two_objectives_get_weights_at_equal_distances() -> None:
    found = orthogonal_weighings(2, 5)[2:]
    first = np.linspace(0, 1, 5)
    assert found == pytest.approx(np.stack([first, 1 - first], axis=1))


@pytest.mark.parametrize(("most", "lines"), [(5, 3), (6, 3), (7, 4), (36, 10), (37, 11), (40, 11)])
def test_the_grid_is_the_finest_with_at_most_so_many_weighings(most: int, lines: int) -> None:
    assert lines_for(3, most) == lines


ALONE = np.eye(3)


def test_a_single_point_that_is_best_in_all_objectives_is_all_there_is() -> None:
    assert most_beyond(np.zeros((1, 3)), ALONE, np.zeros(3)) == pytest.approx(0.0, abs=1e-9)


def test_three_points_leave_open_what_is_between_them() -> None:
    # Each is best in one objective and worst in the others; (0, 0, 0) is not ruled out. The mix
    # of all is at 2/3 in each.
    points = 1 - np.eye(3)
    assert most_beyond(points, ALONE, np.zeros(3)) == pytest.approx(2 / 3)


PAIRS = (1 - np.eye(3)) / 2


def test_weighings_of_two_and_of_all_close_the_gap() -> None:
    points = 1 - np.eye(3)
    weighings = np.vstack([ALONE, PAIRS, np.full(3, 1 / 3)])
    closed = np.array([0, 0, 0, 0.5, 0.5, 0.5, 2 / 3])
    assert most_beyond(points, weighings, closed) == pytest.approx(0.0, abs=1e-9)
    half = np.append(closed[:-1], 1 / 3)
    assert most_beyond(points, weighings, half) == pytest.approx(1 / 6, abs=1e-6)


def test_a_point_that_is_worse_than_all_others_in_one_objective_may_be_possible() -> None:
    # Nothing rules out (0, 0, 2), which half of two points misses by 1/2.
    weighings = np.vstack([ALONE, np.full(3, 1 / 3)])
    found = most_beyond(1 - np.eye(3), weighings, np.append(np.zeros(3), 2 / 3))
    assert found == pytest.approx(1 / 2)
