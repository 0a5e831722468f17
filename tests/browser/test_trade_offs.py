"""A stranger sees what there is to trade, drags the idle power, and picks by wish or by click."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

WATCH = """() => {
  window.painted = []; window.released = 0; let last = '';
  const look = () => {
    const seen = [...document.querySelectorAll('.st-key-front path.js-line')]
      .map(path => path.getAttribute('d')).join();
    if (seen !== last) { last = seen; window.painted.push(performance.now()); }
    requestAnimationFrame(look);
  };
  window.addEventListener('keydown', () => { window.released = performance.now(); }, true);
  look();
}"""


def open_front(page: Page, url: str) -> None:
    page.goto(url)
    expect(front(page).locator(".main-svg").first).to_be_visible()
    expect(front(page).locator(".scatterlayer .point").first).to_be_attached()


def front(page: Page) -> Locator:
    return page.locator(".st-key-front")


def headline(page: Page) -> Locator:
    return page.get_by_role("heading", level=2).first


def whole(page: Page) -> None:
    """Waits until nothing runs behind the page."""
    status = page.locator(".st-key-status").get_by_text(re.compile(r"polished for .* s$"))
    expect(status.first).to_be_visible()


def idle_slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="Idle power, of the mean power at work")


def click_schedule(page: Page, place: int) -> None:
    """A click on a schedule; the place counts from the thriftiest."""
    trace = front(page).locator(".scatterlayer .trace.scatter").last
    box = trace.locator(".point").nth(place).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_first_look(page: Page, address: str) -> None:
    page.goto(address)
    expect(headline(page)).to_contain_text("Between 43 min")
    open_front(page, address)
    whole(page)
    expect(headline(page)).to_contain_text(
        re.compile(r"Between 43 min .* you can save up to 1\d\.\d % energy; the first 10 % cost")
    )
    for region in ("Impossible", "Possible", "Achieved", "Proven bound", "Schedules"):
        expect(front(page).locator(".legendtext", has_text=region).first).to_be_visible()
    expect(page.get_by_test_id("stMetric").filter(has_text="Least energy")).to_contain_text("kWh")

    click_schedule(page, 5)
    chosen = page.locator(".st-key-chosen")
    expect(chosen).to_contain_text("Done in")
    expect(chosen).to_contain_text("Proven: within")
    chosen.get_by_role("button", name="Inspect").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Schedule")
    page.get_by_role("link", name="Trade-offs").click()
    expect(chosen).to_contain_text("Done in")


def test_idle_power(page: Page, address: str) -> None:
    open_front(page, f"{address}/?polish=0")
    page.evaluate(WATCH)
    slider = idle_slider(page)
    slider.focus()
    before = headline(page).inner_text()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".wf-context")).to_contain_text("idle 239.6 W")
    expect(headline(page)).not_to_have_text(before)
    expect(page.get_by_role("button", name="Idle power 5.0 %")).to_be_visible()
    assert page.evaluate("window.painted.some(time => time > window.released)")
    expect(
        page.get_by_test_id("stMetric").filter(has_text="Energy spent idle")
    ).not_to_contain_text("0.00 %")
    assert "idle=0.05" in page.url

    page.get_by_role("button", name="Show", exact=True).click()
    page.get_by_role("button", name="Other idle powers").click()
    for fraction in (0, 25, 50, 75, 100):
        label = front(page).locator(".annotation-text", has_text=f"idle {fraction} %")
        expect(label.first).to_be_visible()
    page.reload()
    expect(front(page).locator(".annotation-text").first).to_be_visible()
    expect(page.locator(".wf-context")).to_contain_text("idle 239.6 W")


def test_deadline_and_budget(page: Page, address: str) -> None:
    open_front(page, f"{address}/?polish=0&deadline=3600")
    chosen = page.locator(".st-key-chosen")
    expect(chosen).to_contain_text("Done within 1 h")
    expect(chosen).to_contain_text("slower than the fastest")
    amount = page.get_by_role("spinbutton", name="At most (min)")
    amount.fill("10")
    amount.press("Enter")
    expect(chosen.get_by_role("alert")).to_contain_text(
        "Impossible: no schedule can be done in less than 43 min 17 s. The nearest is "
    )
    page.get_by_role("combobox", name="Pick by").click()
    page.get_by_role("option", name="Budget").click()
    budget = page.get_by_role("spinbutton", name="At most (kWh)")
    budget.fill("3")
    budget.press("Enter")
    expect(chosen).to_contain_text("At most 3 kWh")
    expect(chosen).to_contain_text("of the best that can meet the wish")
    budget.fill("2")
    budget.press("Enter")
    expect(chosen.get_by_role("alert")).to_contain_text("no schedule can take less than 2.847 kWh")


def test_rivals_are_points_and_a_row_of_the_table_is_chosen(page: Page, address: str) -> None:
    open_front(page, f"{address}/?polish=0&rivals=min-min&show=dominated+vertices")
    expect(front(page).locator(".legendtext", has_text="Min-min, in").first).to_be_visible()
    page.locator(".stDataFrameGlideDataEditor.dvn-scroller").click(position={"x": 18, "y": 52})
    expect(page.locator(".st-key-chosen")).to_contain_text("the fastest, for ")


@pytest.mark.parametrize("width", [390, 3840])
def test_any_screen_shows_the_page_without_scrolling_sideways(
    page: Page, address: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    open_front(page, f"{address}/?polish=0&show=idle&rivals=min-min")
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") <= 0
