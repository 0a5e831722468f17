"""Journey 13: one log, dropped on any page, gives the answers of every page."""

import base64

import pytest
from playwright.sync_api import Page, expect
from visits import go_to, headline, wait_until_drawn

from benchmarks.cluster_log import cluster_log
from core.files.samples.named import log_folder
from dashboard.pages import MENU

DROP = """async files => {
  const dropped = new DataTransfer();
  for (const [name, data] of files) {
    const answer = await fetch('data:application/octet-stream;base64,' + data);
    dropped.items.add(new File([await answer.blob()], name));
  }
  const at = document.querySelector('[data-testid=stMain]');
  for (const kind of ['dragover', 'drop'])
    at.dispatchEvent(new DragEvent(kind, {dataTransfer: dropped, bubbles: true, cancelable: true}));
}"""


def go_on(page: Page) -> None:
    """Through the steps of an import, with the keyboard, to Trade-offs."""
    main = page.get_by_test_id("stMain")
    for step, said in (
        ("2 Check", "More choices"),
        ("3 Not in the log", "Nodes"),
        ("4 Go on", "Nothing has changed so far"),
    ):
        page.get_by_role("button", name="Next").press("Enter")
        expect(page.get_by_role("radio", name=step)).to_be_checked()
        expect(main.get_by_text(said).first).to_be_attached()
    page.get_by_role("button", name="Use this system and go on").click()


def test_one_log_dropped_on_any_page_answers_all(page: Page, address: str) -> None:
    folder = log_folder("university")
    files = {name: (folder / name).read_bytes() for name in ("jobs.txt.gz", "nodes.csv")}
    files["broken.bin"] = bytes(range(256))
    page.goto(f"{address}/profit?sample=two-by-two")
    expect(page.get_by_role("button", name="Open files")).to_be_visible()
    wait_until_drawn(page)
    coded = [[name, base64.b64encode(data).decode()] for name, data in files.items()]
    page.evaluate(DROP, coded)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(
        "jobs.txt.gz – Slurm sacct: 4,000 jobs, 40 nodes, 2 to 16 March 2026."
    )
    expect(dialog).to_contain_text("nodes.csv – a table of nodes: 40 nodes of 5 types")
    expect(dialog.locator("s")).to_have_text("broken.bin")
    dialog.get_by_role("button", name="Derive a system from it").click()

    main = page.get_by_test_id("stMain")
    expect(page.get_by_role("heading", name="Import")).to_be_visible()
    expect(main).to_contain_text("4,000 jobs with 4,000 steps")
    expect(main).to_contain_text("3,610 of 4,000 jobs used")
    go_on(page)
    expect(main).to_contain_text("jobs.txt.gz is in force on every page: 3,610 tasks of 13 types")
    expect(page.locator(".st-key-front .main-svg").first).to_be_visible()

    for title in ("Schedule", "Policies", "What to buy", "What to switch off", "What if"):
        go_to(page, title)
        wait_until_drawn(page)
        expect(page.locator(".wf-context").first).to_contain_text("jobs.txt.gz")
        expect(main.locator("h1, h2").last).to_be_visible()


@pytest.mark.thorough
def test_every_page_answers_for_the_cluster_of_another_log(page: Page, address: str) -> None:
    page.goto(f"{address}/profit?sample=nine")
    page.get_by_role("button", name="Open files").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[type=file]").set_input_files(
        {"name": "fortnight.txt", "mimeType": "text/plain", "buffer": cluster_log().encode()}
    )
    expect(dialog).to_contain_text("Slurm sacct: 20,000 jobs, 110 nodes, 2 to 16 March 2026.")
    dialog.get_by_role("button", name="Derive a system from it").click()
    go_on(page)
    main = page.get_by_test_id("stMain")
    expect(main).to_contain_text("You are here: ")
    expect(page.get_by_role("button", name="Idle power 30 % assumed")).to_be_visible()
    answering = {one.title for pages in MENU.values() for one in pages} - {
        "Import",
        "Studies",
        "About the numbers",
    }
    for title in sorted(answering):
        go_to(page, title)
        wait_until_drawn(page)
        expect(page.locator(".wf-context").first).to_contain_text("fortnight.txt")
        expect(headline(page)).not_to_be_empty()
        expect(page.get_by_test_id("stException")).to_have_count(0)
