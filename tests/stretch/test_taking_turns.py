"""In turns, bags have a stretch that is the least one on one machine, and possible on any."""

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from stretch.as_published import possible
from stretch.made import compute_only, random_bags

from core.stretch.taking_turns import stretch_in_turns


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


@examples(30)
@given(st.integers(0, 2**32))
def test_it_is_possible_with_any_network(seed: int) -> None:
    bags = random_bags(seed)
    assert possible(bags, stretch_in_turns(bags.work.release, bags.ideal) * (1 + 1e-9))
