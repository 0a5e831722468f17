"""Objectives, and the lower bounds on them that weak duality proves, from any dual prices.

Give each machine type j a price `lambda_j >= 0` for each machine-second, such that all machines
together cost at most the value of one second of makespan: `sum_j M_j lambda_j <= p`. No machine
works longer than the makespan, so for every schedule, divisible or not,

    objective = sum_ij mu_ij c_ij + p MS
             >= sum_ij mu_ij (c_ij + lambda_j ETC_ij)
             >= sum_i T_i min_j (c_ij + lambda_j ETC_ij).

The last line needs no solver. It is evaluated with all rounding errors counted against it, so the
float returned is itself a lower bound. Below the least normal float (2.2e-308) errors are no share
of a number any more: for these, some of the least floats (5e-324) count for each task.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.compute.compiled import Kernel, brief
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.system import NoPowerData, System
from core.vocabulary.tolerances import NOT_DIVISIBLE, ULP


@dataclass(frozen=True, slots=True)
class Objective:
    """`energy` x joules + `makespan` x seconds, weights not negative and not both 0."""

    energy: float
    makespan: float

    def __post_init__(self) -> None:
        weights = (self.energy, self.makespan)
        if not all(0 <= weight < np.inf for weight in weights) or not any(weights):
            raise ValueError(f"weights must be finite, 0 or more, and not both 0: {weights}")

    def task_costs(self, system: System) -> FloatArray:
        """What one task adds on each machine type at a fixed makespan; infinity where it cannot
        run.
        """
        if self.energy:
            return np.where(system.can_run, self.energy * system.dynamic_energy, np.inf)
        return np.where(system.can_run, 0.0, np.inf)

    def work_costs(self, system: System) -> FloatArray:
        """The cost of one task, the machine's idle power included; infinity where it cannot run."""
        costs = np.where(system.can_run, 0.0, np.inf)
        if self.energy:
            if system.apc is None:
                raise NoPowerData
            np.multiply(system.etc, system.apc, out=costs, where=system.can_run)
            costs *= self.energy
        return costs

    def waiting_prices(self, system: System) -> FloatArray:
        """The cost of a second in which a machine of each type waits for the makespan."""
        return self.energy * system.idle_power

    def price_of_time(self, system: System) -> float:
        """The cost of one more second of makespan: its own weight and all machines' idle power."""
        return self.makespan + self.energy * system.total_idle_power


MAKESPAN: Final = Objective(energy=0.0, makespan=1.0)
ENERGY: Final = Objective(energy=1.0, makespan=0.0)
_LEAST_FLOATS: Final = 8 * 5e-324
"""What rounding below the least normal float may add to the cost of a task."""


def proven_bound(system: System, objective: Objective, machine_prices: FloatArray) -> float:
    """The lower bound on `objective` that these prices prove, in the objective's unit.

    Any prices prove a bound, and good prices prove a good one. Negative or unknown prices count as
    0; if none is above 0, all are taken as equal. They are scaled to the value of one second of
    makespan.
    """
    weights = np.array([[objective.energy, objective.makespan]])
    return float(proven_bounds(system, weights, machine_prices[None])[0])


def proven_bounds(system: System, weights: FloatArray, machine_prices: FloatArray) -> FloatArray:
    """The lower bound on `weights[k, 0]` x energy + `weights[k, 1]` x makespan, for each row k.

    The prices of row k prove it, as in `proven_bound`. The weight of the makespan may be negative,
    as long as one more second of makespan costs at least 0, the idle power of all machines
    included.
    """
    there = system.task_counts > 0
    runs = system.can_run[there]
    dynamic = system.dynamic_energy[there] if weights[:, 0].any() else 0.0
    prices = scaled_prices(system, weights, machine_prices)
    etc, dynamic = system.etc[there], np.where(runs, dynamic, np.inf)
    with brief(len(weights) * etc.size):
        lowest = _lowest(etc, dynamic, weights[:, 0].copy(), prices)
    counts = system.task_counts[there]
    terms = lowest * counts
    terms -= 4 * ULP * np.abs(terms) + np.where(terms == 0, 0.0, _LEAST_FLOATS * counts)
    totals = np.array([math.fsum(row) for row in terms])
    bounds: FloatArray = totals - 2 * ULP * np.abs(totals)
    return bounds


def scaled_prices(system: System, weights: FloatArray, machine_prices: FloatArray) -> FloatArray:
    """The prices, scaled row by row so that all machines together cost the value of a second, or
    slightly less; nothing where it is nothing.
    """
    worth = weights[:, 1] + weights[:, 0] * system.total_idle_power
    # Of numbers near the least float, the last digits do not say that the sum is less.
    worth = np.where(worth < NOT_DIVISIBLE, 0.0, worth)
    machines = system.machine_counts
    known = np.isfinite(machine_prices) & (machine_prices > 0) & (machines > 0)
    prices = np.where(known, machine_prices, 0.0)
    prices[~known.any(axis=1)] = 1.0
    # First divided by the largest, so that neither the sum nor the quotient leaves the range of
    # floats.
    prices = prices / prices.max(axis=1, keepdims=True)
    totals = np.array([math.fsum(row) for row in machines * prices])
    scaled: FloatArray = prices * (worth / totals)[:, None] * (1 - 8 * ULP)
    return scaled


@Kernel
def _lowest(etc, dynamic, energy_weight, prices):
    """The least cost of a task of each type, for each row of prices, less rounding errors."""
    rows, (tasks, machines) = len(prices), etc.shape
    lowest = np.empty((rows, tasks))
    for k in range(rows):
        weight = energy_weight[k]
        for i in range(tasks):
            least = np.inf
            for j in range(machines):
                if dynamic[i, j] == np.inf:
                    continue
                own = weight * dynamic[i, j]
                time = etc[i, j] * prices[k, j]
                least = min(least, own + time - 8 * ULP * (abs(own) + time))
            lowest[k, i] = least
    return lowest


def met_bound(system: System) -> float:
    """A lower bound on the makespan in seconds, by equal prices: every task on its fastest machine
    type.
    """
    return proven_bound(system, MAKESPAN, np.ones(len(system.machine_types)))


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
        """How far point k (joules, seconds) is above line k, as a share of its weighted sum.
        It is infinite where a line proves nothing of a sum next to 0.
        """
        terms = self.weights * points
        size = np.abs(terms).sum(axis=1)
        above = terms.sum(axis=1) - self.value
        with np.errstate(over="ignore"):
            share: FloatArray = np.divide(above, size, out=np.zeros(len(size)), where=size > 0)
        return share
