"""Keeps the garbage collector from what is there to stay, and gives back what is not."""

import ctypes
import gc
import sys
from typing import Final

_C_LIBRARY: Final = ctypes.CDLL(None) if sys.platform == "linux" else None
_settled: set[str] = set()


def settle(page: str) -> None:
    """Once for each page, since each imports more: what is loaded now stays.

    Streamlit collects garbage after every run, which looks through all that lives and holds up
    every session for a tenth of a second; what is frozen is not looked through.
    """
    if page not in _settled:
        _settled.add(page)
        gc.freeze()  # with hardly any garbage in it: to look for that would hold up its first page


def give_back() -> None:
    """To the system, what nobody uses any more: a session that ended is a circle, for which nothing
    would look where nobody else comes, and the C library keeps what was used once.
    """
    gc.collect()
    if _C_LIBRARY is not None and hasattr(_C_LIBRARY, "malloc_trim"):
        _C_LIBRARY.malloc_trim(0)
