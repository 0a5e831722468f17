"""The published areas between bounds, and the same areas for another system."""

import numpy as np

from core.model.system import System
from core.plane.boundaries import hull_boundary, loose_boundary, supporting_boundary
from core.plane.convex_bound import convex_bound
from core.plane.points import nadir
from core.plane.polygons import area_between
from core.relaxed import trace_front
from core.reproduce.calibration import CalibrationEffort
from core.reproduce.linear import linear
from core.reproduce.stand_ins import NAMES
from core.tradeoffs.reproduce.environments import FILLED, SWEPT
from core.tradeoffs.reproduce.tables import PUBLISHED_AREAS, PUBLISHED_BOUNDS


def published(name: str) -> dict[str, float]:
    """The published areas, in MJ s."""
    column = NAMES.index(name)
    swept = {f"{name}: {SWEPT}": PUBLISHED_AREAS[SWEPT][column]}
    return swept | {
        f"{name}: {FILLED}, {bound}": areas[column] for bound, areas in PUBLISHED_BOUNDS.items()
    }


def found(_: str, system: System, effort: CalibrationEffort) -> list[float]:
    """The areas, in MJ s, that the sweep's schedules leave, and those of the three outer bounds
    after convex fill.
    """
    method = linear(system, effort.weights, effort.spacing)
    lines = trace_front(system).lines
    optima = method.sweep.points
    swept, filled = method.swept.assigned, method.filled.assigned
    corner = nadir(np.concatenate([optima, filled]))
    exhaustive = supporting_boundary(lines.weights, lines.value, corner)
    left = [
        area_between(loose_boundary(optima), swept, nadir(np.concatenate([optima, swept]))),
        area_between(loose_boundary(optima), filled, corner),
        area_between(hull_boundary(optima), filled, corner) + convex_bound(optima).proven,
        area_between(exhaustive, filled, corner),
    ]
    return [area / 1e6 for area in left]
