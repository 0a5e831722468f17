"""Figure 3.7: the exact front at several idle powers."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from benchmarks.publications.claim import Claim, percent, points
from benchmarks.publications.figure import Curve, Figure, Plane, Region, Table, window
from benchmarks.publications.front.environments import (
    FILLED,
    IDLE_FRACTIONS,
    SWEPT,
    Environment,
    Environments,
)
from benchmarks.publications.front.figures import METHOD_COLOURS
from benchmarks.publications.front.tables import PUBLISHED_AREAS
from benchmarks.publications.pictures import PICTURE_COLOURS
from core.engines.relaxed import Front
from core.vocabulary.plane.boundaries import loose_boundary, staircase
from core.vocabulary.plane.polygons import closed
from core.vocabulary.tolerances import SAME

SLIGHTLY: Final = 0.25

_ENDS: Final = (
    "least energy (MJ)",
    "its makespan (s)",
    "energy of the fastest (MJ)",
    "least makespan (s)",
)


def idle_power(environments: Environments) -> Figure:
    by_fraction = dict(zip(IDLE_FRACTIONS, environments.idle_fronts, strict=True))
    groups = _coinciding(by_fraction)
    everything = np.concatenate([front.points for front in by_fraction.values()])
    return Figure(
        "3.7",
        "The exact front by idle power",
        "The nine environment; an idle machine draws the given share of its type's mean power.",
        [
            Plane(
                "nine",
                *window(everything),
                [
                    Curve(name, front.points, "line", k % (len(PICTURE_COLOURS)))
                    for k, (name, front) in enumerate(groups.items())
                ],
            )
        ],
        _idle_claims(environments),
        table=Table(
            ["idle power", "vertices", *_ENDS],
            [
                [
                    percent(fraction, 0),
                    f"{len(front)}",
                    f"{front.energy[0] / 1e6:.3f}",
                    f"{front.makespan[0]:,.1f}",
                    f"{front.energy[-1] / 1e6:.3f}",
                    f"{front.makespan[-1]:,.1f}",
                ]
                for fraction, front in by_fraction.items()
            ],
        ),
        notes=["Fronts that coincide are drawn once, and named by the range of their idle powers."],
    )


def _idle_claims(environments: Environments) -> list[Claim]:
    tried = environments.tried
    extent = np.array([one.makespan[0] - one.makespan[-1] for one in environments.idle_fronts])
    least = np.array([one.energy[0] for one in environments.idle_fronts])
    left = extent[-1] / extent[0]
    return [
        Claim(
            "With more idle power the front contracts in makespan (read: never grows)",
            "contracts",
            f"from {extent[0]:,.0f} s to {extent[-1]:,.0f} s between the ends",
            bool((np.diff(extent) <= SAME * extent[0]).all() and left < 1),
            f"{percent(1 - left)} shorter in all",
        ),
        Claim(
            "... and moves right slightly: the least energy rises (read: never falls, and by "
            f"less than {percent(SLIGHTLY, 0)} in all)",
            "slightly",
            f"from {least[0] / 1e6:.2f} MJ to {least[-1] / 1e6:.2f} MJ",
            bool((np.diff(least) >= -SAME * least[0]).all())
            and bool(least[0] < least[-1] < (1 + SLIGHTLY) * least[0]),
            f"+{percent(least[-1] / least[0] - 1)}",
            cause="The environment: it matters how much the levels of power differ, and none "
            "is published. In the ten candidates the least energy rises by "
            f"{percent(tried.rise.min())} to {percent(tried.rise.max())}; in this one, with "
            f"all machine types at one level, by {percent(tried.rise_of_equal_levels)}.",
        ),
        Claim(
            "At 100 % idle power only the least makespan matters: the front is a point "
            "(read: at most 1 % of the makespan between its ends)",
            "degenerates",
            f"{len(environments.idle_fronts[-1])} vertices, "
            f"{percent(extent[-1] / environments.idle_fronts[-1].makespan[-1])} between ends",
            bool(extent[-1] <= 0.01 * environments.idle_fronts[-1].makespan[-1]),
            points(extent[-1] / environments.idle_fronts[-1].makespan[-1], 0),
            cause="Idle power is a share of the mean power of a type, and some task types draw "
            "less than the mean. If all draw the mean on each machine type, the front has "
            f"{len(tried.even_front)} vertex.",
        ),
    ]


def _coinciding(by_fraction: Mapping[float, Front]) -> dict[str, Front]:
    """The different fronts, by the range of idle powers at which they are the same."""
    runs: list[tuple[float, float, Front]] = []
    for fraction, front in by_fraction.items():
        if runs and _same(runs[-1][2], front):
            runs[-1] = runs[-1][0], fraction, runs[-1][2]
        else:
            runs.append((fraction, fraction, front))
    return {
        ("idle " + (f"{100 * first:.0f} to " if first < last else "") + percent(last, 0)): front
        for first, last, front in runs
    }


def _same(one: Front, other: Front) -> bool:
    return len(one) == len(other) and np.allclose(one.points, other.points, rtol=SAME)


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
