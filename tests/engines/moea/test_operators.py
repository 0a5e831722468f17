"""Two parents have two children, who have all their genes from them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.engines.moea.operators import cut_in_blocks, linear


def test_three_point_crossover_keeps_the_genes_of_a_step_together() -> None:
    """Fixture C11: cooling 1 to 4, then servers 1 to 4, cut behind the second of each."""
    one, other = np.array([[11, 12, 13, 14, 1, 2, 3, 4]]), np.arange(21, 29)[None, :]
    first, second = cut_in_blocks(one, other, np.array([2]), 4)
    assert first.tolist() == [[11, 12, 23, 24, 1, 2, 27, 28]]
    assert second.tolist() == [[21, 22, 13, 14, 25, 26, 3, 4]]


def test_each_pair_is_cut_at_a_place_of_its_own() -> None:
    first, _ = cut_in_blocks(np.zeros((3, 4), int), np.ones((3, 4), int), np.array([1, 2, 3]), 4)
    assert first.tolist() == [[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]


def test_linear_recombination_computed_by_hand() -> None:
    """Fixture C12."""
    share = np.array([0.3, 0.5])
    assert [
        child.tolist() for child in linear(np.array([10, 300]), np.array([20, 100]), share)
    ] == [
        [17, 200],
        [13, 200],
    ]


@given(
    genes=st.tuples(*[st.lists(st.integers(0, 300), min_size=4, max_size=4)] * 2),
    share=st.lists(st.floats(0, 1), min_size=4, max_size=4),
)
def test_a_child_is_between_its_parents(genes: tuple[list[int], ...], share: list[float]) -> None:
    one, other = map(np.array, genes)
    for child in linear(one, other, np.array(share)):
        assert (child >= np.minimum(one, other)).all()
        assert (child <= np.maximum(one, other)).all()
