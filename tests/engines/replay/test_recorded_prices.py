"""A replay with the prices of a record is the one that found them."""

from dataclasses import replace

import numpy as np
import pytest
from engines.replay.workloads import lone_jobs

from core.capabilities.arrivals.made.synthetic import BudgetSettings, draw_budget_day
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.looking import RecordedPrices
from core.engines.replay.outcome import PricesFrom
from core.engines.replay.policy import Prices
from core.engines.replay.pricing import BY_PRICES, Foresight
from core.engines.replay.workload import Horizon, Pools, Truth
from core.engines.replay.worth import WorthCurves, WorthPiece


@pytest.mark.thorough
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


def test_they_are_looked_at_again_when_prices_fall() -> None:
    """Of two jobs of worth 1 and 2 that take 1 kJ each, both wait at first, then one does."""
    dear, cheaper, free = (Prices(joule=joule) for joule in (1.0, 1.5e-3, 0.0))
    priced = [PricesFrom(0.0, dear), PricesFrom(600.0, cheaper), PricesFrom(1200.0, free)]
    workload = replace(lone_jobs(np.zeros(2)), horizon=Horizon(0.0, 3600.0))
    outcome = replay(workload, BY_PRICES, settings=ReplaySettings(pricing=RecordedPrices(priced)))
    assert outcome.start.tolist() == [1200.0, 600.0]


def test_what_is_worth_its_price_only_now_is_kept_since_a_pool_may_be_free_early() -> None:
    """The first job is expected to run until the second is worth nothing; it ends after 150 s."""
    two = lone_jobs(np.array([0.0, 60.0]))
    flat = WorthPiece(0.0, 1.0, 1.0, 0.0)
    curves = WorthCurves(((flat,), (flat, WorthPiece(500.0, 0.0, 0.0, 0.0))), ("flat", "soon"))
    workload = replace(
        two,
        pools=Pools.of(("A",), [1]),
        jobs=replace(two.jobs, priority=np.array([100.0, 1.0]), curve=np.array([0, 1])),
        options=replace(two.options, seconds=np.array([500.0, 150.0])),
        curves=curves,
    )
    truth = Truth(np.array([150 / 500, 1.0]), np.ones(2))
    # The second job takes 1.5 kJ.
    dear = ReplaySettings(prices=Prices(joule=0.98 / 1500))
    assert replay(workload, BY_PRICES, truth, dear).start.tolist() == [0.0, 180.0]
