"""Journey 14: each page of the menu, opened for the first time, answers for the system in force."""

from typing import Final

from playwright.sync_api import Page, expect
from visits import go_to, wait_until_drawn

from dashboard.pages import MENU

ANSWERS: Final = {
    "Import": ".st-key-pairs .main-svg",
    "Machines": ".st-key-best .main-svg",
    "Work": ".st-key-pairs .main-svg",
    "Site": ".st-key-site-price .main-svg",
    "Trade-offs": ".st-key-front .main-svg",
    "Schedule": ".st-key-schedule_chart .main-svg",
    "Policies": ".st-key-arrivals_busy .main-svg",
    "Fair shares": ".st-key-fair_shares_plan .main-svg",
    "Late and uncertain": ".st-key-late_makespans .main-svg",
    "Centre": ".st-key-centre-day .main-svg",
    "What to buy": ".st-key-provision_value .main-svg",
    "What to switch off": ".st-key-switch-off-front .main-svg",
    "Profit": ".st-key-profit_curve .main-svg",
    "What if": ".st-key-compare-fronts .main-svg",
}
"""The chart of each page that has an answer; Studies has none, but the study of that system."""
FIELDS: Final = ":is(input, [role=radio], [role=slider], textarea):not(.st-key-frame *)"
"""What a person can set on a page, without what is above every page."""


def test_each_page_answers_at_first_sight_with_the_settings_that_made_it(
    page: Page, address: str
) -> None:
    page.goto(address)
    titles = [one.title for pages in MENU.values() for one in pages if one.in_menu]
    assert {*titles} == {*ANSWERS, "Studies"}
    main = page.get_by_test_id("stMain")
    for title in sorted(titles, key=lambda one: one == "Import"):
        go_to(page, title)
        wait_until_drawn(page)
        about = "A machine room in London" if title == "Centre" else "university"
        expect(page.locator(".wf-context").first).to_contain_text(about)
        if title in ANSWERS:
            expect(page.locator(ANSWERS[title]).first).to_be_visible()
        expect(main.locator("h1, h2").last).not_to_be_empty()
        expect(main.locator(FIELDS).first).to_be_attached()
        expect(page.get_by_test_id("stException")).to_have_count(0)
