"""Convex filling: points between those of a chain, so that no gap exceeds a spacing.

Points between adjacent vertices of the divisible front are on it too. Points between others need
not be: they may lead to schedules, but never to bounds.
"""

import math

import numpy as np

from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.plane.points import gaps
from core.vocabulary.tolerances import SAME


def fill(chain: FloatArray, spacing: float) -> tuple[IntArray, FloatArray]:
    """The points of a chain, and as few between neighbours as make no gap exceed `spacing`.

    Gaps are normalised, so the whole chain has length 2. Returns, for each point in order, the
    point of the chain that it follows and its share of the way from there to the next; the points
    of the chain themselves have share 0.
    """
    if not 0 < spacing < math.inf:
        raise ValueError(f"the spacing must be above 0 and finite, not {spacing:g}")
    steps = np.maximum(np.ceil(gaps(chain) / spacing - SAME), 1).astype(np.int64)
    steps = np.append(steps, 1)
    left = np.repeat(np.arange(len(chain)), steps)
    first = np.cumsum(steps) - steps
    share = (np.arange(len(left)) - first[left]) / steps[left]
    return left, share


def coarse_to_fine(number: int) -> list[int]:
    """The places 0 to number - 1: both ends, then the middles of the gaps, again and again, so that
    a caller who stops early has reached all parts.
    """
    ends = [0, number - 1] if number else []
    strides = (1 << level for level in reversed(range(number.bit_length())))
    return list(
        dict.fromkeys([*ends, *(place for by in strides for place in range(0, number, by))])
    )


def between(values: FloatArray, left: IntArray, share: FloatArray) -> FloatArray:
    """Values at filled points, interpolated between those at the points of the chain.

    `values[v]` belongs to point v of the chain: its coordinates, or its placed tasks.
    """
    right = np.minimum(left + 1, len(values) - 1)
    weight = share.reshape(-1, *[1] * (values.ndim - 1))
    mixed: FloatArray = (1 - weight) * values[left] + weight * values[right]
    return mixed


def spread(chain: FloatArray, number: int) -> tuple[IntArray, FloatArray]:
    """So many points along a chain, ends included, whose staircase leaves the least area to the
    chain.

    Along a straight edge, equal steps leave the least area, and it is in proportion to the area
    that the edge spans. So each edge gets steps in proportion to the square root of its area.
    Points are returned as by `fill`. A chain that spans no area keeps its own points.
    """
    roots = np.sqrt(np.abs(np.diff(chain, axis=0)).prod(axis=1))
    passed = np.append(0.0, np.cumsum(roots))
    if passed[-1] == 0:
        return np.arange(len(chain)), np.zeros(len(chain))
    sought = np.linspace(0.0, passed[-1], number)
    left = np.minimum(np.searchsorted(passed, sought, side="right") - 1, np.flatnonzero(roots)[-1])
    return left, np.minimum((sought - passed[left]) / roots[left], 1.0)
