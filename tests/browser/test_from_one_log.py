"""One log, dropped on any page: then every page has an answer for this cluster."""

import pytest
from playwright.sync_api import Page, expect
from visits import go_to, headline, wait_until_drawn

from benchmarks.cluster_log import cluster_log
from dashboard.pages import MENU

WITHOUT_HEADLINE = ("System", "Import", "Studies", "About the numbers")


@pytest.mark.thorough
def test_every_page_answers_for_the_cluster_of_a_log(page: Page, address: str) -> None:
    page.goto(f"{address}/profit?sample=nine")
    page.get_by_role("button", name="Open files").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[type=file]").set_input_files(
        {"name": "fortnight.txt", "mimeType": "text/plain", "buffer": cluster_log().encode()}
    )
    expect(dialog).to_contain_text("Slurm sacct")
    dialog.get_by_role("button", name="Derive a system from it").click()
    page.get_by_role("button", name="Use this system").click()
    expect(page.locator(".wf-context").first).to_contain_text("fortnight.txt")
    for title in (one.title for pages in MENU.values() for one in pages):
        if title in WITHOUT_HEADLINE:
            continue
        go_to(page, title)
        wait_until_drawn(page)
        expect(page.locator(".wf-context").first).to_contain_text("fortnight.txt")
        expect(headline(page)).not_to_be_empty()
        expect(page.get_by_test_id("stException")).to_have_count(0)
        if title == "Trade-offs":
            expect(page.get_by_test_id("stMain")).to_contain_text("You are here: ")
