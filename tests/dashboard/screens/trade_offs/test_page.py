"""The trade-offs page shows the front of any system, follows its settings, and says its state."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from pages import charts, figures, html, parameter, press, put, select, settled, visit
from patience import PATIENCE
from trade_offs_page import (
    QUICK,
    chart,
    chosen,
    click,
    field,
    frame_slider,
    goals,
    idle_slider,
    marked,
    passing,
    status,
)

import core.engines.front.study
from core import verify
from core.engines.front.methods import Lp
from core.engines.front.study import study
from core.engines.front.wish import PeakCap, StatedWish
from core.files.samples.named import load_sample
from core.shells.studies.seen import SeenInLog
from core.vocabulary.budget import Cancelled, Effort
from core.vocabulary.placement import LogPlacement
from core.vocabulary.power import peak_power
from core.vocabulary.timed import TimedSchedule
from dashboard.screens.trade_offs import page as trade_offs
from dashboard.server import background
from dashboard.workspace import answering
from dashboard.workspace.session import WORKSPACE
from dashboard.workspace.upload import Upload
from dashboard.workspace.workspace import begin, take_upload

JOBS = "trade_offs.jobs"


@pytest.fixture
def traced(monkeypatch):
    """The systems of which the front was traced."""
    calls = []
    trace = core.engines.front.study.trace_front

    def counting(system, budget):
        calls.append(system)
        return trace(system, budget)

    monkeypatch.setattr(core.engines.front.study, "trace_front", counting)
    return calls


def links(page):
    """The pages that links lead to."""
    return [one.proto.page for one in page.get("page_link")]


@pytest.mark.thorough
@pytest.mark.parametrize("sample", ["nine", "testbed", "two-by-two"])
def test_every_sample_with_powers_has_its_front(open_page, sample):
    page = settled(open_page("trade_offs", sample=sample, **QUICK))
    assert page.header[0].value.startswith("Fastest: ")
    assert "schedules, spacing 5 %, not polished" in status(page)
    assert "Least energy" in figures(page)
    assert len(page.dataframe[0].value) > 1
    assert any("all checked independently" in caption.value for caption in page.caption)


def test_without_powers_the_page_says_how_to_add_them_and_where_to_go(open_page):
    page = open_page("trade_offs", sample="e1")
    assert "no powers" in page.header[0].value
    assert "Add a table **apc**" in "\n".join(text.value for text in page.markdown)
    press(page, "See the fastest schedule")
    assert not page.exception
    assert page.header[0].value.startswith("Done in")


def test_a_polish_runs_behind_and_can_be_stopped_and_taken_up_again(open_page):
    page = open_page("trade_offs", sample="testbed", polish=300, spacing=0.05)
    (job,) = page.session_state[JOBS].running()
    job.wait(2, PATIENCE)  # the bound, and a first look
    page.run()
    assert status(page).endswith("not polished yet")
    assert "If tasks can be split, " in page.header[0].value
    press(page, "Stop")
    assert job.should_stop()
    settled(page)
    press(page, "Go on")
    (again,) = page.session_state[JOBS].running()
    assert again is not job
    again.cancel()


@pytest.mark.thorough
def test_nothing_is_computed_twice(open_page, traced):
    etc, apc = "task_type,A,B\ncounted,1,2\n", "task_type,A,B\ncounted,90,30\n"
    page = open_page("importing", **QUICK)
    upload = Upload.pasted(etc, apc)
    page.session_state[WORKSPACE] = take_upload(page.session_state[WORKSPACE], upload)
    settled(visit(page, "trade_offs"))
    assert len(traced) == 1
    put(page, "trade_offs.axis", "money")
    put(page, "trade_offs.show", ["vertices", "corners"])
    settled(put(page, "trade_offs.spacing", 0.1))
    settled(visit(page, "importing", "trade_offs"))
    assert len(traced) == 1
    idle_slider(page).set_value(50)
    settled(page.run())
    assert len(traced) == 2
    idle_slider(page).set_value(0)
    settled(page.run())
    idle_slider(page).set_value(50)
    settled(page.run())
    assert len(traced) == 2


@pytest.mark.thorough
def test_where_many_are_at_work_a_move_is_drawn_once_with_its_schedules(page, monkeypatch):
    monkeypatch.setattr(background, "sessions_at_work", lambda: 1_000)
    monkeypatch.setattr(background, "MOST_PATIENCE", PATIENCE)
    monkeypatch.setattr(answering, "PAUSE_SECONDS", 1.0)
    idle_slider(page).set_value(57)
    page.run()
    assert "lower bound only" not in status(page)


@pytest.fixture
def no_schedules(page, monkeypatch):
    """Of what changes, only the bound is computed."""
    monkeypatch.setattr(answering, "PAUSE_SECONDS", PATIENCE)
    yield
    for job in page.session_state["trade_offs.jobs"].running():
        job.cancel()


@pytest.mark.usefixtures("no_schedules")
def test_what_is_passed_on_the_way_is_drawn_at_once_however_many_are_at_work(page, monkeypatch):
    monkeypatch.setattr(background, "sessions_at_work", lambda: 1_000)
    monkeypatch.setattr(background, "MOST_PATIENCE", PATIENCE)
    passing(page, 41, 10)
    assert "lower bound only" in status(page)


def test_machines_are_switched_off_for_all_pages_and_what_that_brings_is_said(open_page):
    page = settled(open_page("trade_offs", sample="testbed", idle=0.4, **QUICK))
    own, before = "Switch machines off when their last task ends", figures(page)
    assert "If machines are switched off when their last task ends, the fastest" in html(page)
    next(one for one in reversed(page.toggle) if one.label == own).set_value(True)
    settled(page.run())
    assert parameter(page, "asleep") == "10"
    asleep = load_sample("testbed").with_idle_fraction(0.4).with_asleep_watts(10.0)
    assert page.session_state[WORKSPACE].system == asleep
    assert "Energy asleep" in figures(page)
    assert figures(page)["Least energy"] != before["Least energy"]
    assert not any(slider.label.startswith("Idle power") for slider in page.slider)
    goals(page).select("deadline").run()
    assert "Power asleep, " in html(page)
    assert "times what is assumed, this schedule stays the best found" in html(page)


def test_where_there_is_no_trade_off_it_says_what_to_switch_off(open_page):
    page = settled(open_page("trade_offs", sample="testbed", idle=1, **QUICK))
    assert page.header[0].value.startswith("There is no trade-off")
    assert "If machines are switched off when their last task ends" in html(page)
    assert links(page) == ["site", "switch_off"]


def test_the_link_is_there_too_where_switching_off_brings_nothing(open_page):
    page = open_page("trade_offs", sample="two-by-two", **QUICK)
    one = {"times.csv": b"task_type,M\nT,5\n", "power.csv": b"task_type,M\nT,100\n"}
    page.session_state[WORKSPACE] = take_upload(begin("two-by-two"), Upload.together(one))
    settled(page.run())
    assert page.header[0].value.startswith("There is no trade-off")
    assert "switched off" not in html(page)
    assert links(page)[-1] == "switch_off"


def test_where_there_is_a_trade_off_it_leads_to_no_other_page(page):
    assert links(page) == ["site"]  # of the chip above every page


@pytest.mark.thorough
def test_the_slider_sets_the_idle_power_of_all_pages(page):
    before = figures(page)
    assert idle_slider(page).value == 10
    idle_slider(page).set_value(60)
    settled(page.run())
    assert page.session_state[WORKSPACE].idle.idle_power == 0.6
    assert parameter(page, "idle") == "0.6"
    assert figures(page)["Idle energy"] != before["Idle energy"]
    assert frame_slider(page).value == 60
    frame_slider(page).set_value(20)
    settled(page.run())
    assert idle_slider(page).value == 20
    settled(press(page, "Reset idle power"))
    assert page.session_state[WORKSPACE].system == load_sample("testbed")


@pytest.mark.usefixtures("no_schedules")
def test_a_new_idle_power_is_drawn_at_once_and_its_schedules_follow(page):
    idle_slider(page).set_value(5).run()
    assert status(page).endswith("lower bound only")
    assert "If tasks can be split, " in page.header[0].value
    for job in page.session_state[JOBS].running():
        job.cancel()
    settled(page)
    assert any(button.label == "Go on" for button in page.button)


def test_a_click_chooses_and_says_what_is_given_up(page):
    click(page, "study 3")
    assert not page.exception
    picked = chosen(page)
    assert picked.fingerprint_of_system == page.session_state[WORKSPACE].system.fingerprint
    said = " ".join(text.value for text in page.text)
    assert "Done in " in said
    assert "Proven: the gap is at most " in said
    click(page)
    assert chosen(page) is picked, "a click beside a point changes nothing"


def test_a_row_of_the_table_and_a_point_of_the_chart_are_one_choice(page):
    select(page, page.dataframe[0], rows=[2], columns=[], cells=[])
    by_row = chosen(page).schedule
    click(page, "study 0")
    assert chosen(page).schedule is not by_row
    assert marked(page) == [len(page.dataframe[0].value) - 1], "the thriftiest is the last row"


@pytest.mark.thorough
def test_a_row_that_was_marked_and_is_reported_late_is_no_click(page):
    goals(page).select("deadline").run()
    field(page, "Done within").set_value("6:00").run()
    before, rows = page.dataframe[0], marked(page)
    field(page, "Done within").set_value("1:10").run()
    assert marked(page) != rows
    select(page, before, rows=rows, columns=[], cells=[])
    assert chosen(page).title == "Done within 1 h 10 min"
    assert goals(page).value == "deadline"


def test_a_cap_on_every_moment_is_kept_by_a_schedule_that_waits(open_page):
    """What keeps a cap on the average exceeds it, and leads to the other cap; a cap that nothing
    keeps says why.
    """
    page = settled(open_page("trade_offs", sample="testbed", cap="150", **QUICK))
    assert peak_power(chosen(page).schedule) > 150
    settled(press(page, "Never above 150 W instead"))
    assert goals(page).value == "peak"
    schedule = chosen(page).schedule
    assert isinstance(schedule, TimedSchedule)
    assert verify(schedule, schedule.system, 150.0).ok
    assert "Machines wait for each other." in " ".join(text.value for text in page.text)
    field(page, "Power at every moment at most").set_value("40 W").run()
    settled(page)
    assert "at some moment every schedule draws 49 W or more" in page.warning[0].value


def test_the_picture_follows_the_slider_while_it_is_dragged(page):
    address = dict(page.query_params)
    spec = chart(page).proto.spec
    passing(page, 40, 10)
    passed = chart(page).proto.spec
    assert passed != spec
    assert "Before: idle power 10 %" in passed
    assert page.session_state[WORKSPACE].idle.idle_power == 0.1, "it is not let go yet"
    assert dict(page.query_params) == address
    idle_slider(page).set_value(40)
    settled(page.run())
    assert page.session_state[WORKSPACE].idle.idle_power == 0.4
    assert "Before: idle power 10 %" in chart(page).proto.spec
    passing(page, 30, 10, 2)
    assert page.session_state["trade_offs.passing"] is None, "what comes late is of no interest"


def test_a_slider_that_is_back_where_it_was_leaves_all_as_it_was(page):
    spec = json.loads(chart(page).proto.spec)["layout"]["xaxis"]
    passing(page, 90, 10)
    passing(page, None, 10, 2)
    settled(page)
    assert json.loads(chart(page).proto.spec)["layout"]["xaxis"] == spec
    assert "Before" not in chart(page).proto.spec


@pytest.mark.parametrize("percent", [101, [1], True])
def test_nonsense_of_a_browser_moves_no_front(page, percent):
    spec = chart(page).proto.spec
    passing(page, percent, 10)
    assert chart(page).proto.spec == spec


@pytest.mark.thorough
def test_a_choice_by_hand_is_told_to_be_of_other_settings(page):
    click(page, "study 1")
    idle_slider(page).set_value(80)
    settled(page.run())
    assert any("belongs to other settings" in caption.value for caption in page.caption)


def test_a_choice_is_told_while_the_bound_alone_is_there(page, open_page, monkeypatch):
    """As in an address with a schedule, opened anew."""
    click(page, "study 1")
    answer = core.engines.front.study.study

    def bound_only(*args, **kwargs):
        if kwargs.get("method") != "bound":
            raise Cancelled("stopped")
        return answer(*args, **kwargs)

    monkeypatch.setattr(answering, "study", bound_only)
    chosen = parameter(page, "chosen")
    again = open_page("trade_offs", sample="testbed", idle=0.1, chosen=chosen, polish=0)
    assert status(again).endswith("lower bound only")
    assert any(text.value.startswith("Done in ") for text in again.text)


def test_inspect_goes_to_the_schedule(page):
    click(page, "study 1")
    press(page, "Inspect")
    assert page.title[0].value == "Schedule"


def test_rivals_and_other_idle_powers_come_on_demand(page):
    put(page, "trade_offs.show", ["idle"])
    put(page, "trade_offs.rivals", ["min-min", "sufferage"])
    settled(page)
    spec = chart(page).proto.spec
    for name in ("Min-min, in", "Sufferage, in"):
        assert name in spec
    captions = [caption.value for caption in page.caption]
    assert any(caption.startswith("Largest possible saving of energy (%)") for caption in captions)
    assert len(charts(page)) == 4
    click(page, "min-min 0")
    assert chosen(page).title == "Min-min"
    put(page, "trade_offs.rivals", [])
    assert "Min-min, in" not in chart(page).proto.spec


@pytest.mark.parametrize(
    ("axis", "title"), [("MJ", "Least energy"), ("money", "Least cost"), ("carbon", "Least carbon")]
)
def test_the_axis_counts_what_is_asked_for(open_page, axis, title):
    page = settled(open_page("trade_offs", sample="testbed", axis=axis, **QUICK))
    units = {"MJ": "MJ", "money": "EUR", "carbon": "CO₂"}
    assert units[axis] in figures(page)[title]
    assert units[axis] in page.dataframe[0].value.columns[1]


@pytest.mark.thorough
def test_where_the_log_stands_is_told_and_can_be_picked(open_page):
    """Also at another idle power, and not once the tasks are others."""
    system = load_sample("two-by-two")
    ran = LogPlacement(system.task_names, system.machine_names, np.array([[6, 0], [6, 0]]))
    page = open_page("importing", **QUICK)
    upload = Upload("log.txt", system, (), seen=SeenInLog(placement=ran))
    page.session_state[WORKSPACE] = take_upload(page.session_state[WORKSPACE], upload)
    settled(visit(page, "trade_offs"))
    assert "You are here: " in html(page)
    assert "this batch takes 18 s and 1.962 kJ." in html(page)
    settled(click(page, "here 0"))
    assert chosen(page).title == "As in the log"
    assert "takes as long and the same energy" in html(page)
    goals(page).set_value("deadline").run()
    assert "takes as long and the same energy" not in html(page), "that of the goal is chosen"
    idle_slider(page).set_value(50)
    settled(page.run())
    assert "You are here: " in html(page)
    fewer = system.with_counts(np.array([5, 6]), system.machine_counts)
    now = page.session_state[WORKSPACE]
    version = replace(now.version, system=fewer)
    page.session_state[WORKSPACE] = replace(now, version=version)
    settled(page.run())
    assert "You are here" not in html(page)


@pytest.mark.parametrize(
    ("running", "kind", "awaited"),
    [(True, "peak", True), (False, "peak", False), (True, "cap", False)],
)
def test_nothing_is_picked_under_a_cap_at_every_moment_until_it_was_searched_for(
    two_by_two, monkeypatch, running, kind, awaited
):
    """Schedules that happen to keep it may take a hundred times as long."""
    jobs = SimpleNamespace(state=lambda: [(trade_offs.WISHED, 0, 0, running)])
    monkeypatch.setattr(trade_offs.asking, "jobs", lambda _page: jobs)
    found = study(two_by_two(), effort=Effort(0))
    assert trade_offs.is_awaited(found, StatedWish(kind, 100.0)) == awaited
    kept = study(two_by_two(), method=Lp(wish=PeakCap(watts=100.0)))
    assert not trade_offs.is_awaited(kept, StatedWish("peak", 100.0))
