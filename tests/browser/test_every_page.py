"""Every page, looked at whole: its text can be read in the light and in the dark, what has the
focus is seen, and on any screen and at 200 % nothing is cut off, overlaps, or scrolls sideways.

How it is in the dark, at 200 %, on odd screens and in rooms off the pages is asked by
`make thorough`.

Contrast is computed from the page as it is drawn, as WCAG 2 asks: 4.5 for text, 3 for large text.
A page is opened once for all that is asked of it.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import colour_sense
import numpy as np
import pytest
from playwright.sync_api import BrowserContext, Page, expect
from visits import WIDE, go_to, open_files, seconds, without_complaints

LEAST_PIXELS: Final = 12
LOG: Final = Path(__file__).parents[1] / "engines" / "logs" / "dumps" / "real" / "parsable2.txt"
FEWEST_TEXTS: Final = 40
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
      const own = '.stApp, [data-testid=stPopoverBody]';  // they scroll by themselves
      if (!e.matches(own) && !holds(e.getBoundingClientRect(), at)) { continue; }
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
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) { at = at.shadowRoot.activeElement; }
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
# What is wider than the place it has.
SIDEWAYS: Final = """() => ['html', '[data-testid=stMain]'].filter(name => {
  const part = document.querySelector(name);
  return part.scrollWidth > part.clientWidth;
})"""
# What lies on top: what is below has been looked at on another page.
TOPMOST: Final = """([...document.querySelectorAll(
  '[data-testid=stMain], [role=dialog], [data-testid=stPopoverBody]')].pop())"""
# What has text that it does not show as a whole. Tables, formulas, code and fields scroll
# by themselves.
CUT_OFF: Final = (
    f"() => [...{TOPMOST}"
    + """.querySelectorAll('*')].filter(part => {
  const style = getComputedStyle(part);
  if (style.overflowX === 'visible' || !part.innerText?.trim()) { return false; }
  const scrolls = '[data-testid=stDataFrame], .katex-display, pre, input, textarea, svg';
  if (part.closest(scrolls)) { return false; }
  if (!part.checkVisibility({ visibilityProperty: true, opacityProperty: true })) { return false; }
  return part.clientWidth > 1 && part.scrollWidth > part.clientWidth + 1;
}).map(part => `${part.dataset.testid ?? part.className}: ${part.innerText.slice(0, 60)}`)"""
)
# Texts that stand on each other, those of charts and formulas left out.
OVERLAPPING: Final = (
    f"() => {{ const top = {TOPMOST};"
    + """
  const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  const found = [], pairs = [];
  // What a box cuts off, since it scrolls, lies on nothing.
  const seenOf = (box, element) => {
    let { left, top, right, bottom } = box;
    for (let each = element; each; each = each.parentElement) {
      if (getComputedStyle(each).overflowY === 'visible') { continue; }
      const by = each.getBoundingClientRect();
      [left, top] = [Math.max(left, by.left), Math.max(top, by.top)];
      [right, bottom] = [Math.min(right, by.right), Math.min(bottom, by.bottom)];
    }
    return { left, top, right, bottom, width: right - left };
  };
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement, said = walker.currentNode.textContent.trim();
    const left = 'svg, style, script, .katex, [data-testid=stDataFrame], '
      + '[data-testid=stIconMaterial]';
    if (!said || parent.closest(left)) { continue; }
    const seen = { visibilityProperty: true, opacityProperty: true };
    if (!parent.checkVisibility(seen)) { continue; }
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    for (const whole of range.getClientRects()) {
      const box = seenOf(whole, parent);
      if (box.width > 1) { found.push([said, box]); }
    }
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
)
# Nothing is computed for it, and what it was told is drawn.
AT_REST: Final = """() => document.querySelector('.stApp')?.dataset.testScriptState !== 'running'
  && !document.querySelector('[data-stale=true]')
  && new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))))"""
