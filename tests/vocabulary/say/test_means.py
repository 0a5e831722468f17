"""Means are written with their intervals, which are never narrower than they are."""

import math

import pytest

from core.vocabulary.intervals import Interval
from core.vocabulary.say.means import mean_within, share_within
from core.vocabulary.say.units import TIMES


@pytest.mark.parametrize(
    ("mean", "half_width", "said"),
    [
        (0.7834, 0.00401, "78.3 ± 0.5 %"),
        (0.7836, 0.004, "78.4 ± 0.4 %"),
        (1.0, 0.0, "100.0 ± 0.0 %"),
        (0.5, 1e-6, "50.0 ± 0.1 %"),
        (0.7834, math.inf, "78.3 %"),
    ],
)
def test_a_share_with_its_interval(mean: float, half_width: float, said: str) -> None:
    assert share_within(Interval(mean, half_width)) == said


@pytest.mark.parametrize(
    ("mean", "half_width", "said"),
    [(7421.0, 30.1, "2.061 ± 0.0084"), (7200.0, 1e-12, "2 ± 0"), (7200.0, math.inf, "2")],
)
def test_a_mean_in_hours(mean: float, half_width: float, said: str) -> None:
    assert mean_within(Interval(mean, half_width), TIMES["h"]) == said


def test_a_mean_without_a_unit() -> None:
    assert mean_within(Interval(7421.0, 30.1)) == "7,421 ± 31"
