"""The view on fair shares in each of its states: the sample, edits and Undo, a what-if, a stretch
that is not possible, bags that cannot be planned, a file of one's own, the system in force.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from capabilities.fair_shares.made import made
from pages import (
    Open,
    button,
    charts,
    failing,
    field,
    figures,
    html,
    kept,
    parameter,
    press,
    put,
    run,
    select,
    settled,
    spoken,
    tell,
)
from shares_page import desk, drawn, given, table_with
from streamlit.testing.v1 import AppTest

from core.capabilities.fair_shares.shares import AskedBags, BagsChange, MachinesAdded, OneMoreBag
from core.files.samples.named import load_sample
from core.shells.studies import StudySettings
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.budget import Cancelled
from dashboard.screens.fair_shares import answer
from dashboard.screens.fair_shares.state import (
    ANSWERED,
    OWN,
    SOURCE,
    STATE,
    current,
    give,
    mean_day,
)
from dashboard.workspace.session import WORKSPACE

pytestmark = pytest.mark.usefixtures("nothing_replayed_unasked")

BEST = "If tasks can be split, each bag can be done within 2.418 times what it takes alone."


def promises(page: AppTest) -> dict[str, str]:
    table = table_with(page, "Done by")
    return dict(zip(table["Bag"], table["Done by"], strict=True))


def click_bag(page: AppTest, row: int) -> AppTest:
    """The page after a mark of a bag was clicked in the chart of releases."""
    chart = next(one for one in charts(page) if one.key == "fair_shares_dates")
    points = [{"customdata": [row, ""]}]
    return select(page, chart, points=points, point_indices=[], box=[], lasso=[])


def test_it_opens_with_an_answer_for_the_sample(page: AppTest) -> None:
    assert page.header[0].value == BEST
    assert figures(page) == {
        "Not below": "2.417",
        "All promised by": "12:18",
        "Bags": "8",
        "Cost": "11.1 EUR",
    }
    assert "no schedule has a worst stretch below 2.417" in html(page).lower()
    assert "What is short: bandwidth of the master (92 %)" in html(page)
    assert promises(page)["nightly tests"] == "10:55"
    assert page.success[0].value.startswith("Possible, and the best")
    assert drawn(page) == ["dates", "plan", "energy"]
    assert button(page, "Undo").disabled
    *_, link = page.get("page_link")
    assert link.proto.label.endswith("Policies")
    more = table_with(page, "One more")
    assert more["One more"][0] == "A tenth more bandwidth: 66 MB/s"
    assert len(more) == 5
    assert more["Worst stretch then"].map(float).is_monotonic_increasing
    (said,) = (one for one in spoken(page) if "saves" in one)
    assert said == "**A worst stretch of 3.584 in place of 2.418 saves 5.2 % of 34.54 kWh.**"
    assert any("No schedule is below the front (proven)." in one for one in spoken(page))


@pytest.mark.thorough
def test_a_bag_that_is_clicked_is_moved_by_a_slider(page: AppTest) -> None:
    assert "Its release" not in [one.label for one in page.select_slider]
    click_bag(page, 1)
    assert field(page, "Bag to move").value == "rendering"
    assert field(page, "Its release").value == 1800.0
    before = promises(page)
    settled(put(page, "Its release", 5400.0))
    assert desk(page).inputs.bags[1].release == 5400.0
    assert promises(page) != before
    assert parameter(page, "shares_cells") == "r1:5400"
    press(page, "Undo")
    assert promises(settled(page)) == before


@pytest.mark.thorough
def test_one_more_bag_is_moved_too(page: AppTest) -> None:
    desk(page).change(replace(desk(page).inputs, change=BagsChange(OneMoreBag(1, 9, 3600.0))))
    settled(run(page))
    settled(put(page, "Bag to move", "another rendering"))
    settled(put(page, "Its release", 7200.0))
    more = desk(page).inputs.change.bag
    assert more is not None
    assert more.release == 7200.0


def test_without_powers_there_is_no_front(page: AppTest) -> None:
    given(page)
    assert any("Energy is unknown" in one for one in spoken(page))
    assert drawn(page) == ["dates", "plan"]


def test_a_release_that_is_edited_moves_promises_and_undo_goes_back(page: AppTest) -> None:
    before = promises(page)
    tell(page, desk(page).key("bags"), edited_rows={"1": {"release": "09:30"}})
    assert desk(page).inputs.bags[1].release == 5400
    assert promises(settled(page)) != before
    assert parameter(page, "shares_cells") == "r1:5400"
    tell(
        page,
        desk(page).key("bags"),
        edited_rows={"1": {"release": "09:30"}, "0": {"tasks": 100, "data": 1.5}},
    )
    assert desk(page).inputs.bags[0].data == 1.5e6
    press(page, "Undo")
    assert desk(page).inputs.bags[0].tasks == 1800
    settled(press(page, "Undo"))
    assert promises(page) == before
    assert button(page, "Undo").disabled
    assert "shares_cells" not in page.query_params


@pytest.mark.thorough
def test_a_time_that_cannot_be_read_is_named_with_a_remedy(page: AppTest) -> None:
    tell(page, desk(page).key("bags"), edited_rows={"2": {"release": "<b>noon</b>"}})
    settled(page)
    assert page.error[0].value == "These bags cannot be planned:"
    assert "genomes" in html(page)
    assert "is not a time of day; type for example 09:30" in html(page)
    assert "<b>noon" not in html(page)
    assert charts(page) == []
    tell(page, desk(page).key("bags"), edited_rows={"2": {"release": "10:00"}})
    assert settled(page).header[0].value.startswith("If tasks can be split, each bag can be done")


def test_without_any_task_it_says_what_to_do(page: AppTest) -> None:
    none = {str(row): {"tasks": 0} for row in range(8)}
    tell(page, desk(page).key("bags"), edited_rows=none)
    assert "there is no task to run; give one count above 0" in html(settled(page))


@pytest.mark.thorough
def test_machines_and_links_are_edited_in_their_own_table(page: AppTest) -> None:
    put(page, "Table of the bags", "machines")
    tell(
        page,
        desk(page).key("machines"),
        edited_rows={"0": {"machines": 20}, "2": {"link": None, "memory": 1}},
    )
    settled(page)
    first, _, third, _ = desk(page).inputs.workers
    assert (first.machines, third.link, third.memory) == (20, None, 1e6)
    assert parameter(page, "shares_cells") == "m0:20 l2:none b2:1000000"


def test_a_stretch_that_is_too_small_says_what_is_short(page: AppTest) -> None:
    settled(put(page, "Stretch that is promised", 2.0))
    (said,) = (one.value for one in page.error)
    assert said.startswith("Not possible: no schedule keeps every promise at 2 times")
    assert "would all have to be " in said
    assert "Short: bandwidth of the master" in said
    assert drawn(page) == ["dates", "energy"], "there is no plan"
    assert parameter(page, "shares_stretch") == "2"
    settled(put(page, "Stretch that is promised", 3.0))
    assert page.success[0].value.startswith("Possible: a plan keeps every promise at 3 times")
    assert "slower" in page.success[0].value
    assert any("At the promised stretch: " in said for said in spoken(page))
    assert drawn(page) == ["dates", "plan", "energy"]
    assert promises(page)["nightly tests"] == "11:37"


@pytest.mark.thorough
def test_a_what_if_moves_promises_against_the_same_baseline(open_page: Open) -> None:
    page = settled(
        open_page(
            "fair_shares",
            sample="two-by-two",
            shares_machines="1:4",
            shares_another="2:80:1800",
            shares_faster="120",
        )
    )
    change = BagsChange(OneMoreBag(2, 80, 1800.0), MachinesAdded(1, 4), 120e6)
    assert desk(page).inputs.change == change
    assert page.header[0].value.startswith("With the change, if tasks can be split, each bag")
    named = "another bag of 80 tasks of genomes and 4 more of old nodes and 120 MB/s"
    assert f"With {named}" in html(page)
    table = table_with(page, "Done by")
    assert table["Bag"].tolist()[-1] == "another genomes"
    assert table["Done by, before the change"][0] == "10:55"
    assert table["Alone"][0] == "1 h 12 min 7 s", "as before the change"
    settled(press(page, "Remove the change"))
    assert page.header[0].value == BEST
    settled(press(page, "Undo"))
    assert desk(page).inputs.change == change


@pytest.mark.thorough
def test_a_what_if_is_put_together_by_hand(page: AppTest) -> None:
    settled(put(page, "More machines of", 1))
    assert desk(page).inputs.change.machines == MachinesAdded(1, 1)
    settled(put(page, "How many more", 4))
    assert "With 4 more of old nodes, " in html(page)
    put(page, "More machines of", 2)
    assert desk(page).inputs.change.machines == MachinesAdded(2, 4)
    settled(put(page, "How many more", 0))
    assert not desk(page).inputs.change.is_any
    put(page, "One more bag, like", 3)
    assert desk(page).inputs.change.bag == OneMoreBag(3, 1500, 4500.0)
    put(page, "Its tasks", 10)
    put(page, "Released", "soon")
    assert any("is not a time of day" in one.value for one in page.warning)
    settled(put(page, "Released", "10:00"))
    assert desk(page).inputs.change.bag == OneMoreBag(3, 10, 7200.0)
    assert not page.warning
    settled(put(page, "Bandwidth then (MB/s)", 90.0))
    assert desk(page).inputs.change.bandwidth == 90e6


@pytest.mark.thorough
def test_the_clock_moves_all_times_of_day(page: AppTest) -> None:
    settled(put(page, "Clock at time 0", "20:00"))
    assert promises(page)["nightly tests"] == "22:55"
    assert promises(page)["docking"] == "1 d 00:18"
    assert desk(page).inputs.bags[7].release == 10_800


def test_what_an_address_cannot_mean_is_ignored_with_a_note(open_page: Open) -> None:
    page = settled(open_page("fair_shares", shares_cells="r99:1 t0:-5", shares_another=1))
    assert page.header[0].value == BEST
    assert any("ignored in the address" in said for said in spoken(page))
    assert "r99:1" in html(page)
    assert "shares_another is “1”" in html(page)


def test_a_file_of_ones_own_is_answered(page: AppTest) -> None:
    given(page)
    assert list(promises(page)) == ["x", "y"]
    inputs = desk(page).inputs
    assert (inputs.bandwidth, inputs.bags[0].data, inputs.workers[0].link) == (5, 2e6, 1e7)
    assert desk(page).title == "my bags.zip"
    assert "shares_bags" not in page.query_params, "a file stays with the session"


def test_bags_of_ones_own_are_kept_in_a_study_alone(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also before they are answered; the digest tells bags of one name from each other."""
    assert kept(page) == "In this address"
    assert kept(run(given(page))) == "Not saved"
    names = (SOURCE, OWN, ANSWERED, WORKSPACE)
    here = {name: page.session_state[name] for name in names}
    system = here[WORKSPACE].system
    monkeypatch.setattr("streamlit.session_state", here)
    own, block = STATE.own(), STATE.blocks(system)["fair_shares"]
    give("my bags.zip", block.bags)
    assert STATE.own() == own
    assert STATE.blocks(system)["fair_shares"].bags is block.bags
    here[ANSWERED] = block
    give("my bags.zip", other := made((1,), [[1.0]]))
    assert STATE.own() != own
    assert STATE.blocks(system)["fair_shares"].bags is other, "not those that were answered before"
    STATE.restore(StudySettings("", blocks={"fair_shares": block}))
    assert STATE.own() == own
    assert STATE.blocks(system)["fair_shares"] is block
    here[SOURCE] = "morning"
    assert STATE.own() == ""


