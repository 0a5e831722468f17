"""In turns, bags have a stretch that is the least one on one machine, and possible on any."""

import numpy as np
import pytest
from capabilities.fair_shares.as_published import possible
from capabilities.fair_shares.made import compute_only, random_bags
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.fair_shares.taking_turns import stretch_in_turns


@pytest.mark.parametrize(
    ("counts", "release", "expected"),
    [
        ((5,), (3,), 1),
        ((1, 3), (0, 0), 4 / 3),
        ((4, 1), (0, 1), 5 / 4),
        ((2, 1, 1), (0, 1.5, 1.5), 2),
    ],
)
def test_on_one_machine_it_is_the_optimum(counts, release, expected) -> None:
    bags = compute_only(counts, release)
    found = stretch_in_turns(bags.work.release, bags.ideal)
    assert expected <= found <= expected * (1 + 1e-6)


def test_in_turns_from_a_start_on() -> None:
    """At 3 s, 2 s and 1 s are left of bags of 4 s and 1 s: at 5 s, at 6 s, or the other way round,
    at 6 s of 4 s and at 4 s of 1 s.
    """
    release, left, ideal = np.array([0.0, 1]), np.array([2.0, 1]), np.array([4.0, 1])
    found = stretch_in_turns(release, left, ideal, 3.0)
    assert 3 <= found <= 3 * (1 + 1e-6)


@examples(30)
@given(st.integers(0, 2**32))
def test_it_is_possible_with_any_network(seed: int) -> None:
    bags = random_bags(seed)
    assert possible(bags, stretch_in_turns(bags.work.release, bags.ideal) * (1 + 1e-9))
