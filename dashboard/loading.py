"""Loads what every page needs: a second's work, once a process."""

from collections.abc import Callable
from functools import cache
from threading import Lock

_ONE_AT_A_TIME = Lock()


def load() -> Callable[[], None]:
    """What shows the page that is open. Whoever comes while another thread loads waits for it:
    libraries are no good while they are half there.
    """
    with _ONE_AT_A_TIME:
        return _load()


@cache
def _load() -> Callable[[], None]:
    import dashboard.ahead  # what a page sends first
    import dashboard.charts.front  # noqa: F401  # of the first page, which nothing imports
    from dashboard.navigation import show

    return show
