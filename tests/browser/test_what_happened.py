"""What happened: a schedule is exported, runs, and its log is set beside it on the page."""

import re
from pathlib import Path

from capabilities.compare_run.conftest import Row, dump
from playwright.sync_api import Page, expect
from visits import close_popover, open_files

from core.engines.slurm.job_arrays import job_arrays_of
from core.files import inspect_schedule
from core.files.samples.named import load_sample


def log_of(schedule: Path, sample: str) -> str:
    """A dump in which each task takes a tenth longer than planned, and the first of all failed."""
    system = load_sample(sample)
    plan = job_arrays_of(inspect_schedule(schedule, system).require().in_order(), system, 10**6)
    rows: list[Row] = []
    number = 0
    for chain in plan.chains():
        now = 0.0
        for array in chain:
            each = 1.1 * (array.end - array.start) / array.tasks
            for task in range(array.tasks):
                state = "COMPLETED" if rows else "FAILED"
                rows.append(Row(number, task, round(now), round(now + each), state))
                now += each
            number += 1
    return dump(plan, rows)


def test_planned_and_measured(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(f"{address}/schedule?sample=nine")
    page.get_by_role("radio", name="Fastest", exact=True).click()
    expect(page).to_have_url(re.compile("chosen="))
    expect(page.get_by_role("heading", level=2)).to_contain_text("Done in")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV", exact=True).click()
    download.value.save_as(tmp_path / "schedule.csv")
    close_popover(page)
    log = tmp_path / "jobs.txt"
    log.write_text(log_of(tmp_path / "schedule.csv", "nine"))

    open_files(page, log, "Compare it with the schedule")
    expect(page.get_by_text("1,099 ran and 1 failed")).to_be_visible(timeout=60_000)
    for chart in ("planned", "measured"):
        drawn = page.locator(f".st-key-schedule_{chart}")
        expect(drawn.locator(".main-svg").first).to_be_visible()
        expect(drawn.locator(".ytick")).to_have_count(24)
    assert (
        page.locator(".st-key-schedule_planned .xtick").all_text_contents()
        == page.locator(".st-key-schedule_measured .xtick").all_text_contents()
    )
    with page.expect_download() as download:
        page.get_by_role("button", name="All machines (CSV)").click()
    assert len(download.value.path().read_text().splitlines()) == 37

    other = tmp_path / "other.txt"
    other.write_text("JobID|JobName|Start|Elapsed\n1|a|2026-11-23T10:00:00|00:00:01\n")
    page.get_by_role("button", name="Remove").click()
    expect(page.locator(".st-key-schedule_measured")).to_have_count(0)
    open_files(page, other, "Compare it with the schedule")
    expect(page.get_by_text("has no job of this schedule that started")).to_be_visible()
