"""Whatever a page writes can be read, in the light and in the dark, and what has the focus is seen.

Contrast is computed from the page as it is drawn, as WCAG 2 asks: 4.5 for text, 3 for large text.
"""

from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

LEAST_PIXELS: Final = 12
# Of every text that is seen: what it says, its colour over its ground, and its size.
TEXTS: Final = """() => {
  const parse = css => {
    const parts = css.match(/[\\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    // What color-mix gives counts to 1.
    if (css.startsWith('color(srgb')) { [0, 1, 2].forEach(c => { parts[c] *= 255; }); }
    return parts.length < 4 ? [...parts, 1] : parts;
  };
  const over = (top, below) => {
    const alpha = top[3];
    return [0, 1, 2].map(c => alpha * top[c] + (1 - alpha) * below[c]).concat([1]);
  };
  const faded = element => {
    let opacity = 1;
    for (let e = element; e; e = e.parentElement) {
      opacity *= Number(getComputedStyle(e).opacity);
    }
    return opacity;
  };
  const holds = (box, inner) => {
    const x = inner.x + inner.width / 2, y = inner.y + inner.height / 2;
    return box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
  };
  // What is written beside an element stands on what is behind that.
  const ground = (element, at) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      if (!e.matches('.stApp') && !holds(e.getBoundingClientRect(), at)) { continue; }
      const colour = parse(getComputedStyle(e).backgroundColor);
      layers.push(colour);
      if (colour[3] === 1) { break; }
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
  };
  // What is drawn right behind a text of a chart: its box, or its bar.
  const drawn = text => {
    const own = text.closest('.annotation-text-g')?.querySelector('rect.bg')
      ?? text.closest('.hovertext')?.querySelector('path')
      ?? text.closest('g.point')?.querySelector('path');
    if (!own || !holds(own.getBoundingClientRect(), text.getBoundingClientRect())) { return null; }
    let style = getComputedStyle(own);
    const pattern = style.fill.match(/url\\("?#([^")]+)/);
    if (pattern) {
      style = getComputedStyle(document.getElementById(pattern[1]).querySelector('rect'));
    }
    const fill = parse(style.fill);
    fill[3] *= Number(style.fillOpacity) * Number(style.opacity);
    return fill;
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const said = walker.currentNode.textContent.trim(), parent = walker.currentNode.parentElement;
    const left = 'script, style, noscript, [disabled], [aria-disabled=true], .katex';
    if (!said || parent.closest(left)) { continue; }
    const box = parent.getBoundingClientRect(), style = getComputedStyle(parent);
    const unseen = parent.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!unseen || box.width < 2 || box.height < 2) { continue; }
    const inChart = parent.closest('svg.main-svg');
    const label = parent.closest('label');
    if (label && document.getElementById(label.getAttribute('for'))?.disabled) { continue; }
    if (label && label.querySelector('input')?.disabled) { continue; }
    const colour = parse(inChart ? style.fill : style.color);
    colour[3] *= faded(parent);
    let below = ground(inChart ? inChart.parentElement : parent, box);
    const behind = inChart && drawn(parent);
    if (behind) { below = over(behind, below); }
    found.push({
      said: said.slice(0, 60), colour: over(colour, below).slice(0, 3), ground: below.slice(0, 3),
      pixels: parseFloat(style.fontSize), bold: Number(style.fontWeight) >= 600, chart: !!inChart,
      icon: !!parent.closest('[data-testid=stIconMaterial]'),
      where: parent.closest('[data-testid]')?.dataset.testid ?? '',
    });
  }
  return found;
}"""
# The ring around what the keyboard is at, and the page that it is on; of fields Streamlit colours
# the frame.
FOCUSED: Final = """() => {
  const at = document.activeElement;
  if (!at || at.matches('body, input, textarea')) { return null; }
  const rgb = css => css.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const style = getComputedStyle(at);
  return {
    what: at.tagName, said: at.textContent.slice(0, 40),
    pixels: style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth),
    colour: rgb(style.outlineColor),
    ground: rgb(getComputedStyle(document.querySelector('.stApp')).backgroundColor),
  };
}"""
# The frames of all fields, and the page that they are on.
FRAMES: Final = """() => {
  const rgb = css => css.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const fields = '[data-testid=stMain] :is(input[type=text], input[type=number], textarea, '
    + '[role=combobox])';
  return [...document.querySelectorAll(fields)].filter(
    field => field.checkVisibility() && !field.disabled && field !== document.activeElement
  ).map(field => {
    let frame = field;
    while (frame && getComputedStyle(frame).borderTopWidth === '0px') {
      frame = frame.parentElement;
    }
    return {
      said: field.getAttribute('aria-label') ?? field.outerHTML.slice(0, 60),
      colour: rgb(getComputedStyle(frame).borderTopColor),
      ground: rgb(getComputedStyle(document.querySelector('.stApp')).backgroundColor),
    };
  });
}"""
PAGES: Final = {
    "front": ("/?sample=nine&idle=0.2&polish=0", ".st-key-front"),
    "schedule": ("/fastest?sample=nine", ".st-key-schedule_chart"),
    "profit": ("/profit?sample=nine&idle=0.05&profit_pue=1.4", ".st-key-profit_curve"),
    "system": ("/system?sample=nine", ".st-key-pairs"),
    "paste": ("/system?sample=nine", ".st-key-pairs"),
    "compare": ("/compare?sample=nine", ".st-key-compare-fronts"),
    "chosen": ("/?sample=nine&polish=0", ".st-key-front"),
    "about": ("/about?sample=nine", "[role=tabpanel] strong >> nth=9"),
}


