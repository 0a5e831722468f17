"""An administrator asks what if: machines bought and switched off, side by side, and takes back."""

from pathlib import Path

import numpy as np
import pytest
from grids import type_into
from playwright.sync_api import Locator, Page, expect
from visits import choose, close_popover, go_to

from core.engines.relaxed import trace_front
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort

COUNT = 2  # the column, after those of the type and of the count as given


def fronts(page: Page) -> Locator:
    return page.locator(".st-key-compare-fronts")


def labels(page: Page) -> Locator:
    """What stands beside the end of each front."""
    return fronts(page).locator(".annotation")


def type_machines(page: Page, number: int, row: int, count: str) -> None:
    """Types a count of machines into the table of what-if `number`."""
    type_into(page.locator(f"[class*=st-key-compare-machines-{number}-]"), COUNT, row, count)


def rename(page: Page, number: int, name: str) -> None:
    field = page.locator(f".st-key-compare-name-{number} input")
    field.fill(name)
    field.press("Enter")


def test_what_if(page: Page, address: str) -> None:
    page.goto(f"{address}/what_if?sample=nine")
    expect(fronts(page).locator(".main-svg").first).to_be_visible()
    page.get_by_role("button", name="What if …").click()
    rename(page, 2, "<b>shopping</b>")
    expect(labels(page)).to_contain_text(["nine", "<b>shopping</b>"])
    type_machines(page, 2, 5, "6")
    expect(page.locator(".wf-items")).to_contain_text("2 more M6: ")
    type_machines(page, 2, 0, "0")
    expect(page.locator(".wf-items")).to_contain_text("all 4 M1 switched off; 2 more M6: ")

    nine = load_sample("nine")
    counts = nine.machine_counts.copy()
    counts[[0, 5]] = 0, 6
    before, after = trace_front(nine), trace_front(nine.with_counts(nine.task_counts, counts))
    sooner = 1 - after.makespan[-1] / before.makespan[-1]
    assert sooner > 0
    expect(page.locator(".wf-items")).to_contain_text(
        f"the earliest possible end is {100 * sooner:.2f} % sooner"
    )
    expect(labels(page)).to_contain_text(["nine", "<b>shopping</b>"])

    page.get_by_role("button", name="Add a system").click()
    choose(page, "Or add a sample", "ten")
    close_popover(page)
    expect(page.locator(".wf-items li")).to_have_count(2)
    expect(page.locator(".wf-items li").last).to_contain_text("ten instead of nine: ")

    page.get_by_role("button", name="Move up").click()
    expect(page.locator(".wf-items li").first).to_contain_text("ten instead of nine: ")
    page.get_by_role("button", name="Remove").click()
    expect(page.locator(".wf-items li")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".wf-items li")).to_have_count(2)

    go_to(page, "Import")
    expect(page.locator(".st-key-pairs .main-svg").first).to_be_visible()
    go_to(page, "What if")
    expect(page.locator(".wf-items li")).to_have_count(2)
    page.reload()
    expect(page.locator(".wf-items li")).to_have_count(2)
    expect(page.locator(".wf-items li").last).to_contain_text("M1 switched off; 2 more M6")


@pytest.mark.thorough
def test_back_undoes_the_last_change(page: Page, address: str) -> None:
    page.goto(f"{address}/what_if?sample=nine")
    expect(fronts(page).locator(".main-svg").first).to_be_visible()
    page.get_by_role("button", name="What if …").click()
    expect(page.locator(".wf-items li")).to_have_count(1)
    page.wait_for_url("**what_ifs=**")
    alone = page.url
    type_machines(page, 2, 5, "6")
    expect(page.locator(".wf-items")).to_contain_text("2 more M6: ")
    page.wait_for_url(lambda url: url != alone)
    page.go_back()
    expect(page.locator(".wf-items")).to_contain_text("no change")
    page.go_back()
    expect(page.locator(".wf-items li")).to_have_count(0)
    page.go_forward()
    expect(page.locator(".wf-items li")).to_have_count(1)


@pytest.mark.thorough
def test_what_cannot_work_is_said_and_the_others_stay(page: Page, address: str) -> None:
    page.goto(f"{address}/what_if?sample=two-by-two")
    page.get_by_role("button", name="What if …").click()
    expect(page.locator(".wf-items li")).to_contain_text("no noticeable difference")
    type_machines(page, 2, 0, "0")
    expect(page.locator(".wf-items li")).to_contain_text("A switched off")
    type_machines(page, 2, 1, "0")
    expect(page.get_by_role("alert")).to_contain_text("cannot run")
    expect(fronts(page).locator(".main-svg").first).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.thorough
def test_the_report_opens_without_a_network(page: Page, tmp_path: Path) -> None:
    from core.engines.front.study import pick, study
    from core.engines.front.wish import Deadline
    from core.shells.cli import main
    from core.shells.studies import Choice, StudySettings, write_study

    found = study(load_sample("nine"), effort=Effort(0))
    wish = Deadline(float(np.median(found.points[:, 1])))
    choice = Choice(pick(found, wish).schedule, "<img src=x onerror=alert(1)>", wish)
    path = tmp_path / "study.json"
    write_study(found, StudySettings("<b>nine</b>", "nine", seconds=0.0), path, choice)
    assert main(["report", str(path), "-o", str(tmp_path / "report.html")]) == 0
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.context.set_offline(True)
    report = (tmp_path / "report.html").as_uri()
    page.goto(report)
    expect(page.get_by_role("heading", level=1)).to_have_text("<b>nine</b>: energy against time")
    expect(page.get_by_role("img")).to_have_count(2)
    expect(page.locator("img")).to_have_count(0)
    assert asked == [report]
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
