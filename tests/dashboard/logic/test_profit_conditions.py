"""Conditions in units that people use become terms in SI units, and words that name their unit."""

import math

import pytest

from core.relaxed import Front, trace_front
from core.samples import load_sample
from dashboard.logic.profit_conditions import Conditions


@pytest.fixture(scope="module")
def front() -> Front:
    return trace_front(load_sample("testbed"))


def test_a_ratio_prices_a_bag_by_its_least_energy_carbon_included(front: Front) -> None:
    conditions = Conditions(ratio=1.5, energy_price=0.3, carbon=0.5, carbon_price=0.2, pue=1.4)
    a_joule = (0.3 + 0.5 * 0.2) / 3.6e6
    terms = conditions.terms(front)
    assert terms.price == pytest.approx(1.5 * a_joule * front.energy[0])
    assert terms.energy_price == pytest.approx(a_joule)
    assert terms.pue == 1.4
    assert math.isinf(terms.power_cap)


def test_a_price_a_bag_is_taken_as_it_is(front: Front) -> None:
    assert Conditions(by="bag", price=7.5).terms(front).price == 7.5
    assert "times the cost" in Conditions(by="bag", price=7.5).words(
        Conditions(by="bag", price=7.5).terms(front), front
    )


def test_rates_are_an_hour_and_the_cap_is_kilowatts(front: Front) -> None:
    terms = Conditions(wear=(3600.0,) * 4, depreciation=(1.8,) * 4, cap_kw=0.5).terms(front)
    assert terms.wear == (1.0,) * 4
    assert terms.depreciation == pytest.approx((0.0005,) * 4)
    assert terms.power_cap == 500.0


def test_as_published_a_joule_costs_1_and_rates_are_a_second(front: Front) -> None:
    conditions = Conditions(electricity="joule", wear=(2.0,) * 4, carbon=1.0, carbon_price=1.0)
    terms = conditions.terms(front)
    assert (terms.energy_price, terms.wear) == (1.0, (2.0,) * 4)
    assert conditions.money.say_rate(3814.18) == "3,814 ¤/s"
    assert Conditions().money.say_rate(0.5) == "1,800 EUR/h"
