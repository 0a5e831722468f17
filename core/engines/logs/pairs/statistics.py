"""Estimates of what a pair takes, from its runs."""

import math
from typing import Final, NamedTuple

import numpy as np

from core.engines.logs.types.settings import Statistic
from core.vocabulary.arrays import FloatArray, IntArray

CONFIDENCE: Final = 0.95
TRIMMED: Final = 0.2
"""The share of the smallest values, and of the largest, that a trimmed mean leaves out."""
_FEWEST_TRIMMED: Final = 4
"""The fewest values of which the trimmed mean is taken with an interval; the mean of fewer has no
interval.
"""
_EXACT_UP_TO: Final = 400
_NORMAL: Final = 1.959963984540054
"""The standard normal quantile of `CONFIDENCE`, both sides together."""


class Estimate(NamedTuple):
    """A typical value of some measurements, and how sure it is.

    `low` and `high` are a confidence interval of 95 %, NaN where there are too few measurements for
    one. Half of the measurements lie from `quarter` to `three_quarters`, and four fifths from
    `tenth` to `nine_tenths`.
    """

    runs: int
    value: float
    low: float
    high: float
    tenth: float
    quarter: float
    three_quarters: float
    nine_tenths: float


NOTHING: Final = Estimate(0, *[math.nan] * 7)


class WeightedMeans:
    """The mean of each group, of values that come block by block with their weights: first all for
    the means (`add`), and then all again for the intervals (`add_spread`).
    """

    def __init__(self, groups: int) -> None:
        self.counts: IntArray = np.zeros(groups, np.int64)
        self._weights, self._sums, self._squares = np.zeros((3, groups))

    def add(self, groups: IntArray, values: FloatArray, weights: FloatArray) -> None:
        self.counts += np.bincount(groups, minlength=len(self.counts))
        self._weights += self._sum(groups, weights)
        self._sums += self._sum(groups, weights * values)

    def add_spread(self, groups: IntArray, values: FloatArray, weights: FloatArray) -> None:
        self._squares += self._sum(groups, np.square(weights * (values - self.values[groups])))

    def _sum(self, groups: IntArray, values: FloatArray) -> FloatArray:
        return np.bincount(groups, values, len(self.counts)).astype(np.float64)

    @property
    def values(self) -> FloatArray:
        """The means; NaN of groups without values."""
        nothing = np.full(len(self._sums), np.nan)
        there = self._weights > 0
        means: FloatArray = np.divide(self._sums, self._weights, where=there, out=nothing)
        return means

    def of(self, group: int) -> tuple[float, float, float]:
        """A mean and its interval, by Student's distribution; of one value it has none."""
        from scipy.special import stdtrit

        count, value = int(self.counts[group]), float(self.values[group])
        if count < 2:
            return value, math.nan, math.nan
        deviation = math.sqrt(float(self._squares[group]) * count / (count - 1))
        error = deviation / float(self._weights[group])
        reach = float(stdtrit(count - 1, 1 - (1 - CONFIDENCE) / 2)) * error
        return value, max(value - reach, 0.0), value + reach


def estimate(
    values: FloatArray, statistic: Statistic, mean: tuple[float, float, float] = (math.nan,) * 3
) -> Estimate:
    """The estimate from values that are sorted, the smallest first; a mean is that of
    `WeightedMeans`.
    """
    if len(values) == 0:
        return NOTHING
    spread = [_quantile(values, share) for share in (0.1, 0.25, 0.75, 0.9)]
    if statistic != "mean":
        mean = median(values) if statistic == "median" else trimmed_mean(values)
    return Estimate(len(values), *mean, *spread)


def _quantile(values: FloatArray, share: float) -> float:
    """Between the two values that are nearest, in proportion."""
    place = share * (len(values) - 1)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    low, high = float(values[below]), float(values[above])
    return low + (high - low) * (place - below)


def median(values: FloatArray) -> tuple[float, float, float]:
    """The median of sorted values, and its interval between two of them: whatever the distribution,
    it contains the true median with at least 95 % probability.
    """
    count = len(values)
    value = (float(values[(count - 1) // 2]) + float(values[count // 2])) / 2
    below = values_left_out(count)
    if below < 0:
        return value, math.nan, math.nan
    return value, float(values[below]), float(values[count - 1 - below])


def values_left_out(count: int) -> int:
    """How many of the smallest of `count` values, and of the largest, lie outside the interval of
    the median; -1 where even the smallest and the largest are too close.
    """
    tail = (1 - CONFIDENCE) / 2
    if count > _EXACT_UP_TO:
        return math.floor((count - 1 - _NORMAL * math.sqrt(count)) / 2)
    sum_below, left_out = 0, -1
    for k in range(count // 2):
        sum_below += math.comb(count, k)
        if sum_below / 2**count > tail:
            break
        left_out = k
    return left_out


def trimmed_mean(values: FloatArray) -> tuple[float, float, float]:
    """The mean of sorted values without the smallest and the largest fifth, and its interval after
    Yuen: from the spread of the values that are left, with those left out moved to their ends.
    """
    from scipy.special import stdtrit

    count = len(values)
    cut = int(TRIMMED * count)
    kept = values[cut : count - cut]
    value = float(kept.mean())
    if count < _FEWEST_TRIMMED:
        return value, math.nan, math.nan
    # What is left out counts as the nearest value that is kept.
    ends = np.array([kept[0], kept[-1]])
    mean = (value * len(kept) + cut * float(ends.sum())) / count
    squares = float(np.square(kept - mean).sum() + cut * np.square(ends - mean).sum())
    deviation = math.sqrt(squares / (count - 1))
    error = deviation / ((1 - 2 * cut / count) * math.sqrt(count))
    reach = float(stdtrit(len(kept) - 1, 1 - (1 - CONFIDENCE) / 2)) * error
    return value, max(value - reach, 0.0), value + reach
