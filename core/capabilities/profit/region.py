"""The region of all divisible schedules in the plane of energy and makespan."""

from dataclasses import replace

import numpy as np

from core.engines.relaxed import trace_front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.system import System
from core.vocabulary.tolerances import DIFFERENCE_ROUNDING, SAME


def feasible_region(system: System, most_makespan: float) -> FloatArray:
    """The exact vertices, counter-clockwise, of the region up to a makespan of so many seconds.

    It is the convex hull of the schedules without waiting, and of waiting after them, which costs
    all machines' idle power. Raises `NoPowerData` without APC.
    """
    thrifty, wasteful = _corners(system, 1.0), _corners(system, -1.0)
    corners = np.concatenate([thrifty, wasteful[::-1]])
    waiting = np.array([system.total_idle_power, 1.0])
    ends = [
        point + max(most_makespan - point[1], 0.0) * waiting for point in (wasteful[0], thrifty[0])
    ]
    return _cut_at(np.concatenate([corners, ends]), most_makespan)


def _corners(system: System, sign: float) -> FloatArray:
    """The vertices of the least energy for each makespan, or of the most energy if `sign` is -1,
    the slowest first: the front of the system with energy above idle power times `sign`.
    """
    possible = np.isfinite(system.etc)
    above_idle = np.zeros(system.etc.shape)
    np.divide(sign * system.dynamic_energy, system.etc, out=above_idle, where=possible)
    unit = float(np.abs(above_idle).max()) or 1.0
    above_idle /= unit
    # More idle power than needed, so that no energy is near 0, where precision is lost.
    idle = np.maximum(-above_idle.min(axis=0), 0.0) + 1.0
    shifted = replace(
        system.with_idle_power(idle.tolist()), apc=np.where(possible, idle + above_idle, np.nan)
    )
    front = trace_front(shifted)
    points = np.concatenate([front.slower, front.points])
    makespan = points[:, 1]
    joules = sign * (points[:, 0] - shifted.total_idle_power * makespan)
    joules = np.where(np.abs(joules) > DIFFERENCE_ROUNDING * points[:, 0], joules * unit, 0.0)
    return np.column_stack([joules + system.total_idle_power * makespan, makespan])


def _cut_at(polygon: FloatArray, most_makespan: float) -> FloatArray:
    """The part of a convex polygon up to a makespan."""
    kept: list[FloatArray] = []
    for here, following in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        inside = here[1] <= most_makespan
        if inside:
            kept.append(here)
        if inside != (following[1] <= most_makespan):
            share = (most_makespan - here[1]) / (following[1] - here[1])
            kept.append((1 - share) * here + share * following)
    corners = np.array(kept).reshape(-1, 2)
    if not kept:
        return corners
    # The fastest may be billions of times as fast as the slowest, and is a corner all the same.
    size = np.column_stack([np.full(len(corners), np.abs(corners[:, 0]).max()), corners[:, 1]])
    apart = np.abs(corners - np.roll(corners, 1, axis=0)) > SAME * size
    distinct: FloatArray = corners[apart.any(axis=1)]
    return distinct
