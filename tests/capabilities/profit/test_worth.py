"""One unit more of anything is worth what a small change of it changes the bound by."""

from dataclasses import replace

import numpy as np
import pytest

from core.capabilities.profit.earn import earn
from core.capabilities.profit.program import most_profit
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.worth import machine_worths, price_worths
from core.engines.relaxed import Front
from core.vocabulary.budget import Effort
from core.vocabulary.system import System


@pytest.mark.parametrize("ratio", [0.3, 0.95, 1.5])
@pytest.mark.parametrize("cap", [None, 0.15])
def test_prices_are_worth_what_a_small_change_of_them_changes(
    testbed: System, testbed_front: Front, ratio: float, cap: float | None
) -> None:
    settings = ProfitSettings(ratio=ratio, cap_kw=cap, pue=1.1)
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


def test_machines_come_with_what_one_more_earns_the_most_first(
    testbed: System, testbed_front: Front
) -> None:
    profit = earn(testbed, ProfitSettings(ratio=1.5).terms(testbed_front), effort=Effort(0))
    worths = machine_worths(profit)
    assert sorted((value for _, value in worths), reverse=True) == [value for _, value in worths]
    values = dict(zip(testbed.machine_types, profit.machine_values.tolist(), strict=True))
    assert dict(worths) == values
