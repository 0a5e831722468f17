"""The chosen schedule: the one that a person picked last."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from core.engines.front.wish import Wish
from core.vocabulary.schedule import Schedule


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
        for part in (schedule.machine_type, schedule.machines, schedule.tasks):
            digest.update(part.tobytes())
        return digest.hexdigest()
