"""How much more a job earns than it costs at given prices, at its best start; summed over jobs."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import NamedTuple

import numpy as np

from core.engines.compute.compiled import InPlaceKernel, Kernel
from core.engines.replay.starts import most_starts, place_in, starts_of, worth_of_starts
from core.vocabulary.arrays import FloatArray
from core.vocabulary.tolerances import SUM_ROUNDING

_FAINT = 30.0
"""A start whose surplus is by so many temperatures below the best one has no weight."""


class Spent(NamedTuple):
    """What is paid from the first edge to each edge for a unit, or 1 of another resource,
    `pools[pool, resource, edge]`, and for a watt, `watt[edge]`; the last entry is one second after
    the last edge.
    """

    pools: FloatArray
    watt: FloatArray


@InPlaceKernel
def _costs_of(demand, spent, option, costs):
    """Writes what an option pays from the first edge to each edge."""
    pool, needs = spent.pools[demand.pool[option]], demand.needs[option]
    for edge in range(len(costs)):
        costs[edge] = demand.watts[option] * spent.watt[edge]
        for resource in range(len(needs)):
            costs[edge] += needs[resource] * pool[resource, edge]


@InPlaceKernel
def _add_uses(demand, use, option, mine):
    """Adds the derivative by what an option pays, `mine`, to that by what is spent; clears it."""
    pools, watt = use
    pool, needs = pools[demand.pool[option]], demand.needs[option]
    for edge in range(len(mine)):
        watt[edge] += demand.watts[option] * mine[edge]
        for resource in range(len(needs)):
            pool[resource, edge] += needs[resource] * mine[edge]
        mine[edge] = 0.0


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
    costs, mine = np.empty(len(spent.watt)), np.zeros(len(spent.watt))
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
            _costs_of(demand, spent, option, costs)
            for at in range(starts.first[option], starts.first[option + 1]):
                value = starts.worth[at]
                if value <= best - _FAINT * temperature:  # even if it cost nothing
                    surplus[at - offset] = value
                    continue
                begin, end = starts.begin_slot[at], starts.end_slot[at]
                begin_part, end_part = starts.begin_part[at], starts.end_part[at]
                value -= _between(costs, begin, begin_part, end, end_part)
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
                _add_between(mine, begin, begin_part, end, end_part, -share)
            _add_uses(demand, use, option, mine)
    return total


@Kernel
def proven_surplus(demand, spent, jobs):
    """The surplus of a range of jobs at their best starts, no less than it is in exact arithmetic.

    A start is off by less than a share `SUM_ROUNDING` of all that enters its surplus.
    """
    most = most_starts(demand)
    found, worth, costs = np.empty(most), np.empty(most), np.empty(len(spent.watt))
    total = 0.0
    for job in range(jobs[0], jobs[1]):
        best = 0.0
        for option in range(demand.first[job], demand.first[job + 1]):
            _costs_of(demand, spent, option, costs)
            count = starts_of(demand, job, option, found)
            worth_of_starts(demand, job, option, found[:count], worth)
            for place in range(count):
                if worth[place] <= best:
                    continue
                begin, begin_part = place_in(demand.edges, found[place])
                end, end_part = place_in(demand.edges, found[place] + demand.seconds[option])
                cost = _between(costs, begin, begin_part, end, end_part)
                entered = worth[place] + 2.0 * _between(costs, 0, 0.0, end, end_part)
                best = max(best, worth[place] - cost + SUM_ROUNDING * entered)
        total += best
    return total
