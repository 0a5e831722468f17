"""Between two milestones the order of dates holds, and at each it changes."""

import math
from itertools import pairwise

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.fair_shares.epochs import count_intervals, epochs_between, milestones


def test_milestones_of_an_example() -> None:
    """Bags of 2 s at 0 and of 1 s at 1.5: the first is due at 1.5 below 1; both are due at 3."""
    release, ideal = np.array([0, 1.5]), np.array([2.0, 1.0])
    assert milestones(release, ideal) == pytest.approx([1, 1.5])
    assert milestones(np.array([0, 9.0]), ideal) == pytest.approx([1, 4.5, 9])


def test_milestones_that_are_the_same_are_one() -> None:
    found = milestones(np.array([0.0, 0, 5]), np.array([2.0, 2 * (1 + 1e-12), 50]))
    assert found == pytest.approx([1, 2.5])


def test_nothing_is_done_before_the_start() -> None:
    """At 3 s, the first of two bags has had 1.5 ideal durations, and the second, which was released
    at 1 s, has half of its own: both are due at 4 s at 2, and at 5 s and 7 s at 2.5.
    """
    release, ideal = np.array([0.0, 1]), np.array([2.0, 1.5])
    assert milestones(release, ideal, 3.0) == pytest.approx([1.5, 2])
    assert milestones(release, ideal, 1.0) == pytest.approx([1, 2])
    first = milestones(np.zeros(1), np.array([3.0]), 7.0)[0]
    assert 7 / 3 * (1 - 1e-11) < first < 7 / 3, "what is left takes some time"
    epochs = epochs_between(release, ideal, 1.5, 2.0, 3.0)
    assert epochs.dates(1.8) == pytest.approx([3, 3.6, 3.7])
    assert epochs.first.tolist() == [0, 0]
    assert epochs.last.tolist() == [0, 1]
    assert count_intervals(release, ideal, 3.0) == 2


def dates(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    bags = int(rng.integers(1, 7))
    return rng.integers(0, 20, bags) * 1.0, rng.integers(1, 12, bags) / 2


@examples(24)
@given(st.integers(0, 2**32))
def test_the_order_holds_up_to_the_next_milestone(seed: int) -> None:
    release, ideal = dates(seed)
    ends = [*milestones(release, ideal), math.inf]
    bags = len(release)
    assert len(ends) - 2 <= bags * (bags - 1)
    different = {(r, 0.0) for r in release} | {*zip(release, ideal, strict=True)}
    orders = []
    for low, high in pairwise(ends):
        epochs = epochs_between(release, ideal, low, high)
        assert epochs.intervals == count_intervals(release, ideal) == len(different) - 1
        for share in (0, 0.01, 0.5, 0.99, 1):
            stretch = low + share * (min(high, low + 9) - low)
            by_hand = np.sort([date + stretch * slope for date, slope in different])
            found = epochs.base + epochs.slope * stretch
            np.testing.assert_allclose(found, by_hand, atol=1e-9)
            np.testing.assert_allclose(epochs.dates(stretch), by_hand, atol=1e-9)
            np.testing.assert_allclose(
                epochs.length_base + epochs.length_slope * stretch, np.diff(by_hand), atol=1e-9
            )
            np.testing.assert_allclose(found[epochs.first], release, atol=1e-9)
            np.testing.assert_allclose(found[epochs.last + 1], release + stretch * ideal, atol=1e-9)
        orders.append((epochs.base.tolist(), epochs.slope.tolist()))
    assert all(one != other for one, other in pairwise(orders))
