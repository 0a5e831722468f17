"""Loads what every page needs: a second's work, once a process."""

import gc
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock, Thread

from dashboard.pages import PAGES

_ONE_AT_A_TIME = Lock()


def begin() -> None:
    """Loads in a thread, before anybody asks for a page."""
    Thread(target=_load_ahead, daemon=True, name="loading").start()


def load() -> Callable[[], None]:
    """What shows the page that is open. Whoever comes while another thread loads waits for it:
    libraries are no good while they are half there.
    """
    with _ONE_AT_A_TIME:
        return _load()


@cache
def _load() -> Callable[[], None]:
    from dashboard.navigation import show

    # What the first page is made of: a page itself is not imported but run.
    for file in sorted(Path(__file__).with_name(PAGES[0].folder).glob("*.py")):
        if file.stem not in ("__init__", "page"):
            import_module(f"dashboard.{PAGES[0].folder}.{file.stem}")
    return show


def _load_ahead() -> None:
    try:
        load()
    finally:
        gc.freeze()
        gc.enable()
