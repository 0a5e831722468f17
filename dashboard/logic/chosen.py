"""The schedule that a person picked, kept until another is."""

from dataclasses import dataclass
from typing import Self

from core.schedule import Schedule


@dataclass(frozen=True, eq=False, slots=True)
class Chosen:
    """A schedule, how it came about in words, and the system that it was made for."""

    schedule: Schedule
    title: str
    fingerprint_of_system: str

    @classmethod
    def of(cls, schedule: Schedule, title: str) -> Self:
        return cls(schedule, title, schedule.system.fingerprint)
