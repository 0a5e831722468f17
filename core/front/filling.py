"""Convex filling: points in between, so that no gap of a chain exceeds a spacing.

Between adjacent vertices of the divisible front they are on it too. Between others they need not
be, so they may lead to schedules, never to bounds.
"""

import math

import numpy as np

from core.front.points import gaps
from core.system import FloatArray, IntArray

# A gap that is a whole number of spacings but for rounding is filled as if it were.
_ROUNDING = 1e-9


def fill(chain: FloatArray, spacing: float) -> tuple[IntArray, FloatArray]:
    """The points of a chain, and between neighbours as few as keep gaps down to `spacing`.

    Gaps are normalised, so the whole chain is 2 long. Each filled point, in order, is given by the
    point of the chain that it follows, and by its share of the way from there to the next; the
    points of the chain themselves have share 0.
    """
    if not 0 < spacing < math.inf:
        raise ValueError(f"the spacing must be above 0 and finite, not {spacing:g}")
    steps = np.maximum(np.ceil(gaps(chain) / spacing - _ROUNDING), 1).astype(np.int64)
    steps = np.append(steps, 1)
    left = np.repeat(np.arange(len(chain)), steps)
    first = np.cumsum(steps) - steps
    share = (np.arange(len(left)) - first[left]) / steps[left]
    return left, share


def between(values: FloatArray, left: IntArray, share: FloatArray) -> FloatArray:
    """What holds at filled points, mixed from what holds at the points of the chain.

    `values[v]` belongs to point v of the chain: its coordinates, or the tasks placed there.
    """
    right = np.minimum(left + 1, len(values) - 1)
    weight = share.reshape(-1, *[1] * (values.ndim - 1))
    mixed: FloatArray = (1 - weight) * values[left] + weight * values[right]
    return mixed
