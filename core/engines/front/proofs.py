"""Proofs about a system that took a search, in addition to the bounds that are always computed."""

from dataclasses import dataclass, replace
from typing import Final, Self

from core.engines.front.patterns import Patterns
from core.engines.front.proven import Proven
from core.engines.recover.settling import Settled
from core.engines.relaxed import Front
from core.engines.relaxed.fitting import Fitted


@dataclass(frozen=True, eq=False)
class Proofs:
    """`fitted` is a bound on the makespan of single tasks, `patterns` a bound of patterns of whole
    tasks; `settled` are the best of all possible schedules, if these are few enough to consider
    all. Each is None if it was not looked for, or not found.
    """

    fitted: Fitted | None = None
    patterns: Patterns | None = None
    settled: Settled | None = None

    def of(self, front: Front) -> Proven:
        """All that is proven of the system of a front."""
        patterns = None if self.patterns is None else self.patterns.steps
        soonest = 0.0 if self.fitted is None else self.fitted.soonest
        return Proven.of(front, patterns, self.settled, soonest)

    def joined(self, other: "Proofs") -> Self:
        """For each kind, the proof that proves more; itself if the other has nothing better."""
        fitted = _sooner_excluded(self.fitted, other.fitted)
        patterns = self.patterns
        if other.patterns is not None and (patterns is None or other.patterns.beyond(patterns)):
            patterns = other.patterns
        settled = self.settled or other.settled
        if (fitted, patterns, settled) == (self.fitted, self.patterns, self.settled):
            return self
        return replace(self, fitted=fitted, patterns=patterns, settled=settled)


NO_PROOFS: Final = Proofs()


def _sooner_excluded(one: Fitted | None, other: Fitted | None) -> Fitted | None:
    if one is None or other is None:
        return one or other
    return other if other.soonest > one.soonest else one
