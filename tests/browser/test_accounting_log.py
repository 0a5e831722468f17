"""An administrator brings an accounting log, chooses what makes types, and goes on with that."""

from datetime import datetime, timedelta

from playwright.sync_api import Page, expect
from visits import choose, close_popover, go_to, headline, open_files, open_list

HEADER = "JobID|JobName|Partition|State|Start|Elapsed|AllocCPUS|NNodes|NodeList|ConsumedEnergyRaw\n"
SECONDS = {
    ("align", "cpu"): 300,
    ("align", "gpu"): 200,
    ("train", "cpu"): 900,
    ("train", "gpu"): 90,
    ("plot", "cpu"): 60,
}
WATTS = {"cpu": 300, "gpu": 900}


def dump() -> str:
    """Ten jobs of each pair, a step of each, one that failed, and a row that is cut off."""
    rows = [HEADER]
    number = 100
    for (task, machine), seconds in SECONDS.items():
        for k in range(10):
            number += 1
            start = (datetime(2024, 3, 4) + timedelta(minutes=20 * number)).isoformat()
            elapsed = f"0{timedelta(seconds=seconds + k)}"
            energy = WATTS[machine] * (seconds + k)
            when, node = f"{start}|{elapsed}", f"{machine}{k % 3 + 1:02d}"
            job = f"{task}_{number}|batch|COMPLETED|{when}|32|1|{node}"
            rows.append(f"{number}|{job}|\n")
            rows.append(f"{number}.batch|batch||COMPLETED|{start}|{elapsed}|32|1||{energy}\n")
    rows.append("200|align_200|cpu|FAILED|2024-03-06T00:00:00|00:00:09|32|1|cpu01|\n")
    rows.append("201|align_201|cpu|COMPL")
    return "".join(rows)


def test_from_a_log_to_a_front(page: Page, address: str) -> None:
    page.goto(f"{address}/importing?sample=nine")
    log = {"name": "week.txt", "mimeType": "text/plain", "buffer": dump().encode()}
    open_files(page, log, "Derive a system from it")
    main = page.get_by_test_id("stMain")
    expect(main).to_contain_text("week.txt (Slurm sacct): 51 jobs with 50 steps")
    expect(page.get_by_role("heading", name="Import")).to_be_visible()
    expect(page.locator(".st-key-pairs")).to_have_count(0)
    page.get_by_role("button", name="Next").press("Enter")
    expect(page.get_by_role("radio", name="2 Check")).to_be_checked()
    open_list(page, "Task types")
    expect(main).to_contain_text("50 of 51 jobs used")  # and the list stays open
    page.get_by_role("option", name="Chosen by Wattfront").click()
    expect(main).to_contain_text("3 task types")
    expect(main).to_contain_text("1 pair estimated")

    page.get_by_role("button", name="Not used").click()
    shown = page.get_by_test_id("stPopoverBody")
    expect(shown).to_contain_text("1 job: ended as FAILED")
    expect(shown).to_contain_text("week.txt, line 102: align_200, FAILED, cpu01, cpu")
    expect(shown).to_contain_text("1 row: cut off at the end of the log")
    with page.expect_download() as download:
        shown.get_by_role("button", name="All of them").click()
    assert "week.txt,102," in download.value.path().read_text()
    close_popover(page)

    choose(page, "Task types", "Pattern in the job name")
    pattern = page.get_by_role("textbox", name="Pattern (regular expression)")
    pattern.fill("^(align|train)")
    pattern.press("Enter")
    expect(main).to_contain_text("10 runs have no task type")
    expect(main).to_contain_text("2 task types")
    pattern.fill(r"^([a-z]+)_")
    pattern.press("Enter")
    expect(main).to_contain_text("3 task types")

    page.get_by_role("radio", name="4 Go on").click()
    page.get_by_role("button", name="Use this system and go on").click()
    expect(page.locator(".wf-context").first).to_contain_text("50 tasks of 3 types")
    said = "week.txt is in force on every page: 50 tasks of 3 types on 6 machines of 2 types."
    expect(main).to_contain_text(said)
    expect(page.locator(".st-key-front .main-svg").first).to_be_visible()
    expect(page.locator(".wf-context").first).to_contain_text("week.txt")

    # What the log says is not asked for again.
    go_to(page, "What to buy")
    expect(main).to_contain_text("Examples, not your numbers: budget, price.")
    expect(headline(page)).to_contain_text("queue")
    page.get_by_role("radio", name="Why this, why not that").click()
    expect(main).to_contain_text("one more ")
    go_to(page, "Policies")
    expect(headline(page)).to_contain_text("(proven)")

    go_to(page, "Import")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".wf-context").first).to_contain_text("nine")
