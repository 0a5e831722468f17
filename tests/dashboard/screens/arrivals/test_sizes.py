"""Value of service on the page Policies: its policies, its day, sizes and prices."""

import numpy as np
import pytest
from pages import Open, charts, field, parameter, press, put, settled
from streamlit.testing.v1 import AppTest

from core.capabilities.arrivals.asked import (
    USUAL_OF_VALUE,
    USUAL_POLICIES,
    ArrivalsSettings,
    GivenWorkload,
)
from core.capabilities.arrivals.made.recipes import drawn
from core.capabilities.arrivals.policies import VALUE
from core.capabilities.arrivals.question import ReplayQuestion
from core.engines.replay.outcome import PricesFrom
from core.engines.replay.policy import Prices
from dashboard.screens.arrivals.event import SURPLUS, said_of, seen_at, surplus_said, ways_table
from dashboard.screens.arrivals.prices_chart import prices_figure
from dashboard.screens.arrivals.state import STATE

HOUR = 3600.0
QUESTION = ReplayQuestion("value", ("max-vptr", "value-prices"))


def settings_of(page: AppTest) -> ArrivalsSettings:
    found: ArrivalsSettings = page.session_state[STATE.settings]
    return found


def labels(*policies: str) -> set[str]:
    return {VALUE[one].label for one in policies}


def test_the_day_has_policies_of_its_own_and_no_budget(open_page: Open) -> None:
    page = open_page("arrivals", sample="two-by-two", arrivals_jobs=100, arrivals_policies="easy")
    assert not labels(*VALUE) & set(field(page, "Policies").options)
    put(page, "Workload", "value")
    now = settings_of(page)
    assert (now.policies, now.budget) == (USUAL_OF_VALUE, None)
    assert labels(*VALUE) <= set(field(page, "Policies").options)
    assert parameter(page, "arrivals_workload") == "value"
    assert not {"arrivals_policies", "arrivals_budget"} & set(page.query_params)
    put(page, "Policies", ["max-vptr"])
    assert parameter(page, "arrivals_policies") == "max-vptr"
    put(page, "Workload", "budget")
    assert (settings_of(page).policies, settings_of(page).budget) == (USUAL_POLICIES, 0.7)
    put(page, "Policies", ["easy"])
    put(page, "Workload", "testbed")
    assert settings_of(page).policies == ("easy",), "it is of the same kind"


def test_an_address_opens_on_the_day_with_its_policies(open_page: Open) -> None:
    page = open_page("arrivals", sample="two-by-two", arrivals_workload="value")
    assert settings_of(page).policies == USUAL_OF_VALUE
    said = {"arrivals_policies": "max-vpm", "arrivals_budget": 0.7, "arrivals_workload": "value"}
    page = open_page("arrivals", sample="two-by-two", **said)
    assert (settings_of(page).policies, settings_of(page).budget) == (("max-vpm",), 0.7)


def test_a_file_with_extra_worth_has_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    here: dict[str, object] = {}
    monkeypatch.setattr("streamlit.session_state", here)
    monkeypatch.setattr("dashboard.workspace.session.workspace", lambda: None)
    here[STATE.settings] = STATE.usual
    STATE.give(GivenWorkload("mine", "1", drawn("value", 0)))
    assert STATE.is_of_value
    assert (STATE.current().workload, STATE.current().policies) == ("own", USUAL_OF_VALUE)
    assert not {"arrivals_policies", "arrivals_budget"} & set(STATE._said())
    STATE.give(GivenWorkload("other", "2", drawn("testbed", 0)))
    assert not STATE.is_of_value
    assert STATE.current().policies == USUAL_POLICIES


@pytest.mark.thorough
def test_sizes_and_prices_are_shown(open_page: Open) -> None:
    said = {"arrivals_workload": "value", "arrivals_policies": "max-vptr value-prices"}
    page = open_page("arrivals", sample="two-by-two", **said)
    settled(press(page, "Replay"))
    while any(one.label == "Stop" for one in page.button):
        settled(page)
    titles = [one.value for one in page.subheader]
    assert "Sizes" in titles
    assert "What cores and memory are worth by hour" in titles
    frames = [one.value for one in page.dataframe if "Category" not in one.value]
    assert "Worth of being early" in frames[0].columns
    assert {"Size", *labels("max-vptr", "value-prices")} == set(frames[1].columns)
    assert list(frames[2].columns) == ["Hour", "A core-hour", "A GB-hour"]
    before = len(charts(page))
    assert before >= 2
    put(page, "A closer look at the day", "event")
    assert not page.exception


@pytest.mark.parametrize("policy", QUESTION.policies)
def test_an_event_says_by_what_it_is_decided(policy: str) -> None:
    workload = drawn("value", 0).workload
    priced = [PricesFrom(0.0, Prices(1.0 / HOUR, further=(0.5 / HOUR,)))]
    event = seen_at(QUESTION, policy, None, 10 * HOUR, priced)
    said, has_prices = said_of(workload, event), policy == "value-prices"
    assert ("1 for each core-hour and 0.5 for each GB-hour" in said) == has_prices
    assert ("the shares that a job takes of its pool" in said) == (not has_prices)
    assert ("cores and of what else it takes" in surplus_said(event)) == has_prices
    job = event.jobs[0]
    table, way = ways_table(workload, event, job), job.ways[0]
    assert (SURPLUS in table) == has_prices
    if has_prices:
        memory = workload.options.further[way.option, 0]
        above = way.worth - (way.core_seconds + 0.5 * memory * way.seconds) / HOUR
        assert float(table[SURPLUS][0].replace(",", "")) == pytest.approx(above, rel=1e-3)
        assert above == pytest.approx(way.value), "the policy decides by what is shown"


def test_prices_are_lines_in_steps_over_the_day() -> None:
    worth = np.arange(24.0)
    cores, memory = prices_figure({"core-hour": worth, "GB-hour of <b>x": worth / 2}).data
    assert cores.y.tolist() == [*range(24), 23]
    assert cores.line.shape == "hv"
    assert cores.customdata[13] == "core-hour from 13:00: 13"
    assert memory.name == "GB-hour of &lt;b&gt;x"
