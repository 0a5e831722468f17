"""Areas are exact wherever the nadir cuts, and the better the bound the less it leaves open."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from chains import convex_chains, points, scales
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.convex import convex_bound, hull_boundary, supporting_boundary
from core.engines.recover import assign, round_rows
from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.boundaries import loose_boundary, staircase
from core.vocabulary.plane.points import gaps, nadir, utopia
from core.vocabulary.plane.polygons import (
    area,
    area_above,
    area_between,
    between,
    closed,
    coarse_to_fine,
    fill,
    spread,
)
from core.vocabulary.system import System

AreaAbove = Callable[[FloatArray, FloatArray], Fraction]

BOXES = st.tuples(st.integers(0, 10), st.integers(0, 10)).map(lambda box: np.array(box, float))
# All on B; type 1 on A, type 2 on B; type 1 on A, type 2 on both.
PLACED = np.array([[[0, 6], [0, 6]], [[6, 0], [0, 6]], [[6, 0], [2.4, 3.6]]])


def recovered(system: System, placed: FloatArray) -> FloatArray:
    """Energy and makespan of the schedules that rounding and assignment make of each."""
    schedules = [assign(system, round_rows(one, system.task_counts)) for one in placed]
    return np.array([[schedule.energy, schedule.makespan] for schedule in schedules])


def test_known_areas(known_front: FloatArray, known_schedules: FloatArray) -> None:
    box = nadir(np.vstack([known_front, known_schedules]))
    hull, loose = hull_boundary(known_front), loose_boundary(known_front)
    assert box.tolist() == [1404, 30]
    assert area(closed(hull, box)) == pytest.approx(5558.4)
    assert area(closed(loose, box)) == pytest.approx(6644.945455)
    assert area(closed(staircase(known_schedules), box)) == pytest.approx(3432)
    assert area_between(hull, known_schedules, box) == pytest.approx(2126.4)
    assert area_between(loose, known_schedules, box) == pytest.approx(3212.945455)
    tight = area_between(hull, known_schedules, box) + convex_bound(known_front).attained
    assert tight == pytest.approx(2788.8, abs=0.01)


@pytest.mark.parametrize(
    ("spacing", "exhaustive", "loose"),
    [
        (0.5, 836.4, 1922.945455),
        (0.25, 676.4, 1762.945455),
        (0.1, 596.4, 1682.945455),
        (0.05, 596.4, 1682.945455),
    ],
)
def test_known_areas_with_convex_fill(
    two_by_two: Callable[..., System],
    known_front: FloatArray,
    spacing: float,
    exhaustive: float,
    loose: float,
) -> None:
    filled = between(PLACED, *fill(known_front, spacing))
    schedules = recovered(two_by_two(), filled)
    box = nadir(known_front)
    assert area_between(hull_boundary(known_front), schedules, box) == pytest.approx(exhaustive)
    assert area_between(loose_boundary(known_front), schedules, box) == pytest.approx(loose)


@given(points(), BOXES)
@example(np.array([[0.0, 6.0], [3.0, 1.0]]), np.array([3.0, 5.0]))
def test_areas_are_those_of_trapezoids_wherever_the_box_cuts(
    area_above: AreaAbove, points: FloatArray, box: FloatArray
) -> None:
    for boundary in (hull_boundary(points), staircase(points)):
        polygon = closed(boundary, box)
        assert area(polygon) == pytest.approx(float(area_above(boundary, box)), abs=1e-12)
        assert (polygon <= box).all()


@given(convex_chains(), BOXES)
def test_so_are_those_of_convex_boundaries(
    area_above: AreaAbove, chain: FloatArray, share: FloatArray
) -> None:
    box = chain.min(axis=0) + share / 5 * (np.ptp(chain, axis=0) + 1)
    for boundary in (chain, loose_boundary(chain)):
        exact = float(area_above(boundary, box))
        polygon = closed(boundary, box)
        assert area(polygon) == pytest.approx(exact, abs=1e-9)
        assert (polygon <= box).all()


@given(points(min_size=1), BOXES)
def test_polygons_never_repeat_a_vertex_in_a_row(points: FloatArray, box: FloatArray) -> None:
    polygon = closed(staircase(points), box)
    following = np.roll(polygon, -1, axis=0)
    assert len(polygon) < 2 or (polygon != following).any(axis=1).all()


def test_what_is_on_the_edge_of_the_box_is_inside() -> None:
    point = np.array([[5.0, 3.0]])
    assert closed(point, np.array([8.0, 3.0])).tolist() == [[5, 3], [8, 3]]
    assert closed(point, np.array([5.0, 4.0])).tolist() == [[5, 3], [5, 4]]
    assert closed(point, np.array([5.0, 3.0])).tolist() == [[5, 3]]
    assert closed(point, np.array([5.0, 2.999])).tolist() == []


def test_without_schedules_all_of_the_outer_area_is_open(known_front: FloatArray) -> None:
    none = np.empty((0, 2))
    assert area_between(known_front, none, nadir(known_front)) == pytest.approx(5558.4)


def test_schedules_beyond_the_nadir_prove_nothing_within(known_front: FloatArray) -> None:
    beyond = np.array([[1430.0, 11.0], [800.0, 31.0]])
    assert area_between(known_front, beyond, nadir(known_front)) == pytest.approx(5558.4)


def test_small_polygons_far_from_the_origin_keep_their_area() -> None:
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    assert area(square + 1e15) == 1
    assert area(square[::-1]) == -1
    assert area(square[:2]) == 0


@given(convex_chains(min_size=2), st.data(), scales())
def test_the_less_is_known_the_more_is_left_open(
    front: FloatArray, data: st.DataObject, scale: FloatArray
) -> None:
    last = len(front) - 1
    chosen = sorted(data.draw(st.sets(st.integers(0, last))) | {0, last})
    # At each known point one line that no point of the whole front is below.
    steps = np.vstack([[0.0, -1.0], np.diff(front, axis=0), [1.0, 0.0]])
    weights, values = [], []
    for k in chosen:
        lean = data.draw(st.sampled_from([0.0, 0.25, 0.5, 1.0])) if 0 < k < last else k == last
        right, down = (1 - lean) * steps[k] + lean * steps[k + 1]
        weights.append([-down, right])
        values.append(-down * front[k, 0] + right * front[k, 1])
    front = front * scale
    lines = np.array(weights) / scale
    box = nadir(front)
    known = front[chosen]
    tight = convex_bound(known, cells=20)
    hull = area(closed(hull_boundary(known), box))
    open_areas = [
        area(closed(hull_boundary(front), box)),
        area(closed(supporting_boundary(lines, np.array(values), box), box)),
        hull + tight.proven,
        area(closed(loose_boundary(known), box)),
    ]
    assert hull <= open_areas[0] * (1 + 1e-9)
    for better, worse in pairwise(open_areas):
        assert better <= worse * (1 + 1e-9)


def test_what_rounding_leaves_is_no_area() -> None:
    # A front of one point: its proof is below it by some units in the last place.
    box = np.array([1404.0, 10.8])
    proven = box[None] * (1 - 4e-15)
    assert area(closed(proven, box)) > 0
    assert area_above(proven, box) == 0.0
    assert area_between(proven, box[None], box) == 0.0
    # Thin, but of some length: its corners are off by less than it is wide.
    thin = np.array([[0.0, 10.8 * (1 - 1e-12)], [1404.0, 0.0]])
    assert area_above(thin[:1], box) == pytest.approx(1404 * 10.8e-12, rel=1e-3)
    # Two large areas that differ in nothing.
    staircase_of_one = np.array([[1000.0, 0.1 + 0.2]])
    assert area_between(staircase_of_one, np.array([[1000.0, 0.3]]), box) == 0.0


@given(st.floats(1e-9, 1.0), st.floats(1e-9, 1.0))
def test_small_areas_are_areas(width: float, height: float) -> None:
    box = np.array([1404.0, 10.8])
    corner = box * [1 - width, 1 - height]
    expected = float(np.prod(box - corner))
    assert area_above(corner[None], box) == pytest.approx(expected, rel=1e-12)


FRONT = np.array([[900.0, 30.0], [1140.0, 18.0], [1404.0, 10.8]])


@pytest.mark.parametrize(("spacing", "filled"), [(0.5, 6), (0.25, 10), (0.1, 22), (0.05, 42)])
def test_known_counts(spacing: float, filled: int) -> None:
    left, share = fill(FRONT, spacing)
    assert len(left) == len(share) == filled


@given(convex_chains(), st.floats(0.02, 3))
def test_points_of_the_chain_are_kept_exactly_and_gaps_are_small_and_few(
    chain: FloatArray, spacing: float
) -> None:
    left, share = fill(chain, spacing)
    kept = share == 0
    assert left[kept].tolist() == list(range(len(chain)))
    filled = between(chain, left, share)
    assert (filled[kept] == chain).all()
    steps = np.bincount(left, minlength=len(chain))[:-1]
    wide = gaps(chain)
    assert (wide / steps <= spacing * (1 + 1e-6)).all()
    assert (wide[steps > 1] / (steps[steps > 1] - 1) > spacing * (1 - 1e-6)).all()
    span = nadir(chain) - utopia(chain)
    if span.all():
        assert np.abs(np.diff(filled, axis=0) / span).sum() == pytest.approx(2)


@given(convex_chains(), st.integers(1, 100).map(lambda parts: 2 / parts), scales())
def test_units_do_not_matter(chain: FloatArray, spacing: float, scale: FloatArray) -> None:
    (left, share), (left_again, share_again) = fill(chain, spacing), fill(chain * scale, spacing)
    assert left.tolist() == left_again.tolist()
    assert share.tolist() == share_again.tolist()


def test_a_gap_of_a_whole_number_of_spacings_is_not_cut_once_more_by_rounding() -> None:
    chain = np.array([[0.3, 0.9], [0.6, 0.3]])
    for parts in range(1, 200):
        assert len(fill(chain, 2 / parts)[0]) == parts + 1


def test_any_values_of_the_chain_can_be_mixed() -> None:
    placed = np.arange(12.0).reshape(3, 2, 2)
    mixed = between(placed, np.array([0, 1, 2]), np.array([0.25, 0.5, 0.0]))
    assert np.array_equal(mixed, [placed[0] + 1, placed[1] + 2, placed[2]])


@pytest.mark.parametrize(
    "chain",
    [[[5.0, 3.0]], [[5.0, 3.0], [5.0, 1.0]], [[5.0, 3.0], [8.0, 3.0]], [[5.0, 3.0], [5.0, 3.0]]],
    ids=["one point", "vertical", "horizontal", "twice the same"],
)
def test_degenerate_chains_are_filled_too(chain: list[list[float]]) -> None:
    points = np.array(chain)
    filled = between(points, *fill(points, 0.5))
    assert filled[0].tolist() == chain[0]
    assert filled[-1].tolist() == chain[-1]
    assert len(filled) == (3 if len({*map(tuple, chain)}) == 2 else len(chain))


@pytest.mark.parametrize("spacing", [0.0, -1.0, np.inf, np.nan])
def test_a_spacing_that_is_no_distance_is_refused(spacing: float) -> None:
    with pytest.raises(ValueError, match="spacing"):
        fill(FRONT, spacing)


@given(st.integers(0, 300))
def test_coarse_to_fine_is_every_place_once_the_ends_first(number: int) -> None:
    order = coarse_to_fine(number)
    assert sorted(order) == list(range(number))
    assert order[:2] == [0, number - 1][: len(order)]


@given(st.integers(3, 300), st.data())
def test_whoever_ends_early_has_been_everywhere(number: int, data: st.DataObject) -> None:
    done = data.draw(st.integers(2, number))
    seen = np.sort(coarse_to_fine(number)[:done])
    assert np.diff(seen).max() <= 4 * (number - 1) / (done - 1)


@given(convex_chains(), st.integers(2, 60))
def test_spread_points_are_on_the_chain_in_order_and_reach_both_ends(
    chain: FloatArray, number: int
) -> None:
    left, share = spread(chain, number)
    assert ((share >= 0) & (share <= 1)).all()
    points = between(chain, left, share)
    scale = np.abs(chain).max(axis=0)
    assert (np.diff(points, axis=0) * [1, -1] >= -1e-9 * scale).all()
    spans_area = np.diff(chain, axis=0).prod(axis=1).any()
    assert len(points) == (number if spans_area else len(chain))
    assert (np.abs(points[[0, -1]] - chain[[0, -1]]) <= 1e-9 * scale).all()


@given(st.integers(4, 40))
def test_steps_between_spread_points_leave_less_than_steps_of_equal_makespans(number: int) -> None:
    chain = np.array([[1.0, 9.0], [2.0, 4.0], [8.0, 3.0]])

    def left_below(points: FloatArray) -> float:
        return float(-np.diff(points, axis=0).prod(axis=1).sum() / 2)

    makespans = np.linspace(9.0, 3.0, number)
    energies = np.interp(makespans, chain[::-1, 1], chain[::-1, 0])
    spread_out = between(chain, *spread(chain, number))
    even = np.column_stack([energies, makespans])
    assert left_below(spread_out) < left_below(even)
