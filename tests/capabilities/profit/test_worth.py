"""One unit more of anything is worth what a small change of it changes the bound by."""

from dataclasses import replace

import numpy as np
import pytest
from bags import answered, published

from core.capabilities.profit.earn import earn
from core.capabilities.profit.program import most_profit
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.told import machine_worths, price_worths
from core.vocabulary.budget import Effort
from core.vocabulary.prices.site import Site


@pytest.mark.parametrize("ratio", [0.3, 0.95, 1.5])
@pytest.mark.parametrize("cap", [None, 0.15])
def test_prices_are_worth_what_a_small_change_of_them_changes(testbed, testbed_front, ratio, cap):
    settings = ProfitSettings(ratio=ratio, site=Site(cap_kw=cap, pue=1.1))
    terms = settings.terms(testbed_front)
    profit = earn(testbed, terms, effort=Effort(0))
    step = 1e-5
    changed = [
        replace(terms, price=terms.price * (1 + step)),
        replace(terms, overhead=terms.price * step),
        replace(terms, energy_price=terms.energy_price * (1 + step)),
        replace(terms, pue=terms.pue * (1 + step)),
        replace(terms, power_cap=terms.power_cap * (1 + step)),
    ]
    units = [1, 1, 0.01 / 3.6e6, 0.1, 1e3]
    by = [terms.price, terms.price, terms.energy_price, terms.pue, terms.power_cap]
    worth = np.array([each.change for each in price_worths(profit, settings)])
    scale = step * terms.price / testbed_front.makespan[-1]
    assert (profit.bound.cap_price > 0) == (cap is not None and ratio == 1.5)
    for k, other in enumerate(changed):
        if np.isinf(by[k]):
            assert worth[k] == 0
            continue
        change = most_profit(testbed, other).value - profit.bound.value
        assert worth[k] / units[k] * by[k] * step == pytest.approx(
            change, rel=1e-4, abs=1e-5 * scale
        )


@pytest.mark.parametrize(
    ("settings", "worths"),
    [
        (
            published(0.3),
            {
                "1 ¤ more a batch": 0.0,
                "1 ¤ more overhead a batch": 0.0,
                "1 % more a joule": -0.3,
                "0.1 more PUE": -3.0,
                "1 kW more power cap": 0.0,
            },
        ),
        (
            replace(published(0.3), site=Site(pue=2.0)),
            {
                "1 ¤ more a batch": 0.0,
                "1 ¤ more overhead a batch": 0.0,
                "1 % more a joule": -0.6,
                "0.1 more PUE": -3.0,
                "1 kW more power cap": 0.0,
            },
        ),
        (
            published(1.5),
            {
                "1 ¤ more a batch": 1 / 10.8,
                "1 ¤ more overhead a batch": -1 / 10.8,
                "1 % more a joule": -1.3,
                "0.1 more PUE": -13.0,
                "1 kW more power cap": 0.0,
            },
        ),
        (
            # Waiting, a batch earns 1,656 - 600 for 600 J above idle: 1.76 a joule beside its cost.
            published(1.2, cap_kw=0.04),
            {
                "1 ¤ more a batch": 1 / 60,
                "1 ¤ more overhead a batch": -1 / 60,
                "1 % more a joule": -0.4,
                "0.1 more PUE": -0.1 * (40 + 1.76 * 40),
                "1 kW more power cap": 1760.0,
            },
        ),
        (
            ProfitSettings(ratio=1.2),
            {
                "1 EUR more a batch": 1 / 10.8,
                "1 EUR more overhead a batch": -1 / 10.8,
                "0.01 EUR more a kWh": -130 * 0.01 / 3.6e6,
                "0.1 more PUE": -0.1 * 130 * 0.3 / 3.6e6,
                "1 kW more power cap": 0.0,
            },
        ),
    ],
)
def test_what_a_little_more_is_worth(two, settings, worths):
    profit, _ = answered(two, settings)
    found = {worth.what: worth.change for worth in price_worths(profit, settings)}
    assert found == pytest.approx(worths)


def test_a_machine_that_nobody_needs_costs_its_idle_power(two):
    profit, _ = answered(two, published(0.3))
    worths = [(machine.name, value) for machine, value in machine_worths(profit)]
    assert worths == [("B", pytest.approx(-10)), ("A", pytest.approx(-20))]
