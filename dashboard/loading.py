"""Loads what every page needs: a second's work, once a process."""

import gc
from collections.abc import Callable
from functools import cache
from threading import Lock, Thread

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
    import dashboard.trade_offs.front_chart  # noqa: F401  # of the first page, which nothing imports
    from dashboard.navigation import show

    return show


def _load_ahead() -> None:
    try:
        load()
    finally:
        gc.freeze()
        gc.enable()
