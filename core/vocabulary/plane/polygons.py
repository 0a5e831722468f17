"""Regions between a boundary and a nadir, and their areas in joule-seconds."""

import math

import numpy as np

from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.plane.boundaries import distinct, staircase, turn
from core.vocabulary.plane.points import gaps
from core.vocabulary.tolerances import FEW_OPERATIONS, SAME

# Proven values, and so the corners that they make, are off by some units in the last place.


def closed(boundary: FloatArray, nadir: FloatArray) -> FloatArray:
    """The polygon of all points above and to the right of a boundary, up to the nadir.

    Its vertices are counter-clockwise, from the upper end of the boundary. Parts beyond the nadir
    are cut off; no vertices remain if nothing is inside.
    """
    inside = _from_limit(boundary, 1, nadir[1])
    inside = _from_limit(inside[::-1], 0, nadir[0])[::-1]
    if not len(inside):
        return inside
    right = np.array([nadir[0], inside[-1, 1]])
    top = np.array([inside[0, 0], nadir[1]])
    polygon = distinct(np.vstack([inside, right, nadir, top]))
    repeats = len(polygon) > 1 and (polygon[-1] == polygon[0]).all()
    return polygon[:-1] if repeats else polygon


def _from_limit(boundary: FloatArray, axis: int, limit: float) -> FloatArray:
    """The part of a boundary whose descending coordinate is at most `limit`."""
    inside = boundary[:, axis] <= limit
    if inside.all() or not inside.any():
        return boundary[inside]
    first = int(inside.argmax())
    beyond, point = boundary[first - 1], boundary[first]
    share = (beyond[axis] - limit) / (beyond[axis] - point[axis])
    crossing = (1 - share) * beyond + share * point
    # Rounding must not put it outside its edge.
    crossing = np.clip(crossing, np.minimum(beyond, point), np.maximum(beyond, point))
    crossing[axis] = limit
    return np.vstack([crossing, boundary[first:]])


def area(polygon: FloatArray) -> float:
    """The area of a polygon, positive if it is counter-clockwise."""
    if len(polygon) < 3:
        return 0.0
    arms = polygon[1:] - polygon[0]
    return math.fsum(turn(arms[:-1], arms[1:])) / 2


def area_above(boundary: FloatArray, nadir: FloatArray) -> float:
    """The area above and to the right of a boundary, up to the nadir: joule-seconds.

    It is 0 where rounding of the vertices alone could make it.
    """
    polygon = closed(boundary, nadir)
    return _beyond(_rounding(polygon), area(polygon))


def area_between(boundary: FloatArray, schedules: FloatArray, nadir: FloatArray) -> float:
    """The area where better schedules than these may be, up to the nadir: joule-seconds.

    Only areas under the same nadir are comparable. Schedules with more energy or makespan than the
    nadir are not counted. It is 0 where rounding of the vertices alone could make it.
    """
    outer, inner = closed(boundary, nadir), closed(staircase(schedules), nadir)
    return _beyond(_rounding(outer) + _rounding(inner), area(outer) - area(inner))


def _rounding(polygon: FloatArray) -> float:
    """The area that errors of the coordinates may add: each moves a side across the other."""
    if not len(polygon):
        return 0.0
    error = FEW_OPERATIONS * np.abs(polygon).max(axis=0)
    return float(error @ np.ptp(polygon, axis=0)[::-1])


def _beyond(rounding: float, size: float) -> float:
    return size if abs(size) > rounding else 0.0


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
