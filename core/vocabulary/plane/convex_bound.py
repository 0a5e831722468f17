"""How far a convex boundary through known points of a front can be from their hull, as an area.

In the lowest possible front, one line touches it at each inner point, and both gaps beside the
point reach down to that line. So the unknowns are the tangents. The tangent of point k has the
direction

    (1 - s_k) (step to k) + s_k (step from k),      0 <= s_k <= 1,

where steps have length 1. With a = s / (1 - s), the area below the chord of the gap from point k to
the next is

    height_k / (across_k + right_k a_k + left_k / a_k+1),

where where the steps before the gap and over it span the area left, those over it and after it the
area right, those before and after it the area across, and height = left x right x length^2 / 2.
Each term depends on two neighbours, so dynamic programming finds the global optimum. A term falls
with s_k and rises with s_k+1, so the ends of a cell of tangents bound every tangent in it, and the
optimum is proven.
"""

from dataclasses import dataclass

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.boundaries import triangles, turn
from core.vocabulary.plane.points import nadir, normalised, sorted_front, utopia


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
