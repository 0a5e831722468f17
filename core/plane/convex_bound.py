"""How far a convex boundary through known points of a front can be from their hull, as an area.

Where the front is lowest, one line touches it at each inner point; both gaps beside the point reach
down to that line. So the unknowns are the tangents: that of point k leads on in the direction

    (1 - s_k) (step to k) + s_k (step from k),      0 <= s_k <= 1,

steps being of length 1. With a = s / (1 - s), what the gap from point k to the next has below its
chord is

    height_k / (across_k + right_k a_k + left_k / a_k+1),

where left, right and across are the areas spanned by the steps before and over the gap, over and
after it, before and after it, and height = left x right x length^2 / 2. A sum over neighbours has
its global optimum by dynamic programming. A term falls in s_k and rises in s_k+1: of a cell of
tangents, its ends give more than any tangent in it, so that optimum is proven.
"""

from dataclasses import dataclass

import numpy as np

from core.model.arrays import FloatArray
from core.plane.boundaries import triangles, turn
from core.plane.points import nadir, normalised, sorted_front, utopia


@dataclass(frozen=True, slots=True)
class ConvexBound:
    """Joule-seconds by which a convex front through the points can exceed their hull.

    At most `proven` (but for rounding); `attained` by one of the fronts looked at. It is the bound
    of an area: where the front is, it does not say.
    """

    proven: float
    attained: float


def convex_bound(points: FloatArray, cells: int = 200) -> ConvexBound:
    """The bound for points of a convex front, the tangents of each being cut into `cells`.

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
    """The largest sum of gaps, tangents counting as `low` to the right and as `high` to the left.

    The first tangent is the step down to the chain, the last the step that follows it.
    """
    length = np.abs(chord).sum(axis=1)
    before, chord, after = (
        steps / np.abs(steps).sum(axis=1, keepdims=True) for steps in (before, chord, after)
    )
    # Rounding may bend three points in a row the wrong way.
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
