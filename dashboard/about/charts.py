"""The charts of all pages, each with how to read it."""

from collections.abc import Iterator
from importlib import import_module

from dashboard.common.reading import Reading
from dashboard.pages import PAGES, Page


def readings() -> Iterator[tuple[Page, Reading]]:
    """In the order of the pages; this one has no charts."""
    for page in PAGES:
        if page.folder != "about":
            found: tuple[Reading, ...] = import_module(f"dashboard.{page.folder}.readings").READINGS
            for reading in found:
                yield page, reading
