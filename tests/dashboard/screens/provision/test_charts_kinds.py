"""The chart of errors shows each number of kinds that was tried, and marks the one taken."""

import numpy as np
import pytest

from core.capabilities.provision.futures.varying import KindsTried, OperationsFound
from core.engines.operations.factors import Operations
from dashboard.screens.provision.charts import kinds_alt, kinds_figure, kinds_in_words


def tried(kinds, *errors):
    return KindsTried(Operations(np.ones((2, kinds)), np.ones((kinds, 2))), np.array(errors))


ONE, TWO, THREE = tried(1, 0.3, -0.1), tried(2, 0.004, -0.012), tried(3, 1e-9, 0.0)
NEAR = OperationsFound((ONE, TWO, THREE), TWO, by_error=True)
FAR = OperationsFound((ONE, tried(2, 0.2, -0.1)), tried(2, 0.2, -0.1), by_error=True)


def test_lines_are_the_errors_in_percent_and_a_ring_marks_the_one_taken():
    mean, ring = kinds_figure(NEAR).data
    assert list(mean.x) == [1, 2, 3]
    assert list(mean.y) == pytest.approx([20, 0.8, 5e-8])
    assert (*ring.x, *ring.y) == pytest.approx((2, 0.8))
    assert mean.customdata == (
        "1 kind: mean error 20 %, largest 30 %",
        "2 kinds: mean error 0.8 %, largest 1.2 %",
        "3 kinds: mean error 0 %, largest 0 %",
    )
    near = kinds_figure(NEAR).layout.shapes[0]
    assert (near.y0, near.y1) == (1, 1)
    assert kinds_alt(NEAR).endswith("1: 20 %, 2: 0.8 %, 3: 0 %")


def test_words_say_why_it_is_taken():
    assert kinds_in_words(NEAR) == (
        "2 kinds of operations: the fewest with a mean error of at most 1 %."
    )
    assert kinds_in_words(FAR) == (
        "2 kinds of operations: no number has a mean error of at most 1 %; this is nearest."
    )
