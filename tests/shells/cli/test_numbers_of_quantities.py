"""A quantity is a number of SI units, or of the unit behind it; anything else is refused."""

import argparse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.shells.cli.numbers import reading
from core.vocabulary.say.quantities import ENERGY, POWER, TIME

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
