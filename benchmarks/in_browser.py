"""A visitor of the dashboard in Chromium, who sees when charts are drawn and answers arrive."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.visitor import IDLE_POWER

PATIENCE: Final = 120_000
"""Time after which a page that does not answer is an error (ms)."""
CHROMIUM: Final = ("chromium", "chromium-browser", "google-chrome")
OPTIONS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
)

# Runs in the page from the start. `seen` has times since then (ms): when the front was drawn, the
# slider released, the message to the server sent, its largest answer received, and CHART drawn with
# another first x of its TRACE.
WATCH: Final = """
const seen = window.seen = {};
const now = () => performance.now();
addEventListener('pointerup', () => {
  Object.assign(seen, {released: now(), told: 0, answered: 0, size: 0, painted: 0});
}, true);
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener('message', ({data}) => {
      const size = data.byteLength ?? data.size ?? data.length;
      if (!seen.painted && size > seen.size) Object.assign(seen, {answered: now(), size});
    });
  }
  send(data) { seen.told ||= now(); super.send(data); }
};
let last;
const look = () => {
  const traces = document.querySelector('.st-key-CHART .js-plotly-plot')?._fullData ?? [];
  const value = traces.find(trace => /TRACE/.test(trace.name))?.x[0];
  if (value !== last) { last = value; seen.there ??= now(); seen.painted ||= now(); }
  requestAnimationFrame(look);
};
look();
"""


@dataclass(frozen=True, slots=True)
class Watched:
    """A slider, by the beginning of its label; and the trace of a chart that changes with it, by a
    pattern of its name.
    """

    slider: str
    chart: str
    trace: str

    @property
    def script(self) -> str:
        return WATCH.replace("CHART", self.chart).replace("TRACE", self.trace)


# The least energy. The rest of the bound depends on the axes, which schedules change, too.
IDLE: Final = Watched(IDLE_POWER, "front", "^Lower bound$")
RATIO: Final = Watched("Profit ratio", "profit_curve", "^(Found|Not run)$")


def in_chromium(measure: Callable[[Browser, bool], Any]) -> Callable[[bool], Any]:
    """The result of `measure` with a browser; None on a machine without one."""

    def run(quick: bool) -> Any:
        if chromium() is None:
            return None
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=OPTIONS)
            found = measure(browser, quick)
            browser.close()
            return found

    return run


def chromium() -> str | None:
    return next(filter(None, map(shutil.which, CHROMIUM)), None)


def newcomer(browser: Browser, watched: Watched = IDLE) -> Page:
    """A new visitor with a screen of usual size."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(watched.script)
    return page


def leave(page: Page) -> None:
    page.context.close()


def open_page(page: Page, url: str, ready: str) -> None:
    page.goto(url, wait_until="commit")
    page.locator(ready).first.wait_for(state="attached")
