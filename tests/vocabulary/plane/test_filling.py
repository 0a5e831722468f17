"""Filling keeps every point of a chain and adds as few as bring all gaps down to the spacing."""

import numpy as np
import pytest
from chains import convex_chains, scales
from hypothesis import given
from hypothesis import strategies as st

from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.filling import between, coarse_to_fine, fill, spread
from core.vocabulary.plane.points import gaps, nadir, utopia

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
