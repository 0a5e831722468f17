"""Every cost that is in force is said with its unit, and no other."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.profit.settings import ProfitSettings
from core.files.samples.named import load_sample
from core.vocabulary.prices.site import Site
from dashboard.screens.profit.toolbar import in_force, meaning, ratio_of, told_by

NINE = load_sample("nine")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (ProfitSettings(), []),
        (ProfitSettings(site=Site(pue=1.4)), ["PUE 1.4"]),
        (ProfitSettings(overhead=2.0, site=Site(currency="CHF")), ["Overhead 2 CHF per batch"]),
        (ProfitSettings(site=Site(cap_kw=2.0)), ["Power cap 2 kW on average"]),
        (ProfitSettings(site=Site(cap_kw=0.0)), ["Power cap 0 W on average"]),
        (
            ProfitSettings(site=Site(carbon=0.4, carbon_price=0.1)),
            ["Carbon 0.4 kg/kWh at 0.1 EUR/kg"],
        ),
        (ProfitSettings(site=Site(carbon=0.4)), []),
        (
            ProfitSettings(wear=(("M1", 1.0), ("M2", 2.0)), depreciation=(("M1", 1.0),)),
            ["Wear of 2 machine types", "Depreciation of 1 machine type"],
        ),
        (ProfitSettings(wear=(("of another system", 1.0),)), []),
    ],
)
def test_costs_in_force(settings, said):
    electricity, *others = in_force(settings, NINE)
    assert electricity == f"Electricity 0.3 {settings.site.currency}/kWh"
    assert others == said


def test_electricity_as_published():
    published = ProfitSettings(electricity="joule", site=Site(carbon=0.4, carbon_price=1.0))
    assert in_force(published, NINE) == ["Electricity 1 ¤/J, as published"]


def test_what_a_batch_is():
    assert meaning(NINE) == (
        "A **batch** is all 1,100 tasks of this system, run once. One batch follows the other."
    )


RATIOS = st.integers(30, 300).map(lambda step: step / 100)
PRICES = st.floats(1e-6, 1e6)


@given(RATIOS, PRICES)
def test_there_and_back_is_where_it_was(ratio, unit):
    told = told_by(ProfitSettings(ratio=ratio), "bag", unit)
    assert (told.by, told.price) == ("bag", ratio * unit)
    back = told_by(told, "ratio", unit)
    assert back.by == "ratio"
    assert back.ratio * unit == told.price
    assert back.ratio == pytest.approx(ratio, rel=1e-14)


@given(st.floats(1e-3, 1e3), PRICES)
def test_a_price_becomes_a_ratio_that_gives_it(times, unit):
    price = times * unit
    ratio = ratio_of(price, unit)
    assert ratio is not None
    assert ratio * unit == pytest.approx(price, rel=1e-15)


@pytest.mark.parametrize(("price", "unit"), [(1.0, 0.0), (1e9, 1e-9), (1e300, 1e-300), (0.0, 0.0)])
def test_a_price_that_no_ratio_says_stays_a_price(price, unit):
    assert ratio_of(price, unit) is None
    asked = ProfitSettings(by="bag", price=price)
    assert told_by(asked, "ratio", unit) is asked


def test_nothing_else_changes():
    asked = ProfitSettings(ratio=1.5, overhead=3.0, site=Site(cap_kw=2.0))
    told = told_by(asked, "bag", 0.25)
    assert (told.price, told.overhead, told.site.cap_kw, told.ratio) == (0.375, 3.0, 2.0, 1.5)
    assert told_by(asked, "ratio", 0.25) is asked
    assert math.isclose(told_by(told, "ratio", 0.25).ratio, 1.5)
