"""What was there before the last change of the idle power, so that the change can be seen."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.front.study import Study
from core.model.arrays import FloatArray
from core.say.words import Sense, share
from dashboard.workspace.workspace import Version

_SEEN_WELL: Final = 1 / 3
"""What takes up less than this share of a chart, either way, is drawn at a scale of its own."""
_SLACK: Final = 0.3


@dataclass(frozen=True, eq=False, slots=True)
class Before:
    """The study that was shown, of which version of a system, and at which idle power."""

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
        """(joules, seconds) that a chart of it shows."""
        return np.concatenate([self.study.front.points, self.study.achieved])


@dataclass(frozen=True, eq=False, slots=True)
class Corners:
    """What a chart shows: from `low` to `high`, both (joules, seconds)."""

    low: FloatArray
    high: FloatArray

    @classmethod
    def around(cls, points: FloatArray) -> "Corners":
        return cls(points.min(axis=0), points.max(axis=0))

    def with_room_for(self, other: "Corners") -> "Corners":
        """The same as long as the other is within; else with room to go on that way, so that axes
        seldom move.
        """
        slack = _SLACK * (other.high - other.low)
        low = np.where(other.low < self.low, other.low - slack, self.low)
        return Corners(
            np.maximum(low, 0.0), np.where(other.high > self.high, other.high + slack, self.high)
        )

    def with_before(self, before: "Corners") -> "Corners":
        """Both, unless this one would then be too small to be read."""
        low, high = np.minimum(self.low, before.low), np.maximum(self.high, before.high)
        whole = high - low
        own = np.divide(self.high - self.low, whole, out=np.ones(2), where=whole > 0)
        return Corners(low, high) if (own >= _SEEN_WELL).all() else self
