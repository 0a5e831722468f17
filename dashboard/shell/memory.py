"""Keeps the garbage collector from what is there to stay, and gives back what is not."""

import ctypes
import gc
import sys
import time
from typing import Final

COLLECT_SECONDS: Final = 10.0
"""From one look at all that lives to the next, while pages are drawn."""
_C_LIBRARY: Final = ctypes.CDLL(None) if sys.platform == "linux" else None
_settled: set[str] = set()
_collected = time.monotonic()


def settle(page: str) -> None:
    """Once for each page, since each imports more: what is loaded now stays.

    What is frozen is not looked through when garbage is collected, which holds up every session
    (`benchmarks/garbage.py`).
    """
    if page not in _settled:
        _settled.add(page)
        gc.freeze()  # with hardly any garbage in it: to look for that would hold up its first page


def collect() -> None:
    """From time to time, once a page is drawn: circles that Python has not yet found by itself.

    Streamlit would after every run, and every look at what runs behind a page is one: where many
    are at work, that took two thirds of all that the server did.
    """
    global _collected
    now = time.monotonic()
    if now - _collected >= COLLECT_SECONDS:
        _collected = now
        gc.collect()


def give_back() -> None:
    """To the system, what nobody uses any more: a session that ended is a circle, for which nothing
    would look where nobody else comes, and the C library keeps what was used once.
    """
    gc.collect()
    if _C_LIBRARY is not None and hasattr(_C_LIBRARY, "malloc_trim"):
        _C_LIBRARY.malloc_trim(0)
