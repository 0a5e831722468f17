"""A closer look at an answer, in each view."""

from dataclasses import replace

import numpy as np
import pytest
from arriving_days import HOUR, a_day, two_nodes
from pages import Open, button, charts, field, parameter, press, put, settled, spoken
from streamlit.testing.v1 import AppTest

from core.capabilities.arrivals.policies import VALUE
from core.capabilities.arrivals.question import JoulesAllowed, ReplayQuestion
from core.engines.replay.clock import ReplaySettings
from core.engines.replay.looking import SeenEvent, see_event
from core.engines.replay.outcome import PricesFrom
from core.engines.replay.policy import Measure, Prices
from core.engines.replay.pricing import BY_PRICES, Foresight
from dashboard.parts.replays.replaying import ArrivalsFound
from dashboard.parts.replays.state import DAY_VIEWS, DayView
from dashboard.screens.arrivals.closer import fate, fates_table, summary, two_fates
from dashboard.screens.arrivals.event import (
    SURPLUS,
    busiest,
    moment_said,
    moments,
    nearest,
    prices_said,
    said_of,
    seen_at,
    surplus_said,
    ways_table,
)
from dashboard.screens.arrivals.state import STATE


@pytest.fixture
def answered(open_page: Open) -> AppTest:
    said = {"arrivals_jobs": 150, "arrivals_policies": "max-upr event-based easy"}
    return replayed(open_page("arrivals", sample="two-by-two", **said))


def replayed(page: AppTest) -> AppTest:
    settled(press(page, "Replay"))
    while any(one.label == "Stop" for one in page.button):
        settled(page)
    return page


def seen(page: AppTest, view: DayView) -> AppTest:
    return put(page, "A closer look at the day", view)


def answer_of(page: AppTest) -> ArrivalsFound:
    jobs = page.session_state["arrivals.jobs"]
    found: ArrivalsFound = jobs.ask("replays", page.session_state[STATE.asked_key], None).latest
    return found


@pytest.mark.thorough
def test_each_view_has_its_charts(answered: AppTest) -> None:
    there = {"time": 6, "gantt": 2, "event": 2, "budgets": 1, "two": 1, "stopping": 1, "value": 2}
    for view in DAY_VIEWS:
        seen(answered, view)
        assert len(charts(answered)) == there[view]
        assert not answered.error


def test_the_policy_of_a_view_is_chosen(answered: AppTest) -> None:
    put(answered, "Policy", "event-based")
    assert any("changes its measure" in said for said in spoken(answered))


def test_another_pool_has_other_bars(answered: AppTest) -> None:
    seen(answered, "gantt")
    first = charts(answered)[-1].proto.spec
    put(answered, "Pool", 5)
    assert charts(answered)[-1].proto.spec != first


def test_an_event_shows_what_was_decided_and_the_best_ways(answered: AppTest) -> None:
    """At first, the event after which the most jobs wait."""
    seen(answered, "event")
    assert any("The policy looks at" in said for said in spoken(answered))
    decisions, ways = (table.value for table in answered.dataframe[1:])
    assert len(decisions) >= 1
    assert 1 <= len(ways) <= 3
    assert {"Could start", "Energy", "Worth / core-hour", "Worth / kWh"} <= set(ways)
    found = answer_of(answered)
    first = moments(found.records[found.shown.ranked[0]])[0]
    put(answered, "Time of the day", first)
    said = moment_said(found.records[found.shown.ranked[0]].workload, first)
    assert any(f"**{said}.**" in one for one in spoken(answered))


@pytest.mark.thorough
def test_the_address_opens_the_same_look(answered: AppTest, open_page: Open) -> None:
    """View, policy, moment and pool."""
    put(answered, "Policy", "easy")
    seen(answered, "event")
    last = moments(answer_of(answered).records["easy"])[-1]
    put(answered, "Time of the day", last)
    said = {name: parameter(answered, name) for name in answered.query_params}
    assert said["arrivals_look_view"] == "event"
    assert said["arrivals_look_policy"] == "easy"
    assert float(said["arrivals_look_moment"]) == last - 4 * 3600
    there = replayed(open_page("arrivals", **said))
    assert field(there, "Policy").value == "easy"
    assert field(there, "Time of the day").value == last


def test_a_moment_without_an_event_shows_the_next_one() -> None:
    assert nearest([0.0, 60.0, 180.0], 119.0) == 60
    assert nearest([0.0, 60.0, 180.0], 1e9) == 180


@pytest.mark.thorough
def test_other_budgets_are_replayed_when_asked(answered: AppTest) -> None:
    seen(answered, "budgets")
    settled(press(answered, "Replay at other budgets (27 replays)"))
    assert len(charts(answered)) == 2
    assert not any(one.label == "Go on with other budgets" for one in answered.button)


def test_two_policies_list_the_jobs_that_fared_most_differently(answered: AppTest) -> None:
    seen(answered, "two")
    assert any("earn more under" in said for said in spoken(answered))
    put(answered, "Beside", field(answered, "Policy").value)
    assert any("Choose two different policies" in said for said in spoken(answered))
    assert button(answered, "Replay") is not None


