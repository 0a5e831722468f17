"""A visit to the dashboard: a page of a usual screen, which must end without a complaint."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import BrowserContext, Page, ViewportSize

WIDE: Final[ViewportSize] = {"width": 1440, "height": 900}
SECONDS: Final = 30


@contextmanager
def without_complaints(visitor: BrowserContext) -> Iterator[Page]:
    """A new page. Its console must stay free of errors; it leaves nothing behind."""
    page = visitor.new_page()
    page.set_default_timeout(1000 * SECONDS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    page.evaluate("() => { try { localStorage.clear() } catch { /* a page of no address */ } }")
    page.close()
    visitor.set_offline(False)
    visitor.clear_cookies()
    assert complaints == [], complaints
