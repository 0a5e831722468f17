"""A stranger opens the page, looks around, chooses another system, and takes a schedule away."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from visits import choose, close_popover, go_to

from core.engines.verify.judge import verify_stated
from core.files import inspect_schedule
from core.files.samples.named import load_sample

BESIDE_THE_MARK = """() => [...document.querySelectorAll('header div, header button')]
  .map(part => getComputedStyle(part, '::after').content)"""


def headline(page: Page, pattern: str) -> None:
    expect(page.get_by_role("heading", level=2)).to_contain_text(re.compile(pattern))


def context(page: Page, title: str) -> None:
    expect(page.locator(".wf-context strong")).to_have_text(title)


def bars(page: Page) -> int:
    return page.locator(".st-key-schedule_chart .bars .point").count()


def test_first_look(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(f"{address}/fastest?sample=nine")
    expect(page).to_have_url(re.compile("/schedule"))
    page.locator(".st-key-schedule-fastest summary").click()
    expect(page.locator(".st-key-methods .main-svg").first).to_be_visible()
    page.get_by_role("radio", name="Fastest", exact=True).click()
    headline(page, r"Done in 4[34] min .* later than the fastest possible")
    context(page, "nine")
    expect(page.locator(".st-key-schedule_chart .main-svg").first).to_be_visible()
    assert bars(page) >= 36, "a bar at least for each of 36 machines"

    page.get_by_role("button", name="Verified").click()
    expect(page.get_by_text("every task is placed exactly once")).to_be_visible()
    close_popover(page)

    go_to(page, "Import")
    choose(page, "Sample system", "testbed")
    context(page, "testbed")
    expect(page.get_by_text("90 tasks of 4 types", exact=True)).to_be_visible()
    expect(page.locator(".st-key-pairs .main-svg").first).to_be_visible()

    go_to(page, "Schedule")
    headline(page, "Done in ")
    context(page, "testbed")
    page.get_by_role("button", name="Export", exact=True).click()
    with page.expect_download() as download:
        page.get_by_test_id("stDownloadButton").filter(has_text="CSV").get_by_role("button").click()
    assert download.value.suggested_filename == "wattfront-testbed-schedule.csv"
    taken = tmp_path / "schedule.csv"
    download.value.save_as(taken)
    system = load_sample("testbed")
    reading = inspect_schedule(taken, system)
    assert reading.value is not None
    assert verify_stated(reading.value, system).ok
    close_popover(page)

    go_to(page, "Import")
    expect(page.locator(".st-key-pairs .main-svg").first).to_be_visible()
    page.get_by_role("combobox", name="Sample system").focus()
    page.keyboard.type("two-by")
    page.keyboard.press("Enter")
    context(page, "two-by-two")


@pytest.mark.thorough
def test_a_pasted_address_opens_the_same_view(page: Page, address: str) -> None:
    page.goto(
        f"{address}/importing?task_types=6&machine_types=4&seed=3&idle=0.3&apc=machine-levels"
    )
    context(page, "random 6 × 4, seed 3")
    expect(page.get_by_role("button", name="Idle power 30 %")).to_be_visible()
    go_to(page, "Schedule")
    headline(page, "Done in")
    page.reload()
    headline(page, "Done in")
    context(page, "random 6 × 4, seed 3")
    expect(page.get_by_role("button", name="Idle power 30 %")).to_be_visible()


@pytest.mark.thorough
def test_a_newcomer_reads_what_this_is_and_where_to_give_a_cluster_of_their_own(
    page: Page, address: str
) -> None:
    page.goto(address)
    expect(page.locator(".wf-tagline")).to_contain_text("Wattfront finds")
    expect(page.locator(".wf-context")).to_contain_text("Sample")
    expect(page.locator(".st-key-front .ytitle")).to_contain_text("when the last task ends")
    assert '"Wattfront"' in page.evaluate(BESIDE_THE_MARK)
    page.get_by_role("button", name="Open files").click()
    expect(page.get_by_role("dialog").get_by_test_id("stFileUploader")).to_be_visible()
    assert '"Wattfront"' in page.evaluate(BESIDE_THE_MARK), "on every page"


def test_on_a_phone_the_chart_begins_in_the_first_screen_and_the_menu_says_so(
    page: Page, address: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address)
    plot = page.locator(".st-key-front .main-svg").first
    expect(plot).to_be_visible()
    page.wait_for_function(
        "document.querySelector('.st-key-front .bglayer').getBoundingClientRect().top < 600"
    )
    menu = page.get_by_test_id("stExpandSidebarButton")
    said = menu.evaluate("button => getComputedStyle(button, '::after').content")
    assert said == '"Menu"'
    menu.click()
    page.get_by_role("link", name="What if", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("What if")
    expect(page.get_by_role("link", name="What if", exact=True)).not_to_be_in_viewport()
