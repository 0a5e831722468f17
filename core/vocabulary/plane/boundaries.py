"""Lower-left boundaries of regions of the plane: where schedules can be, or are known to be.

A boundary is a sequence of points; energy never falls and makespan never rises along it. It
continues straight up from its first point and straight to the right from its last.
"""

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.points import sorted_front


def loose_boundary(points: FloatArray) -> FloatArray:
    """The lowest boundary that a convex front through these points can have.

    In each gap the front lies in a triangle: above the lines through both neighbouring pairs of
    points. Beyond its ends it goes no further left and no further down. That holds for any points
    of the front; where three points are in line, the triangle is empty.
    """
    chain = sorted_front(points)
    if len(chain) < 2:
        return chain
    before, chord, after = triangles(chain)
    bend = turn(before, after)
    share = np.divide(turn(chord, after), bend, out=np.zeros(len(bend)), where=bend > 0)
    tips = chain[:-1] + share[:, None] * before
    # Where points are in line, rounding may put the tip anywhere on that line.
    low, high = np.minimum(chain[:-1], chain[1:]), np.maximum(chain[:-1], chain[1:])
    boundary = np.empty((2 * len(chain) - 1, 2))
    boundary[::2] = chain
    boundary[1::2] = np.clip(tips, low, high)
    return distinct(boundary)


def triangles(chain: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """For each gap of a chain: the step before it, the step across it, the step after it.

    Before the first gap that is a step straight down, after the last one a step to the right.
    """
    steps = np.vstack([[0.0, -1.0], np.diff(chain, axis=0), [1.0, 0.0]])
    return steps[:-2], steps[1:-1], steps[2:]


def turn(a: FloatArray, b: FloatArray) -> FloatArray:
    """How far step b turns left from step a: the signed area that they span."""
    spanned: FloatArray = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return spanned


def staircase(schedules: FloatArray) -> FloatArray:
    """The boundary of all that these schedules dominate."""
    chain = sorted_front(schedules)
    steps = np.repeat(chain, 2, axis=0)[1:]
    steps[1::2, 1] = chain[:-1, 1]
    steps[1::2, 0] = chain[1:, 0]
    return steps


def extended(boundary: FloatArray, right: float, top: float) -> FloatArray:
    """A boundary, continued from its first point straight up to `top` and from its last straight to
    the `right`; the corner of both if the boundary has no points, since all lies beyond.
    """
    if not len(boundary):
        return np.array([[right, top]])
    return np.vstack([[boundary[0, 0], top], boundary, [right, boundary[-1, 1]]])


def distinct(points: FloatArray) -> FloatArray:
    """The points without those that repeat the one before."""
    new = np.any(np.diff(points, axis=0) != 0, axis=1)
    kept: FloatArray = points[np.append(True, new)[: len(points)]]
    return kept
