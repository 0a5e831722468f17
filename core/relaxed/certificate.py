"""Lower bounds that weak duality proves, from any prices.

Give each machine type j a price `lambda_j >= 0` a machine-second, such that all machines together
cost no more than one second of makespan is worth: `sum_j M_j lambda_j <= p`. Work on a machine
type takes at most the makespan of each of its machines, so for every schedule, divisible or not,

    objective = sum_ij mu_ij c_ij + p MS
             >= sum_ij mu_ij (c_ij + lambda_j ETC_ij)
             >= sum_i T_i min_j (c_ij + lambda_j ETC_ij).

The last line needs no solver and no trust in one. It is evaluated with every rounding error
pushed downwards, so the float returned is itself a lower bound.
"""

# Numba infers the types of the kernel that it compiles:
# mypy: allow-untyped-defs

import math

import numpy as np

from core.engine.compiled import Kernel, brief
from core.model.arrays import FloatArray
from core.model.system import System
from core.model.tolerances import ULP
from core.relaxed.objective import MAKESPAN, Objective


def proven_bound(system: System, objective: Objective, machine_prices: FloatArray) -> float:
    """The lower bound on `objective` that these prices prove, in the objective's unit.

    Any prices will do: negative or unknown ones count as 0, equal ones stand in where none is above
    0, and they are scaled to what one second of makespan is worth. Only good prices prove a good
    bound.
    """
    weights = np.array([[objective.energy, objective.makespan]])
    return float(proven_bounds(system, weights, machine_prices[None])[0])


def proven_bounds(system: System, weights: FloatArray, machine_prices: FloatArray) -> FloatArray:
    """The lower bound on `weights[k, 0]` x energy + `weights[k, 1]` x makespan, for each row k.

    The prices of row k prove it, as in `proven_bound`. The weight of the makespan may be negative
    as long as a second of it, all machines idling meanwhile, costs no less than nothing.
    """
    there = system.task_counts > 0
    runs = system.can_run[there]
    dynamic = system.dynamic_energy[there] if weights[:, 0].any() else 0.0
    prices = scaled_prices(system, weights, machine_prices)
    etc, dynamic = system.etc[there], np.where(runs, dynamic, np.inf)
    with brief(len(weights) * etc.size):
        lowest = _lowest(etc, dynamic, weights[:, 0].copy(), prices)
    terms = lowest * system.task_counts[there]
    terms -= 4 * ULP * np.abs(terms)
    totals = np.array([math.fsum(row) for row in terms])
    bounds: FloatArray = totals - 2 * ULP * np.abs(totals)
    return bounds


def scaled_prices(system: System, weights: FloatArray, machine_prices: FloatArray) -> FloatArray:
    """These prices, made such that all machines together cost what a second is worth, or a trifle
    less; row by row.
    """
    worth = weights[:, 1].copy()
    if weights[:, 0].any():
        worth += weights[:, 0] * system.total_idle_power
    machines = system.machine_counts
    known = np.isfinite(machine_prices) & (machine_prices > 0) & (machines > 0)
    prices = np.where(known, machine_prices, 0.0)
    prices[~known.any(axis=1)] = 1.0
    # By the largest first, so that neither the sum nor the quotient leaves the range of floats.
    prices = prices / prices.max(axis=1, keepdims=True)
    totals = np.array([math.fsum(row) for row in machines * prices])
    scaled: FloatArray = prices * (np.maximum(worth, 0.0) / totals)[:, None] * (1 - 8 * ULP)
    return scaled


@Kernel
def _lowest(etc, dynamic, energy_weight, prices):
    """What a task of each type costs at least, for each row of prices, less rounding errors."""
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
    """Seconds: the bound of equal prices, as if every task ran on its fastest machine type."""
    return proven_bound(system, MAKESPAN, np.ones(len(system.machine_types)))