# Where to find each page, and what is there in the end.
TRADE_OFFS: Final = (
    "/?sample=nine&idle=0.2&polish=0&show=idle&rivals=min-min",
    ".st-key-front .main-svg",
)
IMPORT: Final = ("/importing?sample=nine", ".st-key-pairs .main-svg")
PAGES: Final = {
    "trade-offs": TRADE_OFFS,
    "import": IMPORT,
    "paste": IMPORT,
    "log": IMPORT,
    "choices": IMPORT,
    "machines": ("/machines?sample=nine", ".st-key-best .main-svg"),
    "late": ("/late?sample=two-by-two", ".st-key-late_makespans .main-svg"),
    "work": ("/work?sample=nine", ".st-key-pairs .main-svg"),
    "site": ("/site?sample=nine&day_tariff=0:0.2+7:0.35", ".st-key-site-carbon .main-svg"),
    "compare": ("/what_if?sample=nine&idle=0.2", ".st-key-compare-fronts .main-svg"),
    "sweeps": (
        "/what_if?what_if_view=map&sample=nine&sweep=idle:0:100:25+machines.1:0:4:1",
        "h1 >> text=What if",
    ),
    "schedule": TRADE_OFFS,
    "batch": ("/schedule?sample=nine&idle=0.2", "h1 >> text=Schedule"),
    "studies": ("/studies?sample=nine&idle=0.2", "h1 >> text=Studies"),
    "about": ("/about", "[role=tabpanel] strong >> nth=9"),
    "definitions": ("/about", "h1 >> text=About"),
    "gone": ("/?kept=0123", ".st-key-gone"),
    "provision": (
        "/provision?sample=e1&provision_scenarios=64",
        ".st-key-provision_value .main-svg",
    ),
    "arrivals": ("/arrivals?sample=nine&arrivals_policies=easy+max-upr", "h1 >> text=Policies"),
    "centre": ("/centre?centre_centre=parasol", ".st-key-centre-day .main-svg"),
    "switch off": ("/switch_off?sample=nine", "h1 >> text=What to switch off"),
    "shares": (
        "/fair_shares?sample=nine&shares_machines=0:2&shares_whole=yes",
        ".st-key-fair_shares_tasks .main-svg",
    ),
    "profit": ("/profit?sample=nine&idle=0.05&pue=1.4", ".st-key-profit_curve .main-svg"),
}

SELDOM: Final = (
    *("compare", "profit", "schedule", "shares", "late", "machines", "studies", "switch off"),
    "paste",
    "log",
    "choices",
    "sweeps",
    "batch",
    "about",
    "definitions",
    "gone",
)
"""What is seen only by those who ask for it, or made of the same parts as others; in dark, all."""


def contrast(seen: dict[str, Any]) -> float:
    return colour_sense.contrast(*(np.array(seen[k]) / 255 for k in ("colour", "ground")))


def is_large(text: dict[str, Any]) -> bool:
    """Or an icon, which is a mark."""
    return bool(text["icon"] or text["pixels"] >= (18.66 if text["bold"] else 24))


def too_faint(page: Page, fewest: int = FEWEST_TEXTS) -> list[str]:
    texts = page.evaluate(TEXTS)
    if len(texts) <= fewest:
        return ["The page is not there yet."]
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
    elif name == "sweeps":
        expect(page.locator(".st-key-sweeps-chart-0-map .main-svg").first).to_be_visible()
        points = page.locator(".st-key-sweeps-chart-0-map .scatterlayer path.point")
        expect(points).to_have_count(25)
        expect(page.locator(".st-key-running").get_by_role("progressbar")).to_have_count(0)
        points.nth(7).click(force=True)
        expect(page.locator(".st-key-sweep-run")).to_contain_text("Machines of type M1: 1")
    elif name == "paste":
        page.get_by_role("button", name="Open files", exact=True).click()
        expect(page.get_by_role("textbox", name="Or paste text")).to_be_visible()
    elif name in ("log", "choices"):
        open_files(page, LOG, "Derive a system from it")
        expect(page.locator(".wf-chips")).to_contain_text(" used")
        if name == "choices":
            page.get_by_role("radio", name="2 Check").click()
            page.get_by_role("button", name="More choices").click()
            expect(page.get_by_test_id("stPopoverBody")).to_contain_text("Time of a pair")
    elif name == "schedule":
        page.locator(".st-key-schedules .dvn-scroller").click(position={"x": 18, "y": 52})
        expect(page.locator(".st-key-chosen")).to_contain_text("the fastest")
        go_to(page, "Schedule")
        expect(page.locator(".st-key-schedule_chart .main-svg").first).to_be_visible()
        page.locator(".st-key-schedule-fastest summary").click()
        expect(page.locator(".st-key-methods .main-svg").first).to_be_visible()
    elif name == "batch":
        expect(page.locator(".st-key-schedule_chart .main-svg").first).to_be_visible()
        page.get_by_role("button", name="Export", exact=True).click()
        page.get_by_role("button", name="Slurm batch scripts").click()
        expect(page.get_by_role("dialog").get_by_text("tasks for 36 machines")).to_be_visible()
    elif name == "definitions":
        page.get_by_role("tab", name="Definitions").click()
        expect(page.locator(".katex").first).to_be_visible()
    elif name == "arrivals":
        expect(page.locator(".st-key-arrivals_busy .main-svg").first).to_be_visible()
        expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)


