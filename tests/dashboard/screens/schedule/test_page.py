"""The Schedule page shows what was chosen, or offers a beginning, and says what it cannot show."""

import numpy as np
import pytest
from pages import Open, charts, failing, figures, html, own, press, put
from streamlit.testing.v1 import AppTest

from core.capabilities.makespan.solve import solve
from core.engines.relaxed import SolverFailed
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from dashboard.screens.schedule import figures as schedule_figures
from dashboard.workspace import session
from dashboard.workspace.chosen import Chosen
from dashboard.workspace.workspace import Given, Version, choose

FILES = ["CSV", "JSON", "Excel"]
STUDY_FILES = ["Report (HTML)", "Study file (JSON)"]
BEGINNINGS = ["Fastest", "Thriftiest", "Knee of the front"]


def hold(page: AppTest, schedule: Schedule, title: str = "By hand") -> AppTest:
    """The page with a system and a schedule of it in force."""
    given = Version(schedule.system, Given("mine"), edited=True)
    page.session_state[session.WORKSPACE] = choose(page.session_state[session.WORKSPACE], given)
    page.session_state[session.CHOSEN] = Chosen.of(schedule, title)
    page.run()
    assert not page.exception
    return page


@pytest.mark.parametrize("start", BEGINNINGS)
def test_where_nothing_is_chosen_there_is_something_to_begin_with(
    open_page: Open, start: str
) -> None:
    page = open_page("schedule", sample="testbed")
    assert page.header[0].value == "No schedule is chosen yet"
    assert not charts(page)
    press(page, start)
    assert page.header[0].value.startswith("Done in")
    assert f"<strong>{start}</strong>" in html(page)
    assert len(charts(page)) == 4


def test_a_front_without_a_knee_is_told(open_page: Open) -> None:
    page = open_page("schedule")
    system = System(
        (TaskType("T", 4),), (MachineType("M", 2),), np.array([[1.0]]), np.array([[5.0]])
    )
    hold(page, solve(system, method="paper").schedule)
    page.session_state[session.CHOSEN] = None
    press(page.run(), "Knee of the front")
    assert "nearly straight" in page.info[0].value


def test_key_figures_are_those_of_the_schedule(open_page: Open) -> None:
    schedule = solve(load_sample("two-by-two"), method="paper").schedule
    page = hold(open_page("schedule"), schedule)
    assert figures(page)["Makespan"] == "12 s"
    assert "finish" in html(page)
    assert [button.label for button in page.download_button] == FILES + STUDY_FILES
    assert any("every task is placed exactly once" in text.value for text in page.markdown)


def test_without_powers_the_page_says_so_instead_of_drawing_power(open_page: Open) -> None:
    page = open_page("schedule", sample="e1")
    assert [button.label for button in page.button if button.label in BEGINNINGS] == ["Fastest"]
    press(page, "Fastest")
    assert figures(page)["Energy"] == "unknown"
    assert [button.label for button in page.download_button] == FILES
    assert len(charts(page)) == 2
    assert sum("Without powers" in caption.value for caption in page.caption) == 2


def test_a_schedule_of_another_system_is_not_passed_off_as_of_this_one(open_page: Open) -> None:
    page = press(open_page("schedule", sample="nine"), "Fastest")
    session_system = page.session_state[session.WORKSPACE]
    page.session_state[session.WORKSPACE] = choose(
        session_system, Version(load_sample("six"), Given("six"))
    )
    page.run()
    assert "another system" in page.header[0].value
    assert not any(button.label.startswith("Keep it") for button in page.button)
    assert not page.metric


def test_at_another_idle_power_the_same_schedule_can_be_kept(open_page: Open) -> None:
    page = press(open_page("schedule", sample="nine"), "Fastest")
    before = page.session_state[session.CHOSEN].schedule
    page.toggle[0].set_value(False).run()
    page.slider[0].set_value(40).run()
    assert "have changed" in page.header[0].value
    keep = next(button for button in page.button if button.label.startswith("Keep it"))
    keep.click().run()
    assert not page.exception
    after = page.session_state[session.CHOSEN].schedule
    assert (after.tasks == before.tasks).all()
    assert after.energy > before.energy
    assert page.header[0].value.startswith("Done in")


def test_one_type_then_one_machine_can_be_looked_at(open_page: Open) -> None:
    page = press(open_page("schedule", sample="nine"), "Fastest")
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


def test_every_setting_of_the_chart_has_a_chart(open_page: Open) -> None:
    page = press(open_page("schedule", sample="nine"), "Fastest")
    put(page, "schedule.by_finish", True)
    page.get("button_group")[0].set_value(["Machine types"]).run()
    page.multiselect[0].select(0).run()
    assert not page.exception
    assert len(charts(page)) == 4


def test_many_machines_begin_with_their_types(open_page: Open, many_types: Schedule) -> None:
    page = hold(open_page("schedule"), many_types)
    assert any("height of a row" in caption.value for caption in page.caption)


def test_a_bound_on_which_the_solver_gives_up_is_reported_without_a_traceback(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = System((TaskType("given up", 7),), (MachineType("M"),), np.array([[7.0]]))
    schedule = solve(system, method="paper").schedule
    monkeypatch.setattr(
        schedule_figures, "lower_bound", failing(SolverFailed("the range of times may be too wide"))
    )
    page = hold(open_page("schedule", sample="two-by-two"), schedule)
    assert "gave up" in page.error[0].value
    assert page.text[0].value == "the range of times may be too wide"
