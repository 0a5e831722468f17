"""Figure 3.10: what is possible, impossible and unknown, without and with convex fill."""

import numpy as np

from benchmarks.publications.claim import Claim, percent
from benchmarks.publications.figure import Figure, Table
from benchmarks.publications.front.environments import FILLED, SWEPT, Environment, Environments
from benchmarks.publications.front.figures import METHOD_COLOURS
from benchmarks.publications.front.tables import PUBLISHED_AREAS
from benchmarks.publications.plane import Curve, Plane, Region, window
from core.vocabulary.plane.boundaries import loose_boundary, staircase
from core.vocabulary.plane.polygons import closed


def polygons(environments: Environments) -> Figure:
    nine = environments.nine
    before, after = nine.left_loose(SWEPT), nine.left_loose(FILLED)
    whole = nine.loose_area()
    published_before, published_after = (PUBLISHED_AREAS[name][0] for name in (SWEPT, FILLED))
    return Figure(
        "3.10",
        "Inner and outer polygons without and with convex fill",
        "The nine environment without idle power; up to the nadir of table 3.1.",
        [
            _polygon_plane("(a) without convex fill", nine, SWEPT),
            _polygon_plane("(b) with convex fill", nine, FILLED),
        ],
        [
            Claim(
                "Convex fill shrinks the region where the true front can be",
                "shrinks",
                f"by {percent(1 - after / before)}",
                after < before,
                f"published areas shrink by {percent(1 - published_after / published_before)}",
                cannot_fail=True,
            )
        ],
        table=Table(
            ["inner side", "unknown (MJ s)", "share of the outer polygon"],
            [
                [method, f"{area / 1e6:,.4g}", percent(area / whole)]
                for method, area in ((SWEPT, before), (FILLED, after))
            ],
        ),
    )


def _polygon_plane(title: str, environment: Environment, method: str) -> Plane:
    corner = environment.nadir
    outer = loose_boundary(environment.optima)
    low, high = window(np.array([environment.front.utopia, corner]))
    schedules = environment.attempts[method].points
    return Plane(
        title,
        low,
        high,
        [Curve(method, schedules, "dots", METHOD_COLOURS[method])],
        [
            Region("unknown", closed(outer, corner)),
            Region("possible", closed(staircase(schedules), corner)),
        ],
    )
