"""A closer look at an answer, in each view."""

import pytest
from pages import Open, button, charts, parameter, press, run, settled, spoken
from streamlit.testing.v1 import AppTest

from dashboard.screens.arrivals.event import moment_said, moments, nearest
from dashboard.screens.arrivals.replaying import ArrivalsFound
from dashboard.screens.arrivals.state import ASKED, DAY_VIEWS, DayView

pytestmark = pytest.mark.usefixtures("computed_here")


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
    choice = next(one for one in page.segmented_control if "closer look" in one.label)
    choice.set_value(view)
    return run(page)


def answer_of(page: AppTest) -> ArrivalsFound:
    jobs = page.session_state["arrivals.jobs"]
    found: ArrivalsFound = jobs.ask("replays", page.session_state[ASKED].turn, None).latest
    return found


@pytest.mark.parametrize(
    ("view", "there"), [("time", 6), ("gantt", 2), ("event", 2), ("budgets", 1), ("two", 1)]
)
def test_each_view_has_its_charts(answered: AppTest, view: DayView, there: int) -> None:
    seen(answered, view)
    assert len(charts(answered)) == there
    assert not answered.error
    assert set(DAY_VIEWS) == {"time", "gantt", "event", "budgets", "two"}


def test_the_policy_of_a_view_is_chosen(answered: AppTest) -> None:
    choice = next(one for one in answered.selectbox if one.label == "Policy")
    choice.set_value("event-based")
    run(answered)
    assert any("changes its measure" in said for said in spoken(answered))


def test_another_pool_has_other_bars(answered: AppTest) -> None:
    seen(answered, "gantt")
    first = charts(answered)[-1].proto.spec
    choice = next(one for one in answered.selectbox if one.label == "Pool")
    choice.set_value(5)
    run(answered)
    assert charts(answered)[-1].proto.spec != first


def test_an_event_shows_what_was_decided_and_the_best_ways(answered: AppTest) -> None:
    """At first, the event after which the most jobs wait."""
    seen(answered, "event")
    assert any("The policy looks at" in said for said in spoken(answered))
    decisions, ways = (table.value for table in answered.dataframe[1:])
    assert len(decisions) >= 1
    assert 1 <= len(ways) <= 3
    assert {"Could start", "Energy", "Worth / core-hour", "Worth / kWh"} <= set(ways)
    slider = next(one for one in answered.select_slider if one.label == "Time of the day")
    found = answer_of(answered)
    first = moments(found.records[found.shown.ranked[0]])[0]
    slider.set_value(first)
    run(answered)
    said = moment_said(found.records[found.shown.ranked[0]].workload, first)
    assert any(f"**{said}.**" in one for one in spoken(answered))


def test_the_address_opens_the_same_look(answered: AppTest, open_page: Open) -> None:
    """View, policy, moment and pool."""
    choice = next(one for one in answered.selectbox if one.label == "Policy")
    choice.set_value("easy")
    run(answered)
    seen(answered, "event")
    slider = next(one for one in answered.select_slider if one.label == "Time of the day")
    last = moments(answer_of(answered).records["easy"])[-1]
    slider.set_value(last)
    run(answered)
    said = {name: parameter(answered, name) for name in answered.query_params}
    assert said["arrivals_look_view"] == "event"
    assert said["arrivals_look_policy"] == "easy"
    assert float(said["arrivals_look_moment"]) == last - 4 * 3600
    there = replayed(open_page("arrivals", **said))
    choice = next(one for one in there.selectbox if one.label == "Policy")
    slider = next(one for one in there.select_slider if one.label == "Time of the day")
    assert (choice.value, slider.value) == ("easy", last)


def test_a_moment_without_an_event_shows_the_next_one() -> None:
    assert nearest([0.0, 60.0, 180.0], 119.0) == 60
    assert nearest([0.0, 60.0, 180.0], 1e9) == 180


def test_other_budgets_are_replayed_when_asked(answered: AppTest) -> None:
    seen(answered, "budgets")
    settled(press(answered, "Replay at other budgets (27 replays)"))
    assert len(charts(answered)) == 2
    assert not any(one.label == "Go on with other budgets" for one in answered.button)


def test_two_policies_list_the_jobs_that_fared_most_differently(answered: AppTest) -> None:
    seen(answered, "two")
    assert any("earn more under" in said for said in spoken(answered))
    beside = next(one for one in answered.selectbox if one.label == "Beside")
    policy = next(one for one in answered.selectbox if one.label == "Policy")
    beside.set_value(policy.value)
    run(answered)
    assert any("Choose two different policies" in said for said in spoken(answered))
    assert button(answered, "Replay") is not None
