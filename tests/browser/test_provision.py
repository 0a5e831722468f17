"""A stranger plans a purchase: examples, a price, a closer look, what to take away, and a stop."""

import json
from pathlib import Path

import pytest
from grids import type_over
from playwright.sync_api import Page, expect
from visits import bring_into_view, close_popover, headline

PAINTED = ".main-svg"


def test_what_to_buy(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(f"{address}/provision?sample=two-by-two&idle=0.1&provision_scenarios=16")
    expect(headline(page)).to_contain_text("Expected work: ")
    expect(page.get_by_text("Examples, not your numbers")).to_be_visible()
    # Its interval is another one as soon as fresh scenarios are there.
    bought, _, _ = headline(page).inner_text().partition(" Expected work")
    type_a_price(page)
    expect(page.get_by_text("This answer is for earlier settings")).to_be_visible()
    expect(headline(page)).to_contain_text(bought)
    page.get_by_role("button", name="Find what to buy").click()
    expect(headline(page)).not_to_contain_text(bought)
    expect(page.get_by_text("This answer is for earlier settings")).to_have_count(0)
    page.get_by_role("radio", name="Two objectives").click()
    expect(page.locator(f".st-key-provision_closer {PAINTED}").first).to_be_visible()
    page.get_by_role("radio", name="Budget").click()
    expect(page.locator(".st-key-provision_closer").get_by_text("Budget (EUR)")).to_be_visible()
    said = taken_away(page, tmp_path)
    assert set(said) >= {"rp", "mvp", "ws", "h1", "evpi", "vss", "gap"}
    open_what_is_bought(page)


@pytest.mark.thorough
def test_a_long_search_is_stopped(page: Page, address: str) -> None:
    page.goto(f"{address}/provision?sample=e3&provision_scenarios=20000&provision_whole=yes")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("The search was stopped.")).to_be_visible()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)


def type_a_price(page: Page) -> None:
    """In the second row of the table of machines, in place of the example: that type is bought."""
    grid = page.locator(".stDataFrameGlideDataEditor.dvn-scroller").first
    bring_into_view(grid)
    grid.click(position={"x": 460, "y": 87})
    type_over(page, "9999")


def taken_away(page: Page, folder: Path) -> dict[str, object]:
    """The shopping list for programs, beside a report that says what to buy."""
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Shopping list (JSON)").click()
    file = folder / "purchase.json"
    downloading.value.save_as(file)
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Report (HTML)").click()
    report = folder / "report.html"
    downloading.value.save_as(report)
    assert "<h2>What to buy</h2>" in report.read_text()
    close_popover(page)
    found: dict[str, object] = json.loads(file.read_text())
    return found


def open_what_is_bought(page: Page) -> None:
    page.get_by_role("button", name="Open the provisioned system").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Trade-offs")
    expect(page.locator(".wf-context")).to_contain_text("(edited)")
