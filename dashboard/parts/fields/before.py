"""The front before the last change of the idle power, so that people see the change."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.front.study import Study
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import Sense, share
from dashboard.workspace.workspace import Version

_SEEN_WELL: Final = 1 / 3
"""A front that takes up less than this share of a chart, across or up, gets its own scale."""
_SLACK: Final = 0.3
"""How far an axis goes beyond a point that is out of sight, as a share of what is seen."""


@dataclass(frozen=True, eq=False, slots=True)
class Before:
    """The study that was shown, the version of its system, and the idle power."""

    study: Study
    version: Version
    idle_fraction: float | None

    @property
    def title(self) -> str:
        if self.idle_fraction is None:
            return "Before: idle power as given"
        return f"Before: idle power {share(self.idle_fraction, Sense.TYPED)}"

    @property
    def seen(self) -> FloatArray:
        """The points that a chart of it shows, as rows of (joules, seconds)."""
        return np.concatenate([self.study.front.points, self.study.achieved])


@dataclass(frozen=True, eq=False, slots=True)
class Corners:
    """The part of the plane that a chart shows: from `low` to `high`, both (joules, seconds)."""

    low: FloatArray
    high: FloatArray

    @classmethod
    def around(cls, points: FloatArray) -> "Corners":
        return cls(points.min(axis=0), points.max(axis=0))

    def with_room_for(self, other: "Corners") -> "Corners":
        """The same if `other` is inside; else larger, with some room beyond, so that axes seldom
        move.
        """
        slack = _SLACK * (other.high - other.low)
        low = np.where(other.low < self.low, other.low - slack, self.low)
        return Corners(
            np.maximum(low, 0.0), np.where(other.high > self.high, other.high + slack, self.high)
        )

    def with_before(self, before: "Corners") -> "Corners":
        """Large enough for both, unless this part would then be too small to read."""
        low, high = np.minimum(self.low, before.low), np.maximum(self.high, before.high)
        whole = high - low
        own = np.divide(self.high - self.low, whole, out=np.ones(2), where=whole > 0)
        return Corners(low, high) if (own >= _SEEN_WELL).all() else self
