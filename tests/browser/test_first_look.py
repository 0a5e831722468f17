"""A stranger opens the page, looks around, errs, mends it, and takes a verified schedule away."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.files import read_schedule
from core.samples import load_sample
from core.verify import verify_stated

pytestmark = pytest.mark.browser

BAD = "task_type,GPU,CPU\nT1,-3,abc\n"


def headline(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=2)).to_contain_text(text)


def bars(page: Page) -> int:
    return page.locator(".st-key-gantt .bars .point").count()


def choose_system(page: Page, name: str) -> None:
    page.get_by_role("combobox", name="System").click()
    page.get_by_role("option", name=name, exact=True).click()


def test_first_look(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(address)
    headline(page, "no schedule can be faster than 43 min 17 s")
    expect(page.locator(".st-key-gantt .main-svg").first).to_be_visible()
    assert bars(page) >= 36, "a bar at least for each of 36 machines"
    expect(page.locator(".st-key-times .main-svg").first).to_be_visible()
    expect(page.locator(".st-key-methods .main-svg").first).to_be_visible()

    page.get_by_role("button", name="Verified").click()
    expect(page.get_by_text("every task is placed exactly once")).to_be_visible()
    page.keyboard.press("Escape")

    choose_system(page, "testbed")
    expect(page.get_by_text("90 tasks of 4 types")).to_be_visible()
    headline(page, "no schedule can be faster than 3 h 58 min")

    page.get_by_role("button", name="Upload a system").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "mine.csv", "mimeType": "text/csv", "buffer": BAD.encode()}
    )
    expect(page.get_by_role("alert")).to_contain_text("2 problems")
    expect(page.get_by_text("90 tasks of 4 types")).to_be_visible()
    headline(page, "no schedule can be faster than 3 h 58 min")
    page.get_by_role("heading", level=1).click()  # anywhere outside closes the upload
    expect(page.locator("input[type=file]")).to_be_hidden()

    with page.expect_download() as download:
        page.get_by_test_id("stDownloadButton").filter(has_text="CSV").get_by_role("button").click()
    assert download.value.suggested_filename == "wattfront-testbed-schedule.csv"
    taken = tmp_path / "schedule.csv"
    download.value.save_as(taken)
    system = load_sample("testbed")
    reading = read_schedule(taken, system)
    assert reading.blocks is not None
    assert verify_stated(reading.blocks, system).ok


def test_a_phone_shows_the_answer_without_scrolling_sideways(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address)
    headline(page, "Done in")
    expect(page.locator(".st-key-gantt .main-svg").first).to_be_visible()
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 0


def test_the_system_can_be_chosen_by_keyboard_alone(page: Page, address: str) -> None:
    page.goto(address)
    headline(page, "43 min 17 s")
    page.get_by_role("combobox", name="System").focus()
    page.keyboard.type("two-by")
    page.keyboard.press("Enter")
    headline(page, "11 s")
