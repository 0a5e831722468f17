"""The part of the plane that a chart shows: energy to the right, time upwards."""

from dataclasses import dataclass

import numpy as np

from core.model.arrays import FloatArray
from core.say.units import Unit
from dashboard.workspace.axis import Axis


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
