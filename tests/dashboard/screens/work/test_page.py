"""The page Work shows pairs and says what to mend in the tables of task types, times and powers."""

import numpy as np
import pytest
from marked import marked
from pages import Open, charts, html, press, put, run, turn
from streamlit.testing.v1 import AppTest

from core.files.samples.generate import Generation, MachineLevels
from core.files.samples.named import load_sample
from dashboard.workspace import workspace as step
from dashboard.workspace.draft import Change
from dashboard.workspace.export import system_bytes
from dashboard.workspace.session import EDITOR, WORKSPACE
from dashboard.workspace.upload import Upload
from dashboard.workspace.workspace import Workspace, take_upload

TOO_LARGE = Generation(task_types=300, machine_types=100, machines=100, apc=MachineLevels())


@pytest.fixture
def page(open_page: Open) -> AppTest:
    return open_page("work", sample="testbed")


def workspace(page: AppTest) -> Workspace:
    found: Workspace = page.session_state[WORKSPACE]
    return found


def edit(page: AppTest, value: float | None) -> AppTest:
    """The page after an edit of the first time."""
    now = workspace(page)
    draft = now.version.tables.changed("etc", Change({0: {"m0": value}}))
    page.session_state[WORKSPACE] = step.edit(now, draft)
    page.session_state[f"{EDITOR}.count"] = turn(page) + 1
    return run(page)


def test_power_and_energy_are_offered_where_they_are_known(open_page: Open) -> None:
    offered = {
        sample: open_page("work", sample=sample).segmented_control(key="pairs.quantity").options
        for sample in ("testbed", "e1")
    }
    assert offered == {"testbed": ["Time", "Power", "Energy"], "e1": ["Time"]}


def test_energy_stays_chosen_until_a_system_has_none(page: AppTest) -> None:
    put(page, "pairs.quantity", "Energy")
    page.session_state[WORKSPACE] = step.choose_sample(workspace(page), "e1")
    run(page)
    assert page.segmented_control(key="pairs.quantity").value == "Time"


@pytest.mark.parametrize("table", ["tasks", "etc", "apc"])
def test_every_table_can_be_edited(page: AppTest, table: str) -> None:
    put(page, "tables.shown", table)
    shown = page.data_editor[0]
    assert len(shown.value) == 4
    assert shown.editing_mode == ("fixed" if table in ("etc", "apc") else "dynamic")


def test_an_unsound_edit_is_named_and_the_last_good_system_stays_in_force(page: AppTest) -> None:
    put(page, "tables.shown", "etc")
    edit(page, -3.0)
    assert "not in force yet" in page.error[0].value
    assert '<td data-label="Where">Times (ETC)</td>' in html(page)
    assert "-3 s is not a time a task can take" in html(page)
    assert workspace(page).system == load_sample("testbed")
    assert page.data_editor[0].value["m0"][0] == -3.0
    edit(page, 3.0)
    assert not page.error
    assert "<strong>testbed (edited)</strong>" in html(page)
    assert press(page, "Undo").error
    assert not press(page, "Undo").error


def test_a_system_without_powers_can_be_given_some(open_page: Open) -> None:
    page = open_page("work", sample="e1")
    put(page, "tables.shown", "apc")
    page.number_input(key="tables.watts").set_value(150.0)
    press(page, "Fill in the powers")
    np.testing.assert_array_equal(workspace(page).system.apc, np.full((2, 3), 150.0))
    assert page.data_editor[0].value["m0"].tolist() == [150.0, 150.0], "to edit from then on"


@pytest.mark.thorough
def test_large_tables_are_not_edited_here_but_shown(page: AppTest) -> None:
    page.session_state[WORKSPACE] = step.draw(workspace(page), TOO_LARGE)
    run(page)
    assert [*page.data_editor[0].value.columns][:2] == ["task_type", "cores"]
    assert "Export the system above, edit the file" in page.info[0].value
    assert len(charts(page)) == 2


def tables(page: AppTest) -> list[str]:
    """The tables that are offered."""
    shown: list[str] = page.segmented_control(key="tables.shown").options
    return shown


def estimated(page: AppTest, *cells: tuple[int, int]) -> AppTest:
    """The page with a log's system in which these pairs are estimates."""
    system = marked(load_sample("two-by-two"), *cells)
    upload = Upload.together({"log.json": system_bytes(system, ".json")})
    page.session_state[WORKSPACE] = take_upload(workspace(page), upload)
    return run(page)


def test_estimates_are_said_in_words_and_have_a_table(page: AppTest) -> None:
    assert "Estimated pairs" not in tables(page)
    assert not any("A ring" in caption.value for caption in page.caption)
    estimated(page, (0, 0), (1, 1))
    assert "2 of 4 pairs are estimates, not measurements." in html(page)
    assert any("A ring marks pairs" in caption.value for caption in page.caption)
    put(page, "tables.shown", "etc")
    assert any("no longer an estimate" in caption.value for caption in page.caption)
    assert "Estimated pairs" in tables(page)
    put(page, "tables.shown", "estimated")
    ticks = page.data_editor[0]
    assert ticks.editing_mode == "fixed"
    assert ticks.value[["m0", "m1"]].to_numpy().tolist() == [[True, False], [False, True]]


def tick(page: AppTest, ticks: dict[int, dict[str, bool]]) -> AppTest:
    """The page after a change of the table of estimates."""
    now = workspace(page)
    draft = now.version.tables.changed("estimated", Change(ticks))
    page.session_state[WORKSPACE] = step.edit(now, draft)
    return run(page)


def test_without_the_last_tick_the_first_table_is_shown(page: AppTest) -> None:
    estimated(page, (0, 0))
    put(page, "tables.shown", "estimated")
    tick(page, {0: {"m0": False}})
    assert workspace(page).system == load_sample("two-by-two")
    assert "Estimated pairs" not in tables(page)
    assert page.segmented_control(key="tables.shown").value == "tasks"
    press(page, "Undo")
    assert workspace(page).system.estimated_pairs == 1
    assert "Estimated pairs" in tables(page)


def test_another_system_has_no_ticks_to_show(page: AppTest) -> None:
    estimated(page, (0, 0))
    put(page, "tables.shown", "estimated")
    page.session_state[WORKSPACE] = step.choose_sample(workspace(page), "nine")
    run(page)
    assert page.segmented_control(key="tables.shown").value == "tasks"
