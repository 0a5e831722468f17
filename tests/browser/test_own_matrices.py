"""An administrator brings matrices, reads what is wrong with them, mends them, and goes on."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from core.files import read_system
from dashboard.logic.template import template

pytestmark = pytest.mark.browser

FAULTY = {
    "etc.csv": "task_type,old,new\nrender,-3,60\ntrain,fast,450\ntrain,1,2\n",
    "machines.csv": "machine_type,count,idle_power\nold,2,40\n",
}
PLACES = [
    ("etc.csv", "render", "old", "-3 s is not a time a task can take"),
    ("etc.csv", "train", "old", "'fast' is not a number"),
    ("etc.csv", "train", "–", "is there twice (line 3 and line 4)"),
    ("machines.csv", "new", "–", "machine type 'new' of etc.csv is missing here"),
]


def zipped(tables: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in tables.items():
            archive.writestr(name, text)
    return stream.getvalue()


def upload(page: Page, name: str, content: bytes) -> None:
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )


def context(page: Page) -> Locator:
    return page.locator(".wf-context")


def type_into_first_time(page: Page, keys: list[str]) -> None:
    """Selects the cell of the first task type on the first machine type, and types."""
    editor = page.locator(".stDataFrameGlideDataEditor.dvn-scroller")
    editor.click(position={"x": 180, "y": 52})
    for key in keys:
        page.wait_for_timeout(150)  # the grid opens its cell editor at the first key
        page.keyboard.press(key)


def test_own_matrices(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(f"{address}/system")
    expect(context(page)).to_contain_text("nine")
    page.get_by_role("radio", name="File", exact=True).click()
    with page.expect_download() as download:
        page.locator(".st-key-template-xlsx").get_by_role("button").click()
    filled = tmp_path / download.value.suggested_filename
    assert filled.name == "wattfront-template.xlsx"
    download.value.save_as(filled)
    assert read_system(filled).system == template()

    upload(page, "mine.zip", zipped(FAULTY))
    expect(page.get_by_role("alert")).to_contain_text("the last good system is still there")
    rows = page.locator(".st-key-upload-problems").locator("tbody tr")
    for place in PLACES:
        row = rows.filter(has_text=place[3])
        expect(row.locator("td")).to_contain_text(list(place))
    expect(context(page)).to_contain_text("nine")

    upload(page, filled.name, filled.read_bytes())
    expect(context(page)).to_contain_text(filled.name)
    expect(context(page)).to_contain_text("1 pair cannot run")
    expect(page.get_by_text("Sound, and in force.")).to_be_visible()

    type_into_first_time(page, ["-", "5", "Enter"])
    expect(page.get_by_role("alert")).to_contain_text("Not in force yet")
    expect(page.locator(".wf-problems tbody tr").locator("td")).to_contain_text(
        ["Times (ETC)", "render", "old server", "-5 s is not a time a task can take"]
    )
    expect(context(page)).not_to_contain_text("edited")
    type_into_first_time(page, ["9", "9", "Enter"])
    expect(page.get_by_text("Sound, and in force.")).to_be_visible()
    expect(context(page)).to_contain_text("(edited)")

    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("alert")).to_contain_text("Not in force yet")
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_text("Sound, and in force.")).to_be_visible()

    page.get_by_role("link", name="Fastest schedule").click()
    expect(page.get_by_role("heading", level=2)).to_contain_text("Done in")
    page.get_by_role("link", name="System").click()
    page.get_by_role("button", name="Download").click()
    with page.expect_download() as download:
        page.get_by_test_id("stPopoverBody").get_by_role("button", name="JSON").click()
    mine = tmp_path / "mine.json"
    download.value.save_as(mine)
    system = read_system(mine).require()
    assert system.etc[0, 0] == 99
    assert np.isinf(system.etc[0, 2])

    page.reload()
    expect(context(page)).to_contain_text(f"{filled.name} (edited)")


def test_tables_pasted_from_a_spreadsheet(page: Page, address: str) -> None:
    page.goto(f"{address}/system")
    page.get_by_role("radio", name="Paste").click()
    page.get_by_role("textbox", name="Times (ETC), seconds").fill(
        "\told\t<b>new</b>\nrender\t120\t\n=1+1\t9\t4\n"
    )
    page.get_by_role("button", name="Use these tables").click()
    expect(context(page)).to_contain_text("pasted tables")
    expect(context(page)).to_contain_text("1 pair cannot run")
    expect(page.get_by_text("old, <b>new</b> are each fastest for 1 of 2")).to_be_visible()
    expect(page.get_by_role("button", name="Search: Table to edit")).to_have_count(1)
    expect(page.get_by_role("button", name="Download as CSV")).to_have_count(0)
