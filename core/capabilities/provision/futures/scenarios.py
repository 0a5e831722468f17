"""Futures of a plan: what arrives, and how long it takes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.capabilities.provision.plan import Plan
from core.vocabulary.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Scenarios:
    """Equally likely futures, a line each: `arrivals` (scenarios x task types, tasks a second),
    `times` and `powers` (scenarios, or 1 if all are alike, x task types x machine types; seconds,
    infinity where a pair cannot run, and watts above idle power).

    If they are `sets` above 1, they are so many sets of equal size, one after the other. Scenarios
    of a set are spread evenly, and only sets are independent of each other.
    """

    arrivals: FloatArray
    times: FloatArray
    powers: FloatArray | None = None
    sets: int = 1

    def __len__(self) -> int:
        return len(self.arrivals)

    def part(self, first: int, last: int, step: int = 1) -> "Scenarios":
        """Some of them."""
        one = slice(first, last, step)
        powers = self.powers if self.powers is None or len(self.powers) == 1 else self.powers[one]
        times = self.times if len(self.times) == 1 else self.times[one]
        return Scenarios(self.arrivals[one], times, powers)

    @classmethod
    def of_sets(cls, sets: "Sequence[Scenarios]") -> "Scenarios":
        """Several sets as one; what is alike in all scenarios of one is alike in all sets."""

        def joined(parts: list[FloatArray]) -> FloatArray:
            alike = len(sets[0]) > 1 and len(parts[0]) == 1
            return parts[0] if alike else np.concatenate(parts)

        powers = [one.powers for one in sets if one.powers is not None]
        return cls(
            np.concatenate([one.arrivals for one in sets]),
            joined([one.times for one in sets]),
            joined(powers) if powers else None,
            len(sets),
        )


def mean_future(plan: Plan) -> Scenarios:
    """One scenario: everything is as on average."""
    powers = None if plan.powers is None else plan.powers[None]
    return Scenarios(plan.arrival_rates[None], plan.times[None], powers)
