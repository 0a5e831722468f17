"""A range contains its ends and nothing beyond, and is said with its unit."""

import math

import pytest

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
