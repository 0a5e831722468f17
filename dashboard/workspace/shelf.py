"""What has no address of its own, kept while the server runs so that a reload finds it."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from dashboard.shell import sizes
from dashboard.shell.recent import Recent
from dashboard.workspace.chosen import Chosen
from dashboard.workspace.workspace import Version

V = TypeVar("V")

BYTES_KEPT: Final = 100_000_000
_KEY_LENGTH: Final = 24


class Shelf(Generic[V]):
    """The values looked at last, by a key that only those who have seen them know."""

    def __init__(self, digest: Callable[[V], str], size: Callable[[V], int], most: int) -> None:
        self._digest = digest
        self._values = Recent[str, V](most, size)

    def put(self, value: V) -> str:
        """Keeps a value, if need be in place of those not looked at for longest."""
        key = self._digest(value)[:_KEY_LENGTH]
        self._values.put(key, value)
        return key

    def get(self, key: str) -> V | None:
        return self._values.get(key)


def system_shelf(most: int = BYTES_KEPT) -> Shelf[Version]:
    """For uploaded and edited systems."""
    return Shelf(lambda it: it.system.fingerprint, lambda it: sizes.of_system(it.system), most)


def schedule_shelf(most: int = BYTES_KEPT) -> Shelf[Chosen]:
    """For schedules that were chosen, each with the system it was made for."""
    return Shelf(lambda it: it.fingerprint, _of_chosen, most)


def _of_chosen(chosen: Chosen) -> int:
    schedule = chosen.schedule
    return sizes.of_system(schedule.system) + sizes.of_schedules([schedule])
