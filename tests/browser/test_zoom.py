"""At 200 % every page is there as a whole: nothing is cut off, overlaps, or scrolls sideways."""

from typing import Final

import pytest
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser

PAGES: Final = {
    "trade-offs": ("/?sample=nine&idle=0.2&polish=0&show=idle", ".st-key-front .main-svg"),
    "schedule": ("/schedule?sample=nine", "h1"),
    "profit": ("/profit?sample=nine&idle=0.05&profit_pue=1.4", ".st-key-profit_curve .main-svg"),
    "compare": ("/compare?sample=nine", ".st-key-compare-fronts .main-svg"),
    "system": ("/system?sample=nine", ".st-key-pairs .main-svg"),
    "fastest": ("/fastest?sample=nine", ".st-key-schedule_chart .main-svg"),
    "about": ("/about?sample=nine", "h1"),
}
SIDEWAYS: Final = """() => {
  const main = document.querySelector('[data-testid=stMain]');
  return Math.max(document.documentElement.scrollWidth - document.documentElement.clientWidth,
                  main.scrollWidth - main.clientWidth);
}"""
# What has text that it does not show as a whole. Tables, code and fields scroll by themselves.
CUT_OFF: Final = """() => [...document.querySelectorAll('[data-testid=stMain] *')].filter(part => {
  const style = getComputedStyle(part);
  if (style.overflowX === 'visible' || !part.innerText?.trim()) { return false; }
  if (part.closest('[data-testid=stDataFrame], pre, input, textarea, svg')) { return false; }
  if (!part.checkVisibility({ visibilityProperty: true, opacityProperty: true })) { return false; }
  return part.clientWidth > 1 && part.scrollWidth > part.clientWidth + 1;
}).map(part => `${part.dataset.testid ?? part.className}: ${part.innerText.slice(0, 60)}`)"""
# Texts that stand on each other, those of charts left out.
OVERLAPPING: Final = """() => {
  const walker = document.createTreeWalker(
    document.querySelector('[data-testid=stMain]'), NodeFilter.SHOW_TEXT);
  const found = [], pairs = [];
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement, said = walker.currentNode.textContent.trim();
    if (!said || parent.closest('svg, style, script, [data-testid=stDataFrame]')) { continue; }
    const seen = { visibilityProperty: true, opacityProperty: true };
    if (!parent.checkVisibility(seen)) { continue; }
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    for (const box of range.getClientRects()) { if (box.width > 1) { found.push([said, box]); } }
  }
  for (const [k, [one, a]] of found.entries()) {
    for (const [other, b] of found.slice(k + 1)) {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (one !== other && wide > 3 && high > 6) { pairs.push(`${one} / ${other}`); }
    }
  }
  return pairs;
}"""


@pytest.mark.parametrize("name", PAGES)
def test_a_page_at_200_percent_is_whole(browser: Browser, address: str, name: str) -> None:
    context = browser.new_context(viewport={"width": 720, "height": 450}, device_scale_factor=2)
    page = context.new_page()
    page.set_default_timeout(30_000)
    path, there = PAGES[name]
    page.goto(address + path)
    expect(page.locator(there).first).to_be_visible()
    if name == "compare":
        page.get_by_role("button", name="What if …").click()
        expect(page.locator(".wf-items li")).to_have_count(1)
    for _ in range(20):  # a page is drawn in more than one step
        page.wait_for_timeout(500)
        wrong = page.evaluate(CUT_OFF), page.evaluate(OVERLAPPING), page.evaluate(SIDEWAYS)
        if wrong == ([], [], 0):
            break
    assert wrong == ([], [], 0)
    context.close()