def luminance(rgb: list[float]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(text: dict[str, Any]) -> float:
    dark, light = sorted(luminance([c / 255 for c in text[k]]) for k in ("colour", "ground"))
    return (light + 0.05) / (dark + 0.05)


def is_large(text: dict[str, Any]) -> bool:
    """Or an icon, which is a mark."""
    return bool(text["icon"] or text["pixels"] >= (18.66 if text["bold"] else 24))


def too_faint(page: Page) -> list[str]:
    texts = page.evaluate(TEXTS)
    assert len(texts) > 40, "the page is there"
    return sorted(
        {
            f"{text['said']} ({text['where']}): {contrast(text):.2f}"
            for text in texts
            if contrast(text) < (3 if is_large(text) else 4.5)
        }
    )


def too_small(page: Page) -> list[str]:
    texts = page.evaluate(TEXTS)
    return [text["said"] for text in texts if text["chart"] and text["pixels"] < LEAST_PIXELS]


def unframed(page: Page) -> list[str]:
    frames = page.evaluate(FRAMES)
    return [f"{it['said']}: {contrast(it):.2f}" for it in frames if contrast(it) < 3]


def lead_on(page: Page, name: str) -> None:
    """From where a page begins to where there is most to see."""
    if name == "compare":
        for number in (1, 2):
            page.get_by_role("button", name="What if …").click()
            expect(page.locator(".wf-items li")).to_have_count(number)
    elif name == "paste":
        page.get_by_role("radio", name="Paste").click()
        expect(page.get_by_role("textbox", name="Times")).to_be_visible()
    elif name == "chosen":
        page.locator(".st-key-schedules .dvn-scroller").click(position={"x": 18, "y": 52})
        expect(page.locator(".st-key-chosen")).to_contain_text("the fastest")
        page.get_by_role("link", name="Schedule", exact=True).click()
        expect(page.locator(".st-key-schedule_chart .main-svg").first).to_be_visible()


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_all_text_can_be_read(browser: Browser, address: str, name: str, mode: str) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=mode)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(30_000)
    path, chart = PAGES[name]
    page.goto(address + path)
    there = chart if name == "about" else f"{chart} .main-svg"
    expect(page.locator(there).first).to_be_visible()
    lead_on(page, name)
    mode_there = page.evaluate("getComputedStyle(document.querySelector('.stApp')).colorScheme")
    assert mode_there == mode
    for _ in range(20):  # a chart is drawn in more than one step
        page.wait_for_timeout(500)
        wrong = too_faint(page), too_small(page), unframed(page)
        if not any(wrong):
            break
    assert wrong == ([], [], [])
    context.close()


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_what_the_keyboard_is_at_is_seen(browser: Browser, address: str, mode: str) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=mode)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.goto(f"{address}/profit?sample=nine&idle=0.05")
    expect(page.locator(".st-key-profit_curve .main-svg").first).to_be_visible()
    seen: list[str] = []
    for _ in range(20):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUSED)
        if at is None:
            continue
        seen.append(at["what"])
        assert at["pixels"] >= 2, at
        assert contrast({"colour": at["colour"], "ground": at["ground"]}) >= 3, at
    assert {"A", "BUTTON"} <= set(seen)
    context.close()
