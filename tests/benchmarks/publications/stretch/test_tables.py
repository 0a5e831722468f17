"""A sentence on means holds, does not, or is undecided, by paired differences."""

import numpy as np
import pytest

from benchmarks.publications.stretch.tables import all_pairs, judged

SURE = np.array([1.0, 1.1, 0.9, 1.0])
OPEN = np.array([1.0, -1.1, 0.9, -0.7])


@pytest.mark.parametrize(
    ("margins", "holds", "undecided"),
    [
        ((SURE,), True, False),
        ((-SURE,), False, False),
        ((OPEN,), True, True),
        ((-OPEN,), False, True),
        ((SURE, OPEN), True, True),
        ((-SURE, OPEN), False, False),
        ((np.zeros(3),), True, False),
    ],
)
def test_all_margins_count(margins, holds, undecided):
    found = judged(*margins)
    assert (found.holds, found.undecided) == (holds, undecided)


def test_the_least_margin_is_said():
    found = judged(SURE, OPEN, SURE + 1)
    assert found.at == 1
    assert found.said.startswith("+0.025 ± 1.")


def test_pairs_are_of_groups_that_follow_each_other():
    groups = [("a", "b"), ("c",), ("d", "e")]
    assert all_pairs(groups) == [("a", "c"), ("b", "c"), ("c", "d"), ("c", "e")]
