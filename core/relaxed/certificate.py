"""Lower bounds that weak duality proves, whoever proposed the prices.

Give each machine type j a price `lambda_j >= 0` a machine-second, such that all machines together
cost no more than one second of makespan is worth: `sum_j M_j lambda_j <= p`. Work on a machine
type takes at most the makespan of each of its machines, so for every schedule, divisible or not,

    objective = sum_ij mu_ij c_ij + p MS
             >= sum_ij mu_ij (c_ij + lambda_j ETC_ij)
             >= sum_i T_i min_j (c_ij + lambda_j ETC_ij).

The last line needs no solver and no trust in one. It is evaluated with every rounding error
pushed downwards, so the float returned is itself a lower bound.
"""

import math

import numpy as np

from core.relaxed.objective import MAKESPAN, Objective
from core.system import FloatArray, System

_ULP = float(np.finfo(float).eps)


def proven_bound(system: System, objective: Objective, machine_prices: FloatArray) -> float:
    """The lower bound on `objective` that these prices prove, in the objective's unit.

    Any prices will do: negative or unknown ones count as 0, equal ones stand in where none is above
    0, and they are scaled to what one second of makespan is worth. Only good prices prove a good
    bound.
    """
    worth = objective.price_of_time(system)
    machines = system.machine_counts
    known = np.isfinite(machine_prices) & (machine_prices > 0) & (machines > 0)
    prices = np.where(known, machine_prices, 0.0) if known.any() else np.ones(len(machines))
    # By the largest first, so that neither the sum nor the quotient leaves the range of floats.
    prices = prices / prices.max()
    prices = prices * (worth / math.fsum(machines * prices))
    prices = prices * (1 - 8 * _ULP)
    costs = objective.task_costs(system)
    runs = np.isfinite(costs)
    own = np.where(runs, costs, 0.0)
    time = np.where(runs, system.etc, 0.0) * prices
    lowest = np.where(runs, own + time - 8 * _ULP * (np.abs(own) + time), np.inf).min(axis=1)
    there = system.task_counts > 0
    terms = system.task_counts[there] * lowest[there]
    total = math.fsum(terms - 4 * _ULP * np.abs(terms))
    return total - 2 * _ULP * abs(total)


def met_bound(system: System) -> float:
    """Seconds: the bound of equal prices, as if every task ran on its fastest machine type."""
    return proven_bound(system, MAKESPAN, np.ones(len(system.machine_types)))
