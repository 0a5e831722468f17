"""An administrator brings matrices, reads what is wrong with them, mends them, and goes on."""

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from grids import cell_of, clear, type_into
from playwright.sync_api import BrowserContext, Locator, Page, expect
from visits import go_to, headline, open_files, wait_until_drawn, without_complaints

from core.files import inspect_system, read_system
from dashboard.workspace.export import template

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
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    open_files(page, file, "Open it on Import")


def context(page: Page) -> Locator:
    # While a page is drawn anew the line of before may be there, too, below.
    return page.locator(".wf-context").first


@pytest.fixture(scope="module")
def system_page(visitor: BrowserContext, address: str) -> Iterator[Page]:
    """Shared by what begins with a choice of where the system comes from."""
    with without_complaints(visitor) as page:
        page.goto(f"{address}/importing?sample=nine")
        yield page


def test_own_matrices(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(f"{address}/importing?sample=nine")
    expect(context(page)).to_contain_text("nine")
    page.get_by_role("button", name="Open files", exact=True).click()
    page.get_by_text("From a cluster with Slurm, or with a template").click()
    with page.expect_download() as download:
        page.locator(".st-key-template-xlsx").get_by_role("button").click()
    filled = tmp_path / download.value.suggested_filename
    assert filled.name == "wattfront-template.xlsx"
    download.value.save_as(filled)
    assert inspect_system(filled).value == template()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()

    upload(page, "mine.zip", zipped(FAULTY))
    expect(page.get_by_role("alert")).to_contain_text("The last valid system is still in force")
    rows = page.locator(".st-key-upload-problems").locator("tbody tr")
    for place in PLACES:
        row = rows.filter(has_text=place[3])
        expect(row.locator("td")).to_contain_text(list(place))
    expect(context(page)).to_have_text(re.compile("^Not in force yet"))

    upload(page, filled.name, filled.read_bytes())
    expect(context(page)).to_contain_text(filled.name)
    expect(context(page)).to_contain_text("1 pair cannot run")
    go_to(page, "Work")
    page.get_by_role("radio", name="Times (ETC)").click()
    wait_until_drawn(page)
    expect(page.get_by_text("valid and in force.")).to_be_visible()

    times = page.locator("[class*='st-key-etc-']").get_by_test_id("stDataFrame")
    type_into(times, 1, 0, "-5")
    expect(page.get_by_role("alert")).to_contain_text("not in force yet")
    expect(page.locator(".wf-problems tbody tr").locator("td")).to_contain_text(
        ["Times (ETC)", "render", "old server", "-5 s is not a time a task can take"]
    )
    expect(context(page)).not_to_contain_text("edited")
    type_into(times, 1, 0, "99")
    expect(page.get_by_text("valid and in force.")).to_be_visible()
    expect(context(page)).to_contain_text("(edited)")

    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("alert")).to_contain_text("not in force yet")
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_text("valid and in force.")).to_be_visible()

    go_to(page, "Schedule")
    expect(page.get_by_role("heading", level=2)).to_contain_text("Done in")
    go_to(page, "Machines")
    expect(headline(page)).to_contain_text("some task type")
    wait_until_drawn(page)
    page.get_by_test_id("stPopover").filter(has_text="Export").get_by_role("button").click()
    with page.expect_download() as download:
        page.get_by_test_id("stPopoverBody").get_by_role("button", name="JSON").click()
    mine = tmp_path / "mine.json"
    download.value.save_as(mine)
    system = read_system(mine)
    assert system.etc[0, 0] == 99
    assert np.isinf(system.etc[0, 2])

    page.reload()
    expect(context(page)).to_contain_text(f"{filled.name} (edited)")


