"""A day of a centre is answered when the page opens, and what is asked is answered anew."""

import json
from threading import Event
from typing import Any

import pytest
from books import zipped
from capabilities.centre.files.centre_files import USUAL, changed
from pages import (
    Open,
    button,
    charts,
    failing,
    field,
    figures,
    html,
    opened,
    parameter,
    press,
    put,
    run,
    select,
    settled,
    spoken,
    visit,
)
from patience import PATIENCE
from shown_days import DAYS
from streamlit.testing.v1 import AppTest

from core.capabilities.centre.answer import CentreAnswer, answered
from core.engines.compute.task import Lost
from core.vocabulary.budget import Cancelled
from dashboard.screens.centre import planning
from dashboard.screens.centre.planning import kept_answers
from dashboard.screens.centre.state import CLOSER, LOOK

pytestmark = pytest.mark.usefixtures("computed_here")

QUICK = {"centre_centre": "parasol", "centre_seconds": 0, "centre_methods": "none"}
SMALL = zipped(USUAL)


@pytest.fixture(autouse=True)
def _nothing_is_kept() -> None:
    kept_answers.clear()


@pytest.fixture
def small(open_page: Open) -> AppTest:
    """The page with the small centre of a person."""
    page = opened(open_page("about", **QUICK), "centre.file", ("small.zip", SMALL))
    return settled(visit(page, "centre"))


def titles(page: AppTest) -> list[str]:
    """What stands above the panels."""
    layout = json.loads(charts(page)[0].proto.spec)["layout"]
    return [one["text"].partition("<")[0].strip(" :") for one in layout["annotations"]]


def test_a_sample_is_answered_when_the_page_opens(open_page: Open) -> None:
    page = settled(open_page("centre", **QUICK))
    assert page.header[0].value.startswith("You can pay ")
    inside = ["Inside temperature (°C)", "Cooled by", "atom, 64 servers"]
    assert titles(page) == ["Power (kW): Our plan", *inside]
    assert {"This plan", "No plan has less than", "On time"} <= {*figures(page)}
    plans, servers = (one.value for one in page.dataframe)
    assert list(plans["Plan"]) == ["Our plan", "As usual"]
    assert servers["count"].tolist() == [64]
    page = put(page, "A closer look", "worth")
    assert parameter(page, "centre_closer") == "worth"
    bars = json.loads(charts(page)[-1].proto.spec)
    assert bars["layout"]["xaxis"]["title"]["text"] == "Cost saved at most (EUR)"
    assert bars["data"][0]["y"][0].startswith("An hour more for each job<br>(0.25")
    assert "Nothing: 1 kW more of target power and One more server, atom." in html(page)
    assert not page.error


def test_a_centre_of_ones_own_is_opened_by_the_one_way_in(small: AppTest) -> None:
    assert "The centre was opened" in "".join(one.value for one in small.info)
    assert field(small, "Centre").value == "own"
    assert titles(small)[-2:] == ["cpu, 4 servers", "gpu, 2 servers"]
    assert "centre_centre" not in small.query_params, "an address has no file"
    assert not any("small.zip" in one for one in spoken(small))


def test_as_usual_stands_beside_a_plan(small: AppTest) -> None:
    assert titles(small)[1].startswith("Carbon intensity")
    put(small, "As usual beside it", True)
    assert titles(small)[:2] == ["Power (kW): Our plan", "Power (kW): As usual"]
    assert parameter(small, "centre_beside") == "yes"
    put(small, "Plan shown", "as-usual")
    assert titles(small)[:2] == ["Power (kW): As usual", "Carbon intensity (g of CO₂ a kWh)"]


def test_other_methods_are_shown_when_they_are_asked_for(small: AppTest) -> None:
    page = settled(put(small, "Compared with", ["edd"]))
    assert list(page.dataframe[0].value["Plan"]) == [
        "Our plan",
        "Earliest due date first",
        "As usual",
    ]
    put(page, "Plan shown", "edd")
    assert titles(page)[0] == "Power (kW): Earliest due date first"


def test_what_is_asked_is_answered_anew_and_taken_back(small: AppTest) -> None:
    before = small.header[0].value
    page = settled(put(small, "Minimise", "carbon"))
    assert page.header[0].value.startswith("You can emit ")
    page = settled(put(page, "Lateness at most", 0.0))
    assert parameter(page, "centre_most_late") == "0"
    page = settled(press(settled(press(page, "Undo")), "Undo"))
    assert page.header[0].value == before
    assert button(page, "Undo").disabled
    assert "centre_minimise" not in page.query_params


def test_what_no_plan_keeps_is_said_with_what_one_could(small: AppTest) -> None:
    page = settled(put(small, "Grid power at most (kW)", 0.1))
    assert page.error[0].value == "No plan keeps all that is asked:"
    assert "100 W from the grid are too little; allow more than " in html(page)
    assert not charts(page)
    page = settled(press(page, "Undo"))
    assert charts(page)
    assert not page.error


