"""Regions between a boundary and a nadir, and their areas in joule-seconds."""

import math

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.boundaries import distinct, staircase, turn
from core.vocabulary.tolerances import FEW_OPERATIONS

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
