"""Numbers that come block by block are counted."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.engines.logs.types.counting import Tally

BLOCKS = st.lists(st.lists(st.integers(0, 9), max_size=8), max_size=6)


@given(BLOCKS)
def test_each_number_is_counted_as_often_as_it_came(blocks: list[list[int]]) -> None:
    tally, weighted = Tally(), Tally()
    for block in blocks:
        numbers = np.array(block, np.int64)
        tally.add(numbers)
        weighted.add(numbers, np.full(len(block), 3))
    counts = Counter(number for block in blocks for number in block)
    assert tally.numbers.tolist() == sorted(counts)
    assert dict(zip(tally.numbers.tolist(), tally.counts.tolist(), strict=True)) == counts
    assert weighted.counts.tolist() == (3 * tally.counts).tolist()
