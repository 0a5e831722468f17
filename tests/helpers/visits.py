"""A visit to the dashboard: a page of a usual screen, which must end without a complaint."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any, Final

from playwright.sync_api import (
    BrowserContext,
    Download,
    Error,
    Locator,
    Page,
    ViewportSize,
    expect,
)

from dashboard.pages import MENU

WIDE: Final[ViewportSize] = {"width": 1440, "height": 900}
_SECONDS: Final = 180
_MANY: Final = 4
_SECONDS_IF_MANY_FAILED: Final = 15
_SECONDS_TO_DRAW: Final = 10
_SECONDS_TWICE: Final = 30
_ACTS: Final = ("check", "click", "fill", "hover", "press", "set_input_files")
_BEING_DRAWN: Final = '[data-testid="stApp"]:not([data-test-script-state="notRunning"])'
_MOMENT_MS: Final = 500
_SECONDS_TO_DOWNLOAD: Final = 30
_failed = 0


def seconds() -> int:
    """How long to wait for what a page must show: long, since the computer may be busy; but not so
    long once many tests have failed, since then it is not the computer.
    """
    return _SECONDS if _failed < _MANY else _SECONDS_IF_MANY_FAILED


def count_failure() -> None:
    """One more test has failed."""
    global _failed
    _failed += 1


def act_once_drawn(patch: Callable[[object, str, object], None]) -> None:
    """From now on a visitor acts as people do, once a page stands still: what is pressed while it
    is drawn may be gone a moment later. On a page that computes for long she does not wait longer.
    """
    for name in _ACTS:
        patch(Locator, name, _once_drawn(getattr(Locator, name)))


def _once_drawn(act: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(act)
    def patient(self: Locator, *given: Any, **named: Any) -> Any:
        late = time.monotonic() + _SECONDS_TWICE
        while True:
            with suppress(Error):
                busy = self.page.locator(_BEING_DRAWN)
                busy.wait_for(state="detached", timeout=1000 * _SECONDS_TO_DRAW)
            try:
                return act(self, *given, **named)
            except Error as error:
                # A widget can be there twice while its part of the page is drawn anew.
                if "strict mode violation" not in str(error) or time.monotonic() > late:
                    raise
            self.page.wait_for_timeout(_MOMENT_MS)

    return patient


@contextmanager
def without_complaints(visitor: BrowserContext) -> Iterator[Page]:
    """A new page. Its console must stay free of errors; it leaves nothing behind."""
    page = visitor.new_page()
    page.set_default_timeout(1000 * seconds())
    expect.set_options(timeout=1000 * seconds())
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    page.evaluate("() => { try { localStorage.clear() } catch { /* a page of no address */ } }")
    page.close()
    visitor.set_offline(False)
    visitor.clear_cookies()
    assert complaints == [], complaints


def headline(page: Page) -> Locator:
    return page.get_by_role("heading", level=2).first


def open_files(page: Page, files: Any, action: str) -> None:
    """Opens files by the one way in: they are given to the dialog, and a button leads on."""
    page.get_by_role("button", name="Open files", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[type=file]").set_input_files(files)
    dialog.get_by_role("button", name=action, exact=True).click()
    expect(dialog).to_have_count(0)


def bring_into_view(shown: Locator) -> None:
    """Scrolls to something, once the page stands still. Playwright's own scrolling is an error if
    what it scrolls to is drawn anew meanwhile.
    """
    _once_drawn(Locator.evaluate)(shown, "shown => shown.scrollIntoViewIfNeeded()")


def open_list(page: Page, of: str) -> None:
    """Goes to a list, and then opens it: one that is open closes when the page is scrolled, also by
    what Playwright does before a click.
    """
    box = page.get_by_role("combobox", name=of)
    bring_into_view(box)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    box.click()


def choose(page: Page, of: str, name: str) -> None:
    """Chooses from a list what begins with a name."""
    open_list(page, of)
    page.get_by_role("option", name=re.compile(rf"^{re.escape(name)}\b")).click()


def close_popover(page: Page) -> None:
    """By the keyboard, until it has gone and has given the focus back."""
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)


def go_to(page: Page, title: str) -> None:
    """To another page, by the menu, until the server has begun to draw it."""
    (group,) = (group for group, pages in MENU.items() if title in {each.title for each in pages})
    if group:
        page.get_by_test_id("stTopNavSection").filter(has_text=group).click()
        page.get_by_role("menuitem", name=title, exact=True).click()
    else:
        page.get_by_test_id("stTopNavLink").filter(has_text=title).click()
    expect(page).to_have_title(f"{title} - Wattfront")


def wait_until_drawn(page: Page) -> None:
    """Until nothing is computed for the page. Until then what it showed before may be there, too:
    a button twice, or a grid that would take what is typed with it.
    """
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def taken_with(page: Page, button: Locator) -> Download:
    """The file that a button brings. Like a person, a visitor presses it again if nothing comes:
    on a busy computer it may have been drawn anew while it was pressed.
    """
    late = time.monotonic() + seconds()
    while True:
        try:
            with page.expect_download(timeout=1000 * _SECONDS_TO_DOWNLOAD) as taken:
                button.click()
        except Error:
            if time.monotonic() > late:
                raise
        else:
            return taken.value
