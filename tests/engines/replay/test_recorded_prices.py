"""A replay with the prices of a record is the one that found them."""

import numpy as np

from core.capabilities.arrivals.made.synthetic import BudgetSettings, draw_budget_day
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.looking import RecordedPrices
from core.engines.replay.pricing import BY_PRICES, Foresight


def test_recorded_prices_give_the_same_replay_and_record() -> None:
    workload = draw_budget_day(BudgetSettings(60, cores=2_000))
    windows = EnergyWindows.daily(workload.horizon, 2e8)
    found = replay(workload, BY_PRICES, settings=ReplaySettings(windows, pricing=Foresight()))
    priced = found.decisions.priced
    assert len({one.prices for one in priced}) > 2
    again = replay(
        workload, BY_PRICES, settings=ReplaySettings(windows, pricing=RecordedPrices(priced))
    )
    for column in ("option", "start", "end", "dropped"):
        np.testing.assert_array_equal(getattr(found, column), getattr(again, column))
    assert again.decisions.priced == priced


def test_without_a_record_there_are_no_prices() -> None:
    workload = draw_budget_day(BudgetSettings(20, cores=2_000))
    settings = ReplaySettings(pricing=RecordedPrices(()))
    assert replay(workload, BY_PRICES, settings=settings).decisions.priced == ()
