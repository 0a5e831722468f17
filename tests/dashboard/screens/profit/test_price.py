"""A price is the same price as a ratio and as money, to the last digit."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.profit.settings import ProfitSettings
from dashboard.screens.profit.price import ratio_of, told_by

RATIOS = st.integers(30, 300).map(lambda step: step / 100)
PRICES = st.floats(1e-6, 1e6)


@given(RATIOS, PRICES)
def test_there_and_back_is_where_it_was(ratio: float, unit: float) -> None:
    told = told_by(ProfitSettings(ratio=ratio), "bag", unit)
    assert (told.by, told.price) == ("bag", ratio * unit)
    back = told_by(told, "ratio", unit)
    assert back.by == "ratio"
    assert back.ratio * unit == told.price
    assert back.ratio == pytest.approx(ratio, rel=1e-14)


@given(st.floats(1e-3, 1e3), PRICES)
def test_a_price_becomes_a_ratio_that_gives_it(times: float, unit: float) -> None:
    price = times * unit
    ratio = ratio_of(price, unit)
    assert ratio is not None
    assert ratio * unit == pytest.approx(price, rel=1e-15)


@pytest.mark.parametrize(("price", "unit"), [(1.0, 0.0), (1e9, 1e-9), (1e300, 1e-300), (0.0, 0.0)])
def test_a_price_that_no_ratio_says_stays_a_price(price: float, unit: float) -> None:
    assert ratio_of(price, unit) is None
    asked = ProfitSettings(by="bag", price=price)
    assert told_by(asked, "ratio", unit) is asked


def test_nothing_else_changes() -> None:
    asked = ProfitSettings(ratio=1.5, overhead=3.0, cap_kw=2.0)
    told = told_by(asked, "bag", 0.25)
    assert (told.price, told.overhead, told.cap_kw, told.ratio) == (0.375, 3.0, 2.0, 1.5)
    assert told_by(asked, "ratio", 0.25) is asked
    assert math.isclose(told_by(told, "ratio", 0.25).ratio, 1.5)