KWH = 3.6e6
WORKLOAD = two_nodes()


def event_at(kwh: float) -> SeenEvent:
    """The first job is worth 1, and takes a core for an hour, and 1 kWh."""
    prices = Prices(0.05 / 3600, kwh / KWH)
    return see_event(WORKLOAD, BY_PRICES, 0.0, settings=ReplaySettings(prices=prices))


def test_the_table_of_ways_has_the_worth_above_the_price() -> None:
    event = event_at(kwh=0.25)
    table = ways_table(WORKLOAD, event, event.jobs[0])
    assert table[SURPLUS].tolist() == ["0.7"]
    # An hour, times the root of 0.3 / 3600 s; the size is the root of that.
    size = (3600 * (0.3 / 3600) ** 0.5) ** 0.5
    assert event.jobs[0].ways[0].value == pytest.approx(0.7 / size)
    assert table["Possible"].tolist() == ["yes"]
    assert "A job must be worth 0.25 for each kWh and 0.05 for each core-hour." in said_of(
        WORKLOAD, event
    )
    assert SURPLUS in surplus_said(event)


def test_without_prices_the_event_says_what_counts() -> None:
    settings = ReplaySettings(prices=Prices(by_share=True))
    event = see_event(WORKLOAD, VALUE["value-prices"].policy, 0.0, settings=settings)
    shares = "worth for each hour of the shares that a job takes of its pool"
    assert event.measure is Measure.PER_SHARE
    assert f"The policy looks at {shares}." in said_of(WORKLOAD, event)
    assert prices_said(WORKLOAD, Prices(by_share=True)) == f"has no price: what counts is {shares}"


def test_a_job_that_is_worth_no_more_than_its_price_says_so() -> None:
    event = event_at(kwh=1.45)
    table = ways_table(WORKLOAD, event, event.jobs[0])
    assert table[SURPLUS].tolist() == ["−0.5"]
    assert table["Possible"].tolist() == ["no: worth no more than its price"]


def test_other_policies_have_no_such_column() -> None:
    policy = replace(BY_PRICES, measure=Measure.PER_RESOURCE, sequences=1)
    event = see_event(WORKLOAD, policy, 0.0)
    assert SURPLUS not in ways_table(WORKLOAD, event, event.jobs[0])
    assert surplus_said(event) == ""
    assert "for each kWh" not in said_of(WORKLOAD, event)


def test_prices_are_those_that_the_replay_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Foresight, "prices", lambda *_: pytest.fail("searches prices again"))
    question = ReplayQuestion("testbed", ("prices",), budget=JoulesAllowed(share=0.5))
    priced = [PricesFrom(0.0, Prices(1e-6, 2.0 / KWH)), PricesFrom(600.0, Prices(2e-6, 0.0))]
    event = seen_at(question, "prices", 2e6, 300.0, priced)
    assert event.prices == priced[0].prices
    assert seen_at(question, "prices", 2e6, 660.0, priced).prices == priced[1].prices


def test_the_jobs_that_fared_most_differently_come_first() -> None:
    many, one = a_day(workload=two_nodes()), a_day(workload=two_nodes(nodes=1))
    late = replace(one, option=np.where(np.arange(20) == 3, -1, one.option))
    found = two_fates(many, late)
    assert (found.jobs, found.more, found.less, found.same) == ((3,), 1, 0, 19)
    assert fate(many, 3) == "1 × nodes, waited 0 s, ran 1 h"
    assert fate(late, 3) == "never ran"
    table = fates_table(found, ("A", "B"))
    assert table.iloc[0].tolist() == ["4", "odd", "1", "0", fate(many, 3), "never ran"]
    assert summary(found, ("A", "B")) == ("1 job earns more under A, 0 under B, and 19 the same.")


def test_a_job_that_was_dropped_says_when() -> None:
    day = a_day()
    gone = replace(
        day,
        option=np.full(20, -1),
        dropped=np.ones(20, bool),
        end=day.workload.jobs.arrival + 90.0,
    )
    assert fate(gone, 0) == "dropped after 90 s"


def test_moments_are_those_of_events_and_are_said_as_a_clock_says_them() -> None:
    day = a_day(workload=two_nodes(nodes=1))
    there = moments(day)
    assert there == sorted(set(there))
    assert set(there) <= set(day.decisions.time.tolist())
    most = busiest(day, there)
    waiting = dict(zip(day.decisions.time.tolist(), day.decisions.waiting.tolist(), strict=True))
    assert waiting[most] == max(waiting.values())
    assert moment_said(day.workload, 13.75 * HOUR) == "13:45"
    assert moment_said(day.workload, 37.75 * HOUR) == "day 2, 13:45"
    warm = replace(day.workload, horizon=day.workload.horizon._replace(begin=4 * HOUR))
    assert moment_said(warm, HOUR) == "21:00 before the day"
