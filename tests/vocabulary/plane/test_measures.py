"""Areas are what points dominate; prices, knee and gap are those of a front known by hand."""

import numpy as np
import pytest
from chains import convex_chains, points, scales
from hypothesis import given

from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.boundaries import staircase
from core.vocabulary.plane.measures import Gap, exchange_rates, knee, largest_gap
from core.vocabulary.plane.polygons import area, closed


def hypervolume(points: FloatArray, energy: int, makespan: int) -> int:
    """How many unit squares of the box up to a nadir are dominated: exact for whole numbers."""
    squares = ((x, y) for x in range(energy) for y in range(makespan))
    return sum(bool((points <= square).all(axis=1).any()) for square in squares)


def test_a_hypervolume_counted_by_hand() -> None:
    # Up to (4, 3): 3 squares up and right of (1, 2), and 4 of (2, 1), 2 of which are the same.
    assert hypervolume(np.array([[1.0, 2.0], [2.0, 1.0]]), 4, 3) == 3 + 4 - 2


@given(points())
def test_the_hypervolume_is_the_area_up_and_right_of_the_staircase(points: FloatArray) -> None:
    for nadir in ((7, 7), (3, 4)):
        region = closed(staircase(points), np.array(nadir, float))
        assert area(region) == pytest.approx(hypervolume(points, *nadir))


def test_a_saved_second_costs_the_more_the_faster(known_front: FloatArray) -> None:
    assert exchange_rates(known_front) == pytest.approx([20, 36.66666666666667])
    assert exchange_rates(known_front[:1]).tolist() == []


@given(convex_chains())
def test_what_the_saved_seconds_cost_is_the_energy_between_the_ends(chain: FloatArray) -> None:
    rates = exchange_rates(chain)
    assert rates @ -np.diff(chain[:, 1]) == pytest.approx(chain[-1, 0] - chain[0, 0])
    assert (np.diff(rates) >= -1e-9).all()


def test_the_knee_is_the_point_nearest_to_having_both() -> None:
    assert knee(np.array([[0, 10], [1, 4], [2, 1], [6, 0.5], [10, 0]])) == 2


def test_a_front_without_a_bend_has_no_knee() -> None:
    assert knee(np.array([[0.0, 2.0], [1.0, 1.0], [2.0, 0.0]])) is None
    assert knee(np.array([[0.0, 2.0], [1.0, 0.985], [2.0, 0.0]])) is None
    assert knee(np.array([[0.0, 2.0], [1.0, 0.975], [2.0, 0.0]])) == 1
    assert knee(np.array([[0.0, 2.0], [1.0, 1.5], [2.0, 0.0]])) is None
    assert knee(np.array([[0.0, 2.0], [2.0, 0.0]])) is None
    assert knee(np.array([[0.0, 2.0]])) is None


@given(convex_chains(min_size=3), scales())
def test_the_knee_does_not_depend_on_units(chain: FloatArray, scale: FloatArray) -> None:
    here, there = knee(chain), knee(chain * scale)
    if here is None or there is None:
        assert here == there
    else:
        span = np.ptp(chain, axis=0)
        assert (chain[here] / span).sum() == pytest.approx((chain[there] / span).sum())


def test_the_largest_gap(known_front: FloatArray) -> None:
    assert largest_gap(known_front) == Gap(0, 240.0, 12.0)
    assert largest_gap(known_front[:1]) is None
    assert largest_gap(np.array([[5.0, 3.0], [9.0, 3.0]])) == Gap(0, 4.0, 0.0)