@pytest.fixture(scope="module")
def tours(visitor: BrowserContext) -> Iterator[dict[str, Page]]:
    """A browser's page in light and one in dark."""
    with without_complaints(visitor) as light, without_complaints(visitor) as dark:
        dark.emulate_media(color_scheme="dark")
        yield {"light": light, "dark": dark}


@pytest.fixture(scope="module")
def opened(request: pytest.FixtureRequest, tours: dict[str, Page], address: str) -> Page:
    """What all questions about a page share. Nothing of the pages before is left, whatever order
    tests have (issue 33, "Tests that depend on the machine").
    """
    name, mode = request.param
    (at, there), page = PAGES[name], tours[mode]
    page.set_viewport_size(WIDE)
    page.goto(address + at)
    expect(page.locator(there).first).to_be_visible()
    lead_on(page, name)
    return page


def opening(*modes: str) -> pytest.MarkDecorator:
    each = [
        pytest.param(
            (name, mode),
            id=f"{name} in {mode}",
            marks=[pytest.mark.thorough] if mode == "dark" or name in SELDOM else [],
        )
        for name in PAGES
        for mode in modes
    ]
    return pytest.mark.parametrize("opened", each, indirect=True)


def in_the_end(page: Page, wrong: Callable[[], list[str]]) -> list[str]:
    """What stays wrong: a page is drawn, and drawn anew, in more than one step."""
    give_up = time.monotonic() + seconds()
    page.wait_for_function(AT_REST)
    while (found := wrong()) and time.monotonic() < give_up:
        page.wait_for_timeout(250)
    return found


@opening("light", "dark")
def test_all_text_can_be_read(opened: Page, request: pytest.FixtureRequest) -> None:
    name, _ = request.node.callspec.params["opened"]
    few = {"log": 20, "no schedule": 20, "switch off": 20, "gone": 10, "studies": 10}
    fewest = few.get(name, FEWEST_TEXTS)
    opened.set_viewport_size(WIDE)
    assert in_the_end(opened, lambda: too_faint(opened, fewest)) == []
    assert too_small(opened) == []
    assert unframed(opened) == []


@pytest.mark.thorough
@opening("light")
def test_at_200_percent_it_is_whole(opened: Page) -> None:
    opened.set_viewport_size({"width": 720, "height": 450})
    assert in_the_end(opened, lambda: opened.evaluate(CUT_OFF)) == []
    assert in_the_end(opened, lambda: opened.evaluate(OVERLAPPING)) == []


@pytest.mark.parametrize(
    "width", [390, *(pytest.param(width, marks=pytest.mark.thorough) for width in (720, 3840))]
)
@opening("light")
def test_no_screen_scrolls_it_sideways(opened: Page, width: int) -> None:
    opened.set_viewport_size({"width": width, "height": 844})
    assert in_the_end(opened, lambda: opened.evaluate(SIDEWAYS)) == []


@pytest.mark.thorough
def test_it_follows_the_theme_and_what_the_keyboard_is_at_is_seen(page: Page, address: str) -> None:
    page.goto(f"{address}/profit?sample=nine&idle=0.05&profit_ratio=1.5")
    for mode in ("light", "dark"):
        page.emulate_media(color_scheme=mode)
        page.wait_for_function(
            "mode => [...document.querySelectorAll('.stApp')].some("
            "app => getComputedStyle(app).colorScheme === mode)",
            arg=mode,
        )
        expect(page.locator(".st-key-profit_curve .main-svg").first).to_be_visible()
        expect(page.get_by_role("heading", level=2).first).to_contain_text("At 1.5 times")
        assert in_the_end(page, lambda: too_faint(page)) == []
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
