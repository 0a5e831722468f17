"""Axes: what is only rounding, or a difference that nobody notices, does not fill a chart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.parts.charts.drawing import LEAST_SPAN, is_near, log_ticks, spanning

AMOUNT = st.floats(-1e12, 1e12)


@given(AMOUNT, AMOUNT)
def test_an_axis_holds_its_values_and_spans_a_share_of_them(one, other):
    """Issue 33, point 20: an axis had gone from 2.8988 to 2.8996 d."""
    least, most = sorted((one, other))
    low, high = spanning(least, most)
    assert low <= least
    assert most <= high
    assert high - low >= LEAST_SPAN * max(abs(least), abs(most)) * (1 - 1e-9)
    if most - least >= LEAST_SPAN * max(abs(least), abs(most)):
        assert (low, high) == (least, most)


def test_by_hand():
    """Issue 33, point 20."""
    assert spanning(2.8988, 2.8996) == pytest.approx((2.8702, 2.9282), abs=1e-4)
    low, high = spanning(np.array([100.0, 0.0]), np.array([100.0, 50.0]))
    assert (low.tolist(), high.tolist()) == ([99.0, 0.0], [101.0, 50.0])
    assert spanning(0.0, 1e-9, scale=100.0) == pytest.approx((-1.0, 1.0))
    assert spanning(0.0, 0.0) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("least", "most", "ticks"),
    [
        (1.0, 2.0, [1, 2]),
        (0.15, 60.0, [0.2, 0.5, 1, 2, 5, 10, 20, 50]),
        (0.1, 1e4, [0.1, 1, 10, 100, 1000, 10_000]),
        (3.0, 4.0, [3]),
    ],
)
def test_ticks_of_a_logarithmic_axis(least, most, ticks):
    found = log_ticks(least, most)
    assert 10 ** np.array(found["tickvals"]) == pytest.approx(ticks)
    assert [float(text.replace(",", "")) for text in found["ticktext"]] == pytest.approx(ticks)


def test_a_point_is_near_unless_it_would_press_the_others_together():
    seen = np.array([[1.0, 1.0], [2.0, 3.0]])
    assert is_near(np.array([3.9, 6.9]), seen)
    assert not is_near(np.array([4.1, 3.0]), seen)
    spot = np.array([[100.0, 50.0], [100.01, 50.0]])
    assert is_near(np.array([900.0, 900.0]), spot), "nothing is pressed together"
