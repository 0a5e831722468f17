"""What is made small, and what must be kept."""

import math
from dataclasses import astuple, dataclass
from typing import Final, Literal

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.tolerances import SOLVED_NOTHING

DayAim = Literal["cost", "carbon", "energy", "excess", "lateness"]
AIMS: Final[tuple[DayAim, ...]] = ("cost", "carbon", "energy", "excess", "lateness")
LATENESS: Final = AIMS.index("lateness")
EXCESS: Final = AIMS.index("excess")
CAPPED: Final = (*AIMS, "peak")
"""What can be capped."""


@dataclass(frozen=True, slots=True)
class DayWeights:
    """What a unit of each aim weighs: of money, of a gram, of a kWh, of a kWh above the target, and
    of a step of lateness.
    """

    cost: float = 0.0
    carbon: float = 0.0
    energy: float = 0.0
    excess: float = 0.0
    lateness: float = 0.0

    def of(self, aims: FloatArray) -> float:
        """The weighted sum of what is counted of each aim."""
        return float(np.array(astuple(self)) @ aims)

    @classmethod
    def only(cls, aim: DayAim) -> "DayWeights":
        """One aim, and nothing else."""
        return cls(**{aim: 1.0})


@dataclass(frozen=True, slots=True)
class DayCaps:
    """The most that a plan may cost, emit, exceed (kWh) and be late (steps), and its highest grid
    power (kW).
    """

    cost: float = math.inf
    carbon: float = math.inf
    energy: float = math.inf
    excess: float = math.inf
    lateness: float = math.inf
    peak: float = math.inf

    def loosened(self) -> "DayCaps":
        """Caps that are a little higher, by more than a solver is off."""
        more = (each + 10 * SOLVED_NOTHING * max(abs(each), 1.0) for each in astuple(self))
        return DayCaps(*more)


NO_CAPS: Final = DayCaps()
