"""Boundaries that proven lines leave are exact, and no convex front is below what is proven."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from chains import convex_chains, points, scales
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.convex import ConvexBound, convex_bound, hull_boundary, supporting_boundary
from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.boundaries import (
    loose_boundary,
)
from core.vocabulary.plane.points import nadir, sorted_front
from core.vocabulary.plane.polygons import area, closed

WEIGHT = st.integers(0, 5)
LINES = st.lists(
    st.tuples(WEIGHT, WEIGHT, st.integers(-20, 100)).filter(lambda line: line[0] or line[1]),
    max_size=7,
)


def edge_lines(chain: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Weights and values of least energy, of every edge of a chain, and of least makespan."""
    steps = np.diff(chain, axis=0)
    weights = np.vstack([[1.0, 0.0], np.column_stack([-steps[:, 1], steps[:, 0]]), [0.0, 1.0]])
    return weights, (weights * chain[[0, *range(len(chain))]]).sum(axis=1)


@given(points(min_size=1))
def test_all_points_are_up_and_right_of_their_convex_hull(points: FloatArray) -> None:
    hull = hull_boundary(points)
    assert {*map(tuple, hull)} <= {*map(tuple, sorted_front(points))}
    steps = np.diff(hull, axis=0)
    slopes = [Fraction(down) / Fraction(right) for right, down in steps]
    assert slopes == sorted(set(slopes))
    for point in points:
        above = np.interp(point[0], hull[:, 0], hull[:, 1])
        assert point[0] >= hull[0, 0]
        assert point[1] >= above - 1e-12


def test_a_vertex_of_a_hull_stands_out() -> None:
    in_a_row = np.array([[0.0, 3.0], [1.0, 2.0], [2.0, 1.0], [3.0, 0.0]])
    assert hull_boundary(in_a_row).tolist() == [[0, 3], [3, 0]]


@given(convex_chains())
def test_the_lines_of_all_edges_leave_the_front_itself(front: FloatArray) -> None:
    box = nadir(front) + 1
    left = area(closed(supporting_boundary(*edge_lines(front), box), box))
    assert left == pytest.approx(area(closed(front, box)))


def test_lines_that_cut_off_little_count_too() -> None:
    energy = np.linspace(0.1, 1, 1000)
    front = np.column_stack([energy, 1 / energy])
    box = nadir(front)
    boundary = supporting_boundary(*edge_lines(front), box)
    assert area(closed(boundary, box)) == pytest.approx(area(closed(front, box)), rel=1e-13)


@given(convex_chains(min_size=2), scales())
def test_units_do_not_matter(front: FloatArray, scale: FloatArray) -> None:
    front = front * scale
    box = nadir(front)
    left = area(closed(supporting_boundary(*edge_lines(front), box), box))
    assert left == pytest.approx(area(closed(front, box)))
    loose = closed(loose_boundary(front / scale), box / scale)
    assert area(closed(loose_boundary(front), box)) == pytest.approx(area(loose) * scale.prod())


@given(LINES, st.integers(1, 60), st.integers(1, 60))
def test_half_planes_leave_exactly_their_intersection(
    lines: list[tuple[int, int, int]], most_energy: int, most_makespan: int
) -> None:
    table = np.array(lines, float).reshape(-1, 3)
    box = np.array([most_energy, most_makespan], float)
    boundary = supporting_boundary(table[:, :2], table[:, 2], box)
    exact = _exact_area([*lines, (1, 0, 0), (0, 1, 0)], most_energy, most_makespan)
    assert area(closed(boundary, box)) == pytest.approx(float(exact), abs=1e-8)
    assert ((boundary >= 0) & (boundary <= box)).all()
    assert (boundary @ table[:, :2].T >= table[:, 2] - 1e-8).all()


def test_lines_that_nearly_repeat_do_no_harm(nearly_in_a_row: list[FloatArray]) -> None:
    box = np.array([1.5, 1.25])
    for front in nearly_in_a_row:
        boundary = supporting_boundary(*edge_lines(front), box)
        assert area(closed(boundary, box)) == pytest.approx(1.5 * 1.25 - 0.5, rel=1e-11)
        assert len(boundary) <= len(front) + 2
        assert ((boundary >= 0) & (boundary <= box)).all()
        assert (np.diff(boundary, axis=0) * [1, -1] >= 0).all()


def test_cuts_as_shallow_as_rounding_stay_inside_the_box() -> None:
    box = np.ones(2)
    for depth in np.linspace(1e-16, 3e-14, 300):
        weights = np.array([[1.0, 1.0], [1 - depth / 2, 1.0]])
        boundary = supporting_boundary(weights, np.array([1, 1 + depth]), box)
        assert boundary[[0, -1]] == pytest.approx(np.array([[0, 1], [1, 0]]), abs=1e-12)
        assert ((boundary >= 0) & (boundary <= box)).all()


