"""Loads what every page needs: a second of work, once in each process."""

import gc
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock, Thread

from dashboard.pages import FIRST

_ONE_AT_A_TIME = Lock()


def begin() -> None:
    """Starts to load in a thread, before a page is asked for."""
    Thread(target=_load_ahead, daemon=True, name="loading").start()


def load() -> Callable[[], None]:
    """The function that shows the open page. If another thread is loading, this one waits, since
    half-imported libraries cannot be used.
    """
    with _ONE_AT_A_TIME:
        return _load()


@cache
def _load() -> Callable[[], None]:
    from dashboard.navigation import show

    # The modules of the first page. A `page` itself is run, not imported.
    for file in sorted((Path(__file__).parent / "screens" / FIRST).glob("*.py")):
        if file.stem not in ("__init__", "page"):
            import_module(f"dashboard.screens.{FIRST}.{file.stem}")
    return show


def _load_ahead() -> None:
    try:
        load()
    finally:
        gc.freeze()
        gc.enable()
