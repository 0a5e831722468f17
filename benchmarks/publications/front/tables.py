"""Tables 3.1 and 3.2: the area that contains the true front, by method and by bound."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from benchmarks.publications.claim import Claim, duration, percent, points, times
from benchmarks.publications.figure import Figure, Table
from benchmarks.publications.front.environments import (
    EVOLVED,
    FILLED,
    LONGER_POLISH,
    METHODS,
    OURS,
    SEEDED,
    SWEPT,
    Environment,
    Environments,
)
from benchmarks.publications.front.front_causes import PUBLISHED_GAPS
from benchmarks.publications.stand_ins import NAMES

PUBLISHED_AREAS: Final[dict[str, tuple[float, ...]]] = {
    EVOLVED: (2149, 1351, 115, 2.655),
    SWEPT: (684, 339, 63, 1.011),
    SEEDED: (436, 306, 53, 0.851),
    FILLED: (231, 238, 38, 0.762),
}
"""In MJ s, for the environments `NAMES`."""

PUBLISHED_BOUNDS: Final[dict[str, tuple[float, ...]]] = {
    "loose": (231, 238, 38.1, 0.762),
    "convex": (226, 235, 36.3, 0.748),
    "exhaustive": (210, 226, 34.1, 0.689),
}
PUBLISHED_CONVEX_SECONDS: Final = 50.0
AIM: Final = 1 / 5

_Area = Callable[[Environment], float]


def table_1(environments: Environments) -> Figure:
    """Table 3.1: the area by method."""
    each = environments.each
    loose = {method: _areas(each, _loose(method)) for method in METHODS}
    exact = {method: _areas(each, _exact(method)) for method in METHODS}
    head = ["method"]
    for name in NAMES:
        head += [f"{name}: published", f"{name}: loose", f"{name}: exact"]
    rows = []
    for method in METHODS:
        row = [method]
        for k in range(len(NAMES)):
            published = PUBLISHED_AREAS.get(method)
            row += [
                f"{published[k]:,g}" if published else "",
                _megajoule_seconds(loose[method][k]),
                _megajoule_seconds(exact[method][k]),
            ]
        rows.append(row)
    return Figure(
        "3.1",
        "Area between bounds, by method (MJ s)",
        "All polygons of an environment end at one nadir: the largest energy and makespan of the "
        "exact front and of all undominated schedules of the five methods. `loose` is against the "
        "published outer polygon, `exact` against the exact front.",
        [],
        [
            _ordering(each, EVOLVED, SWEPT),
            _ordering(each, SWEPT, SEEDED),
            _ordering(each, SWEPT, FILLED),
            _ordering(each, SEEDED, FILLED),
            *(_ours(environment) for environment in each.values()),
        ],
        [
            "Only areas in one column can be compared: the publication does not say whether its "
            "rows share a nadir, and its matrices are different. One schedule of NSGA-II far from "
            "the front moves the nadir, and with it all areas of an environment. So the last four "
            "claims are also checked with the nadir of the two methods alone."
        ],
        Table(head, rows),
        "Table",
    )


def table_2(environments: Environments) -> Figure:
    """Table 3.2: the area by outer bound; the inner side is that of the convex fill."""
    each = environments.each
    measured = {
        "loose": _areas(each, _loose(FILLED)),
        "convex": _areas(each, lambda environment: environment.left_convex(FILLED)),
        "exhaustive": _areas(each, _exact(FILLED)),
    }
    head = ["outer bound"]
    for name in NAMES:
        head += [f"{name}: published", f"{name}: here"]
    rows = []
    for bound, areas in measured.items():
        row = [bound]
        for published, area in zip(PUBLISHED_BOUNDS[bound], areas, strict=True):
            row += [f"{published:g}", _megajoule_seconds(area)]
        rows.append(row)
    pairs = [("loose", "convex"), ("convex", "exhaustive")]
    return Figure(
        "3.2",
        "Area between bounds, by outer bound (MJ s)",
        f"The inner side is {FILLED}; the nadirs are those of table 3.1. `convex` is the "
        "publication's section 3.7 at its global optimum, `exhaustive` the exact front.",
        [],
        [
            _smaller_bound(larger, smaller, measured[larger], measured[smaller])
            for larger, smaller in pairs
        ]
        + [
            Claim(
                f"The convex bound takes 50 s for N = {PUBLISHED_GAPS} (read: no more)",
                duration(PUBLISHED_CONVEX_SECONDS),
                duration(environments.tried.convex_seconds),
                environments.tried.convex_seconds <= PUBLISHED_CONVEX_SECONDS,
                f"{times(PUBLISHED_CONVEX_SECONDS / environments.tried.convex_seconds)} faster: "
                "dynamic programming, not a local search, on another machine",
            )
        ],
        [
            "The published bound of section 3.7 comes from a local search, which may stop below "
            "the optimum and is then no bound; here dynamic programming finds the optimum, and the "
            "number given is proven."
        ],
        Table(head, rows),
        "Table",
    )


def _ordering(each: Mapping[str, Environment], larger: str, smaller: str) -> Claim:
    here = [
        environment.left_loose(larger) / environment.left_loose(smaller)
        for environment in each.values()
    ]
    published = [
        one / other
        for one, other in zip(PUBLISHED_AREAS[larger], PUBLISHED_AREAS[smaller], strict=True)
    ]
    failing = [name for name, ratio in zip(each, here, strict=True) if ratio <= 1]
    return Claim(
        f"{larger} leaves more than {smaller}, in all four environments",
        _ratios(published),
        _ratios(here),
        not failing,
        "the other way round in " + ", ".join(failing) if failing else "the same order in all",
    )


def _ours(environment: Environment) -> Claim:
    share = environment.left_exact(OURS) / environment.left_loose(FILLED)
    longer = environment.left_longer / environment.left_loose(FILLED)
    alone = environment.nadir_of(FILLED, OURS)
    share_alone = environment.left_exact(OURS, alone) / environment.left_loose(FILLED, alone)
    seconds = environment.attempts[OURS].seconds
    return Claim(
        f"Our aim, {environment.name}: at most one fifth of what {FILLED} leaves with the "
        f"published outer polygon, in {seconds:.1f} s",
        f"{AIM:g} times (not published: our aim)",
        f"{share:.2f} times; {share_alone:.2f} with the nadir of these two alone",
        share <= AIM,
        f"{share / AIM:.2f} of what is allowed",
        cause=f"Partly time: polished {LONGER_POLISH} times as long, it is {longer:.2f} times.",
        ours=True,
    )


def _smaller_bound(
    larger: str, smaller: str, before: Sequence[float], after: Sequence[float]
) -> Claim:
    published = [
        1 - one / other
        for one, other in zip(PUBLISHED_BOUNDS[smaller], PUBLISHED_BOUNDS[larger], strict=True)
    ]
    here = [1 - one / other for one, other in zip(after, before, strict=True)]
    return Claim(
        f"The {smaller} bound leaves less than the {larger} one, in all four environments",
        ", ".join(f"{percent(share)} less" for share in published),
        ", ".join(f"{percent(share, 2)} less" for share in here),
        min(here) > 0,
        _sizes(here, published),
        cannot_fail=True,
    )


def _sizes(here: Sequence[float], published: Sequence[float]) -> str:
    """How much the reductions differ in each environment, where the order itself is a theorem."""
    shares = zip(here, published, strict=True)
    return ", ".join(points(one, other) for one, other in shares)


def _loose(method: str) -> _Area:
    return lambda environment: environment.left_loose(method)


def _exact(method: str) -> _Area:
    return lambda environment: environment.left_exact(method)


def _areas(each: Mapping[str, Environment], area: _Area) -> list[float]:
    return [area(environment) for environment in each.values()]


def _ratios(ratios: Sequence[float]) -> str:
    return ", ".join(times(ratio) for ratio in ratios)


def _megajoule_seconds(joule_seconds: float) -> str:
    return f"{joule_seconds / 1e6:,.4g}"
