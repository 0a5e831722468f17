"""What has no address of its own, kept while the server runs so that a reload finds it."""

from collections.abc import Callable
from hashlib import sha256
from typing import Final, Generic, TypeVar

from dashboard.compare.scenario import Scenario
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


def what_if_shelf(most: int = BYTES_KEPT) -> Shelf[tuple[Scenario, ...]]:
    """For what-ifs that are compared, each with the system it is made from."""
    return Shelf(_digest, _of_what_ifs, most)


def _digest(scenarios: tuple[Scenario, ...]) -> str:
    """Equal what-ifs in the same order, and only they, have equal digests."""
    told = [
        (one.number, one.origin, one.base.fingerprint, one.machines, one.tasks, _settings(one))
        for one in scenarios
    ]
    return sha256(repr(told).encode()).hexdigest()


def _settings(one: Scenario) -> tuple[object, ...]:
    return one.idle_fraction, one.tariff, one.name


def _of_chosen(chosen: Chosen) -> int:
    schedule = chosen.schedule
    return sizes.of_system(schedule.system) + sizes.of_schedules([schedule])


def _of_what_ifs(scenarios: tuple[Scenario, ...]) -> int:
    bases = {one.base.fingerprint: sizes.of_system(one.base) for one in scenarios}
    return sum(bases.values()) + sum(sizes.of_types(one.machines, one.tasks) for one in scenarios)
