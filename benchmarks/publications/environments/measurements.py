"""The published areas and averages of an environment, and the same numbers of another system."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.publications.front.environments import FILLED, SWEPT
from benchmarks.publications.front.tables import PUBLISHED_AREAS, PUBLISHED_BOUNDS
from benchmarks.publications.linear import linear
from benchmarks.publications.makespan.bag_figures import PUBLISHED_EXCESS, PUBLISHED_GAP
from benchmarks.publications.makespan.bags import GAP_SIZE, averages
from benchmarks.publications.stand_ins import NAMES
from core.engines.relaxed import trace_front
from core.vocabulary.plane.boundaries import (
    convex_bound,
    hull_boundary,
    loose_boundary,
    supporting_boundary,
)
from core.vocabulary.plane.points import nadir
from core.vocabulary.plane.polygons import area_between
from core.vocabulary.system import System

TRIALS: Final = 20


@dataclass(frozen=True, slots=True)
class CalibrationEffort:
    """`trials` is the number of bags in an average; `weights` and `spacing` are those of the sweep
    and its filling.
    """

    trials: int = TRIALS
    weights: int = 1000
    spacing: float = 0.01


def published_averages(name: str) -> dict[str, float]:
    """The averages of the publication on makespan, as shares."""
    if name != "nine":
        return {}
    longer = {f"{rival} longer": excess for rival, excess in PUBLISHED_EXCESS.items()}
    return {f"gap at {GAP_SIZE:,} tasks": PUBLISHED_GAP} | longer


def found_averages(name: str, system: System, effort: CalibrationEffort) -> list[float]:
    """The same averages of a system, in the same order."""
    return averages(system, effort.trials) if name == "nine" else []


def published_areas(name: str) -> dict[str, float]:
    """The published areas between bounds, in MJ s."""
    column = NAMES.index(name)
    swept = {f"{name}: {SWEPT}": PUBLISHED_AREAS[SWEPT][column]}
    return swept | {
        f"{name}: {FILLED}, {bound}": areas[column] for bound, areas in PUBLISHED_BOUNDS.items()
    }


def found_areas(_: str, system: System, effort: CalibrationEffort) -> list[float]:
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


MEASUREMENTS: Final = (
    (published_averages, found_averages),
    (published_areas, found_areas),
)
