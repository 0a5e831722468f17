"""How Streamlit's caches tell arguments apart."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

import numpy as np

from core import System
from core.vocabulary.node_use import NodeUse
from core.vocabulary.placement import LogPlacement
from core.vocabulary.schedule import Schedule
from core.vocabulary.timed import TimedSchedule


def _content(schedule: Schedule) -> tuple[str, bytes]:
    return schedule.system.fingerprint, schedule.content


def _numbers(array: "np.ndarray[Any, Any]") -> tuple[tuple[int, ...], str, bytes]:
    """All numbers of an array. Of a large one, Streamlit's own hash would use a sample."""
    return array.shape, array.dtype.str, array.tobytes()


BY_CONTENT: Final[dict[str | type, Callable[[Any], Any]]] = {
    System: attrgetter("fingerprint"),
    NodeUse: attrgetter("fingerprint"),
    LogPlacement: attrgetter("fingerprint"),
    Schedule: _content,
    TimedSchedule: _content,
    np.ndarray: _numbers,
}
"""For `hash_funcs`: a cache gives the same answer for what is equal: systems, uses of nodes,
placements of logs, schedules and arrays.
"""
