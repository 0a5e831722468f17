"""Points of the trade-off: rows of energy [J] and makespan [s], less of either being better.

A chain is a front in order: energy ascends, makespan descends, no point dominates another. Shares
and distances are in normalised coordinates, the span of a chain being 1 in energy and in makespan.
"""

import numpy as np

from core.vocabulary.arrays import BoolArray, FloatArray


def non_dominated(points: FloatArray) -> BoolArray:
    """True where no other point is as good in both and better in one; of equal points, only the
    first.
    """
    energy, makespan = points[:, 0], points[:, 1]
    order = np.lexsort((makespan, energy))
    shortest_so_far = np.minimum.accumulate(np.append(np.inf, makespan[order]))[:-1]
    mask = np.empty(len(points), np.bool_)
    mask[order] = makespan[order] < shortest_so_far
    return mask


def sorted_front(points: FloatArray) -> FloatArray:
    """The chain of the points that no other dominates."""
    front = points[non_dominated(points)]
    return front[np.argsort(front[:, 0])]


def utopia(points: FloatArray) -> FloatArray:
    """The least energy and the least makespan of the points: the corner that a front approaches."""
    best: FloatArray = points.min(axis=0)
    return best


def nadir(points: FloatArray) -> FloatArray:
    """The largest energy and the largest makespan of the points.

    It closes polygons, so areas are comparable only under one nadir: that of all fronts compared.
    """
    worst: FloatArray = points.max(axis=0)
    return worst


def normalised(chain: FloatArray) -> FloatArray:
    """The chain with its utopia at (0, 0) and its nadir at (1, 1); 0 where they are the same."""
    low = utopia(chain)
    span = nadir(chain) - low
    return np.divide(chain - low, span, out=np.zeros(chain.shape), where=span > 0)


def gaps(chain: FloatArray) -> FloatArray:
    """Normalised L1 distance of each point from the next; they sum to 2 along two or more."""
    distance: FloatArray = np.abs(np.diff(normalised(chain), axis=0)).sum(axis=1)
    return distance
