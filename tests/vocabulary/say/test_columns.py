"""Numbers are said with their units, and a gap is never said smaller than it is."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.vocabulary.say.aligned import table
from core.vocabulary.say.columns import exact_duration, exact_energy, gap_in_words, took
from core.vocabulary.say.words import Sense


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.25, "0.25 s"),
        (59.9, "59.9 s"),
        (119, "119 s"),
        (130, "130 s (2 min 10 s)"),
        (4321.5, "4,321.5 s (1 h 12 min 2 s)"),
        (7200, "7,200 s (2 h)"),
    ],
)
def test_durations(seconds, said):
    assert exact_duration(seconds, Sense.SPENT) == said


def test_energies_are_also_watt_hours():
    assert exact_energy(7.2e6, Sense.SPENT) == "7,200,000 J (2 kWh)"


def test_a_bound_is_no_larger_in_either_unit():
    """Once 7,013.67 s were 1 h 57 min."""
    assert exact_duration(7013.677, Sense.LOWER_BOUND) == "7,013.67 s (1 h 56 min 53 s)"
    assert exact_duration(7013.674, Sense.SPENT) == "7,013.68 s (1 h 56 min 54 s)"


def test_phases_come_in_their_order():
    assert took({"read": 0.01234, "bound": 2.0}) == "read 12.34 ms, bound 2 s"


@given(st.floats(1e-8, 1e6))
def test_at_most_holds(gap):
    said = gap_in_words(gap)
    percent = float(
        re.fullmatch(r"at most ([\d,.]+) % above .*\(proven\)", said)[1].replace(",", "")
    )
    assert gap - 1e-12 <= percent / 100 <= 1.1 * gap


def test_a_gap_of_nothing_but_rounding_is_none():
    assert gap_in_words(3e-15) == "no schedule can do better (proven)"


@pytest.mark.parametrize(
    ("gap", "said"),
    [
        (0.99e-9, "no schedule can do better (proven)"),
        (1e-9, "no schedule can do better (proven)"),
        (1.01e-9, "at most 0.00000011 % above what any schedule could reach (proven)"),
    ],
)
def test_a_gap_below_what_computing_can_tell_apart_is_none(gap, said):
    assert gap_in_words(gap) == said


def test_a_table_is_aligned():
    assert table([("a", "1"), ("long", "2")]) == "  a     1\n  long  2"
