"""Boundaries that measurements compare with, and how far a convex front can be below its hull."""

from dataclasses import dataclass

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.boundaries import distinct, triangles, turn
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
