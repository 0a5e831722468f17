"""An administrator grows: many what-ifs at once, stopped and gone on with, down to one of them."""

import csv

import pytest
from playwright.sync_api import Page, expect
from visits import close_popover, go_to, wait_until_drawn


def test_many_what_ifs(page: Page, address: str) -> None:
    page.goto(
        f"{address}/what_if?what_if_view=map&sample=nine&sweep=idle:0:100:0.25+machines.1:0:40:1"
    )
    expect(page.get_by_text("16,441 runs, about ")).to_be_visible()
    page.get_by_role("button", name="Run", exact=True).click()
    running = page.locator(".st-key-running")
    expect(running).to_contain_text("of 16,441 runs")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("of 16,441 runs done")).to_be_visible()
    step = page.locator("[class*=st-key-sweeps-step-0] input")
    step.fill("50")
    step.press("Enter")
    expect(page.get_by_text("123 runs, about ")).to_be_visible()
    wait_until_drawn(page)
    points = page.locator(".st-key-sweeps-chart-0-map .scatterlayer path.point")
    run = page.get_by_role("button", name="Run", exact=True)
    expect(run.or_(points).first).to_be_visible()
    if run.is_visible():  # a busy computer is expected to take too long to begin unasked
        run.click()
    expect(points).to_have_count(123)
    expect(running.get_by_role("progressbar")).to_have_count(0)


@pytest.mark.thorough
def test_one_of_them_is_taken_away_and_opened(page: Page, address: str) -> None:
    page.goto(
        f"{address}/what_if?what_if_view=map&sample=nine&sweep=idle:0:100:50+machines.1:0:40:1"
    )
    chart = page.locator(".st-key-sweeps-chart-0-map")
    expect(chart.locator(".scatterlayer path.point")).to_have_count(123)
    chart.locator(".scatterlayer path.point").nth(122).click(force=True)
    picked = page.locator(".st-key-sweep-run")
    expect(picked).to_contain_text("Idle power: 100 %, Machines of type M1: 40")
    page.get_by_role("button", name="Export").click()
    expect(page.locator("[data-testid=stCode]")).to_contain_text(
        "wattfront sweep nine --over idle=0:1:0.5 --over machines.M1=0:40:1 "
        "-o wattfront-sweep.parquet"
    )
    with page.expect_download() as download:
        page.get_by_role("button", name="Results (CSV)").click()
    with download.value.path().open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 123
    assert rows[-1]["machines.M1"] == "40"
    close_popover(page)
    page.get_by_role("button", name="Open this system on Trade-offs").click()
    expect(page.locator(".st-key-front .main-svg").first).to_be_visible()
    expect(page.locator(".st-key-frame")).to_contain_text("72 machines of 9 types")
    expect(page.locator(".st-key-frame")).to_contain_text("Idle power 100 %")
    go_to(page, "What if")
    expect(page.get_by_text("They are of nine.")).to_be_visible()
    chart.locator(".scatterlayer path.point").nth(0).click(force=True)
    expect(picked).to_contain_text("Idle power: 0 %, Machines of type M1: 0")
    page.get_by_role("button", name="Open this system on Trade-offs").click()
    expect(page.locator(".st-key-frame")).to_contain_text("32 machines of 9 types")
    expect(page.locator(".st-key-frame")).to_contain_text("Idle power 0 %")
