"""What is known of a site holds everywhere; what nobody has said is assumed."""

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


def test_what_there_cannot_be_is_the_nearest_and_what_is_not_said_is_assumed() -> None:
    said = Site.nearest(price=0.0, carbon=1e6, pue=1e9, currency="shells")
    assert said == Site(PRICE.low, CARBON.high, 0.0, PUE.high, "shells")
    assert Site.nearest(carbon=0.0, carbon_price=2.0) == Site(carbon=CARBON.low, carbon_price=2.0)
