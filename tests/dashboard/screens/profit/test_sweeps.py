"""Sweeps and worth agree with the program solved anew."""

import numpy as np
import pytest

from core.capabilities.profit.earn import earn
from core.capabilities.profit.program import most_profit
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.told import price_worths
from core.vocabulary.budget import Effort
from core.vocabulary.prices.site import Site
from core.vocabulary.say.words import Sense, rounded
from dashboard.screens.profit.sweeps import TITLES, swept
from dashboard.screens.profit.take_away import machine_table, price_table


@pytest.mark.parametrize("quantity", TITLES)
def test_a_sweep_meets_the_bound_where_things_are(testbed, testbed_front, quantity):
    settings = ProfitSettings(site=Site(cap_kw=0.3))
    terms = settings.terms(testbed_front)
    found = swept(testbed, terms, testbed_front, settings, quantity)
    assert found.now is not None
    here = np.isclose(found.values, found.now)
    assert here.any()
    value = most_profit(testbed, terms).value
    assert found.at_most[here][0] == pytest.approx(value, rel=1e-6)
    assert "(" in found.label, "the unit is named"


def test_prices_are_listed_in_the_unit_of_the_page(testbed, testbed_front):
    for settings in (ProfitSettings(), ProfitSettings(electricity="joule")):
        profit = earn(testbed, settings.terms(testbed_front), effort=Effort(0))
        table = price_table(profit, settings)
        worths = price_worths(profit, settings)
        assert table["One more"].tolist() == [worth.what for worth in worths]
        column = table[f"is worth, {settings.money.rate_unit}"]
        rates = [settings.money.rate(worth.change) for worth in worths]
        assert column.tolist() == [rounded(rate, Sense.PLAIN) for rate in rates]


def test_machines_are_listed_by_what_one_more_earns(testbed, testbed_front):
    profit = earn(testbed, ProfitSettings().terms(testbed_front), effort=Effort(0))
    table = machine_table(profit, ProfitSettings())
    worth = table["is worth, EUR/h"].to_numpy()
    assert (np.diff(worth) <= 0).all()
    names = [machine.name for machine in testbed.machine_types]
    assert sorted(table["One more"]) == sorted(names)
    values = dict(zip(names, 3600 * profit.machine_values, strict=True))
    shown = [rounded(values[name], Sense.PLAIN) for name in table["One more"]]
    assert shown == worth.tolist()
