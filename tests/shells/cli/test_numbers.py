"""A number is read only within its range."""

import argparse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.shells.cli.numbers import number_within, several_within, whole_within
from core.vocabulary.ranges import IDLE_FRACTION, TASK_COUNT, Range


@given(st.floats())
def test_a_number_is_read_if_within(value):
    read = number_within(IDLE_FRACTION)
    if 0 <= value <= 1:
        assert read(repr(value)) == value
    else:
        with pytest.raises(argparse.ArgumentTypeError):
            read(repr(value))


@given(st.integers())
def test_a_whole_number_is_read_if_within(value):
    read = whole_within(TASK_COUNT)
    if 0 <= value <= 10**12:
        assert read(str(value)) == value
    else:
        with pytest.raises(argparse.ArgumentTypeError):
            read(str(value))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("0.1", (0.1,)),
        ("0,0.5,1", (0, 0.5, 1)),
        ("0:0.3:0.1", (0, 0.1, 0.2, 0.3)),
        ("0.2:0.5:0.2", (0.2, 0.4)),
        ("0.5:0.5:1", (0.5,)),
    ],
)
def test_several_are_a_list_or_a_range(text, numbers):
    assert several_within(IDLE_FRACTION)(text) == numbers


@pytest.mark.parametrize(
    "text", ["", "0,,1", "0:2:0.5", "1:0:0.1", "0:1:0", "0:1:-1", "0:1", "0:1:1e-9", "0:nan:1"]
)
def test_what_is_neither_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError):
        several_within(IDLE_FRACTION)(text)


@pytest.mark.parametrize(("text", "number"), [("0:0.998:0.001", 999), ("0:0.999:0.001", 1000)])
def test_a_range_has_at_most_a_thousand_numbers(text, number):
    assert len(several_within(IDLE_FRACTION)(text)) == number


# The second ends at 999.9999999999999 steps, which are a thousand but for rounding.
@pytest.mark.parametrize("text", ["0:1:0.001", "0:17:0.017"])
def test_a_range_of_a_number_more_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError, match="at most 1,000 numbers"):
        several_within(Range(0, 20, ""))(text)


def test_a_whole_number_may_be_written_short():
    assert whole_within(TASK_COUNT)("1e12") == 10**12


@pytest.mark.parametrize("text", ["1.5", "x", "", "inf", "nan", "1e13", "9" * 5000])
def test_anything_else_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError):
        whole_within(TASK_COUNT)(text)
