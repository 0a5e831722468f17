"""A stranger asks which policy to follow: replays, a look at the day, an event, and what to take
away.
"""

import re
from pathlib import Path

import pytest
from grids import select, type_over
from playwright.sync_api import Page, expect
from visits import (
    bring_into_view,
    choose,
    close_popover,
    go_to,
    headline,
    open_files,
    wait_until_drawn,
)

ADDRESS = (
    "/arrivals?sample=nine&arrivals_jobs=400&arrivals_policies=easy+max-upe+event-based"
    "&arrivals_days=2"
)
JOBS = "job,arrival,seconds,units,watts\n" + "\n".join(
    f"j{k},{60 * k},600,{1 + k % 3},{100 * (1 + k % 3)}" for k in range(40)
)


def replay(page: Page) -> None:
    wait_until_drawn(page)
    page.get_by_role("button", name="Replay", exact=True).click()
    expect(page.locator(".st-key-arrivals_worth .main-svg").first).to_be_visible()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)


def test_which_policy_to_follow(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(address + ADDRESS)
    expect(headline(page)).to_contain_text("earns most: ")
    expect(headline(page)).to_contain_text("of what is possible at most")
    look(page, "Unit by unit", "arrivals_gantt")
    look(page, "Event by event", "arrivals_pools")
    expect(page.get_by_text("The best ways to run job")).to_be_visible()
    move_on(page)
    look(page, "Two policies", None)
    expect(page.get_by_text("earn more under")).to_be_visible()
    before = headline(page).inner_text()
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("This answer is for earlier settings")).to_be_visible()
    expect(headline(page)).to_have_text(before)
    assert "max-upe" in taken_away(page, tmp_path)


def look(page: Page, view: str, chart: str | None) -> None:
    page.get_by_role("radio", name=view).click()
    if chart is not None:
        expect(page.locator(f".st-key-{chart} .main-svg").first).to_be_visible()


def move_on(page: Page) -> None:
    """By the keyboard, to the next event of the day."""
    slider = page.get_by_role("slider").last
    before = slider.get_attribute("aria-valuetext")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(slider).not_to_have_attribute("aria-valuetext", before or "")


def taken_away(page: Page, folder: Path) -> str:
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Figures by policy and day (CSV)").click()
    file = folder / "figures.csv"
    downloading.value.save_as(file)
    close_popover(page)
    return file.read_text()


@pytest.mark.thorough
def test_tasks_stop_others_as_work_says(page: Page, address: str) -> None:
    page.goto(f"{address}/work?sample=two-by-two&arrivals_policies=easy&arrivals_budget=none")
    wait_until_drawn(page)
    grid = page.get_by_test_id("stDataFrame").last
    bring_into_view(grid)
    select(grid, 5, 0)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Tasks of T1 may stop others; no task yet may be")).to_be_visible()
    page.get_by_role("button", name="All others may be stopped").click()
    expect(page.get_by_text("those of 1 task type may be stopped")).to_be_visible()
    go_to(page, "Policies")
    wait_until_drawn(page)
    page.get_by_role("button", name="Stopping", exact=True).click()
    choose(page, "Which jobs are stopped", "By tiers")
    close_popover(page)
    replay(page)
    page.get_by_role("radio", name="Stopping").click()
    expect(page.get_by_text("What stopping jobs costs")).to_be_visible()


