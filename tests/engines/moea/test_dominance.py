"""What is dominated, and the volume of what is."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.engines.moea.dominance import dominated_by, front, hypervolume
from core.vocabulary.arrays import FloatArray

points = st.integers(1, 4).flatmap(
    lambda objectives: st.lists(
        st.lists(st.integers(0, 4), min_size=objectives, max_size=objectives),
        min_size=1,
        max_size=8,
    ).map(lambda rows: np.array(rows, float))
)


def test_a_volume_computed_by_hand() -> None:
    """Fixture C8."""
    three = np.array([[1.0, 2, 3], [2, 1, 3], [3, 3, 1]])
    assert hypervolume(three, np.full(3, 4.0)) == 10
    assert hypervolume(three[:0], np.full(3, 4.0)) == 0


@given(found=points)
def test_the_volume_is_that_of_the_unit_cubes_that_a_point_dominates(found: FloatArray) -> None:
    objectives = found.shape[1]
    cubes = product(range(5), repeat=objectives)
    dominated = sum((found <= cube).all(axis=1).any() for cube in cubes)
    assert hypervolume(found, np.full(objectives, 5.0)) == dominated


@given(found=points)
def test_the_front_is_what_no_other_dominates_one_of_each(found: FloatArray) -> None:
    expected = [
        place
        for place, one in enumerate(found)
        if not any((two <= one).all() and (two < one).any() for two in found)
        and not (found[:place] == one).all(axis=1).any()
    ]
    assert front(found).tolist() == expected


def test_an_equal_point_dominates_nothing() -> None:
    others = np.array([[1.0, 2.0], [1.0, 3.0], [0.0, 9.0], [2.0, 2.0]])
    assert dominated_by(np.array([1.0, 2.0]), others).tolist() == [False, True, False, True]