def test_the_aim_itself_has_no_cap(small: AppTest) -> None:
    labels = [one.label for one in small.number_input]
    assert {"CO₂ at most (kg)", "Excess at most (kWh)"} <= {*labels}
    page = settled(put(small, "Minimise", "excess"))
    assert "Excess at most (kWh)" not in [one.label for one in page.number_input]


def test_a_plan_on_the_forecast_is_measured_by_what_came(open_page: Open, small: AppTest) -> None:
    page = settled(put(small, "Plan on the forecast", True))
    assert parameter(page, "centre_forecast") == "yes"
    assert field(page, "A closer look").value == "actual", "unless another one was chosen"
    page = put(page, "A closer look", "worth")
    assert field(page, "A closer look").value == "worth"
    without = settled(open_page("centre", **QUICK))
    assert "Plan on the forecast" not in [one.label for one in without.toggle]


def prices_found(page: AppTest) -> list[Any]:
    """The tables of what it costs not to know."""
    return [one for one in page.dataframe if "What is known" in one.value]


def test_plan_against_actual_says_what_it_costs_not_to_know(small: AppTest) -> None:
    assert "Planned anew every" not in [one.label for one in small.select_slider]
    closer = field(small, "A closer look")
    assert (closer.value, closer.options) == ("worth", [CLOSER["worth"], CLOSER["actual"]])
    page = put(small, "A closer look", "actual")
    assert any("Plan on the forecast, and this says" in one.value for one in page.caption)
    page = settled(put(page, "Plan on the forecast", True))
    captions = [one.value for one in page.caption]
    assert "What was forecast makes no difference to what is asked." in captions, "only carbon was"
    page = settled(put(page, "Minimise", "carbon"))
    page = settled(settled(put(page, "Planned anew every", 3600.0)))
    assert parameter(page, "centre_replan") == "3600"
    assert "What it costs not to know" in [one.value for one in page.subheader]
    known = ["All that comes", "Planned anew every 1 h", "Planned once"]
    assert list(prices_found(page)[0].value["What is known"]) == known
    drawn = json.loads(charts(page)[-1].proto.spec)["layout"]["annotations"]
    assert drawn[-1]["text"].startswith("CO₂ more than if all were known, so far")
    assert any("--replan 3600s" in one.value for one in page.code)


def test_jobs_may_come_unannounced(small: AppTest) -> None:
    page = settled(settled(put(small, "Jobs come unannounced", True)))
    assert parameter(page, "centre_unannounced") == "yes"
    known = ["All that comes", "Planned anew when jobs come"]
    assert list(prices_found(page)[0].value["What is known"]) == known


