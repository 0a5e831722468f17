"""Pick and inspect: a schedule opens as a picture, from all machines down to one, however large."""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from visits import bring_into_view, choose, close_popover, go_to, seconds, wait_until_drawn

from core.engines.verify.judge import verify_stated
from core.files import inspect_schedule
from core.files.samples.named import load_sample

LARGE = (
    "task_types=30&machine_types=9&tasks=10000000&machines=3600&seed=3&apc=machine-levels&idle=0.2"
)
CHARTS = ("schedule_chart", "schedule_power", "schedule_energy", "schedule_utilisation")
MANY_ROWS = "task_types=60&machine_types=12&tasks=6000&machines=720&seed=3&apc=machine-levels"
MOST_SHAPES = 4_000
SHAPES = "document.querySelectorAll('.js-plotly-plot :is(path, rect)').length"


def begin(page: Page, at: str, start: str = "Fastest") -> None:
    """Opens the page at an address, and chooses one of the schedules offered."""
    page.goto(at)
    page.get_by_role("radio", name=start, exact=True).click()
    expect(page).to_have_url(re.compile("chosen="))
    drawn(page)


def drawn(page: Page) -> None:
    expect(page.get_by_role("heading", level=2)).to_contain_text("Done in")
    for chart in CHARTS:
        expect(page.locator(f".st-key-{chart} .main-svg").first).to_be_visible()


def rows(page: Page) -> list[str]:
    """What the rows of the chart are called."""
    return page.locator(".st-key-schedule_chart .ytick").all_text_contents()


def find(page: Page, machine: str) -> None:
    search = page.get_by_role("textbox", name="Find a machine")
    search.fill(machine)
    search.press("Enter")


def click_bar(page: Page, place: int) -> None:
    page.locator(".st-key-schedule_chart .bars .point path").nth(place).click(force=True)


def label_at(page: Page, x: float, y: float) -> Any:
    """The label beside the pointer: its text and its place. It goes when the chart is drawn anew,
    until the pointer moves again.
    """
    late = time.monotonic() + seconds()
    while True:
        page.mouse.move(x, y)
        page.mouse.move(x + 1, y)
        page.wait_for_timeout(300)
        found = page.evaluate(
            """() => {
                const label = document.querySelector(".st-key-schedule_chart .hovertext");
                const box = label?.getBoundingClientRect();
                return box && { text: label.textContent, x: box.x, width: box.width };
            }"""
        )
        if found is not None:
            return found
        assert time.monotonic() < late, "no label beside the pointer"
        page.mouse.move(5, 5)


def point_at_blocks(page: Page, machine: str) -> None:
    """What a block says stands by the pointer."""
    chart = page.locator(".st-key-schedule_chart")
    wait_until_drawn(page)
    bring_into_view(chart)
    page.wait_for_timeout(300)
    plot = chart.locator(".nsewdrag").first.bounding_box()
    assert plot is not None
    for share in (0.1, 0.35, 0.6):
        x, y = plot["x"] + share * plot["width"], plot["y"] + 0.3 * plot["height"]
        box = label_at(page, x, y)
        assert machine in box["text"]
        beside = max(box["x"] - x, x - box["x"] - box["width"], 0)
        assert beside <= 60, "a label is within a finger's breadth of the pointer"
        page.mouse.move(5, 5)


def test_pick_and_inspect(page: Page, address: str, tmp_path: Path) -> None:
    begin(page, f"{address}/schedule?sample=nine&idle=0.2")
    expect(page.locator(".st-key-schedule_chart .ytick")).to_have_count(36)
    page.get_by_role("button", name="Verified").click()
    expect(page.get_by_text("no machine runs two tasks at once")).to_be_visible()
    close_popover(page)
    expect(page.get_by_text(re.compile("finish(es)? last, after"))).to_be_visible()

    choose(page, "Machine type", "M5")
    expect(page.locator(".st-key-schedule_chart .ytick")).to_have_count(4)
    point_at_blocks(page, "M5 #")
    click_bar(page, 0)
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    expect(page.locator(".st-key-schedule_chart .ytick")).to_have_count(1)
    page.get_by_role("button", name="All machines").click()
    expect(page.locator(".st-key-schedule_chart .ytick")).to_have_count(36)

    page.get_by_role("button", name="Export", exact=True).click()
    with page.expect_download() as download:
        page.get_by_test_id("stDownloadButton").filter(has_text="CSV").get_by_role("button").click()
    taken = tmp_path / "schedule.csv"
    download.value.save_as(taken)
    system = load_sample("nine").with_idle_fraction(0.2)
    reading = inspect_schedule(taken, system)
    assert reading.value is not None
    assert verify_stated(reading.value, system).ok


