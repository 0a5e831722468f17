"""What is seen of the plane of energy and time: energy to the right, time upwards."""

from dataclasses import dataclass

import numpy as np

from core.model.arrays import FloatArray
from core.say.units import Unit
from dashboard.workspace.axis import Axis


@dataclass(frozen=True, eq=False)
class Frame:
    """From joules and seconds to where they are drawn; `low` and `high` are the corners seen."""

    axis: Axis
    time: Unit
    low: FloatArray
    high: FloatArray

    def xy(self, points: FloatArray) -> dict[str, FloatArray]:
        return {"x": self.axis.of(points[:, 0]), "y": points[:, 1] / self.time.size}

    @property
    def ranges(self) -> tuple[list[float], list[float]]:
        """Of both axes."""
        seen = self.xy(np.array([self.low, self.high]))
        return seen["x"].tolist(), seen["y"].tolist()


def makespan_title(unit: Unit) -> str:
    """Of an axis of makespans: what the word means stands where it is first read."""
    return f"Makespan ({unit.symbol}): when the last task ends"
