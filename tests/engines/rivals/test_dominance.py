"""Ranks and crowding are those of the textbook, whatever the ties."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.engines.rivals.evolution import rank_and_crowding
from core.vocabulary.arrays import FloatArray, IntArray

few_values = st.integers(0, 6).map(float)
any_values = st.floats(-1e9, 1e9)
points = st.lists(st.tuples(few_values, few_values), min_size=1, max_size=60) | st.lists(
    st.tuples(any_values, any_values), min_size=1, max_size=60
)


def textbook_rank(points: FloatArray) -> IntArray:
    """Front by front: what no other point of those left dominates is taken away."""
    rank = np.full(len(points), -1)
    for front in range(len(points)):
        left = np.flatnonzero(rank < 0)
        one, other = points[left, None], points[None, left]
        dominated = (other <= one).all(axis=2) & (other < one).any(axis=2)
        rank[left[~dominated.any(axis=1)]] = front
    return rank


def textbook_crowding(points: FloatArray, rank: IntArray) -> FloatArray:
    """Objective by objective, each rank sorted anew."""
    crowding = np.zeros(len(points))
    for members in (np.flatnonzero(rank == each) for each in np.unique(rank)):
        for values in points[members].T:
            order = members[np.argsort(values)]
            inner = np.sort(values)[2:] - np.sort(values)[:-2]
            crowding[order[[0, -1]]] = np.inf
            crowding[order[1:-1]] += np.divide(
                inner, np.ptp(values), out=np.zeros(len(inner)), where=np.ptp(values) > 0
            )
    return crowding


@given(points)
def test_ranks_are_those_of_the_textbook(points: list[tuple[float, float]]) -> None:
    table = np.array(points)
    rank, _ = rank_and_crowding(*table.T.copy())
    assert rank.tolist() == textbook_rank(table).tolist()


def test_ranks_by_hand() -> None:
    # (0, 2), (1, 1) twice and (3, 0) are the first front; (1, 2) waits for it, (2, 2) for that.
    table = np.array([[1, 2], [0, 2], [1, 1], [2, 2], [1, 1], [3, 0]], float)
    rank, _ = rank_and_crowding(*table.T.copy())
    assert rank.tolist() == textbook_rank(table).tolist() == [1, 0, 0, 2, 0, 0]


@given(points)
def test_crowding_is_that_of_the_textbook(points: list[tuple[float, float]]) -> None:
    table = np.array(sorted(set(points)))
    rank, crowding = rank_and_crowding(*table.T.copy())
    np.testing.assert_allclose(crowding, textbook_crowding(table, rank), rtol=1e-12)


def test_crowding_by_hand_where_points_are_equal() -> None:
    # The copies at (1, 1) share the room from (0, 3) to (2, 0), and the ends stay ends.
    rank, crowding = rank_and_crowding(
        np.array([1.0, 0.0, 1.0, 2.0, 1.0]), np.array([1.0, 3.0, 1.0, 0.0, 1.0])
    )
    assert rank.tolist() == [0] * 5
    inner = [1 / 2 + 2 / 3, 0.0, 1 / 2 + 1 / 3]
    np.testing.assert_allclose(crowding, [inner[0], np.inf, inner[1], np.inf, inner[2]])


def test_equal_points_at_an_end_leave_one_with_all_the_room() -> None:
    _, crowding = rank_and_crowding(np.zeros(4), np.ones(4))
    assert sorted(crowding) == [0, 0, np.inf, np.inf]
