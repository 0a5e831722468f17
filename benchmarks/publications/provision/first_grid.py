"""The first example without sampling: means over a grid of rates, whose second stage is closed.

With M1 and M3 only, each machine does the task type that it is made for, and the other one with
what time is left, a hundredth as fast.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from scipy.optimize import minimize_scalar

from benchmarks.publications.provision.examples import E1_SPREADS
from core.vocabulary.arrays import FloatArray
from core.vocabulary.tolerances import SAME

_CROSS: Final = 100.0
_THIRD: Final = 1.1
"""Seconds of the task types that each machine is not, and M3 is, made for."""


@dataclass(frozen=True, eq=False)
class FirstGrid:
    """Rates at the midpoints of so many equal parts of both ranges."""

    parts: int = 3000

    @cached_property
    def rates(self) -> tuple[FloatArray, FloatArray]:
        middles = (np.arange(self.parts) + 0.5) / self.parts
        first, second = (1 + spread * (2 * middles - 1) for spread in E1_SPREADS)
        return first, second

    def reward(self, first: float, third: float) -> float:
        """The mean reward a second of so many M1 and M3."""
        ours, theirs = self.rates
        by_first, by_third = np.minimum(ours, first), np.minimum(theirs, third / _THIRD)
        spare_first, spare_third = (first - by_first) / _CROSS, (third - _THIRD * by_third) / _CROSS
        return float(
            by_first.mean()
            + by_third.mean()
            + _mean_of_lesser(spare_first, theirs - by_third)
            + _mean_of_lesser(spare_third, ours - by_first)
        )

    def best(self, budget: float) -> tuple[float, float]:
        """The best number of M1, and its mean reward, if the rest of the budget buys M3."""
        found = minimize_scalar(
            lambda first: -self.reward(first, budget - first),
            bounds=(0, budget),
            method="bounded",
            options={"xatol": SAME},
        )
        return float(found.x), -float(found.fun)

    def wait_and_see(self, budget: float) -> float:
        """The mean reward, if machines are bought when rates are known: M1 earn more each."""
        first, second = self.rates
        bought = np.minimum(first, budget)
        return float(bought.mean()) + _mean_of_lesser((budget - bought) / _THIRD, second)

    def for_the_mean(self, budget: float) -> float:
        """The mean reward of the published purchase for the mean future: one M1, the rest M3."""
        return self.reward(min(budget, 1.0), max(budget - 1.0, 0.0))


def _mean_of_lesser(one: FloatArray, other: FloatArray) -> float:
    """The mean of the lesser of both, over all pairs."""
    other = np.sort(other)
    below = np.searchsorted(other, one)
    sums = np.append(0.0, np.cumsum(other))[below] + one * (len(other) - below)
    return float(sums.mean()) / len(other)
