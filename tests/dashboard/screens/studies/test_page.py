"""A study is named, saved and opened again with all that it had; its name is on every page."""

import json

import pytest
from pages import Open, html, parameter, press, put, run, settled, tell, visit
from streamlit.testing.v1 import AppTest
from trade_offs_page import report

from core.files.samples.named import load_sample
from core.shells.studies import inspect_study_bytes
from dashboard.parts.fields import in_browser
from dashboard.parts.frame import frame
from dashboard.workspace.session import WORKSPACE, KeptWhere
from dashboard.workspace.upload import Upload
from dashboard.workspace.workspace import take_upload

NAME = "Name of this study"


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str | None]]:
    """What the browser is given to keep, in place of the list of a browser."""
    given: list[dict[str, str | None]] = []
    real = in_browser._shelf

    def shelf(**how: object) -> object:
        data = how["data"]
        assert isinstance(data, dict)
        if data["save"] is not None:
            given.append(data["save"])
        return real(**how)

    monkeypatch.setattr(in_browser, "_shelf", shelf)
    return given


ETC = {"etc.csv": b"task_type,A,B\nrun,1,2\n"}
APC = {"apc.csv": b"task_type,A,B\nrun,100,30\n"}


def with_upload(page: AppTest, files: dict[str, bytes] = ETC) -> AppTest:
    upload = Upload.together(files)
    assert upload.system is not None
    page.session_state[WORKSPACE] = take_upload(page.session_state[WORKSPACE], upload)
    return run(page)


@pytest.mark.thorough
def test_a_sample_is_kept_by_its_address(open_page: Open, saved: list[dict[str, str]]) -> None:
    page = open_page("studies", sample="testbed", idle="0.3")
    page = press(put(page, NAME, "  Winter\n<b>term "), "Save in this browser")
    (study,) = saved
    assert study["name"] == "Winter <b>term"
    assert study["file"] is None
    again = dict(part.split("=") for part in study["link"].removeprefix("./?").split("&"))
    assert {"sample": "testbed", "idle": "0.3"}.items() <= again.items()
    assert "Winter &lt;b&gt;term" in html(page)
    visit(page, "schedule")
    assert "Winter &lt;b&gt;term" in html(page)
    assert parameter(page, "study") == "Winter <b>term"
    there = open_page("schedule", sample="testbed", study=parameter(page, "study"))
    assert "Winter &lt;b&gt;term" in html(there)


@pytest.mark.thorough
def test_an_upload_is_kept_as_a_file_and_opened_again(
    open_page: Open, saved: list[dict[str, str]]
) -> None:
    """Journey 11: also by a server that never had it."""
    page = with_upload(open_page("studies", sample="two-by-two", price="0.5"), ETC | APC)
    assert KeptWhere.NOT_SAVED.value in [one.proto.popover.label for one in page.get("popover")]
    page = press(put(page, NAME, "Ours"), "Save in this browser")
    assert KeptWhere.SAVED.value in {one.proto.popover.label for one in page.get("popover")}
    (study,) = saved
    assert study["file"] is not None
    elsewhere = open_page("studies", kept="1234")
    assert elsewhere.header[0].value == frame.TITLE
    opened = {"name": "Renamed", "file": study["file"], "at": 1}
    report(elsewhere, "wattfront.shelf", opened=opened)
    assert elsewhere.title[0].value == "Trade-offs"
    assert "<strong>Renamed</strong>" in html(elsewhere)
    assert elsewhere.session_state[WORKSPACE].system == page.session_state[WORKSPACE].system
    assert elsewhere.session_state[WORKSPACE].site.price == 0.5


def test_times_without_powers_are_kept_as_a_file_too(
    open_page: Open, saved: list[dict[str, str]]
) -> None:
    page = press(with_upload(open_page("studies", sample="testbed")), "Save in this browser")
    opened = {"name": "etc.csv", "file": saved[0]["file"], "at": 1}
    elsewhere = report(open_page("studies", sample="e1"), "wattfront.shelf", opened=opened)
    assert KeptWhere.SAVED.value in {one.proto.popover.label for one in elsewhere.get("popover")}
    assert elsewhere.session_state[WORKSPACE].system == page.session_state[WORKSPACE].system


def test_another_system_has_no_name_yet(open_page: Open) -> None:
    page = put(open_page("studies", sample="testbed"), NAME, "Winter")
    with_upload(page)
    assert "Winter" not in html(page)
    assert "study" not in page.query_params


@pytest.mark.parametrize(
    "file", ["", "nothing", json.dumps({"format": "wattfront-study"}), 3, None, "x" * 5_000_001]
)
def test_what_is_no_study_is_said_and_changes_nothing(open_page: Open, file: object) -> None:
    page = open_page("studies", sample="testbed")
    report(page, "wattfront.shelf", opened={"name": "<b>bad", "file": file, "at": 1})
    assert page.session_state[WORKSPACE].system == load_sample("testbed")
    assert "<b>bad" not in html(page)


def test_a_centre_that_was_edited_is_saved_as_a_file(
    open_page: Open, saved: list[dict[str, str]]
) -> None:
    """Its address alone would bring it back only as long as the server has it."""
    page = settled(open_page("centre", centre_centre="parasol", centre_seconds=0))
    desk = next(reversed(page.session_state["wattfront.centre"].values()))
    settled(tell(page, desk.key("servers"), edited_rows={"0": {"count": 60}}))
    visit(page, "studies")
    press(page, "Save in this browser")
    (study,) = saved
    assert "centre_kept=" in study["link"]
    asked = inspect_study_bytes("s.json", study["file"].encode()).require().settings.blocks
    assert asked["centre"].file.centre.kinds[0].count == 60
    assert any(one.value.startswith("Saved.") for one in page.caption)