def test_a_price_that_is_lost_can_be_found_again(
    small: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("dashboard.screens.centre.not_knowing_panel.price_found", failing(Lost))
        page = settled(put(small, "Minimise", "carbon"))
        page = settled(settled(put(page, "Plan on the forecast", True)))
        assert page.error[0].value.startswith("The computation ended unexpectedly.")
        assert not prices_found(page)
    page = settled(settled(press(page, "Go on with this")))
    assert prices_found(page)


def test_a_cap_is_kept_in_the_address_and_by_the_plan(small: AppTest) -> None:
    page = settled(put(small, "Excess at most (kWh)", 50.0))
    assert parameter(page, "centre_most_excess") == "50"
    assert "an excess of at most 50 kWh" in html(page)


def test_a_file_that_is_no_centre_changes_nothing(open_page: Open) -> None:
    page = settled(open_page("centre", **QUICK))
    lead = page.header[0].value
    bad = zipped({**USUAL, "servers.csv": "kind,count,busy_watts\n<b>x,-1,5\n"})
    opened(page, "centre.file", ("<b>mine", bad))
    assert page.error[0].value.startswith("This file is no day of a centre. Nothing has changed")
    assert "<b>mine" not in html(page)
    assert page.header[0].value == lead


def test_the_settings_stay_while_other_pages_are_looked_at(small: AppTest) -> None:
    page = settled(put(small, "Minimise", "energy"))
    visit(page, "importing")
    settled(visit(page, "centre"))
    assert field(page, "Minimise").value == "energy"
    assert field(page, "Centre").value == "own"
    assert page.session_state[LOOK].centre == "own"


def test_a_computation_that_is_lost_can_begin_again(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("dashboard.screens.centre.planning.answered", failing(Lost))
        page = settled(open_page("centre", **QUICK))
        assert page.error[0].value.startswith("The computation ended unexpectedly.")
    settled(settled(press(page, "Go on")))
    assert charts(page)


def test_what_was_stopped_together_goes_on_apart(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stop ends the search and the closer look at once."""
    known: list[CentreAnswer] = []

    def first_alone(*given: Any, **how: Any) -> CentreAnswer:
        if known:
            raise Cancelled
        known.append(answered(*given, **how))
        return known[0]

    with monkeypatch.context() as patched:
        patched.setattr("dashboard.screens.centre.planning.answered", first_alone)
        patched.setattr("dashboard.screens.centre.front_panel.slices_found", failing(Cancelled))
        page = settled(settled(open_page("centre", **QUICK)))
    assert [one.value for one in page.info] == ["The search was stopped.", "This was stopped."]
    assert not page.error
    assert charts(page)
    page = settled(settled(press(page, "Go on trying")))
    assert [one.value for one in page.info] == ["The search was stopped."]
    assert len(charts(page)) == 2


def test_the_answer_can_be_taken_away(small: AppTest) -> None:
    labels = [one.label for one in small.get("download_button")]
    assert labels == [
        "Plan (ZIP)",
        "Steps of the plan (CSV)",
        "Centre (ZIP)",
        "All numbers (JSON)",
        "Report (HTML)",
        "Study file (JSON)",
    ]
    page = settled(put(small, "Lateness at most", 0.1))
    assert page.code[0].value == (
        "wattfront centre wattfront-centre.zip --at-most late=10% --seconds 0"
    )


def picked(page: AppTest, chart: Any, mark: list[Any]) -> AppTest:
    """The page after a click on a mark."""
    points = [{"customdata": mark}]
    return select(page, chart, points=points, point_indices=[], box=[], lasso=[])


def test_a_click_on_a_plan_of_the_front_asks_for_its_lateness_and_excess(open_page: Open) -> None:
    page = settled(open_page("centre", **QUICK))
    front = charts(page)[1]
    figure = json.loads(front.proto.spec)
    marks = [mark for one in figure["data"] for mark in one.get("customdata", ())]
    mark = next(mark for mark in marks if isinstance(mark, list))
    settled(picked(page, front, mark))
    assert float(parameter(page, "centre_most_excess")) >= 0
    assert "late=" not in page.code[0].value, "that was asked already"
    assert "excess=" in page.code[0].value


def test_a_mark_that_is_none_of_the_front_changes_nothing(open_page: Open) -> None:
    page = settled(open_page("centre", **QUICK))
    for forged in (["0", ""], [-1, ""], [99, ""], [0.5, ""], []):
        picked(page, charts(page)[1], forged)
    assert "centre_most_excess" not in page.query_params


def test_the_target_is_typed_by_the_hour(small: AppTest) -> None:
    page = settled(put(small, "Target power by hour (kW)", "0:1.5 17:1"))
    assert parameter(page, "centre_target") == "0:1.5 17:1"
    drawn = json.loads(charts(page)[0].proto.spec)["data"]
    assert "target" in [one.get("name") for one in drawn]
    page = settled(put(page, "Target power by hour (kW)", "noon:1"))
    assert page.error[0].value.startswith("The target stays as it is: 'noon:1' is no HOUR:POWER")
    assert parameter(page, "centre_target") == "0:1.5 17:1"
    assert field(page, "Target power by hour (kW)").value == "noon:1", "who mistypes mends it"
    keys = {field(run(page), "Target power by hour (kW)").key for _ in range(2)}
    assert len(keys) == 1, "the field stays while a page is drawn again"
    page = settled(press(page, "Undo"))
    assert "centre_target" not in page.query_params
    assert not page.error


def test_the_answer_before_stays_until_there_is_another(
    small: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    lead = small.header[0].value
    began = Event()

    def slow(*_given: object, **_named: object) -> None:
        began.wait(PATIENCE)

    with monkeypatch.context() as patched:
        patched.setattr("dashboard.screens.centre.planning.answered", slow)
        put(small, "Minimise", "carbon")
        assert small.header[0].value == lead
        assert any("asked before" in one.value for one in small.caption)
        assert charts(small)
        began.set()


def test_several_days_are_small_charts_of_which_one_opens(open_page: Open) -> None:
    page = opened(open_page("about", **QUICK), "centre.file", ("days.zip", zipped(changed(**DAYS))))
    page = settled(visit(page, "centre"))
    week, day, *_ = charts(page)
    assert json.loads(day.proto.spec)["layout"]["xaxis"]["range"] == [0, 196]
    page = settled(picked(page, week, [2, ""]))
    week, day, *_ = charts(page)
    assert json.loads(day.proto.spec)["layout"]["xaxis"]["range"] == [30, 54]
    assert field(page, "Dates").value == 2
    assert parameter(page, "centre_date") == "2"
    page = settled(picked(page, week, [2, ""]))
    assert json.loads(charts(page)[1].proto.spec)["layout"]["xaxis"]["range"] == [0, 196]
    page = settled(put(page, "Dates", 8))
    assert json.loads(charts(page)[1].proto.spec)["layout"]["xaxis"]["range"] == [174, 196]


def test_what_was_asked_before_is_shown_at_once(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slider that is moved back computes nothing, and a bound is computed once for all that is
    searched for.
    """
    with_bound = []
    compute = planning.answered

    def answered(*asked: Any, **more: Any) -> CentreAnswer:
        with_bound.append("bound" in more)
        return compute(*asked, **(more | {"without": ("worth", "price")}))

    monkeypatch.setattr(planning, "answered", answered)
    page = settled(open_page("centre", **QUICK))
    lead = page.header[0].value
    assert with_bound == [False, True]
    settled(put(page, "Minimise", "energy"))
    assert with_bound == [False, True] * 2
    settled(put(page, "Minimise", "cost"))
    assert len(with_bound) == 4
    assert page.header[0].value == lead
    settled(put(page, "Compared with", ["edd"]))
    assert with_bound[4:] == [True]
