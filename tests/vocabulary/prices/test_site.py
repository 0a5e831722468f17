"""What is known of a site holds everywhere; what nobody has said is assumed."""

from dataclasses import replace

import numpy as np
import pytest

from core.vocabulary.prices.site import ASSUMED, CARBON, PRICE, Site
from core.vocabulary.prices.tariff import PUE, Tariff


def test_its_tariff_has_all_that_energy_costs() -> None:
    site = Site(price=0.2, carbon=0.4, carbon_price=0.1, pue=1.5, currency="CHF")
    assert site.tariff == Tariff(0.2, 0.4, 0.1, 1.5)
    assert site.tariff.cost(3.6e6) == pytest.approx(1.5 * (0.2 + 0.4 * 0.1))


def test_what_is_assumed_is_what_the_documentation_says() -> None:
    assert Site(0.3, 0.35, 0.0, 1.0, "EUR") == ASSUMED
    assert (PRICE.low, PRICE.high, CARBON.low, CARBON.high) == (1e-4, 1e9, 1e-4, 1e3)


def test_it_is_assumed_until_something_else_is_said() -> None:
    assert ASSUMED.is_assumed
    assert not Site(pue=1.1).is_assumed
    others = Site(carbon=0.2, pue=1.1, currency="CHF", day_carbon=((0.0, 0.2),), cap_kw=2.0)
    assert others.prices_are_assumed
    for said in (Site(price=0.2), Site(day_tariff=((0.0, 0.3),)), Site(carbon_price=0.1)):
        assert not said.prices_are_assumed


def test_what_there_cannot_be_is_the_nearest_and_what_is_not_said_is_assumed() -> None:
    said = Site(price=0.0, carbon=1e6, pue=1e9, currency="shells").on_a_page()
    assert said == Site(PRICE.low, CARBON.high, 0.0, PUE.high, "shells")
    assert Site(cap_kw=2.0).on_a_page() == Site(cap_kw=2.0)


def test_prices_over_the_day_have_carbon_of_the_hour_and_pue_on_top() -> None:
    """By hand: the price changes at 7 and 20, the carbon at 10."""
    site = Site(
        carbon_price=0.1, pue=1.5, day_tariff=((20.0, 0.2), (7.0, 0.4)), day_carbon=((10.0, 1.0),)
    )
    day = site.day
    assert day is not None
    assert (day.begins / 3600).tolist() == [0.0, 7.0, 10.0, 20.0]
    assert day.price * 3.6e6 == pytest.approx([0.45, 0.75, 0.75, 0.45])
    changing = replace(site, day_tariff=(), day_carbon=((0.0, 1.0), (12.0, 3.0))).day
    assert changing is not None
    assert changing.price * 3.6e6 == pytest.approx([1.5 * 0.4, 1.5 * 0.6])
    assert replace(site, day_tariff=(), carbon_price=0.0).day is None, "nobody pays for it"


def test_energy_costs_what_its_hours_cost_where_they_are_known() -> None:
    """By hand: 1 kWh from 6 to 7 and 2 kWh from 7 to 8; the price changes at 7.30."""
    joules = np.zeros(24)
    joules[6:8] = 3.6e6, 7.2e6
    day = Site(0.9, 0.5, 0.1, 1.5, day_tariff=((0.0, 0.2), (7.5, 0.4)))
    money, carbon = day.cost_of(10.8e6, joules)
    assert carbon == pytest.approx(1.5 * 3 * 0.5)
    assert money == pytest.approx(1.5 * (0.2 + 2 * 0.3) + 0.1 * carbon)
    unknown = 1.5 * 3 * 0.9 + 0.1 * carbon, carbon
    assert day.cost_of(10.8e6) == pytest.approx(unknown), "the price that is for no hour"
    green = replace(day, day_tariff=(), day_carbon=((0.0, 0.2), (7.0, 1.0)))
    money, carbon = green.cost_of(10.8e6, joules)
    assert carbon == pytest.approx(1.5 * (0.2 + 2 * 1.0))
    assert money == pytest.approx(1.5 * 3 * 0.9 + 0.1 * carbon)
