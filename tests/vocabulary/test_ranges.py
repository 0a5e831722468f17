"""A range contains its ends and nothing beyond, and is said with its unit."""

import math

import numpy as np
import pytest

from core.vocabulary.intervals import Interval, means_of_sets
from core.vocabulary.ranges import ETC, IDLE_FRACTION, MACHINE_COUNT, POWER, TASK_COUNT, Range


@pytest.mark.parametrize("allowed", [TASK_COUNT, MACHINE_COUNT, ETC, POWER, IDLE_FRACTION])
def test_ends_are_included_and_nothing_beyond(allowed: Range) -> None:
    assert allowed.low in allowed
    assert allowed.high in allowed
    assert math.nextafter(allowed.low, -math.inf) not in allowed
    assert math.nextafter(allowed.high, math.inf) not in allowed
    assert math.nan not in allowed


def test_is_said_with_its_unit() -> None:
    assert str(Range(0.0, 1e12, "W")) == "0 to 1e+12 W"
    assert str(Range(0, 1, "")) == "0 to 1"


def test_the_nearest_value_is_the_value_itself_or_an_end() -> None:
    allowed = Range(1.0, 2.0, "s")
    assert [allowed.nearest(value) for value in (0.0, 1.5, 3.0)] == [1.0, 1.5, 2.0]


def test_an_interval_is_that_of_student() -> None:
    found = Interval.of(np.array([1.0, 2.0, 3.0, 4.0]))
    assert found.mean == 2.5
    assert found.half_width == pytest.approx(2.054260, abs=1e-6)  # 3.182446 * 1.290994 / 2
    assert (found.low, found.high) == pytest.approx((0.445740, 4.554260), abs=1e-6)
    assert Interval.of(np.array([1.0])).half_width == np.inf


def test_an_interval_is_drawn_within_its_limits() -> None:
    """Issue 33, point 10: error bars do not run past a bound."""
    found = Interval(0.9, 0.2)
    assert found.sides() == (0.2, 0.2)
    assert found.sides(0.8, 1.0) == pytest.approx((0.1, 0.1))
    assert found.sides(0.95, 0.85) == (0.0, 0.0)
    assert Interval(0.9, np.inf).sides() == (0.0, 0.0)


def test_one_of_sets_is_that_of_the_means_of_the_sets() -> None:
    values = np.array([1.0, 3.0, 2.0, 6.0])
    assert Interval.of_sets(values, 2) == Interval.of(np.array([2.0, 4.0]))
    assert Interval.of_sets(values, 1) == Interval.of(values)


def test_means_of_sets_are_those_of_lines() -> None:
    lines = np.array([[1.0, 0.0], [3.0, 2.0], [2.0, 5.0], [6.0, 7.0]])
    assert means_of_sets(lines, 2).tolist() == [[2, 1], [4, 6]]
    assert means_of_sets(lines, 1) is lines
