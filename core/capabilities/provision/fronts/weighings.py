"""Weighings of several objectives, spread over the simplex of weights that sum to 1, and how far
beyond some points of a front anything can be, by what is proven of them.
"""

import math
from itertools import product
from typing import Final

import numpy as np
from scipy.optimize import linprog
from scipy.spatial import HalfspaceIntersection

from core.vocabulary.arrays import FloatArray
from core.vocabulary.tolerances import SUM_ROUNDING

_FEWEST_LINES: Final = 3


def orthogonal_weighings(objectives: int, lines: int) -> FloatArray:
    """The points of a square grid in the plane of weights that sum to 1, around equal weights, that
    have no negative weight; and each objective alone.
    """
    basis = _basis(objectives)
    reach = math.sqrt(1 - 1 / objectives)
    grid = np.linspace(-reach, reach, lines)
    steps = np.array(list(product(grid, repeat=objectives - 1)))
    weights = 1 / objectives + steps @ basis
    alone = np.eye(objectives)
    kept = weights[(weights >= -SUM_ROUNDING).all(axis=1)]
    return np.vstack([alone, np.maximum(kept, 0.0)])


def lines_for(objectives: int, most: int) -> int:
    """The lines of the finest grid that has at most so many weighings, from 3 lines on."""
    lines = _FEWEST_LINES
    while len(orthogonal_weighings(objectives, lines + 1)) <= most:
        lines += 1
    return lines


def _basis(objectives: int) -> FloatArray:
    """Orthonormal directions, a line each, along which the sum of weights stays."""
    lines = np.zeros((objectives - 1, objectives))
    for k in range(objectives - 1):
        lines[k, : k + 1], lines[k, k + 1] = 1.0, -(k + 1.0)
    return np.asarray(lines / np.linalg.norm(lines, axis=1, keepdims=True))


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
