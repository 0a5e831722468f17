"""The part of the plane that a chart shows: energy to the right, time upwards."""

from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.units import Unit
from dashboard.workspace.axis import Axis

LEAST_SPAN: Final = 0.02
"""An axis spans at least this share of its largest value: rounding, or a difference that nobody
notices, must not fill a chart."""
Ends = TypeVar("Ends", float, FloatArray)


def spanning(low: Ends, high: Ends, scale: float = 0.0) -> tuple[Ends, Ends]:
    """The ends of axes, moved apart equally where they are nearer than `LEAST_SPAN` of the largest
    value, or of a `scale`.
    """
    largest = np.maximum(np.maximum(np.abs(low), np.abs(high)), scale)
    more: Any = np.maximum(LEAST_SPAN * largest - (high - low), 0.0) / 2
    return low - more, high + more


@dataclass(frozen=True, eq=False)
class Frame:
    """Converts joules and seconds to the units of a chart. `low` and `high` are its corners, in
    (joules, seconds).
    """

    axis: Axis
    time: Unit
    low: FloatArray
    high: FloatArray

    def xy(self, points: FloatArray) -> dict[str, FloatArray]:
        return {"x": self.axis.of(points[:, 0]), "y": points[:, 1] / self.time.size}

    @property
    def ranges(self) -> tuple[list[float], list[float]]:
        """The ranges of both axes, in their units."""
        seen = self.xy(np.array([self.low, self.high]))
        return seen["x"].tolist(), seen["y"].tolist()


def makespan_title(unit: Unit) -> str:
    """The title of an axis of makespans, which explains the word where people first meet it."""
    return f"Makespan ({unit.symbol}): when the last task ends"