@pytest.mark.thorough
def test_a_bad_upload_is_mended_in_the_page(system_page: Page) -> None:
    page = system_page
    upload(page, "mine.zip", zipped(FAULTY))
    box = page.locator(".st-key-upload-problems")
    expect(box.get_by_role("alert")).to_contain_text("4 problems in the uploaded file")
    expect(box.get_by_role("button", name="Use this system")).to_be_disabled()
    wait_until_drawn(page)
    grid, listed = box.get_by_test_id("stDataFrame"), box.locator(".wf-problems tbody tr")
    expect(cell_of(grid, 1, 1)).to_have_text("old")
    expect(cell_of(grid, 1, 2)).to_have_text("task_type,old")

    type_into(grid, 3, 1, "3")
    expect(box.get_by_role("alert")).to_contain_text("3 problems")
    expect(cell_of(grid, 1, 1)).to_have_text("")
    expect(listed.first).to_contain_text("task type 'train' is there twice (line 3 and line 4)")
    type_into(grid, 3, 2, "2,5")
    expect(listed.nth(1)).to_contain_text("'2,5' has a decimal comma; write 2.5")
    type_into(grid, 3, 2, "2.5")
    for column in (2, 3, 4):
        clear(grid, column, 3)
    expect(listed).to_have_count(1)

    box.get_by_role("radio", name="Machine types: 1 to correct").click()
    wait_until_drawn(page)
    expect(cell_of(grid, 2, 1)).to_have_text("old")
    for column, text in enumerate(("new", "1", "30"), start=2):
        type_into(grid, column, 2, text)
    expect(box.get_by_text("No problems are left")).to_be_visible()
    expect(context(page)).not_to_contain_text("nine")

    box.get_by_role("button", name="Use this system").click()
    expect(context(page)).to_contain_text("mine.zip (edited)")
    expect(context(page)).to_contain_text("3 machines of 2 types")
    expect(box.get_by_role("button", name="Use this system")).to_have_count(0)
    expect(box.get_by_text("No counts of tasks were given")).to_be_visible()
    wait_until_drawn(page)
    page.get_by_role("button", name="Undo").click()
    expect(context(page)).to_have_text(re.compile("^Not in force yet"))


@pytest.mark.thorough
def test_tables_pasted_from_a_spreadsheet(system_page: Page) -> None:
    page = system_page
    page.get_by_role("button", name="Open files", exact=True).click()
    text = page.get_by_role("textbox", name="Or paste text")
    text.fill("\told\t<b>new</b>\nrender\t120\t\n=1+1\t9\t4\n")
    text.press("Control+Enter")
    page.get_by_role("button", name="Open it on Import").click()
    expect(context(page)).to_contain_text("pasted text")
    expect(context(page)).to_contain_text("1 pair cannot run")
    go_to(page, "Machines")
    expect(page.get_by_text("old, <b>new</b> are each fastest for 1 of 2")).to_be_visible()
    expect(page.get_by_role("button", name="Search: Table to edit")).to_have_count(1)
    expect(page.get_by_role("button", name="Download as CSV")).to_have_count(0)


@pytest.mark.thorough
def test_an_export_of_another_country_is_mended_in_clicks(system_page: Page) -> None:
    page = system_page
    upload(page, "export of times.csv", b"Task type;old;new\nrender;120,5;60\ntrain;N/A;450,25\n")
    box = page.locator(".st-key-upload-problems")
    expect(box.get_by_text("No counts of tasks were given")).to_be_visible()
    expect(box).to_contain_text("'120,5' becomes 120.5 (export of times.csv, line 2)")
    box.get_by_role("button", name="Write 2 numbers as 1234.5").click()
    expect(box.get_by_role("alert").last).to_contain_text("1 problem")
    page.get_by_role("button", name="Undo").click()
    expect(box.get_by_role("alert").last).to_contain_text("3 problems")
    box.get_by_role("button", name="Write 2 numbers as 1234.5").click()
    expect(box.get_by_role("alert").last).to_contain_text("1 problem")
    wait_until_drawn(page)
    box.get_by_role("button", name="Leave 1 cell blank").click()
    box.get_by_role("button", name="Use this system").click()
    expect(context(page)).to_contain_text("export of times.csv (edited)")
    expect(context(page)).to_contain_text("1 pair cannot run")


@pytest.mark.thorough
def test_another_upload_begins_with_the_table_that_is_to_be_mended(system_page: Page) -> None:
    good, bad = "x,old\nrender,1\n", "x,old\nrender,many\n"
    page = system_page
    box = page.locator(".st-key-upload-problems")
    grid = box.get_by_test_id("stDataFrame")
    for name, tables, title, cell in (
        ("one.zip", {"etc.csv": bad, "apc.csv": good}, "Times (ETC): 1 to correct", "many"),
        ("two.zip", {"etc.csv": good, "apc.csv": bad}, "Powers (APC): 1 to correct", "many"),
    ):
        upload(page, name, zipped(tables))
        expect(box.get_by_role("radio", name=title)).to_be_checked()
        wait_until_drawn(page)
        expect(cell_of(grid, 3, 1)).to_have_text(cell)
    box.get_by_role("radio", name="Times (ETC)").click()
    wait_until_drawn(page)
    expect(cell_of(grid, 3, 1)).to_have_text("1")
