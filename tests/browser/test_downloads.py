"""A file comes whenever its button is pressed, also while pages are drawn anew."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from visits import wait_until_drawn

from core.engines.verify.judge import verify_stated
from core.files import inspect_schedule
from core.files.samples.named import load_sample

PRESSES = 5


def open_schedule(page: Page, at: str) -> None:
    page.goto(at)
    expect(page.locator(".st-key-schedule_chart .main-svg").first).to_be_visible()


# It takes 20 s, and passes without what it looks at: `Offers` has tests of its own.
@pytest.mark.thorough
def test_a_file_comes_from_a_page_that_is_just_drawn_anew(
    page: Page, address: str, tmp_path: Path
) -> None:
    page.goto(f"{address}/schedule?sample=nine&idle=0.2&polish=0")
    page.get_by_role("radio", name="Thriftiest", exact=True).click()
    expect(page).to_have_url(re.compile("chosen="))
    open_schedule(page, page.url)
    # What one session draws has Streamlit forget what another offers.
    others = [page.context.new_page() for _ in range(2)]
    for other in others:
        open_schedule(other, page.url)
    page.get_by_role("button", name="Export", exact=True).click()
    csv = page.get_by_test_id("stDownloadButton").filter(has_text="CSV").get_by_role("button")
    taken, system = tmp_path / "schedule.csv", load_sample("nine").with_idle_fraction(0.2)
    for press in range(PRESSES):
        for one in (*others, page):
            one.keyboard.press("r")
        page.wait_for_timeout(60 * press)
        with page.expect_download() as download:
            csv.click()
        download.value.save_as(taken)
        blocks = inspect_schedule(taken, system).value
        assert blocks is not None
        assert verify_stated(blocks, system).ok
    for other in others:
        other.close()


def test_a_chart_is_taken_as_picture_or_as_data_under_one_button(
    page: Page, address: str, tmp_path: Path
) -> None:
    page.goto(f"{address}/trade_offs?sample=two-by-two&polish=0")
    chart = page.locator(".st-key-front .js-plotly-plot")
    expect(chart.locator(".main-svg").first).to_be_visible()
    wait_until_drawn(page)
    begins = {
        "PNG": b"\x89PNG",
        "SVG": b"<svg",
        "Data (CSV)": b'"trace","Energy (J)","Makespan (s)',
    }
    for kind, begin in begins.items():
        chart.hover()
        chart.locator(".modebar-btn[data-title^='Download']").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=kind, exact=True).click()
        taken = tmp_path / download.value.suggested_filename
        download.value.save_as(taken)
        assert taken.stem == "wattfront-front"
        assert taken.read_bytes().startswith(begin)
    data = (tmp_path / "wattfront-front.csv").read_text()
    assert data.count('"Schedules"') >= 9
    chart.locator(".modebar-btn[data-title^='Download']").click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("menuitem", name="SVG")).to_have_count(0)