def test_the_system_in_force_has_all_its_tasks_at_once(open_page: Open) -> None:
    page = settled(open_page("fair_shares", sample="two-by-two", shares_bags="system"))
    assert list(promises(page)) == ["T1", "T2"]
    assert set(table_with(page, "Done by")["Released"]) == {"08:00"}
    assert parameter(page, "shares_bags") == "system"


def test_bags_that_are_too_many_are_refused_with_a_remedy(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.screens.fair_shares.inputs.MOST_WORK", 3)
    given(page)
    assert page.error[0].value == "These bags cannot be planned:"
    assert "use wattfront fair-shares" in html(page)


def test_much_work_leaves_room_for_others(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.screens.fair_shares.answer._QUICK_WORK", 3)
    given(page)
    assert list(promises(page)) == ["x", "y"]


@pytest.mark.thorough
def test_a_search_that_is_stopped_can_go_on(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(answer, "shares_found", failing(Cancelled))
        tell(page, desk(page).key("bags"), edited_rows={"1": {"release": "09:31"}})
        settled(page)
        assert any("The search was stopped." in said for said in spoken(page))
    settled(press(page, "Go on"))
    assert page.header[0].value.startswith("If tasks can be split, each bag")


@pytest.mark.thorough
def test_a_plan_with_which_the_check_disagrees_is_marked(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "core.capabilities.fair_shares.shares.faults", lambda *_: ["something is wrong"]
    )
    tell(page, desk(page).key("bags"), edited_rows={"1": {"release": "09:32"}})
    settled(page)
    assert any("An independent check disagrees" in one.value for one in page.error)


def test_a_study_file_keeps_the_bags(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    tell(page, desk(page).key("bags"), edited_rows={"1": {"release": "09:30"}})
    settled(page)
    here: dict[str, Any] = {
        ANSWERED: page.session_state[ANSWERED],
        WORKSPACE: page.session_state[WORKSPACE],
    }
    monkeypatch.setattr("streamlit.session_state", here)
    block = STATE.blocks(page.session_state[WORKSPACE].system)["fair_shares"]
    assert isinstance(block, AskedBags)
    assert block.bags.release[1] == 5400
    STATE.restore(StudySettings("", blocks={"fair_shares": block}))
    assert current().inputs.bags[1].release == 5400


def test_a_mean_day_has_each_type_at_the_hour_in_which_most_of_it_comes() -> None:
    """By hand: 3 jobs of the first a day, most of them from 14 to 15; none of the second."""
    types, rates = load_sample("two-by-two"), np.zeros((24, 2))
    rates[[9, 14], 0] = 1.0, 1.5
    day = mean_day(types, HourlyArrivals(types.task_names, rates, 7.0))
    assert day is not None
    assert day.system.task_counts.tolist() == [3, 0]
    assert day.release[0] == 14 * 3600
    assert mean_day(types, HourlyArrivals(types.task_names, 0 * rates, 7.0)) is None
    assert mean_day(types, HourlyArrivals(("other", "names"), rates, 7.0)) is None


@pytest.mark.thorough
def test_it_opens_with_the_work_of_a_system_that_has_its_log(open_page: Open) -> None:
    """And of one that a person gave; the address says the sample of bags where it was chosen."""
    page = settled(open_page("fair_shares", sample="university"))
    assert figures(page)["Bags"] == "13"
    assert "shares_bags" not in page.query_params
    assert desk(page).inputs.clock.begins == 0
    assert promises(page)["jupyter"] == "10:55", "most of it comes from 10 to 11"
    assert any("mean day of the log" in one.value for one in page.caption)
    page = settled(open_page("fair_shares", sample="university", shares_bags="morning"))
    assert page.header[0].value == BEST
    assert parameter(page, "shares_bags") == "morning"
