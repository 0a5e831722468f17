"""The archive keeps, of every stretch of makespans, the cheapest state and nothing else."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.recover.states import NO_ARCHIVE, Archive

LIMITS = np.array([1.0, 2.0, 4.0])
STATES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 10)), max_size=12)


def archive() -> Archive:
    return Archive.empty(LIMITS, np.ones((2, 3)), 0.5, machines=4)


def counts(mark: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    return np.full((4, 2), mark, np.int64)


def test_empty_slots_cost_infinitely_much() -> None:
    empty = archive()
    assert empty.counts.shape == (3, 4, 2)
    assert np.isinf(empty.costs).all()
    assert np.isinf(empty.makespans).all()
    assert len(empty.filled) == 0


@pytest.mark.parametrize(
    ("makespan", "slot"), [(0.5, 0), (1.0, 0), (np.nextafter(1, 2), 1), (2.0, 1), (4.0, 2)]
)
def test_a_slot_ends_with_its_limit(makespan: float, slot: int) -> None:
    kept = archive()
    kept.offer(7.0, makespan, counts(1))
    assert kept.filled.tolist() == [slot]
    assert (kept.costs[slot], kept.makespans[slot]) == (7.0, makespan)
    assert (kept.counts[slot] == 1).all()


def test_what_is_beyond_the_last_limit_is_not_kept() -> None:
    kept = archive()
    kept.offer(0.0, np.nextafter(4, 5), counts(1))
    assert np.isinf(kept.costs).all()
    NO_ARCHIVE.offer(0.0, 0.0, np.zeros((0, 0), np.int64))
    assert len(NO_ARCHIVE.costs) == 0


@given(STATES)
def test_of_each_slot_the_first_of_the_cheapest_stays(states: list[tuple[int, int]]) -> None:
    kept = archive()
    for mark, (cost, halves) in enumerate(states):
        kept.offer(cost, halves / 2, counts(mark))
    for slot, (low, high) in enumerate([(-1, 1), (1, 2), (2, 4)]):
        there = [(cost, mark) for mark, (cost, h) in enumerate(states) if low < h / 2 <= high]
        if not there:
            assert np.isinf(kept.costs[slot])
            continue
        cost, mark = min(there)
        assert kept.costs[slot] == cost
        assert kept.makespans[slot] == states[mark][1] / 2
        assert (kept.counts[slot] == mark).all()


@given(STATES, STATES)
def test_taking_over_is_as_if_all_had_been_offered_to_one(
    mine: list[tuple[int, int]], yours: list[tuple[int, int]]
) -> None:
    both, one, other = archive(), archive(), archive()
    for mark, (cost, halves) in enumerate([*mine, *yours]):
        both.offer(cost, halves / 2, counts(mark))
        (one if mark < len(mine) else other).offer(cost, halves / 2, counts(mark))
    one.take_over(other)
    np.testing.assert_array_equal(one.costs, both.costs)
    np.testing.assert_array_equal(one.makespans, both.makespans)
    np.testing.assert_array_equal(one.counts, both.counts)
    # The other one now knows what is to be beaten, and so offers nothing twice.
    np.testing.assert_array_equal(other.costs, both.costs)
    before = one.counts.copy()
    one.take_over(other)
    np.testing.assert_array_equal(one.counts, before)
