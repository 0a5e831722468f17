"""The dates of bags in their order: releases, and deadlines that move with the stretch.

A bag of ideal duration D released at r has the deadline r + S D at the stretch S. The order of all
dates changes only at finitely many stretches, the milestones. Between two of them, the time from
one date to the next is a linear function of the stretch.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.tolerances import SAME, SUM_ROUNDING

LEAST_STRETCH = 1.0
"""The stretch of a bag that has all machines for itself."""


def milestones(release: FloatArray, ideal: FloatArray, start: float = 0.0) -> FloatArray:
    """The stretches at which the order of dates changes, rising. The first is 1, or what a bag has
    that ends at the `start` of all work.

    There are at most n (n - 1) others for n bags. Ideal durations that differ only by rounding are
    the same: their deadlines never meet.
    """
    opens = np.maximum(release, start)
    later, until_open = (dates[None, :] - release[:, None] for dates in (release, opens))
    slower = ideal[:, None] - ideal[None, :]
    slower[np.abs(slower) <= SUM_ROUNDING * ideal] = 0.0
    crossing = np.divide(later, slower, out=np.zeros_like(later), where=slower != 0)
    found = np.concatenate([(until_open / ideal[:, None]).ravel(), crossing.ravel()])
    # No bag that has anything left ends before the start, whatever the rounding.
    first = float(((start - release) / ideal).max()) * (1 - SUM_ROUNDING)
    kept = [max(LEAST_STRETCH, first)]
    found = np.sort(found[found > kept[0] * (1 + SAME)])
    for stretch in found.tolist():
        if stretch > kept[-1] * (1 + SAME):
            kept.append(stretch)
    return np.array(kept)


@dataclass(frozen=True, eq=False)
class Epochs:
    """The dates in one order, which holds from the stretch `low` to `high`. Dates that are always
    the same are one, so there are as many in each order.

    Date number e is `base[e] + slope[e] x stretch`. Interval number j is from date j to date j + 1.
    The bag k can be sent and computed in the intervals from `first[k]` to `last[k]`.
    """

    low: float
    high: float
    base: FloatArray
    slope: FloatArray
    first: IntArray
    last: IntArray

    @cached_property
    def length_base(self) -> FloatArray:
        return np.diff(self.base)

    @cached_property
    def length_slope(self) -> FloatArray:
        return np.diff(self.slope)

    def dates(self, stretch: float) -> FloatArray:
        """The dates in seconds, in their order."""
        return np.maximum.accumulate(self.base + self.slope * stretch)

    @cached_property
    def windows(self) -> BoolArray:
        """Bags x intervals: where a bag has been released and is not yet due."""
        interval = np.arange(self.intervals)
        return (interval >= self.first[:, None]) & (interval <= self.last[:, None])

    def idle_rates(self, watts: float) -> FloatArray:
        """What a second of each interval costs if all machines are on in it: so many watts from the
        last release on; nothing before, because nobody can be done before.
        """
        intervals = np.arange(self.intervals)
        return np.where(intervals >= self.first.max(), watts, 0.0)

    @property
    def intervals(self) -> int:
        """One for each two dates that follow each other."""
        return len(self.base) - 1


def count_intervals(release: FloatArray, ideal: FloatArray, start: float = 0.0) -> int:
    """The number of intervals in every order of dates: at most 2 n - 1 for n bags."""
    return epochs_between(release, ideal, LEAST_STRETCH, LEAST_STRETCH, start).intervals


def epochs_between(
    release: FloatArray, ideal: FloatArray, low: float, high: float, start: float = 0.0
) -> Epochs:
    """The dates between two milestones that follow each other; `high` may be infinite. Nothing is
    done before the `start` (s).
    """
    bags = len(release)
    opens = np.maximum(release, start)
    every = np.column_stack([np.append(opens, release), np.append(np.zeros(bags), ideal)])
    dates, which = np.unique(every, axis=0, return_inverse=True)
    middle = (low + high) / 2 if np.isfinite(high) else 2 * low
    order = np.argsort(dates @ [1.0, middle], kind="stable")
    place = np.empty(len(dates), np.int64)
    place[order] = np.arange(len(dates))
    at = place[which.reshape(2, bags)]
    base, slope = dates[order].T
    return Epochs(low, high, base, slope, at[0], at[1] - 1)
