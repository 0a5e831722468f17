"""Keeps the garbage collector from looking through what is there to stay."""

import gc

_settled: set[str] = set()


def settle(page: str) -> None:
    """Once for each page, since each imports more: what is loaded now stays.

    Streamlit collects garbage after every run, which looks through all that lives and holds up
    every session for a tenth of a second; what is frozen is not looked through.
    """
    if page not in _settled:
        _settled.add(page)
        gc.freeze()  # with hardly any garbage in it: to look for that would hold up its first page
