"""The dialog of batch scripts says what is wrong as it is typed, offers what is right, and forgets
nothing.
"""

import io
import subprocess
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import streamlit
from pages import Open, button, field, html, press, run, settled, spoken, tell, visit
from patience import PATIENCE
from streamlit.testing.v1 import AppTest

from core.capabilities.makespan.solve import solve
from core.engines.slurm.places import PlaceRow
from core.files.samples.named import load_sample
from core.shells.studies.seen import SeenInLog
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.requests import NOTHING_REQUESTED, LogRequests, Request
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from dashboard.parts.desk import MOST_DESKS
from dashboard.parts.taking.batch_dialog import ASKED, COMMANDS, OPEN, PLACES, TITLE, desk_of
from dashboard.workspace import session
from dashboard.workspace.chosen import Chosen
from dashboard.workspace.workspace import Given, Version, choose

DOWNLOAD = "Download the scripts (ZIP)"
Files = dict[str, Callable[[], bytes]]
Opened = Callable[[Schedule], AppTest]


@pytest.fixture
def opened(open_page: Open) -> Opened:
    """The page Schedule with the dialog for a schedule."""

    def of(schedule: Schedule) -> AppTest:
        page = open_page("schedule")
        given = Version(schedule.system, Given("mine"), edited=True)
        page.session_state[session.WORKSPACE] = choose(page.session_state[session.WORKSPACE], given)
        page.session_state[session.CHOSEN] = Chosen.of(schedule, "By hand")
        return press(run(page), TITLE)

    return of


@pytest.fixture(scope="module")
def small() -> Schedule:
    return solve(load_sample("two-by-two"), method="paper").schedule


@pytest.fixture
def page(opened: Opened, small: Schedule) -> AppTest:
    return opened(small)


def nodes_of(page: AppTest) -> list[str]:
    """A node for each row of the map."""
    return [f"n{number}" for number, _ in enumerate(desk(page).inputs.places, 1)]


def schedule_of(task: str, machine: str, machines: int) -> Schedule:
    system = System((TaskType(task, machines),), (MachineType(machine, machines),), np.ones((1, 1)))
    return Schedule(system, np.array([0]), np.array([machines]), np.array([[1]]))


def desk(page: AppTest) -> Any:
    return next(reversed(page.session_state["wattfront.batch"].values()))


def places(page: AppTest, *nodes: str) -> AppTest:
    edits = {str(i): {"node": node} for i, node in enumerate(nodes)}
    return tell(page, desk(page).key(PLACES), edited_rows=edits)


def offered(page: AppTest) -> bool:
    found = next(one for one in page.download_button if one.label == DOWNLOAD)
    return not found.proto.disabled


def command(page: AppTest) -> Any:
    return field(page, "Command of all task types")


def test_it_begins_without_a_map_and_says_so(page: AppTest, small: Schedule) -> None:
    assert len(desk(page).inputs.places) == len(small.machines.repeat(small.machines))
    assert "No table binds machines to nodes" in html(page)
    assert offered(page)
    assert "WATTFRONT_INDEX" in page.code[-2].value
    assert "#NodeName= Weight=" in page.code[-1].value


def test_no_tick_before_nodes_and_command_are_given(page: AppTest) -> None:
    """Issue 33, point 19: the example of a command and a blank map are not ready."""
    assert not page.success
    assert page.info[0].value.endswith(
        "Not ready yet: no machine has a node, a constraint or a partition, and the command is "
        "only an example."
    )
    nodes = nodes_of(page)
    places(page, *nodes)
    assert not page.success
    assert page.info[0].value.endswith("Not ready yet: the command is only an example.")
    command(page).set_value("").run()
    assert page.info[0].value.endswith("Not ready yet: there is no command.")
    command(page).set_value("mine {index}").run()
    assert "submits" in page.success[0].value
    assert not page.info
    places(page, *["" for _ in nodes])
    assert not page.success


@pytest.mark.thorough
def test_what_a_log_asked_for_is_there_and_checked(open_page: Open, small: Schedule) -> None:
    """Issue 35: partition and requests are from the log, and green only if they fit."""
    system = small.system
    task, machine = system.task_names[0], system.machine_names[0]
    partitions = dict.fromkeys(system.machine_names, "long")
    most = {task: Request(8, 0, 2048.0, 5400.0)}
    log = LogRequests({}, most, {machine: Request(16)}, partitions)
    page = open_page("schedule")
    given = Version(system, Given("log"), seen=SeenInLog(requests=log))
    page.session_state[session.WORKSPACE] = choose(page.session_state[session.WORKSPACE], given)
    page.session_state[session.CHOSEN] = Chosen.of(small, "By hand")
    page = press(run(page), TITLE)
    rows = desk(page).inputs.places
    assert {row.partition for row in rows} == {"long"}
    command(page).set_value("mine {index}").run()
    assert "submits" in page.success[0].value
    nan = pytest.approx(float("nan"), nan_ok=True)
    asked = next(frame.value for frame in page.dataframe if "memory_gib" in frame.value)
    assert asked.iloc[0].tolist() == [task, 8, nan, 2, nan, 90]
    page.selectbox(key="batch.path").set_value("submit.sh").run()
    assert "--cpus-per-task=8 --mem=2048M tasks/1-" in page.code[-2].value
    tell(page, desk(page).key(ASKED), edited_rows={"0": {"cores": 17}})
    assert not page.success
    assert page.info[0].value.endswith("Not ready yet: tasks need more than nodes have.")
    assert f"Tasks of {task} need 17 cores, and a node of {machine} has 16 cores." in html(page)
    tell(page, desk(page).key(ASKED), edited_rows={"0": {"cores": 16}})
    assert page.success


