"""Weighings are spread over the simplex, as many as was published."""

import numpy as np
import pytest

from core.capabilities.provision.fronts.weighings import lines_for, orthogonal_weighings


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
