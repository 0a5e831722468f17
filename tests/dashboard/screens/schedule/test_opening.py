"""A schedule from a file is chosen if the judge agrees with it; a map goes to its dialog."""

from pathlib import Path

import pytest
from pages import Open, html, opened
from streamlit.testing.v1 import AppTest

from core.capabilities.makespan.solve import solve
from core.files.samples.named import load_sample
from core.files.schedule_file import write_schedule
from core.vocabulary.schedule import Schedule
from core.vocabulary.timed import TimedSchedule
from dashboard.parts.frame.handed import FilePlace
from dashboard.screens.schedule.opening import inspect_given
from dashboard.workspace import session

TWO = load_sample("two-by-two")


@pytest.fixture(scope="module")
def schedule() -> Schedule:
    return solve(TWO, method="paper").schedule


@pytest.mark.parametrize("suffix", [".csv", ".json", ".xlsx"])
def test_a_file_gives_its_schedule_again(schedule: Schedule, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"s{suffix}"
    write_schedule(schedule, path)
    found = inspect_given(TWO, path.name, path.read_bytes()).require()
    assert type(found) is Schedule
    assert (found.makespan, found.energy) == pytest.approx((schedule.makespan, schedule.energy))
    assert (found.placed == schedule.placed).all()


def test_machines_that_wait_do_so_again_and_what_is_wrong_is_said(
    schedule: Schedule, tmp_path: Path
) -> None:
    write_schedule(schedule, tmp_path / "s.csv")
    head, *rows = (tmp_path / "s.csv").read_text().splitlines()
    late = [
        f"{','.join(row.split(',')[:-2])},{a + 5},{b + 5}" for row in rows for a, b in [times(row)]
    ]
    waits = inspect_given(TWO, "s.csv", "\n".join([head, *late]).encode()).require()
    assert isinstance(waits, TimedSchedule)
    assert waits.makespan == pytest.approx(schedule.makespan + 5)
    missing = inspect_given(TWO, "s.csv", "\n".join([head, *rows[1:]]).encode())
    assert missing.value is None
    assert missing.problems


def times(row: str) -> tuple[float, float]:
    start, end = row.split(",")[-2:]
    return float(start), float(end)


def test_an_opened_schedule_is_the_chosen_one(
    open_page: Open, schedule: Schedule, tmp_path: Path
) -> None:
    write_schedule(schedule, tmp_path / "s.csv")
    data = (tmp_path / "s.csv").read_bytes()
    page = opened(open_page("schedule", sample="two-by-two"), "schedule.file", ("s.csv", data))
    assert page.session_state[session.CHOSEN].title == "Opened from s.csv"
    assert not page.error
    page = opened(page, "schedule.file", ("bad.csv", data.partition(b"\n")[0]))
    assert page.error[0].value.startswith("This is no schedule of the system in force. Nothing")
    assert page.session_state[session.CHOSEN].title == "Opened from s.csv"


@pytest.mark.thorough
def test_a_map_opens_the_dialog_of_batch_scripts(open_page: Open) -> None:
    page: AppTest = open_page("schedule", sample="two-by-two")
    place: FilePlace = "schedule.map"
    name = TWO.machine_names[0]
    page = opened(page, place, ("map.csv", f"machine_type,node\n{name},n7\n".encode()))
    desks = page.session_state["wattfront.batch"].values()
    assert [row.node for desk in desks for row in desk.inputs.places] == ["n7"]
    assert "no map" not in html(page)
