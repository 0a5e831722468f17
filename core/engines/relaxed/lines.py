"""Straight lines in the energy-makespan plane that no schedule gets below."""

from dataclasses import dataclass

import numpy as np

from core.engines.relaxed.certificate import proven_bounds, scaled_prices
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.system import System


@dataclass(frozen=True, eq=False)
class Lines:
    """For every schedule, divisible or not, `weights[k, 0]` x joules + `weights[k, 1]` x seconds is
    at least `value[k]`. The proof is `machine_prices[k, j]`: the price of a second of one machine
    of type j, in the same unit. The prices of all machines add up to the value of a second of
    makespan.
    """

    weights: FloatArray
    value: FloatArray
    machine_prices: FloatArray

    @classmethod
    def proven(cls, system: System, weights: FloatArray, machine_prices: FloatArray) -> "Lines":
        """The highest lines of these weights that machine prices in these proportions prove."""
        prices = scaled_prices(system, weights, machine_prices)
        return cls(weights, proven_bounds(system, weights, prices), prices)

    def __len__(self) -> int:
        return len(self.value)

    def chosen(self, which: IntArray | slice) -> "Lines":
        """Only these lines."""
        return Lines(self.weights[which], self.value[which], self.machine_prices[which])

    def followed_by(self, other: "Lines") -> "Lines":
        """The lines of this value, then the others."""
        return Lines(
            np.concatenate([self.weights, other.weights]),
            np.concatenate([self.value, other.value]),
            np.concatenate([self.machine_prices, other.machine_prices]),
        )

    def excess(self, points: FloatArray) -> FloatArray:
        """How far point k (joules, seconds) is above line k, as a share of its weighted sum."""
        terms = self.weights * points
        size = np.abs(terms).sum(axis=1)
        above = terms.sum(axis=1) - self.value
        share: FloatArray = np.divide(above, size, out=np.zeros(len(size)), where=size > 0)
        return share
