"""Sweeps and worth agree with the program solved anew; a polish is shown if it is better."""

import numpy as np
import pytest

from core.profit.conditions import Conditions
from core.profit.earn import earn
from core.profit.program import most_profit
from core.profit.worth import price_worths
from core.relaxed import Front, trace_front
from core.samples import load_sample
from core.system import System
from dashboard.logic.background import Job
from dashboard.logic.profit_polish import better, polishing
from dashboard.logic.profit_sweeps import TITLES, swept
from dashboard.logic.profit_worth import machine_table, price_table


@pytest.fixture(scope="module")
def system() -> System:
    return load_sample("testbed").with_idle_fraction(0.1)


@pytest.fixture(scope="module")
def front(system: System) -> Front:
    return trace_front(system)


@pytest.mark.parametrize("quantity", TITLES)
def test_a_sweep_meets_the_bound_where_things_are(
    system: System, front: Front, quantity: str
) -> None:
    conditions = Conditions(cap_kw=0.3)
    terms = conditions.terms(front)
    found = swept(system, terms, front, conditions, quantity)
    assert found.now is not None
    here = np.isclose(found.values, found.now)
    assert here.any()
    value = most_profit(system, terms).value
    assert found.at_most[here][0] == pytest.approx(value, rel=1e-6)
    assert "(" in found.label, "the unit is named"


def test_prices_are_listed_in_the_unit_of_the_page(system: System, front: Front) -> None:
    for conditions in (Conditions(), Conditions(electricity="joule")):
        profit = earn(system, conditions.terms(front), seconds=0)
        table = price_table(profit, conditions)
        worths = price_worths(profit, conditions)
        assert table["One more"].tolist() == [worth.what for worth in worths]
        column = table[f"is worth, {conditions.money.rate_unit}"]
        assert column.tolist() == [conditions.money.rate(worth.change) for worth in worths]


def test_machines_are_listed_by_what_one_more_earns(system: System, front: Front) -> None:
    profit = earn(system, Conditions().terms(front), seconds=0)
    table = machine_table(profit, Conditions())
    worth = table["is worth, EUR/h"].to_numpy()
    assert (np.diff(worth) <= 0).all()
    names = [machine.name for machine in system.machine_types]
    assert sorted(table["One more"]) == sorted(names)
    values = dict(zip(names, 3600 * profit.machine_values, strict=True))
    assert [values[name] for name in table["One more"]] == pytest.approx(worth.tolist())


def test_a_polish_is_shown_only_if_it_earns_as_much(
    system: System, front: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.logic.profit_polish.SECONDS", 0.05)
    monkeypatch.setattr("dashboard.logic.profit_polish.PAUSE_SECONDS", 0.0)
    terms = Conditions().terms(front)
    quick = earn(system, terms, seconds=0)
    job = Job(polishing(system, terms, Conditions().money))
    job.wait(1, 30.0)
    assert job.latest is not None
    shown = better(quick, job.latest)
    assert shown.value == max(quick.value, job.latest.value)
    assert better(quick, None) is quick
