"""Everything that divisible schedules can reach in the plane of energy and makespan."""

from dataclasses import replace

import numpy as np

from core.relaxed import trace_front
from core.system import FloatArray, System


def feasible_region(system: System, most_makespan: float) -> FloatArray:
    """The corners, counter-clockwise, of what can be reached within so many seconds.

    Exact: the convex hull of the schedules that run through, and waiting after them, which costs
    all machines' idle power. Raises `NoPowerData` without APC.
    """
    front = trace_front(system)
    thrifty = np.concatenate([front.slower, front.points])
    wasteful = _wasteful(system)
    corners = np.concatenate([thrifty, wasteful[::-1]])
    idle = system.total_idle_power
    ends = [
        point + max(most_makespan - point[1], 0.0) * np.array([idle, 1.0])
        for point in (wasteful[0], thrifty[0])
    ]
    return _below(np.concatenate([corners, ends]), most_makespan)


def _wasteful(system: System) -> FloatArray:
    """Points of the most energy for each makespan, the slowest first: the front of a system where
    energy above idle power is gained instead of spent.
    """
    possible = np.isfinite(system.etc)
    above_idle = np.where(possible, system.dynamic_energy / system.etc, 0.0)
    # Twice what is needed, so that no energy is near 0, where relative precision is lost.
    shift = 2 * np.maximum(above_idle.max(axis=0), 0.0) + 1.0
    mirrored = replace(
        system,
        machine_types=tuple(
            replace(machine, idle_power=float(watts))
            for machine, watts in zip(system.machine_types, shift, strict=True)
        ),
        apc=np.where(possible, shift - above_idle, np.nan),
    )
    front = trace_front(mirrored)
    points = np.concatenate([front.slower, front.points])
    gained = mirrored.total_idle_power * points[:, 1] - points[:, 0]
    return np.column_stack([gained + system.total_idle_power * points[:, 1], points[:, 1]])


def _below(polygon: FloatArray, most_makespan: float) -> FloatArray:
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
    return corners[(corners != np.roll(corners, 1, axis=0)).any(axis=1)]
