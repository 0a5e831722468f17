"""An event under a policy by prices shows the measure by which it decides."""

from dataclasses import replace

import pytest
from arriving_days import two_nodes

from core.capabilities.arrivals.trials import JoulesAllowed, ReplayQuestion
from core.engines.replay.clock import ReplaySettings
from core.engines.replay.looking import SeenEvent, see_event
from core.engines.replay.outcome import PricesFrom
from core.engines.replay.policy import Measure, Prices
from core.engines.replay.pricing import BY_PRICES, Foresight
from dashboard.screens.arrivals.event import SURPLUS, said_of, seen_at, surplus_said, ways_table

KWH = 3.6e6
WORKLOAD = two_nodes()


def seen(kwh: float) -> SeenEvent:
    """The first job is worth 1, and takes a core for an hour, and 1 kWh."""
    prices = Prices(0.05 / 3600, kwh / KWH)
    return see_event(WORKLOAD, BY_PRICES, 0.0, settings=ReplaySettings(prices=prices))


def test_the_table_of_ways_has_the_worth_above_the_price() -> None:
    event = seen(kwh=0.25)
    table = ways_table(WORKLOAD, event, event.jobs[0])
    assert table[SURPLUS].tolist() == ["0.7"]
    # An hour, times the root of 0.3 / 3600 s; the size is the root of that.
    size = (3600 * (0.3 / 3600) ** 0.5) ** 0.5
    assert event.jobs[0].ways[0].value == pytest.approx(0.7 / size)
    assert table["Possible"].tolist() == ["yes"]
    assert "A job must be worth 0.25 for each kWh and 0.05 for each core-hour." in said_of(event)
    assert SURPLUS in surplus_said(event)


def test_a_job_that_is_worth_no_more_than_its_price_says_so() -> None:
    event = seen(kwh=1.45)
    table = ways_table(WORKLOAD, event, event.jobs[0])
    assert table[SURPLUS].tolist() == ["−0.5"]
    assert table["Possible"].tolist() == ["no: worth no more than its price"]


def test_other_policies_have_no_such_column() -> None:
    policy = replace(BY_PRICES, measure=Measure.PER_RESOURCE, sequences=1)
    event = see_event(WORKLOAD, policy, 0.0)
    assert SURPLUS not in ways_table(WORKLOAD, event, event.jobs[0])
    assert surplus_said(event) == ""
    assert "for each kWh" not in said_of(event)


def test_prices_are_those_that_the_replay_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Foresight, "prices", lambda *_: pytest.fail("searches prices again"))
    question = ReplayQuestion("testbed", ("prices",), budget=JoulesAllowed(share=0.5))
    priced = [PricesFrom(0.0, Prices(1e-6, 2.0 / KWH)), PricesFrom(600.0, Prices(2e-6, 0.0))]
    event = seen_at(question, "prices", 2e6, 300.0, priced)
    assert event.prices == priced[0].prices
    assert seen_at(question, "prices", 2e6, 660.0, priced).prices == priced[1].prices
