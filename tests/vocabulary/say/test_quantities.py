"""What people write is an amount in the first unit, up to a limit, or a message says why not."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.vocabulary.say.money import JOULES_WORTH, Money, currency_fault
from core.vocabulary.say.quantities import ENERGY, POWER, TIME, Quantity, read_quantity
from core.vocabulary.say.words import HOUR, Sense


@pytest.mark.parametrize(
    ("text", "quantity", "amount"),
    [
        ("7200", TIME, 7200.0),
        ("1.5 d", TIME, 129_600.0),
        ("2.5kWh", ENERGY, 9e6),
        ("-0W", POWER, 0.0),
        ("0.999e24", POWER, 0.999e24),
        ("1e24", POWER, 1e24),
        ("1e21kW", POWER, 1e24),
    ],
)
def test_an_amount_is_in_the_first_unit(text: str, quantity: Quantity, amount: float) -> None:
    assert read_quantity(text, quantity) == amount


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1.001e24", "1.001e24 is out of range; give 0 to 1e+24 W"),
        ("1.001e21kW", "1.001e21kW is out of range; give 0 to 1e+24 W"),
        ("-1e-9", "-1e-9 is out of range; give 0 to 1e+24 W"),
        ("2 h", "'h' is not a unit of power; give one of W, kW, MW"),
        ("1:30", "'1:30' is not a quantity of power; give W, or with a unit as in 55kW (kW, MW)"),
        ("1.2.3", "'1.2.3' is not a quantity of power; give W, or with a unit as in 55kW (kW, MW)"),
    ],
)
def test_what_is_refused_says_what_to_give(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=rf"^{re.escape(message)}$"):
        read_quantity(text, POWER)


HOURLY, PUBLISHED = Money("EUR", HOUR), Money(JOULES_WORTH, 1.0)


def test_rates_are_an_hour_or_a_second() -> None:
    assert (HOURLY.rate_unit, PUBLISHED.rate_unit) == ("EUR/h", "¤/s")
    assert (HOURLY.rate(0.5), PUBLISHED.rate(0.5)) == (1800, 0.5)
    assert HOURLY.say(1234.56, Sense.PLAIN) == "1,235 EUR"
    assert HOURLY.say_rate(-0.001, Sense.PLAIN) == "−3.6 EUR/h"
    assert PUBLISHED.say_rate(61.66667, Sense.PLAIN) == "61.67 ¤/s"


@pytest.mark.parametrize("money", [HOURLY, PUBLISHED])
@given(a_second=st.floats(1e-9, 1e12))
def test_what_is_said_of_a_rate_is_no_more_or_no_less(money: Money, a_second: float) -> None:
    low, high = (
        float(money.say_rate(a_second, sense).split()[0].replace(",", ""))
        for sense in (Sense.LOWER_BOUND, Sense.UPPER_BOUND)
    )
    rate = money.rate(a_second)
    assert low <= rate <= high
    assert high - low <= 1.001e-3 * high


@pytest.mark.parametrize(
    "name", ["EUR", "€", "£", "¤", "Fr.", "k €", "元", "ABCDEFGHIJKL", "A'b", "1"]
)
def test_a_code_or_a_symbol_names_a_currency(name: str) -> None:
    assert currency_fault(name) is None


@pytest.mark.parametrize(
    "name",
    [*"$*_`[]<>:~#|\\{}%!&()", "", " ", "US$", "ABCDEFGHIJKLM", "a\nb", "[x](y)", "<b>", "\u202ex"],
)
def test_what_a_page_would_take_for_markup_does_not(name: str) -> None:
    fault = currency_fault(name)
    assert fault is not None
    assert "give letters, or a symbol other than $, at most 12" in fault
