"""The curve is the program solved anew at every price; the front is best only with a profit."""

from dataclasses import replace

import numpy as np
import pytest

from core.capabilities.profit.curve import curve, price_range
from core.capabilities.profit.program import most_profit
from core.capabilities.profit.settings import ProfitSettings
from core.engines.relaxed import Front
from core.vocabulary.system import System


@pytest.mark.parametrize("cap", [None, 0.3])
def test_the_curve_is_the_program_at_every_price(
    testbed: System, testbed_front: Front, cap: float | None
) -> None:
    wear = tuple((machine.name, 1e-3) for machine in testbed.machine_types)
    settings = ProfitSettings(cap_kw=cap, overhead=1e-3, wear=wear)
    terms, unit = settings.terms(testbed_front), settings.unit_price(testbed_front)
    found = curve(testbed, terms, testbed_front, price_range(unit, terms.price))
    assert found.prices[[0, -1]] == pytest.approx([0.3 * unit, 3.0 * unit])
    for k in range(0, len(found.prices), len(found.prices) // 6):
        at = most_profit(testbed, replace(terms, price=float(found.prices[k])))
        assert found.at_most[k] == pytest.approx(at.value, rel=1e-6, abs=1e-12)
    loose = 1e-9 * np.abs(found.at_most).max()
    assert (found.on_front <= found.at_most + loose).all()


def test_the_front_is_best_with_a_profit_and_not_with_a_loss(
    testbed: System, testbed_front: Front
) -> None:
    terms, unit = ProfitSettings().terms(testbed_front), ProfitSettings().unit_price(testbed_front)
    found = curve(testbed, terms, testbed_front, price_range(unit, terms.price))
    gains = found.prices >= unit
    assert found.on_front[gains] == pytest.approx(found.at_most[gains], rel=1e-6, abs=1e-12)
    assert (found.on_front[~gains][:50] < found.at_most[~gains][:50]).all()


def test_a_cap_that_no_schedule_of_the_front_keeps_leaves_it_empty(
    testbed: System, testbed_front: Front
) -> None:
    settings = ProfitSettings(cap_kw=1.05e-3 * testbed.total_idle_power)
    found = curve(testbed, settings.terms(testbed_front), testbed_front, (1e-6, 1e-5))
    assert np.isnan(found.on_front).all()
    assert np.isfinite(found.at_most).all()