@pytest.mark.thorough
def test_what_was_taken_away_is_opened_again(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(f"{address}/arrivals?sample=nine&arrivals_jobs=400&arrivals_policies=easy")
    replay(page)
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Jobs and workload, to verify (ZIP)").click()
    file = tmp_path / "easy.zip"
    downloading.value.save_as(file)
    close_popover(page)
    open_files(page, file, "Check it on Policies")
    expect(page.get_by_role("heading", name="Opened outcome")).to_be_visible()
    expect(page.get_by_text("rules, all kept.")).to_be_visible()


def dump() -> str:
    """What sacct says of 40 jobs of 1 to 4 cores, which asked for half an hour each."""
    rows = ["JobID|State|Submit|Start|Elapsed|Timelimit|AllocCPUS|NNodes\n"]
    for k in range(40):
        moment = f"2024-03-04T08:{k:02d}:00"
        rows.append(f"{k + 1}|COMPLETED|{moment}|{moment}|00:10:00|00:30:00|{1 + k % 4}|1\n")
    return "".join([*rows, "41|CANCELLED|2024-03-04T09:00:00|Unknown|00:00:00|00:30:00|1|1\n"])


@pytest.mark.thorough
def test_the_log_of_a_cluster_is_replayed_under_other_policies(page: Page, address: str) -> None:
    page.goto(f"{address}/arrivals?sample=nine&arrivals_policies=easy+max-upr")
    log = {"name": "week.txt", "mimeType": "text/plain", "buffer": dump().encode()}
    open_files(page, log, "Replay its jobs on Policies")
    expect(page.get_by_text("The log was opened, with warnings")).to_be_visible()
    expect(page.get_by_text("has no time for which it ran")).to_be_visible()
    watts = page.get_by_role("spinbutton", name="Watts of a busy unit")
    watts.fill("50")
    watts.press("Enter")
    expect(page.get_by_text("40 jobs on 27 cores, which draw 50 W each.")).to_be_visible()
    replay(page)
    expect(page.get_by_text(re.compile("40 jobs within "))).to_be_visible()
    expect(page.get_by_text(re.compile("Jobs may take .* for all of them"))).to_be_visible()
    expect(headline(page)).to_contain_text("of what is possible at most")


@pytest.mark.thorough
def test_a_dialog_stays_as_it_is_while_the_page_computes(page: Page, address: str) -> None:
    """It was put up anew with every result behind it, and lost the file that was being uploaded."""
    page.goto(f"{address}/arrivals?sample=nine&arrivals_jobs=100&arrivals_days=100")
    page.get_by_role("button", name="Open files", exact=True).click()
    marked = page.get_by_role("dialog").locator("input[type=file]")
    marked.evaluate("input => { input.dataset.mine = 'yes' }")
    page.wait_for_timeout(2_500)  # some polls; nothing else shows that results have come
    expect(marked).to_have_attribute("data-mine", "yes")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    expect(headline(page)).to_contain_text("earns most")


@pytest.mark.thorough
def test_a_workload_of_ones_own(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(f"{address}/arrivals?sample=nine&arrivals_policies=easy+max-upe")
    file = tmp_path / "jobs.csv"
    file.write_text(JOBS)
    open_files(page, file, "Open it on Policies")
    expect(page.get_by_text("The workload was opened")).to_be_visible()
    replay(page)
    expect(page.get_by_text("40 jobs")).to_be_visible()
    file.write_text(JOBS.replace("600", "-600", 1))
    open_files(page, file, "Open it on Policies")
    expect(page.get_by_text("This file is no workload")).to_be_visible()
    expect(page.get_by_text("give more than 0 s")).to_be_visible()


@pytest.mark.thorough
def test_a_day_is_typed_in_by_the_hour(page: Page, address: str) -> None:
    """On Work, for every page; Policies replays it."""
    page.goto(f"{address}/work?sample=two-by-two&arrivals_policies=easy&arrivals_budget=none")
    bars = page.locator(".st-key-work_arrivals .main-svg").first
    expect(bars).to_be_visible()
    page.get_by_text("Fill in, or take away").click()
    tasks = page.get_by_role("spinbutton", name="Tasks a day in all")
    tasks.fill("480")
    tasks.press("Enter")
    page.get_by_role("button", name="Fill in").click()
    expect(page.get_by_text("480 tasks a day.")).to_be_visible()
    grid = page.locator("[class*=st-key-work-arrivals-hours] .dvn-scroller")
    bring_into_view(grid)
    grid.click(position={"x": 130, "y": 52})  # the first hour of the first type
    type_over(page, "500")
    expect(page.get_by_text("970 tasks a day, most from 0:00 to 1:00")).to_be_visible()
    go_to(page, "Policies")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    expect(headline(page)).to_contain_text("EASY backfilling earns ")
    page.get_by_role("button", name="Your day").click()
    expect(page.get_by_text("970 tasks of this study a day")).to_be_visible()


@pytest.mark.thorough
def test_what_it_is_worth_and_when(page: Page, address: str) -> None:
    """Journey 16: what more cores earn, and handles and weights that change what jobs are worth."""
    page.goto(
        f"{address}/arrivals?sample=nine&arrivals_workload=value&arrivals_policies=max-vptr"
        "&arrivals_look_view=value"
    )
    expect(page.get_by_text("cores more earn")).to_be_visible(timeout=120_000)
    expect(headline(page)).to_contain_text("of what is possible at most")
    before = headline(page).inner_text()
    hard = page.get_by_role("slider", name="Time from arrival to end (min): hard threshold")
    bring_into_view(hard)
    hard.focus()
    said = hard.get_attribute("aria-valuetext") or ""
    for _ in range(12):
        page.keyboard.press("ArrowLeft")
    expect(hard).not_to_have_attribute("aria-valuetext", said)
    expect(headline(page)).not_to_have_text(before)
    page.get_by_role("button", name="Value", exact=True).click()
    page.get_by_role("button", name="Take all changes back").click()
    expect(headline(page)).to_have_text(before)