def test_own_commands_of_all_types_are_no_example(page: AppTest, small: Schedule) -> None:
    """Issue 33, point 19: the example is not used if every type has its own command."""
    places(page, *nodes_of(page))
    rows = {str(i): {"command": "own"} for i in range(len(small.system.task_types))}
    tell(page, desk(page).key(COMMANDS), edited_rows=rows)
    assert "submits" in page.success[0].value


def test_what_is_said_of_the_schedule_is_a_sentence(
    opened: Opened,
) -> None:
    """Issue 33, point 19: "The schedule has 18,056 tasks", not "warning has 18,056 tasks"."""
    system = System((TaskType("T", 18_056),), (MachineType("M", 1),), np.ones((1, 1)))
    page = opened(Schedule(system, np.array([0]), np.array([1]), np.array([[18_056]])))
    assert "<li>The schedule has 18,056 tasks, and Slurm holds 10,000 jobs unless" in html(page)
    assert "Warning" not in html(page)


def test_a_place_that_is_missing_is_said_and_can_be_mended(page: AppTest, files: Files) -> None:
    nodes = nodes_of(page)
    places(page, *nodes[:-1])
    assert page.error[0].value.startswith("Correct 1 problem,")
    assert "but no place in the table" in html(page)
    assert not offered(page)
    places(page, *nodes)
    assert not page.error
    assert offered(page)
    with zipfile.ZipFile(io.BytesIO(files[DOWNLOAD]())) as archive:
        (folder,) = {name.split("/")[0] for name in archive.namelist()}
        submit = archive.read(f"{folder}/submit.sh").decode()
    assert folder == "wattfront-mine-edited-slurm"
    assert all(f"--nodelist={node}" in submit for node in nodes)


@pytest.mark.thorough
def test_a_command_is_checked_as_it_is_typed(page: AppTest) -> None:
    command(page).set_value("run {nobody}").run()
    assert "is not a placeholder" in html(page)
    assert not offered(page)
    command(page).set_value("run {index}").run()
    tell(page, desk(page).key(COMMANDS), edited_rows={"0": {"command": "own {seconds}"}})
    assert 'own "${WATTFRONT_SECONDS}"' in page.code[-2].value
    page.selectbox(key="batch.path").set_value("tasks/2-T2.sh").run()
    assert 'run "${WATTFRONT_INDEX}"' in page.code[-2].value
    assert offered(page)


def test_the_largest_job_array_is_kept(page: AppTest, small: Schedule) -> None:
    page.number_input(key=f"batch.size {desk(page).name}").set_value(1).run()
    assert desk(page).inputs.max_array_size == 1
    tasks = int(small.machines @ small.tasks.sum(axis=1))
    assert f"would submit {tasks} job arrays with {tasks} tasks" in page.info[0].value


@pytest.mark.thorough
def test_what_is_typed_is_there_after_another_page(page: AppTest) -> None:
    places(page, "n1")
    tell(page, desk(page).key(COMMANDS), edited_rows={"1": {"command": "own"}})
    command(page).set_value("mine {index}").run()
    page.number_input(key=f"batch.size {desk(page).name}").set_value(7).run()
    before = desk(page).inputs
    del page.session_state[OPEN]
    visit(page, "about", "schedule")
    assert not page.success
    assert all(one.label != "Command of all task types" for one in page.text_input)
    press(page, TITLE)
    assert desk(page).inputs == before
    assert desk(page).given[PLACES].places[0].node == "n1"
    assert command(page).value == "mine {index}"
    places(page, "n9")
    assert desk(page).inputs.places[0].node == "n9"
    tell(page, desk(page).key(COMMANDS), edited_rows={"0": {"command": "first"}})
    assert desk(page).inputs.own_commands == ((0, "first"), (1, "own"))


