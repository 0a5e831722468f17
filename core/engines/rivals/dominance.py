"""Ranks of points of two objectives by dominance, both to be minimised, in compiled code.

The rank of a point is how many times all non-dominated points must be removed before the point
itself is non-dominated. In the order of energy (ties: of makespan), a point is dominated by some
earlier point of a rank if and only if it is dominated by the last of them. From rank to rank, the
makespans of these last points rise. So a binary search finds the rank of each point, and N points
take O(N log N).
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import numpy as np

from core.engines.compute.compiled import Kernel


@Kernel
def rank_and_crowding(energy, makespan):
    """The rank of each point (0 is non-dominated), and its crowding distance in its rank.

    The crowding distance is that of NSGA-II: the distance between both neighbours in the rank, as a
    share of the extent of the rank, summed over both objectives; infinity at the two ends. Equal
    points have the same rank.
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
