"""One batch earns its price less what it costs, and its electricity costs what the hour says."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.capabilities.profit.day import day_of
from core.capabilities.profit.day_tariff import DayTariff, cost_from
from core.capabilities.profit.earn import earnings
from core.capabilities.profit.terms import Terms
from core.engines.recover import assign


def test_worked_out_by_hand(two_by_two):
    """12 s and 1400 J; A is busy for 10 s of them, B for 12."""
    schedule = assign(two_by_two(20, 10), np.array([[6, 0], [2, 4]]))
    terms = Terms(3000.0, overhead=100.0, wear=(5.0, 1.0), depreciation=(2.0, 3.0), power_cap=30.0)
    day = day_of(schedule, terms, DayTariff.of_day([(0, 1.0), (12, 2.0)]))
    costs = 100 + 5 * 10 + 1 * 12 + 5 * 12
    assert day.before == pytest.approx(3000 - costs)
    assert day.profit(day.best) == pytest.approx(3000 - costs - 1400)
    assert day.profit(day.worst) == pytest.approx(3000 - costs - 2800)
    assert day.at(13 * 3600).cost == pytest.approx(2800)


@examples(12)
@given(st.data())
def test_at_one_price_it_is_what_bag_after_bag_earns(any_terms, data):
    schedule = data.draw(schedules(systems(dyadic=True, with_apc=True)))
    terms = data.draw(any_terms(schedule.system))
    free = Terms(terms.price, terms.energy_price, terms.pue, terms.overhead, terms.wear)
    tariff = DayTariff([0.0], [free.energy_price * free.pue])
    day = day_of(schedule, free, tariff)
    earned = earnings(schedule, free)
    scale = terms.price + terms.overhead + day.best.cost + 1
    assert day.profit(day.best) == pytest.approx(
        earned.profit * earned.period, rel=1e-9, abs=1e-9 * scale
    )
    assert day.at(1_000.0).cost == pytest.approx(
        cost_from(schedule, tariff, 1_000.0), rel=1e-9, abs=1e-9 * scale
    )
