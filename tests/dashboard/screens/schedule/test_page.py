"""The page Schedule shows what was chosen, else a balanced schedule, and says what it cannot."""

from dataclasses import replace

import numpy as np
import pytest
from pages import START, charts, failing, field, figures, html, own, press, put, run, settled, visit

from core.capabilities.makespan.solve import solve
from core.engines.relaxed import SolverFailed
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System
from dashboard.screens.schedule import figures as schedule_figures
from dashboard.screens.schedule.choice import TITLES
from dashboard.workspace import session
from dashboard.workspace.chosen import Chosen
from dashboard.workspace.workspace import Given, Version, choose

FILES = ["CSV", "JSON", "Excel"]
STUDY_FILES = ["Report (HTML)", "Study file (JSON)"]


def hold(page, schedule, title="By hand"):
    """The page with a system and a schedule of it in force."""
    given = Version(schedule.system, Given("mine"), edited=True)
    page.session_state[session.WORKSPACE] = choose(page.session_state[session.WORKSPACE], given)
    page.session_state[session.CHOSEN] = Chosen.of(schedule, title)
    page.run()
    assert not page.exception
    return page


def test_the_page_opens_with_the_balanced_schedule_and_each_kind_is_a_click_away(open_page):
    page = settled(open_page("schedule", sample="testbed"))
    assert field(page, START).value == "balanced"
    assert len(charts(page)) == 4
    makespans = set()
    for start, title in TITLES.items():
        put(page, START, start)
        assert page.header[0].value.startswith("Done in")
        assert field(page, START).value == start
        assert page.session_state[session.CHOSEN].title == title
        makespans.add(figures(page)["Makespan"])
    assert len(makespans) == 3


@pytest.mark.thorough
def test_the_fastest_is_the_same_on_every_page_also_after_a_longer_search(open_page):
    """Issue 35: one pool of schedules."""
    page = settled(open_page("trade_offs", sample="testbed", polish=0))
    before = figures(page)["Fastest"]
    visit(page, "schedule")
    put(page, START, "fastest")
    assert figures(page)["Makespan"] == before
    page.session_state["schedule.fastest"] = True
    run(page)
    put(page, "fastest.seconds", 5.0)
    ours, found = (one.value for one in page.metric if one.label == "Makespan")
    assert (ours, found != before) == (before, True), "what may have been exported stays"
    press(page, "A better one was found since: use it")
    assert {one.value for one in page.metric if one.label == "Makespan"} == {found}
    assert figures(settled(visit(page, "trade_offs")))["Fastest"] == found


def test_key_figures_are_those_of_the_schedule(open_page):
    schedule = solve(load_sample("two-by-two"), method="paper").schedule
    page = hold(open_page("schedule"), schedule)
    assert figures(page)["Makespan"] == "12 s"
    assert "finish" in html(page)
    assert [button.label for button in page.download_button] == FILES + STUDY_FILES
    assert any("every task is placed exactly once" in text.value for text in page.markdown)


def test_the_cap_of_the_site_is_said_as_the_page_site_says_it(open_page):
    page = open_page("schedule", sample="two-by-two", cap_kw="0.04", pue="1.35")
    assert "above the cap of 29.63 W at the machines." in settled(page).header[0].value


@pytest.mark.thorough
@pytest.mark.parametrize("sample", ["e1", "two-by-two"])
def test_the_fastest_possible_is_a_closer_look(open_page, sample):
    page = open_page("schedule", sample=sample)
    before = len(charts(page))
    page.session_state["schedule.fastest"] = True
    run(page)
    assert len(charts(page)) == before + 1
    assert ("Least energy" in figures(page)) == (sample == "two-by-two")
    assert figures(page)["Lower bound"] in ("1.099 s", "10.79 s", "11 s")


def test_without_powers_the_page_says_so_instead_of_drawing_power(open_page):
    page = open_page("schedule", sample="e1")
    assert field(page, START).options == ["Fastest"]
    assert figures(page)["Energy"] == "unknown"
    assert [button.label for button in page.download_button] == FILES
    assert len(charts(page)) == 2
    assert sum("Without powers" in caption.value for caption in page.caption) == 2


@pytest.mark.thorough
def test_a_schedule_of_another_system_is_not_passed_off_as_of_this_one(open_page):
    page = put(settled(open_page("schedule", sample="nine")), START, "thriftiest")
    page.session_state[session.CHOSEN] = replace(page.session_state[session.CHOSEN], title="Mine")
    session_system = page.session_state[session.WORKSPACE]
    page.session_state[session.WORKSPACE] = choose(
        session_system, Version(load_sample("six"), Given("six"))
    )
    settled(run(page))
    assert "belongs to another system" in html(page)
    assert not any(button.label.startswith("Keep it") for button in page.button)
    assert field(page, START).value == "balanced"


@pytest.mark.thorough
def test_at_another_idle_power_the_same_schedule_can_be_kept(open_page):
    page = put(settled(open_page("schedule", sample="nine")), START, "thriftiest")
    page.toggle[0].set_value(False).run()
    settled(page.slider[0].set_value(20).run())
    assert field(page, START).value == "thriftiest", "the kind stays, with another schedule"
    page.session_state[session.CHOSEN] = replace(page.session_state[session.CHOSEN], title="Mine")
    before = page.session_state[session.CHOSEN].schedule
    settled(page.slider[0].set_value(40).run())
    assert "chosen with other settings" in html(page)
    press(page, "Keep it with the present settings")
    after = page.session_state[session.CHOSEN].schedule
    assert after.energy > before.energy
    assert page.header[0].value.startswith("Done in")


@pytest.mark.thorough
def test_one_type_then_one_machine_can_be_looked_at(open_page):
    page = put(settled(open_page("schedule", sample="nine")), START, "fastest")
    own(page.selectbox)[0].select(4).run()
    assert not page.dataframe
    own(page.number_input)[0].set_value(2).run()
    assert not page.exception
    schedule = page.session_state[session.CHOSEN].schedule
    table = page.dataframe[0].value
    mine = (schedule.machine_type == 4) & (schedule.first_machine <= 2)
    assert table["Tasks"].sum() == schedule.tasks[mine][-1].sum()
    press(page, "All machines")
    assert own(page.selectbox)[0].value == -1


@pytest.mark.thorough
def test_every_setting_of_the_chart_has_a_chart(open_page):
    page = put(settled(open_page("schedule", sample="nine")), START, "fastest")
    put(page, "schedule.by_finish", True)
    page.get("button_group")[1].set_value(["Machine types"]).run()
    page.multiselect[0].select(0).run()
    assert not page.exception
    assert len(charts(page)) == 4


@pytest.mark.thorough
def test_many_machines_begin_with_their_types(open_page, many_types):
    page = hold(open_page("schedule"), many_types)
    assert any("height of a row" in caption.value for caption in page.caption)


def test_a_bound_on_which_the_solver_gives_up_is_reported_without_a_traceback(
    open_page, monkeypatch
):
    system = System((TaskType("given up", 7),), (MachineType("M"),), np.array([[7.0]]))
    schedule = solve(system, method="paper").schedule
    monkeypatch.setattr(
        schedule_figures, "lower_bound", failing(SolverFailed("the range of times may be too wide"))
    )
    page = hold(open_page("schedule", sample="two-by-two"), schedule)
    assert "gave up" in page.error[0].value
    assert page.text[0].value == "the range of times may be too wide"
