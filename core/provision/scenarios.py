"""Futures of a plan: what arrives, and how long it takes."""

from dataclasses import dataclass
from functools import cached_property

from core.model.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Scenarios:
    """Equally likely futures, a line each: `arrivals` (scenarios x task types, tasks a second),
    `times` and `powers` (scenarios, or 1 if all are alike, x task types x machine types; seconds,
    infinity where a pair cannot run, and watts above idle power).
    """

    arrivals: FloatArray
    times: FloatArray
    powers: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.arrivals)

    def part(self, first: int, last: int) -> "Scenarios":
        """Some of them."""
        one = slice(first, last)
        powers = self.powers if self.powers is None or len(self.powers) == 1 else self.powers[one]
        times = self.times if len(self.times) == 1 else self.times[one]
        return Scenarios(self.arrivals[one], times, powers)

    @cached_property
    def mean(self) -> "Scenarios":
        """One future of means."""
        powers = None if self.powers is None else self.powers.mean(axis=0, keepdims=True)
        return Scenarios(
            self.arrivals.mean(axis=0, keepdims=True),
            self.times.mean(axis=0, keepdims=True),
            powers,
        )
