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
    from dashboard import ahead  # noqa: F401, I001  # first, as it is wanted first
    from core.samples import load_sample
    from core.study import study
    from dashboard.charts import front, front_regions, heat_map  # noqa: F401
    from dashboard.navigation import show

    study(load_sample("two-by-two"), seconds=0.01)  # takes no time, and has the kernels in memory
    return show
