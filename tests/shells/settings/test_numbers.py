"""A number is read only within its range."""

import argparse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.shells.settings.numbers import (
    number_within,
    reading,
    several_within,
    share_within,
    whole_within,
)
from core.vocabulary.ranges import IDLE_FRACTION, SHARE, TASK_COUNT, Range
from core.vocabulary.say.quantities import ENERGY, POWER, TIME


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


@pytest.mark.parametrize(
    ("text", "value"), [("25 %", 0.25), ("25%", 0.25), ("0.5", 0.5), ("100 %", 1.0), ("0 %", 0.0)]
)
def test_a_share_may_be_in_percent(text, value):
    """Issue 33, point 31: as pages do."""
    assert share_within(SHARE)(text) == value


@pytest.mark.parametrize("text", ["101 %", "-1 %", "%", "", "nan %", "5 % %", "a"])
def test_what_is_no_share_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError):
        share_within(SHARE)(text)


def test_a_whole_number_may_be_written_short():
    assert whole_within(TASK_COUNT)("1e12") == 10**12


@pytest.mark.parametrize("text", ["1.5", "x", "", "inf", "nan", "1e13", "9" * 5000])
def test_anything_else_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError):
        whole_within(TASK_COUNT)(text)


QUANTITIES = [TIME, ENERGY, POWER]


@pytest.mark.parametrize(
    ("quantity", "text", "value"),
    [
        (TIME, "7200", 7200),
        (TIME, "2h", 7200),
        (TIME, "120 min", 7200),
        (TIME, "1.5d", 129_600),
        (TIME, "1e3s", 1000),
        (ENERGY, "12MJ", 12e6),
        (ENERGY, "300kWh", 1.08e9),
        (ENERGY, "1e6", 1e6),
        (POWER, "55kW", 55_000),
    ],
)
def test_it_is_read_in_si_units(quantity, text, value):
    assert reading(quantity)(text) == pytest.approx(value, rel=1e-15)


@given(quantity=st.sampled_from(QUANTITIES), number=st.floats(0, 1e14), data=st.data())
def test_any_unit_can_be_used(quantity, number, data):
    unit = data.draw(st.sampled_from(list(quantity.units)))
    assert reading(quantity)(f"{number!r}{unit}") == number * quantity.units[unit]


@pytest.mark.parametrize(
    "text", ["", "h", "-1", "-2h", "1.2.3", "1e999", "inf", "nan", "1 2", "2:30"]
)
@pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda quantity: quantity.noun)
def test_what_is_no_quantity_is_refused(quantity, text):
    with pytest.raises(argparse.ArgumentTypeError):
        reading(quantity)(text)


@pytest.mark.parametrize(
    ("text", "hint"), [("3weeks", "give one of s, min, h, d"), ("2H", "min, h")]
)
def test_an_unknown_unit_names_those_there_are(text, hint):
    with pytest.raises(argparse.ArgumentTypeError, match=hint):
        reading(TIME)(text)
