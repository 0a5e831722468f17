"""Who dominates whom among points of two objectives, both to be lowered; compiled.

The rank of a point is how many times the non-dominated points must be taken away before it is
non-dominated itself. In the order of energy (ties: of makespan), a point is dominated by some
earlier point of a rank if and only if it is dominated by the last of them; and these last points
have ever higher makespans, rank by rank. So a binary search finds the rank of each point, and N
points take O(N log N).
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import numpy as np

from core.engine.compiled import Kernel


@Kernel
def rank_and_crowding(energy, makespan):
    """The rank of each point, 0 being non-dominated, and how much room it has among its rank.

    Crowding is that of NSGA-II: from the one neighbour of a rank to the other, in each objective as
    a share of what the rank spans, summed up; infinity at the two ends. Equal points share a rank.
    """
    points = len(energy)
    by_makespan = np.argsort(makespan, kind="mergesort")
    order = by_makespan[np.argsort(energy[by_makespan], kind="mergesort")]
    rank = np.empty(points, np.int64)
    before = np.empty(points, np.int64)
    first = np.empty(points, np.int64)
    last = np.empty(points, np.int64)
    ranks = 0
    for place in range(points):
        point = order[place]
        low, high = 0, ranks
        while low < high:
            middle = (low + high) // 2
            other = last[middle]
            if makespan[other] > makespan[point] or (
                makespan[other] == makespan[point] and energy[other] == energy[point]
            ):
                high = middle
            else:
                low = middle + 1
        rank[point] = low
        if low == ranks:
            first[low] = point
            before[point] = -1
            ranks += 1
        else:
            before[point] = last[low]
        last[low] = point
    crowding = np.full(points, np.inf)
    for place in range(points):
        after = order[place]
        point = before[after]
        if point < 0 or before[point] < 0:
            continue
        one, other = first[rank[point]], last[rank[point]]
        joules = energy[other] - energy[one]
        seconds = makespan[one] - makespan[other]
        crowding[point] = 0.0
        if joules > 0:
            crowding[point] += (energy[after] - energy[before[point]]) / joules
        if seconds > 0:
            crowding[point] += (makespan[before[point]] - makespan[after]) / seconds
    return rank, crowding
