"""What has no address of its own, kept while the server runs so that a reload finds it."""

from collections.abc import Callable
from hashlib import sha256
from typing import Final, Generic, TypeVar

from dashboard.logic.chosen import Chosen
from dashboard.logic.compare_scenario import Scenario
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


def what_if_shelf(most_cells: int = CELLS_KEPT) -> Shelf[tuple[Scenario, ...]]:
    """For what-ifs that are compared, each with the system it is made from."""
    return Shelf(_digest, _cells, most_cells)


def _digest(scenarios: tuple[Scenario, ...]) -> str:
    """Equal what-ifs in the same order, and only they, have equal digests."""
    told = [
        (one.number, one.origin, one.base.fingerprint, one.machines, one.tasks, _settings(one))
        for one in scenarios
    ]
    return sha256(repr(told).encode()).hexdigest()


def _settings(one: Scenario) -> tuple[object, ...]:
    return one.idle_fraction, one.tariff, one.name


def _cells(scenarios: tuple[Scenario, ...]) -> int:
    bases = {one.base.fingerprint: one.base.etc.size for one in scenarios}
    return sum(bases.values()) + sum(len(one.machines) + len(one.tasks) for one in scenarios)
