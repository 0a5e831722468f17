"""Amounts and rates are told in their currency, an hour or a second, and round the way asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.vocabulary.say.money import JOULES_WORTH, Money, currency_fault
from core.vocabulary.say.words import HOUR, Sense

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
