"""The bound is at its global optimum: no convex front through the points encloses more."""

from itertools import product

import numpy as np
import pytest
from chains import convex_chains, scales
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.boundaries import hull_boundary, loose_boundary, supporting_boundary
from core.vocabulary.plane.convex_bound import ConvexBound, convex_bound
from core.vocabulary.plane.points import nadir
from core.vocabulary.plane.polygons import area, closed


def enclosed(chain: FloatArray, leans: list[float]) -> float:
    """The area below the hull down to tangents at the inner points, drawn as half-planes."""
    steps = np.diff(chain, axis=0)
    steps = np.vstack([[0.0, -1.0], steps / np.abs(steps).sum(axis=1)[:, None], [1.0, 0.0]])
    lean = np.array([0.0, *leans, 1.0])[:, None]
    tangents = (1 - lean) * steps[:-1] + lean * steps[1:]
    weights = np.column_stack([-tangents[:, 1], tangents[:, 0]])
    box = nadir(chain)
    boundary = supporting_boundary(weights, (weights * chain).sum(axis=1), box)
    return area(closed(boundary, box)) - area(closed(hull_boundary(chain), box))


def triangles(chain: FloatArray) -> float:
    box = nadir(chain)
    return area(closed(loose_boundary(chain), box)) - area(closed(hull_boundary(chain), box))


def test_the_known_optimum_is_found_where_local_search_stops_short(
    known_front: FloatArray,
) -> None:
    bound = convex_bound(known_front, cells=1000)
    assert bound.attained == pytest.approx(662.4, abs=1e-3)
    assert 662.4 <= bound.proven <= 662.4 * 1.001


@examples(12)
@given(convex_chains(min_size=3, max_size=4))
def test_no_tangents_of_a_finer_grid_enclose_more_than_is_proven(chain: FloatArray) -> None:
    bound = convex_bound(chain, cells=8)
    grid = np.linspace(0, 1, 12)
    most = max(enclosed(chain, list(leans)) for leans in product(grid, repeat=len(chain) - 2))
    tolerance = 1e-9 * np.prod(nadir(chain))
    assert most <= bound.proven + tolerance
    assert bound.attained <= bound.proven


@given(convex_chains(min_size=2, max_size=12), st.data())
def test_no_tangents_at_random_enclose_more_either(chain: FloatArray, data: st.DataObject) -> None:
    inner = len(chain) - 2
    leans = data.draw(st.lists(st.floats(0, 1), min_size=inner, max_size=inner))
    tolerance = 1e-9 * np.prod(nadir(chain))
    assert enclosed(chain, leans) <= convex_bound(chain, cells=10).proven + tolerance


@given(convex_chains(min_size=2, max_size=12))
def test_more_cells_bring_both_sides_together(chain: FloatArray) -> None:
    coarse, fine = convex_bound(chain, cells=10), convex_bound(chain, cells=100)
    assert fine.proven <= coarse.proven * (1 + 1e-12)
    assert fine.proven <= fine.attained * 1.05 + 1e-9
    assert coarse.proven <= triangles(chain) * (1 + 1e-9) + 1e-9


@given(convex_chains(min_size=2), scales())
def test_units_do_not_matter(chain: FloatArray, scale: FloatArray) -> None:
    bound, again = convex_bound(chain, cells=10), convex_bound(chain * scale, cells=10)
    negligible = 1e-12 * np.prod(np.ptp(chain, axis=0))
    unit = np.prod(scale)
    assert again.proven / unit == pytest.approx(bound.proven, abs=negligible)
    assert again.attained / unit == pytest.approx(bound.attained, abs=negligible)


def test_with_no_inner_point_it_is_the_loose_triangle() -> None:
    two = np.array([[1380.0, 18.0], [1404.0, 10.8]])
    bound = convex_bound(two)
    assert bound.proven == bound.attained == pytest.approx(86.4)


@pytest.mark.parametrize("points", [3, 5])
def test_points_in_a_row_leave_nothing(points: int) -> None:
    row = np.column_stack([np.arange(points), np.arange(points)[::-1]]).astype(float)
    assert convex_bound(row) == ConvexBound(0.0, 0.0)


def test_points_in_a_row_but_for_rounding_leave_next_to_nothing(
    nearly_in_a_row: list[FloatArray],
) -> None:
    for front in nearly_in_a_row:
        bound = convex_bound(front)
        assert 0 <= bound.attained <= bound.proven <= 1e-12


def test_a_single_point_leaves_nothing() -> None:
    assert convex_bound(np.array([[5.0, 3.0]])) == ConvexBound(0.0, 0.0)
    assert convex_bound(np.empty((0, 2))) == ConvexBound(0.0, 0.0)


def test_fronts_of_the_size_of_real_ones_come_out_tight() -> None:
    energy = np.linspace(1, 10, 90)
    bound = convex_bound(np.column_stack([energy, 10 / energy]))
    assert bound.attained < bound.proven < bound.attained * 1.005
