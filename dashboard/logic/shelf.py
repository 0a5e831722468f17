"""What has no address of its own, kept while the server runs so that a reload finds it."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from dashboard.logic.chosen import Chosen
from dashboard.logic.recent import Recent
from dashboard.logic.workspace import Version

V = TypeVar("V")

CELLS_KEPT: Final = 40_000_000
_KEY_LENGTH: Final = 24


class Shelf(Generic[V]):
    """The values looked at last, by a key that only those who have seen them know."""

    def __init__(self, digest: Callable[[V], str], cells: Callable[[V], int], most: int) -> None:
        self._digest = digest
        self._values = Recent[str, V](most, cells)

    def put(self, value: V) -> str:
        """Keeps a value, if need be in place of those not looked at for longest."""
        key = self._digest(value)[:_KEY_LENGTH]
        self._values.put(key, value)
        return key

    def get(self, key: str) -> V | None:
        return self._values.get(key)


def system_shelf(most_cells: int = CELLS_KEPT) -> Shelf[Version]:
    """For uploaded and edited systems."""
    return Shelf(lambda it: it.system.fingerprint, lambda it: it.system.etc.size, most_cells)


def schedule_shelf(most_cells: int = CELLS_KEPT) -> Shelf[Chosen]:
    """For schedules that were chosen, each with the system it was made for."""
    return Shelf(lambda it: it.fingerprint, lambda it: it.cells, most_cells)
