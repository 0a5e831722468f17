"""Keeps the garbage collector from objects that stay, and returns unused memory.

Upstream, streamlit/streamlit#3099 asked for the collection after every run that we turn off.
"""

import ctypes
import gc
import sys
import time
from typing import Final

COLLECT_SECONDS: Final = 10.0
"""Time between two garbage collections while pages are drawn (s)."""
_C_LIBRARY: Final = ctypes.CDLL(None) if sys.platform == "linux" else None
_settled: set[str] = set()
_collected = time.monotonic()


def settle(page: str) -> None:
    """Freezes what is loaded, once for each page, since each page imports more modules.

    The collector does not look through frozen objects. Each collection stops all sessions
    (`benchmarks/garbage.py`).
    """
    if page not in _settled:
        _settled.add(page)
        gc.freeze()  # with a little garbage: to collect it first would delay the first page


def collect() -> None:
    """Collects garbage if the last collection is long ago; called when a page is drawn.

    Streamlit would collect after every run, and each poll of a job is a run: with many sessions
    at work, collections took two thirds of the time of the server.
    """
    global _collected
    now = time.monotonic()
    if now - _collected >= COLLECT_SECONDS:
        _collected = now
        gc.collect()


def give_back() -> None:
    """Returns unused memory to the operating system. A session that ended is a reference cycle,
    which nothing would collect if nobody else came; the C library keeps freed memory.
    """
    gc.collect()
    if _C_LIBRARY is not None and hasattr(_C_LIBRARY, "malloc_trim"):
        _C_LIBRARY.malloc_trim(0)