def test_without_lines_only_the_axes_bound() -> None:
    boundary = supporting_boundary(np.empty((0, 2)), np.empty(0), np.array([4.0, 3.0]))
    assert boundary.tolist() == [[0, 3], [0, 0], [4, 0]]


def test_a_nadir_that_nothing_reaches_leaves_no_boundary() -> None:
    lines = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    for value in ([5.0, 1.0, 0.0], [1.0, 5.0, 0.0], [1.0, 1.0, 7.0]):
        assert supporting_boundary(lines, np.array(value), np.array([3.0, 3.0])).shape == (0, 2)
    nothing = supporting_boundary(np.empty((0, 2)), np.empty(0), np.array([-1.0, 3.0]))
    assert nothing.shape == (0, 2)


def test_a_nadir_on_the_only_point_leaves_that_point() -> None:
    rng = np.random.default_rng(7)
    for weight in rng.uniform(size=(100, 2)):
        point = rng.uniform(size=2)
        weights = np.array([[1.0, 0.0], weight, [0.0, 1.0]])
        # Rounded differently than a product of matrices is.
        values = weights * point
        values = np.array([sum(map(float, terms)) for terms in values]) * (1 + 2e-16)
        boundary = supporting_boundary(weights, values, values[[0, 2]])
        assert boundary.tolist() == [values[[0, 2]].tolist()]


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


def test_the_known_optimum_is_found_where_local_search_stops_short(known_front: FloatArray) -> None:
    bound = convex_bound(known_front, cells=1000)
    assert bound.attained == pytest.approx(662.4, abs=1e-3)
    assert 662.4 <= bound.proven <= 662.4 * 1.001


@given(convex_chains(min_size=2, max_size=12), st.data())
def test_no_tangents_at_random_enclose_more_either(chain: FloatArray, data: st.DataObject) -> None:
    inner = len(chain) - 2
    leans = data.draw(st.lists(st.floats(0, 1), min_size=inner, max_size=inner))
    tolerance = 1e-9 * np.prod(nadir(chain))
    assert enclosed(chain, leans) <= convex_bound(chain, cells=10).proven + tolerance


@given(convex_chains(min_size=2), scales())
def test_units_do_not_matter_for_the_bound(chain: FloatArray, scale: FloatArray) -> None:
    bound, again = convex_bound(chain, cells=10), convex_bound(chain * scale, cells=10)
    negligible = 1e-12 * np.prod(np.ptp(chain, axis=0))
    unit = np.prod(scale)
    assert again.proven / unit == pytest.approx(bound.proven, abs=negligible)
    assert again.attained / unit == pytest.approx(bound.attained, abs=negligible)


def test_points_in_a_row_but_for_rounding_leave_next_to_nothing_to_bound(
    nearly_in_a_row: list[FloatArray],
) -> None:
    for front in nearly_in_a_row:
        bound = convex_bound(front)
        assert 0 <= bound.attained <= bound.proven <= 1e-12


def test_a_single_point_leaves_nothing() -> None:
    assert convex_bound(np.array([[5.0, 3.0]])) == ConvexBound(0.0, 0.0)
    assert convex_bound(np.empty((0, 2))) == ConvexBound(0.0, 0.0)


def _exact_area(
    lines: list[tuple[int, int, int]], most_energy: int, most_makespan: int
) -> Fraction:
    """Up to the nadir: integrated between all the energies where two lines cross."""
    left = max(Fraction(value, energy) for energy, makespan, value in lines if not makespan)
    # Every other line as (slope, makespan at no energy), the top of the box last.
    slopes = [
        (Fraction(-energy, makespan), Fraction(value, makespan))
        for energy, makespan, value in lines
        if makespan
    ]
    slopes.append((Fraction(0), Fraction(most_makespan)))
    breaks = {left, Fraction(most_energy)}
    for (slope, start), (other, other_start) in combinations(slopes, 2):
        if slope != other:
            breaks.add((other_start - start) / (slope - other))
    inside = sorted(energy for energy in breaks if left <= energy <= most_energy)
    heights = [
        max(
            most_makespan - max(start + slope * energy for slope, start in slopes[:-1]), Fraction(0)
        )
        for energy in inside
    ]
    return sum(
        (
            (inside[k + 1] - inside[k]) * (heights[k] + heights[k + 1]) / 2
            for k in range(len(inside) - 1)
        ),
        Fraction(0),
    )
