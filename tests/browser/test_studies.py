"""Journey 11: studies are saved, renamed, deleted, restored and opened. Ctrl-K, and Help."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from visits import go_to, headline, open_files, taken_with, wait_until_drawn

TIMES = {"name": "etc.csv", "mimeType": "text/csv", "buffer": b"task_type,old,new\nrender,40,20\n"}


def name(page: Page, title: str) -> None:
    field = page.locator(".st-key-studies-open").get_by_label("Name of this study")
    field.fill(title)
    field.press("Enter")
    expect(page.locator(".wf-context strong")).to_have_text(title)
    wait_until_drawn(page)


def test_come_back(page: Page, address: str) -> None:
    page.goto(f"{address}/studies?sample=two-by-two")
    open_files(page, TIMES, "Open it on Import")
    expect(page.locator(".wf-context")).to_contain_text("etc.csv")
    go_to(page, "Studies")
    name(page, "Renders")
    expect(page.get_by_role("button", name="Not saved")).to_be_visible()
    shared = taken_with(page, page.get_by_role("button", name="Share: study file"))
    assert '"render"' in Path(shared.path()).read_text(), "not that of a sample"
    expect(page.get_by_role("button", name="Saved", exact=True)).to_be_visible()
    page.wait_for_function("() => localStorage.getItem('wattfront.saved')")
    page.reload()  # the browser knows of the download
    expect(page.get_by_role("button", name="Saved", exact=True)).to_be_visible()
    wait_until_drawn(page)
    page.get_by_role("button", name="Save in this browser").click()
    expect(page.get_by_role("button", name="Open Renders")).to_be_visible()
    expect(page.get_by_role("button", name="Saved", exact=True)).to_be_visible()

    page.get_by_role("button", name="Rename Renders").click()
    page.get_by_label("New name of Renders").fill("Farm")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Open Farm")).to_be_visible()
    page.get_by_role("button", name="Delete Farm").click()
    expect(page.get_by_role("button", name="Open Farm")).to_have_count(0)
    page.get_by_role("button", name="Restore Farm").click()

    page.goto(f"{address}/schedule?kept=0123456789abcdef01234567")  # that of a server that ended
    expect(headline(page)).to_contain_text("is gone")
    page.get_by_role("button", name="Saved studies").click()
    page.get_by_role("button", name="Open Farm").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Trade-offs")
    expect(page.locator(".wf-context strong")).to_have_text("Farm")

    go_to(page, "Studies")
    # As without permission.
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject() }")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Press Ctrl C")).to_be_visible()
    page.goto(page.get_by_label("Link", exact=True).input_value())
    expect(page.locator(".wf-context strong")).to_have_text("Farm")
    expect(page.get_by_role("button", name="Saved", exact=True)).to_be_visible()


@pytest.mark.thorough
def test_any_place_by_keyboard_and_the_help_of_its_page(page: Page, address: str) -> None:
    page.goto(f"{address}/importing?sample=testbed")
    expect(page.get_by_text("90 tasks of 4 types", exact=True)).to_be_visible()
    wait_until_drawn(page)
    listens = page.get_by_role("button", name="Go to (Ctrl K)")
    expect(listens).to_have_attribute("aria-keyshortcuts", "Control+K Meta+K")
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Go to")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).to_be_hidden()
    page.get_by_role("button", name="Go to (Ctrl K)").click()
    page.keyboard.type("cluster")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option", selected=True)).to_contain_text("cluster 2")
    page.keyboard.type(" 3")
    expect(page.get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/schedule.*machines_at=3"))
    expect(page.locator(".st-key-schedule_chart .main-svg").first).to_be_visible()
    wait_until_drawn(page)
    page.get_by_role("button", name="Help", exact=True).click()
    drawer = page.get_by_role("dialog", name="Help: Schedule")
    expect(drawer).to_contain_text("Gantt chart")
    drawer.get_by_role("tab", name="Definitions").click()
    expect(drawer).to_contain_text("The time from the start to the end of the last task.")
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
