"""Nothing that weighings leave possible is further beyond the points of a front than is said."""

import numpy as np
import pytest

from core.capabilities.provision.fronts.gap import most_beyond

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
