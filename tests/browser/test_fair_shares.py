"""A stranger promises when bags are done: an edit and its Undo, a stretch that breaks promises, a
what-if, whole tasks, and what to take away.
"""

import csv
import re
from pathlib import Path

import pytest
from grids import type_over
from playwright.sync_api import Locator, Page, ViewportSize, expect
from visits import bring_into_view, choose, close_popover, headline, wait_until_drawn

PHONE: ViewportSize = {"width": 390, "height": 844}
ADDRESS = "/fair_shares?sample=nine"
BEST = re.compile("As whole tasks, .* No schedule is below 2.417.")


def chart(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-fair_shares_{name} .main-svg").first


def test_by_when_each_bag_is_done(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(address + "/arrivals?sample=nine")
    page.get_by_role("link", name="By when can each bag of tasks be done?").click()
    expect(page).to_have_title("Fair shares - Wattfront")
    expect(headline(page)).to_have_text(BEST)
    expect(page.locator(".wf-items li", has_text="It is the best of 3 replays")).to_be_visible()
    for name in ("dates", "plan", "energy"):
        expect(chart(page, name)).to_be_visible()
    release_later(page)
    expect(headline(page)).not_to_have_text(BEST)
    expect(page).to_have_url(re.compile("shares_cells=r0"))
    page.get_by_role("button", name="Undo").click()
    expect(headline(page)).to_have_text(BEST)
    move_a_bag(page)
    promise_too_much(page)
    page.get_by_role("button", name="Replay whole tasks").click()
    expect(page.get_by_text("has the smallest worst stretch")).to_be_visible()
    expect(chart(page, "tasks")).to_be_visible(timeout=120_000)
    step_back(page)
    assert taken_away(page, tmp_path)[0] == "nightly tests"


@pytest.mark.thorough
def test_changes_are_compared_and_policies_in_trials(page: Page, address: str) -> None:
    page.goto(address + ADDRESS)
    expect(headline(page)).to_have_text(BEST)
    with_more_bandwidth(page)
    with_more(page)
    page.get_by_role("button", name="Replay whole tasks").click()
    expect(chart(page, "tasks")).to_be_visible(timeout=120_000)
    compared_by_makespan(page)
    in_two_trials(page)


def release_later(page: Page) -> None:
    """By the keyboard, in the first cell that can be edited."""
    grid = page.locator(".stDataFrameGlideDataEditor.dvn-scroller").first
    bring_into_view(grid)
    wait_until_drawn(page)
    grid.click(position={"x": 150, "y": 52})
    type_over(page, "08:45")


def move_a_bag(page: Page) -> None:
    """Picked in the chart, and moved by the keyboard."""
    wait_until_drawn(page)
    bar = page.locator(".st-key-fair_shares_dates .barlayer .trace").first.locator("path").nth(1)
    bar.hover(force=True)
    bar.click(force=True)
    slider = page.get_by_role("slider", name="Its release")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("shares_cells=r1"))
    expect(headline(page)).not_to_have_text(BEST)
    page.get_by_role("button", name="Undo").click()
    expect(headline(page)).to_have_text(BEST)


def promise_too_much(page: Page) -> None:
    """By the keyboard, below the best stretch and back."""
    wait_until_drawn(page)
    slider = page.get_by_role("slider", name="Stretch that is promised")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("Not possible: no schedule keeps every promise")).to_be_visible()
    expect(chart(page, "plan")).to_have_count(0)
    expect(slider).to_be_focused()
    expect(page).to_have_url(re.compile("shares_stretch"))
    page.go_back()
    expect(page.get_by_text("Possible, and the best")).to_be_visible()
    expect(chart(page, "plan")).to_be_visible()


def with_more_bandwidth(page: Page) -> None:
    page.get_by_role("button", name="What if").click()
    field = page.get_by_role("spinbutton", name="Bandwidth then (MB/s)")
    field.fill("120")
    field.press("Enter")
    close_popover(page)
    expect(headline(page)).to_contain_text("With the change, ")
    expect(page.locator(".wf-items li", has_text="With 120 MB/s from the master")).to_be_attached()


def with_more(page: Page) -> None:
    """One more bag and one more machine, which the headline names; then without them."""
    page.get_by_role("button", name="What if").click()
    choose(page, "One more bag, like", "calibration")
    choose(page, "More machines of", "GPU nodes")
    close_popover(page)
    named = "another bag of 1,500 tasks of calibration and 1 more of GPU nodes and 120 MB/s"
    expect(page.locator(".wf-chips", has_text=named)).to_be_visible()
    expect(page.locator(".wf-items li", has_text=f"With {named} from the master")).to_be_attached()
    page.get_by_role("button", name="What if").click()
    page.get_by_role("button", name="Remove the change").click()
    close_popover(page)
    expect(headline(page)).to_have_text(BEST)


def compared_by_makespan(page: Page) -> None:
    wait_until_drawn(page)
    page.get_by_role("radiogroup", name="Score", exact=True).get_by_text("Makespan").click()
    axis = page.locator(".st-key-fair_shares_policies .xtitle", has_text="Makespan (h)")
    expect(axis).to_be_visible()


def in_two_trials(page: Page) -> None:
    field = page.get_by_role("spinbutton", name="Trials")
    field.fill("2")
    field.press("Enter")
    page.get_by_role("button", name="Run trials").click()
    expect(page.get_by_text("In 2 trials,")).to_be_visible(timeout=120_000)
    expect(page.locator(".st-key-fair_shares_trials .errorbar").first).to_be_visible()
    expect(page).to_have_url(re.compile("shares_trials=2"))


def step_back(page: Page) -> None:
    """From the last release, at which all bags are known, to the one before."""
    expect(page.get_by_text("8 of 8 bags are known")).to_be_visible(timeout=120_000)
    page.get_by_role("button", name="Previous release").click()
    expect(page.get_by_text("7 of 8 bags are known")).to_be_visible()


def taken_away(page: Page, tmp_path: Path) -> list[str]:
    """The names of the bags in the table of promises."""
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as found:
        page.get_by_role("button", name="Promises (CSV)").click()
    found.value.save_as(tmp_path / "promises.csv")
    with (tmp_path / "promises.csv").open(encoding="utf-8") as stream:
        return [row["bag"] for row in csv.DictReader(stream)]


@pytest.mark.thorough
def test_it_fits_a_phone(page: Page, address: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(address + ADDRESS)
    expect(headline(page)).to_have_text(BEST)
    expect(chart(page, "energy")).to_be_visible()
    wide = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
    assert wide <= PHONE["width"]
