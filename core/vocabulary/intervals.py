"""How sure a mean is that comes from a sample."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import stdtrit

from core.vocabulary.arrays import FloatArray

CONFIDENCE: Final = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate of a mean, and half of the width of its interval with 95 % confidence."""

    mean: float
    half_width: float

    @classmethod
    def of(cls, samples: FloatArray) -> "Interval":
        """The interval of the mean of independent samples; its width is infinite for fewer than
        two.
        """
        mean, count = float(samples.mean()), len(samples)
        if count < 2:
            return cls(mean, math.inf)
        error = float(samples.std(ddof=1)) / math.sqrt(count)
        return cls(mean, float(stdtrit(count - 1, (1 + CONFIDENCE) / 2)) * error)

    @classmethod
    def of_sets(cls, values: FloatArray, sets: int) -> "Interval":
        """The interval of the mean of values in so many independent sets of nearly equal size."""
        return cls.of(means_of_sets(values, sets))

    def over(self, size: float) -> "Interval":
        """The interval in a unit of this size."""
        return Interval(self.mean / size, self.half_width / size)

    def sides(self, least: float = -math.inf, most: float = math.inf) -> tuple[float, float]:
        """How far the interval reaches below and above its mean, but not past these limits; 0 for
        fewer than two samples.
        """
        width = self.half_width if self.known else 0.0
        return max(min(width, self.mean - least), 0.0), max(min(width, most - self.mean), 0.0)

    @property
    def known(self) -> bool:
        """Whether samples say how sure the mean is: two of them, at least."""
        return math.isfinite(self.half_width)

    @property
    def ends(self) -> list[float] | None:
        """Both, for JSON; None if they are not known."""
        return [self.low, self.high] if self.known else None

    @property
    def low(self) -> float:
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        return self.mean + self.half_width


def means_of_sets(values: FloatArray, sets: int) -> FloatArray:
    """Independent estimates of the mean of values, lines of which come in so many independent sets
    of nearly equal size: the mean of each set, or the values themselves if they are no sets.
    """
    if sets < 2:
        return values
    return np.array([part.mean(axis=0) for part in np.array_split(values, sets)])
