"""Numbers are read exactly or refused with what to write instead; nothing is guessed."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files import limits
from core.files.numbers import (
    UnusableCell,
    number_fault,
    parse_number,
    parse_numbers,
    parse_share,
    parse_whole,
    parse_wholes,
    whole_fault,
)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_repr_writes_is_read_exactly(number):
    assert parse_number(repr(number)) == number
    values, bad = parse_numbers([repr(number)])
    assert values.tolist() == [number]
    assert bad == []


@pytest.mark.parametrize("cell", ["5", " 5 ", "+5", "5.", "5.0", ".5e1", "0.5E+1", "\t5"])
def test_plain_ways_of_writing_five(cell):
    assert parse_number(cell) == 5.0


@pytest.mark.parametrize("cell", ["", " ", "\t", "\u00a0"])
def test_a_blank_cell_is_not_a_number_but_no_fault(cell):
    number = parse_number(cell)
    assert number is not None
    assert math.isnan(number)


REFUSED = {
    "1_000": "has underscores; write 1000",
    "1,234.5": "write 1234.5",
    "1.234,5": "write 1234.5",
    "1 234": "write 1234",
    "1\u00a0234": "write 1234",
    "1\u202f234,5": "write 1234.5",
    "1'234": "write 1234",
    "1’234.25": "write 1234.25",
    "1,234,567": "write 1234567",
    "1.234.567": "write 1234567",
    "-1,234.5e3": "write -1234.5e3",
    "3,5": "write 3.5",
    "0,125": "write 0.125",
    "1234,567": "write 1234.567",
    "3,5e2": "write 3.5e2",
    "1,234": "write 1234 or 1.234",
    "٣": "write 3",
    "１２.5": "write 12.5",
    "−4": "write -4",
    "3.5 s": "has a unit",
    "80W": "has a unit",
    "5 kJ/s": "has a unit",
    "50%": "percent sign",
    "nan": "leave",
    "NaN": "leave",
    "n/a": "leave",
    "-": "leave",
    "inf": "leave",
    "-Infinity": "leave",
    "∞": "leave",
    "1e400": "too large",
    "-1e999999999": "too large",
    "9" * (limits.NUMBER_CHARACTERS + 1): "too long",
    "abc": "not a number",
    "0x10": "not a number",
    "1.2.3": "not a number",
    "2024-01-01": "not a number",
    "--5": "not a number",
    "5 5": "not a number",
    "=1+1": "not a number",
}


@pytest.mark.parametrize("cell", REFUSED)
def test_anything_else_is_refused_with_a_remedy(cell):
    assert parse_number(cell) is None
    assert parse_numbers(["1", cell])[1] == [1]
    assert parse_whole(cell) is None
    assert REFUSED[cell] in number_fault(cell, "leave the cell blank")


@given(st.text(max_size=30))
def test_every_cell_is_a_number_or_has_a_fault(cell):
    values, bad = parse_numbers([cell])
    assert (parse_number(cell) is None) == (bad == [0])
    if bad:
        assert number_fault(cell)
    else:
        assert not np.isinf(values).any()


@given(st.lists(st.sampled_from(["", "1", "2.5", "1e400", "x", "inf", " 3 ", "1_0"]), max_size=8))
def test_many_cells_are_read_like_one(cells):
    values, bad = parse_numbers(cells)
    alone = [parse_number(cell) for cell in cells]
    assert bad == [i for i, number in enumerate(alone) if number is None]
    np.testing.assert_equal(values, [math.nan if n is None else n for n in alone])


@pytest.mark.parametrize(
    ("cell", "count"),
    [
        *[("3", 3), ("3.0", 3), ("1e12", 10**12), ("-0", 0), ("+7", 7), ("25e-1", None)],
        *[
            ("1e18", 10**18),
            ("999999999999999872", 999999999999999872),
            ("1000000000000000128", None),
        ],
    ],
)
def test_whole_numbers_may_be_written_as_decimals(cell, count):
    assert parse_whole(cell) == count


@given(st.integers(-(10**18), 10**18))
def test_whole_numbers_are_exact(number):
    assert parse_whole(str(number)) == number
    values, bad = parse_wholes([str(number), "2.0", "2.5"])
    assert values.tolist() == [number, 2, 0]
    assert bad == [2]


@pytest.mark.parametrize("cell", ["", "3.5", "1e19", "3.00000000000000000001", "1e-999999999"])
def test_what_is_not_whole_says_so(cell):
    assert parse_whole(cell) is None
    assert parse_wholes([cell])[1] == [0]
    assert ("blank" if not cell else "whole number") in whole_fault(cell)


def test_digits_without_end_are_no_whole_number():
    assert parse_wholes(["9" * 5000])[1] == [0]
    assert parse_wholes(["9" * 30])[1] == [0]


def test_a_cell_that_holds_no_text_says_why():
    cell = UnusableCell("holds a formula; paste values")
    assert parse_numbers([cell])[1] == [0]
    assert parse_wholes([cell])[1] == [0]
    assert number_fault(cell) == whole_fault(cell) == "holds a formula; paste values"


@pytest.mark.parametrize(
    ("cell", "share"),
    [("25 %", 0.25), ("0.25", 0.25), ("250%", 2.5), ("%", None), ("x %", None), (" ", math.nan)],
)
def test_a_share_may_be_in_percent(cell, share):
    np.testing.assert_equal(parse_share(cell), share)
