"""Lower-left boundaries of regions of the plane: where schedules can be, or are known to be.

A boundary is a sequence of points; energy never falls and makespan never rises along it. It
continues straight up from its first point and straight to the right from its last.
"""

from dataclasses import dataclass

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.points import nadir, normalised, sorted_front, utopia
from core.vocabulary.tolerances import ULP


def hull_boundary(points: FloatArray) -> FloatArray:
    """The vertices of the lower-left convex hull of the points."""
    hull: list[FloatArray] = []
    for point in sorted_front(points):
        while len(hull) > 1 and turn(hull[-1] - hull[-2], point - hull[-1]) <= 0:
            hull.pop()
        hull.append(point)
    return np.array(hull).reshape(-1, 2)


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


def supporting_boundary(weights: FloatArray, values: FloatArray, nadir: FloatArray) -> FloatArray:
    """The convex boundary of all points that proven bounds on weighted sums allow, up to the nadir.

    For every feasible point, `weights[k, 0]` x energy + `weights[k, 1]` x makespan is at least
    `values[k]`; weights are not negative and not both 0. Energy and makespan are never negative.
    The boundary runs from the top of the box to its right side; it has no points if nothing in the
    box is feasible. A line that cuts off no more than rounding is ignored.
    """
    corner = np.zeros(2)
    for axis in (0, 1):
        alone = weights[:, 1 - axis] == 0
        corner[axis] = np.max(values[alone] / weights[alone, axis], initial=0.0)
    if (corner > nadir).any():
        return np.empty((0, 2))
    # Counter-clockwise, in the coordinates of the box; the nadir is last. The polygon is cut line
    # by line. All crossings are inside an edge, so parallel lines and common points do no harm.
    polygon = np.array([[0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    scaled = weights * (nadir - corner)
    levels = values - weights @ corner
    margins = 8 * ULP * (scaled.sum(axis=1) + np.abs(values))
    for weight, level, margin in zip(scaled, levels, margins, strict=True):
        slack = polygon @ weight - level
        outside = np.flatnonzero(slack < -margin)
        if not len(outside):
            continue
        first, last = outside[0], outside[-1]
        if last == len(polygon) - 1:
            return np.empty((0, 2))
        enters = _crossing(polygon, slack, first - 1, first)
        leaves = _crossing(polygon, slack, last + 1, last)
        polygon = np.vstack([polygon[:first], enters, leaves, polygon[last + 1 :]])
    chain = polygon[:-1]
    return distinct((1 - chain) * corner + chain * nadir)


def _crossing(polygon: FloatArray, slack: FloatArray, inside: int, outside: int) -> FloatArray:
    """Where the edge between two vertices meets the line."""
    left_over = max(float(slack[inside]), 0.0)
    share = left_over / (left_over - float(slack[outside]))
    crossing: FloatArray = (1 - share) * polygon[inside] + share * polygon[outside]
    return crossing


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


@dataclass(frozen=True, slots=True)
class ConvexBound:
    """The area, in joule-seconds, by which a convex front through points can be below their hull.

    It is at most `proven` (but for rounding), and one of the fronts tried attains `attained`. This
    bounds an area; it does not say where the front is.
    """

    proven: float
    attained: float


def convex_bound(points: FloatArray, cells: int = 200) -> ConvexBound:
    """The bound for points of a convex front. The tangents of each point are cut into `cells`.

    What is proven exceeds what is attained by a share of about 1 / `cells`.
    """
    chain = sorted_front(points)
    if len(chain) < 2:
        return ConvexBound(0.0, 0.0)
    ends = np.linspace(0.0, 1.0, cells + 1)
    middles = (ends[:-1] + ends[1:]) / 2
    unit = float(np.prod(nadir(chain) - utopia(chain)))
    steps = triangles(normalised(chain))
    proven = _largest_sum(*steps, ends[:-1], ends[1:])
    attained = _largest_sum(*steps, middles, middles)
    return ConvexBound(unit * proven, unit * attained)


def _largest_sum(
    before: FloatArray, chord: FloatArray, after: FloatArray, low: FloatArray, high: FloatArray
) -> float:
    """The largest sum over gaps; a tangent counts as `low` in the gap to its right and as `high` in
    the gap to its left.

    The first tangent is the step before the chain, the last the step after it.
    """
    length = np.abs(chord).sum(axis=1)
    before, chord, after = (
        steps / np.abs(steps).sum(axis=1, keepdims=True) for steps in (before, chord, after)
    )
    # Rounding may bend three points that are in line the wrong way.
    left = np.maximum(turn(before, chord), 0.0)
    right = np.maximum(turn(chord, after), 0.0)
    height = left * right * length**2 / 2
    across = np.where(height > 0, turn(before, after), 1.0)
    steepness = low / (1 - low)
    flatness = (1 - high) / high
    best = np.zeros(1)
    for gap in range(len(chord)):
        a = np.zeros(1) if gap == 0 else steepness
        b = np.zeros(1) if gap == len(chord) - 1 else flatness
        reach = (across[gap] + right[gap] * a)[:, None] + left[gap] * b
        best = (best[:, None] + height[gap] / reach).max(axis=0)
    return float(best[0])
