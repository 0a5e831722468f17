"""Keeps systems and schedules that an address cannot describe, so that a reload finds them."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from dashboard.server import sizes
from dashboard.server.recent import Recent
from dashboard.workspace.chosen import Chosen
from dashboard.workspace.workspace import Version

V = TypeVar("V")

BYTES_KEPT: Final = 100_000_000
_KEY_LENGTH: Final = 24


class Shelf(Generic[V]):
    """The values used last, by a key that only people who have seen them know."""

    def __init__(self, digest: Callable[[V], str], size: Callable[[V], int], most: int) -> None:
        self._digest = digest
        self._values = Recent[str, V](most, size)

    def put(self, value: V) -> str:
        """Keeps a value, and drops the least recently used ones to make room. Returns its key."""
        key = self._digest(value)[:_KEY_LENGTH]
        self._values.put(key, value)
        return key

    def get(self, key: str) -> V | None:
        return self._values.get(key)


def system_shelf(most: int = BYTES_KEPT) -> Shelf[Version]:
    """A shelf for uploaded and edited systems, with their names and the tables being edited."""
    return Shelf(lambda it: it.fingerprint, lambda it: sizes.of_system(it.system), most)


def schedule_shelf(most: int = BYTES_KEPT) -> Shelf[Chosen]:
    """A shelf for chosen schedules, each with its system."""
    return Shelf(lambda it: it.fingerprint, _of_chosen, most)


def _of_chosen(chosen: Chosen) -> int:
    schedule = chosen.schedule
    return sizes.of_system(schedule.system) + sizes.of_schedules([schedule])