@pytest.mark.thorough
def test_the_rows_of_the_map_can_be_filled_anew(page: AppTest, small: Schedule) -> None:
    places(page, "n1")
    press(page, "A row for each machine type")
    kinds = len(small.system.machine_types)
    assert desk(page).inputs.places == tuple(map(PlaceRow, small.system.machine_names))
    tell(
        page,
        desk(page).key(PLACES),
        edited_rows={str(j): {"partition": "p"} for j in range(kinds)},
    )
    assert offered(page)
    press(page, "A row for each machine")
    assert not any(row.has_place for row in desk(page).inputs.places)


@pytest.mark.thorough
def test_3600_machines_have_a_row_a_type(opened: Opened) -> None:
    page = opened(schedule_of("T", "M", 3_600))
    assert desk(page).inputs.places == (PlaceRow("M"),)
    assert "3,600 job arrays with 3,600 tasks for 3,600 machines" in page.info[0].value
    places(page, "n[1-3599]")
    assert "3,599 nodes for 3,600 machines" in html(page)
    assert not offered(page)
    places(page, "n[1-3600]")
    assert offered(page)


HOSTILE = "<img src=x onerror=alert(1)> **bold** $(touch pwned) `id`"


@pytest.mark.thorough
def test_hostile_names_are_shown_as_they_are(opened: Opened, files: Files, tmp_path: Path) -> None:
    page = places(opened(schedule_of(HOSTILE, HOSTILE, 2)), "n1")
    assert "<img" not in html(page)
    assert "&lt;img" in html(page)
    assert not any(HOSTILE in text for text in spoken(page))
    places(page, "n1", "n2")
    with zipfile.ZipFile(io.BytesIO(files[DOWNLOAD]())) as archive:
        archive.extractall(tmp_path)
    for script in tmp_path.rglob("*.sh"):
        subprocess.run(["bash", "-n", script], check=True, timeout=PATIENCE)


@pytest.mark.thorough
def test_a_table_is_edited_only_where_it_can_be(page: AppTest) -> None:
    before = desk(page).inputs
    places_key, commands_key = desk(page).key(PLACES), desk(page).key(COMMANDS)
    for key, edits in (
        (places_key, {"edited_rows": {"999": {"node": "n"}}}),
        (places_key, {"edited_rows": {"0": {"node": 5}}}),
        (places_key, {"edited_rows": {"0": {"no column": "n"}}}),
        (places_key, {"deleted_rows": [-1]}),
        (places_key, {"added_rows": [{"node": "x" * 10_001}]}),
        (commands_key, {"edited_rows": {"0": {"task_type": "T"}}}),
        (commands_key, {"added_rows": [{}]}),
        (commands_key, {"deleted_rows": [0]}),
    ):
        tell(page, key, **edits)
        assert desk(page).inputs == before, edits
    assert places(page, "n1").error


def test_a_system_of_the_same_types_has_the_same_desk_and_few_are_kept(
    small: Schedule, monkeypatch: pytest.MonkeyPatch
) -> None:
    state: dict[str, Any] = {}
    monkeypatch.setattr(streamlit, "session_state", state)
    first = desk_of(small.system)
    assert desk_of(small.system.with_idle_fraction(0.5)) is first
    for number in range(1, MOST_DESKS):
        desk_of(schedule_of("T", "M", number).system)
    assert desk_of(small.system) is first
    desk_of(schedule_of("T", "M", 99).system)
    assert desk_of(small.system) is first
    assert len(state["wattfront.batch"]) == MOST_DESKS


def test_what_was_typed_of_scripts_stays_when_work_says_what_tasks_request(
    small: Schedule, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streamlit, "session_state", {})
    desk = desk_of(small.system)
    desk.change(replace(desk.inputs, command="mine {index}"))
    turn, task = desk.turn, small.system.task_names[0]
    log = NOTHING_REQUESTED.with_typed({task: {"cores": 4}})
    assert desk_of(small.system, log=log) is desk
    assert (desk.inputs.command, desk.inputs.log) == ("mine {index}", log)
    assert desk.turn > turn, "its tables begin anew"
    assert desk_of(small.system, log=replace(log, partitions={"M": "long"})) is not desk


@pytest.mark.thorough
@pytest.mark.parametrize("view", ["schedule", "profit"])
def test_other_pages_with_a_schedule_offer_it(open_page: Open, view: str) -> None:
    page = press(settled(open_page(view, sample="two-by-two")), TITLE)
    assert any(one.label == DOWNLOAD for one in page.download_button)


@pytest.mark.thorough
def test_trade_offs_offers_it_once_a_schedule_is_chosen(open_page: Open) -> None:
    page = settled(open_page("trade_offs", sample="nine", polish=0))
    assert all(one.label != TITLE for one in page.button)
    schedule = solve(page.session_state[session.WORKSPACE].system, method="paper").schedule
    page.session_state[session.CHOSEN] = Chosen.of(schedule, "By hand")
    assert button(run(page), TITLE)