@pytest.mark.thorough
def test_thousands_of_machines_and_millions_of_tasks(
    page: Page, address: str, record_property: Callable[[str, object], None]
) -> None:
    begin(page, f"{address}/schedule?{LARGE}")
    assert page.evaluate(SHAPES) <= MOST_SHAPES

    go_to(page, "Import")
    expect(page.locator(".st-key-pairs .main-svg").first).to_be_visible()
    started = time.perf_counter()
    go_to(page, "Schedule")
    drawn(page)
    record_property("seconds_to_open", time.perf_counter() - started)

    started = time.perf_counter()
    click_bar(page, 0)
    expect(page.get_by_text("Click a block to see its machine alone")).to_be_visible()
    record_property("seconds_to_zoom", time.perf_counter() - started)
    assert page.evaluate(SHAPES) <= MOST_SHAPES
    click_bar(page, 0)
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()


@pytest.mark.thorough
def test_a_machine_is_searched_for_and_every_chart_and_the_address_follow(
    page: Page, address: str, tmp_path: Path
) -> None:
    begin(page, f"{address}/schedule?sample=nine&idle=0.2&polish=0", "Thriftiest")
    done = page.get_by_role("heading", level=2).first.inner_text()
    find(page, "M55 #3")
    expect(page.get_by_text("No machine type is called “M55”")).to_be_visible()
    find(page, "m5 #3")
    expect(page).to_have_url(re.compile(r"machines_at=5\.3"))
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    expect(page.get_by_text("No machine type is called")).to_have_count(0)
    for chart in CHARTS:
        expect(page.locator(f".st-key-{chart} .main-svg").first).to_be_visible()
    assert rows(page) == ["M5 #3"]
    expect(page.locator(".st-key-schedule_utilisation .ytick").last).to_have_text("M5 #3")
    expect(page.locator(".st-key-schedule_energy .ytick").last).to_have_text("idle")
    expect(page.get_by_text(re.compile("^M5 #3 finishes after"))).to_be_visible()

    page.reload()
    drawn(page)
    assert rows(page) == ["M5 #3"]
    expect(page.get_by_role("heading", level=2).first).to_have_text(done)
    page.goto(page.url.replace("machines_at=5.3", "machines_at=50.3"))
    drawn(page)
    expect(page.get_by_text("machines_at is “50.3”")).to_be_visible()

    page.goto(page.url.replace("/schedule?", "/?"))
    expect(page.locator(".st-key-chosen")).to_contain_text("Thriftiest")
    page.get_by_role("button", name="Export").click()
    report = page.get_by_test_id("stDownloadButton").filter(has_text="Report")
    expect(report.get_by_role("button")).to_be_enabled()
    with page.expect_download() as download:
        report.get_by_role("button").click()
    taken = tmp_path / "report.html"
    download.value.save_as(taken)
    assert "The schedule: Thriftiest" in taken.read_text(encoding="utf-8")


@pytest.mark.thorough
def test_rows_of_many_machines_come_in_pages(page: Page, address: str) -> None:
    begin(page, f"{address}/schedule?{MANY_ROWS}&machines_rows=machines")
    said = page.locator(".st-key-rows_shown")
    expect(said).to_contain_text(re.compile(r"Rows 1 to 48 of \d"))
    first = rows(page)
    page.get_by_role("button", name="Next rows").click()
    expect(said).to_contain_text("Rows 49 to 96 of")
    expect(page).to_have_url(re.compile("machines_page=2"))
    expect(page.locator(".st-key-schedule_chart .ytick").first).not_to_have_text(first[0])
    assert set(rows(page)).isdisjoint(first)
    assert page.evaluate(SHAPES) <= MOST_SHAPES
    page.get_by_text("Sort by finish").click()
    expect(said).to_contain_text("Rows 1 to 48 of")
    expect(page).to_have_url(re.compile("machines_order=finish"))
