"""How far beyond some points of a front anything can be, by what is proven of weighings."""

import numpy as np
from scipy.optimize import linprog
from scipy.spatial import HalfspaceIntersection

from core.vocabulary.arrays import FloatArray


def most_beyond(points: FloatArray, weighings: FloatArray, least: FloatArray) -> float:
    """The most by which any possible point is better than all mixes of `points` in all objectives
    at once. All objectives are to be small, and have about the same range.

    For each line of `weighings`, none of which is negative, no possible point weighs less than
    `least`. Each objective alone must be among the weighings, but for a small weight of the others.
    """
    outer = points.max(axis=0)
    # What is possible lies in a polyhedron. The distance is convex and grows towards small values,
    # so it is largest at a corner; a box makes the polyhedron end, and no corner of it counts.
    size = max(float(np.ptp(points, axis=0).max()), 1.0)
    box = np.hstack([np.eye(len(outer)), -(outer + 2 * size)[:, None]])
    sides = np.vstack([np.hstack([-weighings, least[:, None]]), box])
    corners = HalfspaceIntersection(sides, outer + size).intersections
    return max((_beyond(corner, points) for corner in corners), default=0.0)


def _beyond(corner: FloatArray, points: FloatArray) -> float:
    """By how much a corner is better than the nearest mix in all objectives; 0 if it is not."""
    count, objectives = points.shape
    costs = np.append(np.zeros(count), 1.0)
    rows = np.hstack([points.T, -np.ones((objectives, 1))])
    whole = np.append(np.ones(count), 0.0)[None]
    found = linprog(costs, rows, corner, whole, [1.0], [(0, None)] * (count + 1), method="highs")
    return float(found.x[-1])
