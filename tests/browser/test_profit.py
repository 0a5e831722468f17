"""A stranger drags the profit ratio into a loss and back, caps the power, takes the schedule."""

import re
from pathlib import Path

import pytest
from grids import type_over
from playwright.sync_api import Locator, Page, expect
from visits import close_popover, go_to, headline, open_files, wait_until_drawn

WATCH = """() => {
  window.painted = 0; window.pressed = 0; let last = null;
  const look = () => {
    const seen = [...document.querySelectorAll('.st-key-profit_plane .annotation-text')]
      .map(text => text.textContent).join();
    if (last !== null && seen !== last) { window.painted = performance.now(); }
    last = seen;
    requestAnimationFrame(look);
  };
  window.addEventListener('keydown', () => { window.pressed = performance.now(); }, true);
  look();
}"""


def chart(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-profit_{name}")


def open_profit(page: Page, address: str) -> None:
    page.goto(f"{address}/profit?sample=nine&idle=0.05")
    for name in ("plane", "curve"):
        expect(chart(page, name).locator(".main-svg").first).to_be_visible()
    expect(page.locator(".st-key-status")).to_contain_text("polished for")


def type_wear(page: Page) -> None:
    """Wear is typed into a table, and stays."""
    page.get_by_role("button", name="Wear and depreciation").click()
    rates = page.get_by_test_id("stPopoverBody").locator(".stDataFrameGlideDataEditor.dvn-scroller")
    rates.click(position={"x": 300, "y": 52})
    type_over(page, "5")
    worn = page.get_by_text("Wear of 1 machine type")
    expect(worn).to_be_visible()
    close_popover(page)
    go_to(page, "Import")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Import")
    go_to(page, "Profit")
    expect(worn).to_be_visible()
    expect(page.get_by_text("Wear is not included")).to_be_visible()


def test_profit(page: Page, address: str) -> None:
    open_profit(page, address)
    expect(headline(page)).to_contain_text(
        re.compile(r"^At 1\.2 times the cost of the least energy you can earn .* EUR/h")
    )
    page.evaluate(WATCH)
    slider = page.get_by_role("slider", name="Profit ratio")
    slider.focus()
    for _ in range(27):
        page.keyboard.press("ArrowLeft")
    expect(headline(page)).to_contain_text("At 0.93 times")
    expect(headline(page)).to_contain_text("every batch loses money")
    expect(page.locator(".wf-items")).to_contain_text("The best is not on the front")
    expect(page.locator(".wf-items")).to_contain_text("Running nothing loses")
    loss = chart(page, "plane").locator(".annotation-text", has_text=re.compile("−.* EUR/h"))
    expect(loss.first).to_be_visible()
    page.wait_for_function("window.painted > window.pressed")

    slider.focus()
    for _ in range(57):
        page.keyboard.press("ArrowRight")
    expect(headline(page)).to_contain_text("At 1.5 times")
    page.locator(".st-key-chip-site").get_by_role("button").click()
    cap = page.get_by_role("textbox", name="Power cap (kW)")
    cap.fill("2")
    cap.press("Enter")
    expect(page.locator(".wf-items")).to_contain_text("one kilowatt more would earn")
    expect(
        chart(page, "plane").locator(".legendtext", has_text="Above the cap of 2 kW").first
    ).to_be_visible()
    close_popover(page)

    expect(page.locator(".st-key-status")).to_contain_text("polished for")
    page.get_by_text("Lines of equal profit").click()
    expect(chart(page, "contours").locator(".legendtext", has_text="Pivot").first).to_be_visible()
    page.get_by_role("radio", name="Power cap").click()
    expect(chart(page, "sweep").locator(".main-svg").first).to_be_visible()
    page.get_by_role("button", name="Inspect").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Schedule")
    expect(page.locator(".st-key-chosen")).to_contain_text("Earns ")

    go_to(page, "Profit")
    expect(headline(page)).to_contain_text("At 1.5 times")
    type_wear(page)


def take(page: Page, label: str, folder: Path) -> bytes:
    """What a button of the popover Export gives."""
    with page.expect_download() as download:
        page.get_by_test_id("stPopoverBody").get_by_role("button", name=label).click()
    taken = folder / download.value.suggested_filename
    download.value.save_as(taken)
    return taken.read_bytes()


@pytest.mark.thorough
def test_the_price_is_changed_once_and_every_page_moves(page: Page, address: str) -> None:
    """Issue 35: in the header of Profit; Trade-offs and What to buy follow."""

    def costs(title: str, label: str) -> str:
        go_to(page, title)
        wait_until_drawn(page)
        figure = page.get_by_test_id("stMetric").filter(has_text=label)
        return figure.get_by_test_id("stMetricValue").inner_text()

    def number(text: str) -> float:
        return float(text.split()[0].replace(",", ""))

    page.goto(
        f"{address}/provision?sample=nine&idle=0.1&polish=0&spacing=0.2&provision_scenarios=16"
    )
    expect(headline(page)).to_contain_text("Expected reward: ")
    before = [costs("Trade-offs", "Cost"), costs("What to buy", "Electricity a year")]
    go_to(page, "Profit")
    profit = headline(page).inner_text()
    page.locator(".st-key-chip-site").get_by_role("button").click()
    price = page.get_by_role("spinbutton", name="Electricity (EUR per kWh)")
    price.fill("0.6")
    price.press("Enter")
    close_popover(page)
    expect(headline(page)).not_to_have_text(profit)
    expect(page).to_have_url(re.compile(r"[?&]price=0\.6"))
    after = [costs("Trade-offs", "Cost"), costs("What to buy", "Electricity a year")]
    for first, second in zip(before, after, strict=True):
        assert number(second) == pytest.approx(2 * number(first), rel=0.02)


@pytest.mark.thorough
def test_an_address_and_a_study_file_open_the_same_view(
    page: Page, address: str, tmp_path: Path
) -> None:
    settings = "profit_ratio=1.5&profit_cap_kw=0.3&currency=CHF"
    page.goto(f"{address}/profit?sample=testbed&idle=0.1&{settings}")
    expect(headline(page)).to_contain_text(re.compile(r"^At 1\.5 times .* CHF/h"))
    expect(chart(page, "plane").locator(".legendtext", has_text="cap of 300 W")).to_be_visible()
    page.get_by_text("When to start").click()
    expect(chart(page, "start").locator(".main-svg").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"profit_ratio=1\.5.*profit_show=start"))
    page.get_by_text("Only part of the batch").click()
    deadline = page.get_by_role("spinbutton", name="Deadline")
    deadline.fill("10")
    deadline.press("Enter")
    expect(page).to_have_url(re.compile(r"profit_deadline=.*profit_show=part\+start"))
    accepted = page.get_by_text(re.compile(r"Accept .* within 10 "))
    expect(accepted).to_be_visible()

    go_to(page, "Import")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Import")
    go_to(page, "Profit")
    expect(accepted).to_be_visible()
    page.reload()
    expect(headline(page)).to_contain_text("At 1.5 times")
    expect(accepted).to_be_visible()
    expect(chart(page, "start").locator(".main-svg").first).to_be_visible()

    page.get_by_role("button", name="Export").click()
    commands = page.get_by_test_id("stPopoverBody").locator("code")
    expect(commands).to_contain_text("wattfront profit testbed --ratio 1.5")
    curve = take(page, "Profit over the price (CSV)", tmp_path).decode()
    assert curve.startswith("profit ratio,price of a batch (CHF),at most (CHF/h),")
    assert b"Profit over the price of a batch" in take(page, "Report (HTML)", tmp_path)
    study = take(page, "Study file (JSON)", tmp_path)

    page.goto(f"{address}/importing?sample=nine")
    file = {"name": "study.json", "mimeType": "application/json", "buffer": study}
    open_files(page, file, "Open it on Import")
    expect(page.locator(".wf-context")).to_contain_text("testbed")
    go_to(page, "Profit")
    expect(headline(page)).to_contain_text(re.compile(r"^At 1\.5 times .* CHF/h"))
    expect(chart(page, "plane").locator(".legendtext", has_text="cap of 300 W")).to_be_visible()
