"""Curve, sweeps and worth agree with the program solved anew."""

from dataclasses import replace

import numpy as np
import pytest

from core.profit.earn import earn
from core.profit.program import most_profit
from core.relaxed import Front, trace_front
from core.samples import load_sample
from core.system import System
from dashboard.logic.background import Job
from dashboard.logic.profit_conditions import RATIO, Conditions
from dashboard.logic.profit_curve import curve, price_range
from dashboard.logic.profit_polish import better, polishing
from dashboard.logic.profit_sweeps import TITLES, swept
from dashboard.logic.profit_worth import machine_table, price_table


@pytest.fixture(scope="module")
def system() -> System:
    return load_sample("testbed").with_idle_fraction(0.1)


@pytest.fixture(scope="module")
def front(system: System) -> Front:
    return trace_front(system)


@pytest.mark.parametrize("cap", [None, 0.3])
def test_the_curve_is_the_program_at_every_price(
    system: System, front: Front, cap: float | None
) -> None:
    conditions = Conditions(cap_kw=cap, overhead=1e-3, wear=(1e-3,) * 4)
    terms, unit = conditions.terms(front), conditions.unit_price(front)
    found = curve(system, terms, front, price_range(unit, terms.price))
    assert found.prices[[0, -1]] == pytest.approx([RATIO.low * unit, RATIO.high * unit])
    for k in range(0, len(found.prices), len(found.prices) // 6):
        at = most_profit(system, replace(terms, price=float(found.prices[k])))
        assert found.at_most[k] == pytest.approx(at.value, rel=1e-6, abs=1e-12)
    loose = 1e-9 * np.abs(found.at_most).max()
    assert (found.on_front <= found.at_most + loose).all()


def test_the_front_is_best_with_a_profit_and_not_with_a_loss(system: System, front: Front) -> None:
    terms, unit = Conditions().terms(front), Conditions().unit_price(front)
    found = curve(system, terms, front, price_range(unit, terms.price))
    gains = found.prices >= unit
    assert found.on_front[gains] == pytest.approx(found.at_most[gains], rel=1e-6, abs=1e-12)
    assert (found.on_front[~gains][:50] < found.at_most[~gains][:50]).all()


def test_a_cap_that_no_schedule_of_the_front_keeps_leaves_it_empty(
    system: System, front: Front
) -> None:
    conditions = Conditions(cap_kw=1.05e-3 * system.total_idle_power)
    found = curve(system, conditions.terms(front), front, (1e-6, 1e-5))
    assert np.isnan(found.on_front).all()
    assert np.isfinite(found.at_most).all()


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


@pytest.mark.parametrize("ratio", [0.3, 0.95, 1.5])
@pytest.mark.parametrize("cap", [None, 0.25])
def test_prices_are_worth_what_a_small_change_of_them_changes(
    system: System, front: Front, ratio: float, cap: float | None
) -> None:
    conditions = Conditions(ratio=ratio, cap_kw=cap, pue=1.1)
    terms = conditions.terms(front)
    profit = earn(system, terms, seconds=0)
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
    worth = price_table(profit, conditions).iloc[:, -1].to_numpy() / 3600
    scale = step * terms.price / system_seconds(front)
    for k, other in enumerate(changed):
        if np.isinf(by[k]):
            assert worth[k] == 0
            continue
        change = most_profit(system, other).value - profit.bound.value
        assert worth[k] / units[k] * by[k] * step == pytest.approx(change, rel=2e-2, abs=scale / 50)


def system_seconds(front: Front) -> float:
    return float(front.makespan[-1])


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
    job = Job(polishing(system, terms))
    job.wait(1, 30.0)
    assert job.latest is not None
    shown = better(quick, job.latest)
    assert shown.value == max(quick.value, job.latest.value)
    assert better(quick, None) is quick
