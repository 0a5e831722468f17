"""A chain holds the points that no other dominates, each once, in order; it is 2 long."""

import numpy as np
import pytest
from chains import convex_chains, points, scales
from hypothesis import given

from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.points import (
    gaps,
    nadir,
    non_dominated,
    normalised,
    sorted_front,
    utopia,
)


def dominates(a: FloatArray, b: FloatArray) -> bool:
    return bool((a <= b).all() and (a < b).any())


@given(points())
def test_kept_is_what_nothing_dominates_and_the_first_of_equals(points: FloatArray) -> None:
    expected = [
        not any(dominates(other, point) for other in points)
        and not (points[:index] == point).all(axis=1).any()
        for index, point in enumerate(points)
    ]
    assert non_dominated(points).tolist() == expected


@given(points())
def test_a_sorted_front_trades_energy_for_makespan(points: FloatArray) -> None:
    chain = sorted_front(points)
    assert sorted(map(tuple, chain)) == sorted(map(tuple, points[non_dominated(points)]))
    assert (np.diff(chain[:, 0]) > 0).all()
    assert (np.diff(chain[:, 1]) < 0).all()


def test_utopia_and_nadir_take_each_coordinate_by_itself() -> None:
    front = np.array([[900.0, 30.0], [1140.0, 18.0], [1404.0, 10.8]])
    assert utopia(front).tolist() == [900.0, 10.8]
    assert nadir(front).tolist() == [1404.0, 30.0]


@given(convex_chains(min_size=2), scales())
def test_a_chain_of_two_or_more_points_is_2_long_in_any_units(
    chain: FloatArray, scale: FloatArray
) -> None:
    assert gaps(chain * scale).sum() == pytest.approx(2)
    assert gaps(chain * scale) == pytest.approx(gaps(chain))


def test_what_does_not_differ_is_0_when_normalised() -> None:
    assert normalised(np.array([[7.0, 3.0]])).tolist() == [[0.0, 0.0]]
    assert normalised(np.array([[7.0, 3.0], [7.0, 1.0]])).tolist() == [[0.0, 1.0], [0.0, 0.0]]
    assert gaps(np.array([[7.0, 3.0]])).tolist() == []
