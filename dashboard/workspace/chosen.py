"""The chosen schedule: the one that a person picked last."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Generic, Self, TypeVar

from core.engines.front.wish import Wish
from core.vocabulary.schedule import Schedule
from dashboard.server import sizes
from dashboard.server.recent import Recent
from dashboard.workspace.workspace import Version


@dataclass(frozen=True, eq=False)
class Chosen:
    """A schedule, a title that says why it was chosen, the fingerprint of its system, and the wish
    that it answers, if any.
    """

    schedule: Schedule
    title: str
    fingerprint_of_system: str
    wish: Wish | None = None

    @classmethod
    def of(cls, schedule: Schedule, title: str, wish: Wish | None = None) -> Self:
        return cls(schedule, title, schedule.system.fingerprint, wish)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the content: equal choices, and only they, have equal fingerprints."""
        schedule = self.schedule
        origin = (self.fingerprint_of_system, self.title, self.wish)
        digest = hashlib.sha256(repr(origin).encode())
        digest.update(schedule.content)
        return digest.hexdigest()


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
