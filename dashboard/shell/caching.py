"""How Streamlit's caches tell arguments apart."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

from core import System
from core.model.schedule import Schedule


def _content(schedule: Schedule) -> tuple[str, bytes, bytes, bytes]:
    groups = (schedule.machine_type, schedule.machines, schedule.tasks)
    kinds, machines, tasks = (array.tobytes() for array in groups)
    return schedule.system.fingerprint, kinds, machines, tasks


BY_CONTENT: Final[dict[str | type, Callable[[Any], Any]]] = {
    System: attrgetter("fingerprint"),
    Schedule: _content,
}
"""For `hash_funcs`: equal systems are one and the same, and so are equal schedules."""
