"""An administrator drops a log and gets lines for slurm.conf that let idle nodes sleep."""

import re
from datetime import datetime, timedelta

from playwright.sync_api import Page, expect
from visits import go_to, headline

HEADER = "JobID|JobName|Partition|State|Start|Elapsed|AllocCPUS|NNodes|NodeList|ConsumedEnergyRaw\n"


def dump() -> str:
    """Four weeks: by day all ten nodes work, at night three of them."""
    rows = [HEADER]
    for day in range(28):
        begin = datetime(2024, 3, 4) + timedelta(days=day)
        for number in range(20):
            hour, nodes = (9, "cpu[01-10]") if number == 0 else (number, f"cpu0{1 + number % 3}")
            count = 10 if number == 0 else 1
            start = (begin + timedelta(hours=hour, minutes=7 * number)).isoformat()
            job = f"{day:02}{number:02}|render|batch|COMPLETED|{start}|01:30:00|32|{count}|{nodes}"
            rows.append(f"{job}|{count * 300 * 5400}\n")
    return "".join(rows)


def test_from_a_log_to_lines_for_slurm(page: Page, address: str) -> None:
    page.goto(f"{address}/switch_off?sample=nine")
    main = page.get_by_test_id("stMain")
    expect(main).to_contain_text("sacct --allusers --duplicates --parsable2")
    page.get_by_role("button", name="Open a log").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[type=file]").set_input_files(
        {"name": "month.txt", "mimeType": "text/plain", "buffer": dump().encode()}
    )
    dialog.get_by_role("button", name="Derive a system from it").click()
    page.get_by_role("radio", name="4 Go on").click()
    page.get_by_role("button", name="Use this system and go on").click()
    expect(page.locator(".wf-context").first).to_contain_text("month.txt")
    go_to(page, "What to switch off")
    expect(headline(page)).to_contain_text("Leave all nodes on")
    expect(page.locator(".st-key-switch-off-week-chart .main-svg").first).to_be_visible()

    points = page.locator(".st-key-switch-off-front .scatterlayer path.point")
    expect(points.first).to_be_visible()
    points.nth(points.count() - 2).click(force=True)  # the last is the ring
    expect(headline(page)).to_contain_text("10 nodes can sleep")
    lines = main.get_by_test_id("stCode").first
    expect(lines).to_contain_text("SuspendTime=")
    expect(lines).to_contain_text("NodeName=cpu[")
    shown = headline(page).inner_text()
    expect(page).to_have_url(re.compile("off_most_waits="))
    page.reload()
    expect(headline(page)).to_have_text(shown)
