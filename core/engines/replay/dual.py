"""How much more a job earns than it costs at given prices, at its best start; summed over jobs."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import NamedTuple

import numpy as np

from core.engines.compute.compiled import Kernel
from core.engines.replay.starts import most_starts, place_in, starts_of, worth_of_starts
from core.vocabulary.arrays import FloatArray
from core.vocabulary.tolerances import SUM_ROUNDING

_FAINT = 30.0
"""A start whose surplus is by so many temperatures below the best one has no weight."""


class Spent(NamedTuple):
    """What a unit of each pool costs from the first edge to each edge, `units[pool, edge]`, and
    what a watt costs, `watt[edge]`; the last entry is one second after the last edge.
    """

    units: FloatArray
    watt: FloatArray


@Kernel
def _between(costs, begin, begin_part, end, end_part):
    """What is spent between two places in slots."""
    until = costs[end] + end_part * (costs[end + 1] - costs[end])
    return until - costs[begin] - begin_part * (costs[begin + 1] - costs[begin])


@Kernel
def _add_between(use, begin, begin_part, end, end_part, amount):
    """The derivative of `_between` by `costs`, so many times."""
    use[end] += (1.0 - end_part) * amount
    use[end + 1] += end_part * amount
    use[begin] -= (1.0 - begin_part) * amount
    use[begin + 1] -= begin_part * amount


@Kernel
def smooth_surplus(demand, starts, spent, temperature, jobs, use):
    """The surplus of a range of jobs, smoothed: no less than the surplus, and less than
    temperature x log(1 + number of starts) above it for each job. Adds its derivative by what is
    spent to `use`.
    """
    use_units, use_watt = use
    most = 0
    for job in range(jobs[0], jobs[1]):
        first, last = demand.first[job], demand.first[job + 1]
        most = max(most, starts.first[last] - starts.first[first])
    surplus = np.empty(most)
    total = 0.0
    for job in range(jobs[0], jobs[1]):
        offset = starts.first[demand.first[job]]
        best = 0.0
        for option in range(demand.first[job], demand.first[job + 1]):
            units, watts = demand.units[option], demand.watts[option]
            costs = spent.units[demand.pool[option]]
            for at in range(starts.first[option], starts.first[option + 1]):
                value = starts.worth[at]
                if value <= best - _FAINT * temperature:  # even if it cost nothing
                    surplus[at - offset] = value
                    continue
                begin, end = starts.begin_slot[at], starts.end_slot[at]
                begin_part, end_part = starts.begin_part[at], starts.end_part[at]
                value -= units * _between(costs, begin, begin_part, end, end_part)
                value -= watts * _between(spent.watt, begin, begin_part, end, end_part)
                surplus[at - offset] = value
                best = max(best, value)
        faint = best - _FAINT * temperature
        weights = np.exp(-best / temperature)
        for place in range(starts.first[demand.first[job + 1]] - offset):
            if surplus[place] > faint:
                weights += np.exp((surplus[place] - best) / temperature)
        total += best + temperature * np.log(weights)
        for option in range(demand.first[job], demand.first[job + 1]):
            for at in range(starts.first[option], starts.first[option + 1]):
                if surplus[at - offset] <= faint:
                    continue
                share = np.exp((surplus[at - offset] - best) / temperature) / weights
                begin, end = starts.begin_slot[at], starts.end_slot[at]
                begin_part, end_part = starts.begin_part[at], starts.end_part[at]
                amount = -share * demand.units[option]
                uses = use_units[demand.pool[option]]
                _add_between(uses, begin, begin_part, end, end_part, amount)
                amount = -share * demand.watts[option]
                _add_between(use_watt, begin, begin_part, end, end_part, amount)
    return total


@Kernel
def proven_surplus(demand, spent, jobs):
    """The surplus of a range of jobs at their best starts, no less than it is in exact arithmetic.

    A start is off by less than a share `SUM_ROUNDING` of all that enters its surplus.
    """
    most = most_starts(demand)
    found, worth = np.empty(most), np.empty(most)
    total = 0.0
    for job in range(jobs[0], jobs[1]):
        best = 0.0
        for option in range(demand.first[job], demand.first[job + 1]):
            units, watts = demand.units[option], demand.watts[option]
            costs = spent.units[demand.pool[option]]
            count = starts_of(demand, job, option, found)
            worth_of_starts(demand, job, option, found[:count], worth)
            for place in range(count):
                if worth[place] <= best:
                    continue
                begin, begin_part = place_in(demand.edges, found[place])
                end, end_part = place_in(demand.edges, found[place] + demand.seconds[option])
                cost = units * _between(costs, begin, begin_part, end, end_part)
                cost += watts * _between(spent.watt, begin, begin_part, end, end_part)
                entered = worth[place] + 2.0 * (
                    units * _between(costs, 0, 0.0, end, end_part)
                    + watts * _between(spent.watt, 0, 0.0, end, end_part)
                )
                best = max(best, worth[place] - cost + SUM_ROUNDING * entered)
        total += best
    return total
