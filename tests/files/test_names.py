"""Names in CSV are never formulas, and come back as they were."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import names

from core.files.names import csv_cell, neutralised, restored

FORMULA_LIKE = st.text("'=+-@a", min_size=1, max_size=5)


@given(names() | FORMULA_LIKE)
def test_a_neutralised_name_comes_back_and_is_no_formula(name):
    text = neutralised(name)
    assert restored(text) == name
    assert text[0] not in "=+-@"


@given(FORMULA_LIKE, FORMULA_LIKE)
def test_different_names_stay_different(one, other):
    assert (neutralised(one) == neutralised(other)) == (one == other)


@pytest.mark.parametrize("name", ["T1", "'quoted'", "a=b", "1-2", "'s"])
def test_ordinary_names_are_left_alone(name):
    assert neutralised(name) == restored(name) == name


@given(names(), st.sampled_from(",;\t"))
def test_a_name_is_one_cell_whatever_the_delimiter(name, delimiter):
    line = delimiter.join([csv_cell(name), "1"])
    assert list(csv.reader([line], delimiter=delimiter, strict=True)) == [[neutralised(name), "1"]]
