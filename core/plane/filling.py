"""Convex filling: points in between, so that no gap of a chain exceeds a spacing.

Between adjacent vertices of the divisible front they are on it too. Between others they need not
be, so they may lead to schedules, never to bounds.
"""

import math

import numpy as np

from core.model.arrays import FloatArray, IntArray
from core.model.tolerances import SAME
from core.plane.points import gaps


def fill(chain: FloatArray, spacing: float) -> tuple[IntArray, FloatArray]:
    """The points of a chain, and between neighbours as few as keep gaps down to `spacing`.

    Gaps are normalised, so the whole chain is 2 long. Each filled point, in order, is given by the
    point of the chain that it follows, and by its share of the way from there to the next; the
    points of the chain themselves have share 0.
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
    """The places 0 to number - 1: both ends, then what halves the gaps, over and over; so that
    a caller who stops early has reached all parts of it.
    """
    ends = [0, number - 1] if number else []
    strides = (1 << level for level in reversed(range(number.bit_length())))
    return list(
        dict.fromkeys([*ends, *(place for by in strides for place in range(0, number, by))])
    )


def between(values: FloatArray, left: IntArray, share: FloatArray) -> FloatArray:
    """What holds at filled points, mixed from what holds at the points of the chain.

    `values[v]` belongs to point v of the chain: its coordinates, or the tasks placed there.
    """
    right = np.minimum(left + 1, len(values) - 1)
    weight = share.reshape(-1, *[1] * (values.ndim - 1))
    mixed: FloatArray = (1 - weight) * values[left] + weight * values[right]
    return mixed


def spread(chain: FloatArray, number: int) -> tuple[IntArray, FloatArray]:
    """So many points along a chain, ends included, where steps leave the least area below them.

    Of the staircases with so many steps that lead from end to end of a straight edge, the one whose
    steps are equal leaves least, in proportion to the area that the edge spans; so edges get steps
    in proportion to the roots of their areas. Points are given as by `fill`. A chain that spans no
    area is given by its own points.
    """
    roots = np.sqrt(np.abs(np.diff(chain, axis=0)).prod(axis=1))
    passed = np.append(0.0, np.cumsum(roots))
    if passed[-1] == 0:
        return np.arange(len(chain)), np.zeros(len(chain))
    sought = np.linspace(0.0, passed[-1], number)
    left = np.minimum(np.searchsorted(passed, sought, side="right") - 1, np.flatnonzero(roots)[-1])
    return left, np.minimum((sought - passed[left]) / roots[left], 1.0)
