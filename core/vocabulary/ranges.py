"""Ranges of numbers: those of a system are here, others are in the module that reads the number."""

from dataclasses import dataclass
from typing import Final

from core.vocabulary.tolerances import SAME


@dataclass(frozen=True, slots=True)
class Range:
    """The values that a quantity may take, both ends included."""

    low: float
    high: float
    unit: str

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def nearest(self, value: float) -> float:
        """The value itself if it is within, else the nearer end."""
        return min(max(value, self.low), self.high)

    def __str__(self) -> str:
        return f"{self.low:g} to {self.high:g} {self.unit}".rstrip()


def stepped(low: float, high: float, step: float) -> tuple[float, ...]:
    """The numbers from `low` to at most `high` that are a step apart.

    Steps such as 0.05 are not binary fractions, so their multiples are rounded again.
    """
    steps = int((high - low) / step + SAME)
    return tuple(round(low + k * step, 12) for k in range(steps + 1))


TASK_COUNT: Final = Range(0, 10**12, "tasks")
MACHINE_COUNT: Final = Range(0, 10**6, "machines")
ETC: Final = Range(1e-9, 1e15, "s")
POWER: Final = Range(0.0, 1e12, "W")
MACHINE_PRICE: Final = Range(0.0, 1e12, "a machine")
FAILURES: Final = Range(0.0, 1e9, "failures a year")
SHARE: Final = Range(0.0, 1.0, "as a fraction")
IDLE_FRACTION: Final = Range(0.0, 1.0, "of the mean power")
SEED: Final = Range(0, 2**63 - 1, "")
