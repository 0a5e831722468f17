"""The site is changed on its page or by its chip, and every page has it."""

import pytest
from playwright.sync_api import Page, expect
from visits import close_popover, go_to, headline


@pytest.mark.thorough
def test_the_site_is_one_wherever_it_is_changed(page: Page, address: str) -> None:
    """A price typed on Site is that of Trade-offs' money; one typed in the chip is that of Site."""
    page.goto(f"{address}/?sample=testbed&idle=0.2&polish=0&axis=money")
    ticks = page.locator(".st-key-front .xaxislayer-above").first
    expect(ticks).to_contain_text("0.2")
    before = ticks.text_content() or ""
    go_to(page, "Site")
    expect(headline(page)).to_contain_text("Nobody has said what energy costs here")
    price = page.get_by_test_id("stMain").get_by_role("spinbutton", name="Electricity").last
    price.fill("3")
    price.press("Enter")
    expect(headline(page)).to_contain_text("A kWh costs 3 EUR")
    go_to(page, "Trade-offs")
    expect(ticks).not_to_have_text(before)
    chip = page.locator(".st-key-chip-site").get_by_role("button").first
    expect(chip).to_contain_text("3 EUR/kWh")
    chip.click()
    by_hour = page.get_by_test_id("stPopoverBody").get_by_role("textbox", name="Price by hour")
    by_hour.fill("7:0.3 20:0.1")
    by_hour.press("Enter")
    expect(chip).to_contain_text("0.2083 EUR/kWh on average")
    close_popover(page)
    go_to(page, "Site")
    expect(headline(page)).to_contain_text("from 20:00 to 07:00: 0.1 EUR, 67 % below the most")
    expect(page.locator(".st-key-site-price .main-svg").first).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(headline(page)).to_contain_text("A kWh costs 3 EUR")
