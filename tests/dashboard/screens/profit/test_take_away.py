"""The numbers that are taken away are those on the page; no cell of them is a formula."""

import io

import pandas as pd
import pytest

from core.capabilities.profit.earn import earn
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.sweep import curve, price_range
from core.engines.relaxed import trace_front
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.prices.site import Site
from core.vocabulary.system import System
from dashboard.screens.profit.take_away import curve_csv, worth_csv


def table(content):
    return pd.read_csv(io.BytesIO(content))


@pytest.mark.parametrize("energy_price", [0.3, 0.0])
def test_the_curve_has_its_units(energy_price):
    system = load_sample("testbed").with_idle_fraction(0.1)
    front = trace_front(system)
    settings = ProfitSettings(by="bag", price=2.0, site=Site(price=energy_price, currency="CHF"))
    terms, unit = settings.terms(front), settings.unit_price(front)
    found = curve(system, terms, front, price_range(unit, terms.price))
    read = table(curve_csv(found, unit, settings))
    amounts = ["price of a batch (CHF)", "at most (CHF/h)", "best of the front (CHF/h)"]
    assert list(read.columns) == [*(["profit ratio"] if energy_price else []), *amounts]
    assert read[amounts[0]].tolist() == pytest.approx(found.prices.tolist())
    assert read[amounts[1]].tolist() == pytest.approx((3600 * found.at_most).tolist())
    if energy_price:
        assert read["profit ratio"].tolist() == pytest.approx((found.prices / unit).tolist())


def test_worth_is_of_prices_and_machines_and_names_are_no_formulas():
    system = System((TaskType("T", 5),), (MachineType("=1+1", 2, 1.0),), [[3.0]], [[50.0]])
    settings = ProfitSettings(ratio=1.5)
    profit = earn(system, settings.terms(trace_front(system)), effort=Effort(0))
    read = table(worth_csv(profit, settings))
    assert list(read.columns) == ["One more", "Machines now", "is worth, EUR/h"]
    assert read["One more"].tolist()[0] == "1 EUR more a batch"
    last = read.iloc[-1]
    assert (last.iloc[0], last.iloc[1]) == ("'=1+1", 2)
    assert last.iloc[2] == pytest.approx(3600 * profit.machine_values[0])
    assert read["Machines now"].notna().sum() == 1
