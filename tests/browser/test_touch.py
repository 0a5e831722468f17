"""On a phone a finger scrolls over every chart, and a tap picks; no tool bar covers a label."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from examples import thorough
from playwright.sync_api import BrowserContext, CDPSession, Locator, Page, expect
from visits import bring_into_view, headline, wait_until_drawn, without_complaints

PHONE: Final = {"width": 390, "height": 844}
SWIPED: Final = 120
LEAST: Final = 60
# Of each page, where to find it, what begins its computation, and the last chart to appear.
PAGES: Final = {
    "trade-offs": ("/?sample=nine&idle=0.2&polish=0&show=idle", "", "idle-powers"),
    "profit": (
        "/profit?sample=nine&idle=0.05&profit_show=lines+start&profit_over=power-cap",
        "",
        "profit_start",
    ),
    "schedule": ("/schedule?sample=nine&polish=0", "Fastest possible", "methods"),
    "compare": ("/what_if?sample=nine", "", "compare-fronts"),
    "sweeps": (
        "/what_if?what_if_view=map&sample=nine&sweep=idle:0:100:50+machines.1:0:4:2",
        "",
        "sweeps-chart-0-map",
    ),
    "work": ("/work?sample=nine", "", "pairs"),
    "site": ("/site?sample=nine", "", "site-carbon"),
    "provision": ("/provision?sample=e1&provision_scenarios=64", "", "provision_value"),
    "arrivals": ("/arrivals?arrivals_jobs=100&arrivals_days=1", "", "arrivals_busy"),
    "shares": (
        "/fair_shares?shares_machines=0:2",
        "",
        "fair_shares_plan",
    ),
}
OFTEN: Final = ("trade-offs",)
LOOK: Final = """chart => {
  const main = document.querySelector('[data-testid=stMain]');
  const box = chart.getBoundingClientRect(), axes = chart._fullLayout;
  return {
    top: main.scrollTop,
    room: main.scrollHeight - main.clientHeight - main.scrollTop,
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    ranges: JSON.stringify([axes.xaxis?.range, axes.yaxis?.range]),
  };
}"""
# The texts of charts on which a tool bar lies.
COVERED: Final = """() => [...document.querySelectorAll('.js-plotly-plot')].flatMap(chart => {
  const seen = { opacityProperty: true, visibilityProperty: true };
  const bars = [...chart.querySelectorAll('.modebar-group')].filter(
    bar => bar.checkVisibility(seen)).map(bar => bar.getBoundingClientRect());
  return [...chart.querySelectorAll('.main-svg text')].filter(text => {
    const a = text.getBoundingClientRect();
    return bars.some(b => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1);
  }).map(text => text.textContent);
})"""


@pytest.fixture(scope="module")
def phone(visitor: BrowserContext) -> Iterator[tuple[Page, CDPSession]]:
    """A page of a phone, and what moves the finger on it."""
    with without_complaints(visitor) as page:
        page.set_viewport_size({"width": 390, "height": 844})
        finger = visitor.new_cdp_session(page)
        finger.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5})
        metrics = {**PHONE, "deviceScaleFactor": 1, "mobile": True}
        finger.send("Emulation.setDeviceMetricsOverride", metrics)
        yield page, finger


def touch(finger: CDPSession, kind: str, *at: float) -> None:
    points = [{"x": at[0], "y": at[1]}] if at else []
    finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def swipe(page: Page, finger: CDPSession, chart: Locator) -> tuple[dict[str, Any], dict[str, Any]]:
    """How the chart and the page were before and after a finger moved up or down over the chart."""
    bring_into_view(chart)
    page.wait_for_timeout(100)
    before = chart.evaluate(LOOK)
    way = -1 if before["room"] > SWIPED else 1
    x, y = before["x"], min(max(before["y"], 200.0), 800.0)
    touch(finger, "touchStart", x, y)
    for step in range(1, 9):
        touch(finger, "touchMove", x, y + way * SWIPED * step / 8)
        page.wait_for_timeout(16)
    touch(finger, "touchEnd")
    page.wait_for_timeout(200)
    return before, chart.evaluate(LOOK)


@pytest.mark.parametrize(
    "name",
    [name if name in OFTEN else thorough(name) for name in PAGES],
)
def test_a_swipe_over_any_chart_scrolls_the_page_and_no_tool_bar_covers_a_label(
    phone: tuple[Page, CDPSession], address: str, name: str
) -> None:
    """Issue 33, point 21: a swipe had zoomed the chart, and the page stood still."""
    page, finger = phone
    at, button, last = PAGES[name]
    page.goto(address + at)
    if button:
        page.get_by_text(button, exact=True).last.click()
    expect(page.locator(f"[class*='st-key-{last}'] .main-svg").first).to_be_visible()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    if name == "arrivals":  # its axis changes once it is known what is possible at most
        expect(headline(page)).to_contain_text("(proven)")
    wait_until_drawn(page)
    charts = page.locator(".js-plotly-plot")
    for number in range(charts.count()):
        before, after = swipe(page, finger, charts.nth(number))
        assert abs(after["top"] - before["top"]) > LEAST, (number, before, after)
        assert after["ranges"] == before["ranges"], number
        assert page.evaluate(COVERED) == []


def test_a_tap_on_a_schedule_picks_it(phone: tuple[Page, CDPSession], address: str) -> None:
    """Issue 33, point 21: what Plotly no longer hears of touches, it hears of taps."""
    page, finger = phone
    page.goto(f"{address}/?sample=two-by-two&idle=0.2&polish=0")
    points = page.locator(".st-key-front .scatterlayer .trace").last.locator("path.point")
    expect(points.first).to_be_visible()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    expect(page.locator(".st-key-chosen")).to_have_count(0)
    bring_into_view(points.first)
    page.wait_for_timeout(300)
    box = points.first.bounding_box()
    assert box is not None
    touch(finger, "touchStart", box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    touch(finger, "touchEnd")
    expect(page.locator(".st-key-chosen").get_by_role("button", name="Inspect")).to_be_visible()
