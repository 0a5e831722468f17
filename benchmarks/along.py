"""Case 7: schedules along the front, against the published recovery.

Quality is measured after a fixed amount of work, which does not depend on other load of the
machine; times are measured by the clock.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import numpy as np

from benchmarks.case import Case, Part, Section, Target
from benchmarks.convex import convex_bound, hull_boundary, supporting_boundary
from benchmarks.report import duration, table, times
from benchmarks.timing import timed
from core import Effort, System, load_sample, study
from core.engines.front.study import Study
from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.points import nadir
from core.vocabulary.plane.polygons import area, closed

ENVIRONMENTS: Final = ("nine", "six", "two", "ten")
SECONDS: Final = 4.2
WHOLE_SECONDS: Final = 5.0
"""The rest of the time makes the first schedules and checks the last ones."""
THREADS: Final = 2
WORK: Final = 8.0
"""Units of work: about what so many threads do in so many seconds."""
FIFTH: Final = 0.2
MOST_SECONDS: Final = 10.0
FLAT: Final = 2.0
TASKS: Final = (110_000, 1_100_000, 110_000_000)
AREAS, CLOCK, LARGE = "Areas", "By the clock", "3,600 machines"


def measure_areas(quick: bool) -> dict[str, Any]:
    """Areas between bounds (joule-seconds), all up to the same nadir in an environment."""
    return {name: _areas(name, 0.2 if quick else WORK) for name in ENVIRONMENTS}


def _areas(name: str, work: float) -> dict[str, float]:
    system = _environment(name)
    published = study(system, method="paper", effort=Effort(0))
    ours = study(system, effort=Effort(work=work))
    corner = _common_nadir(published, ours)
    exact = ours.front.points
    lines = ours.front.lines
    convex = convex_bound(exact)
    hull = area(closed(hull_boundary(exact), corner))
    supporting = area(closed(supporting_boundary(lines.weights, lines.value, corner), corner))
    published_areas, our_areas = published.areas(corner), ours.areas(corner)
    return {
        "published": published_areas.loose,
        "published_tight": published_areas.between + hull + convex.proven - supporting,
        "published_exact": published_areas.between,
        "ours": our_areas.between,
        "schedules": len(ours.achieved),
    }


def measure_by_clock(quick: bool) -> dict[str, Any]:
    """The time of whole studies (s), and their areas."""
    study(load_sample("two-by-two"), effort=Effort(0.1))  # compiles
    return {name: _by_clock(name, 0.3 if quick else SECONDS) for name in ENVIRONMENTS}


def _by_clock(name: str, seconds: float) -> dict[str, float]:
    system = _environment(name)
    published_seconds, published = timed(partial(study, system, method="paper", effort=Effort(0)))
    our_seconds, ours = timed(
        partial(study, system, effort=Effort(seconds=seconds, threads=THREADS))
    )
    corner = _common_nadir(published, ours)
    return {
        "share": ours.areas(corner).between / published.areas(corner).loose,
        "published_seconds": published_seconds,
        "our_seconds": our_seconds,
    }


def _environment(name: str) -> System:
    return load_sample(name).with_idle_fraction(0.0)


def _common_nadir(published: Study, ours: Study) -> FloatArray:
    return nadir(np.concatenate([published.achieved, ours.achieved, ours.front.points]))


def measure_large(quick: bool) -> dict[str, float]:
    """Seconds of a whole study: bound, filling, assignment, independent verification."""
    nine = load_sample("nine").with_idle_fraction(0.1)
    study(load_sample("two-by-two"), effort=Effort(0.1))
    return {
        str(tasks): timed(
            partial(
                study,
                nine.with_counts(nine.task_counts * (tasks // 1100), nine.machine_counts * 100),
                effort=Effort(threads=THREADS),
            )
        )[0]
        for tasks in (TASKS[:1] if quick else TASKS)
    }


def tell(measured: Mapping[str, Any]) -> Section:
    areas, clock, large = measured[AREAS], measured[CLOCK], measured[LARGE]
    targets = [
        *(
            Target(
                f"{name}: area between bounds, share of the published",
                found["ours"] / found["published"],
                FIFTH,
                _share,
            )
            for name, found in areas.items()
        ),
        Target(
            "whole time of these studies",
            max(found["our_seconds"] for found in clock.values()),
            WHOLE_SECONDS,
            duration,
        ),
        Target("whole study of 1.1 million tasks", max(large.values()), MOST_SECONDS, duration),
        Target(
            "study of 1,000 times the tasks",
            large[max(large, key=int)] / large[min(large, key=int)],
            FLAT,
            times,
        ),
    ]
    return Section(
        targets,
        "\n\n".join(
            [
                f"No idle power. Published: 1,000 weights, convex filling to 0.01, rounding, "
                f"assignment, loose polygon. Ours: every vertex, proven edges, and {WORK:g} "
                f"units of work of polish and patterns, which are the same on any machine: about "
                f"what {THREADS} threads do in {SECONDS:g} s. MJ s, under the nadir common to "
                "both.",
                table(
                    ["", "Published", "with the convex bound", "with our lines", "Ours"],
                    [
                        [
                            name,
                            *(
                                f"{found[key] / 1e6:,.4g}"
                                for key in ("published", "published_tight", "published_exact")
                            ),
                            f"{found['ours'] / 1e6:,.4g}",
                        ]
                        for name, found in areas.items()
                    ],
                ),
                f"The same with {SECONDS:g} s by the clock, on {THREADS} threads; the share of the "
                "published area depends on what else the machine does:",
                table(
                    ["", "Published", "Ours", "Share"],
                    [
                        [
                            name,
                            duration(found["published_seconds"]),
                            duration(found["our_seconds"]),
                            _share(found["share"]),
                        ]
                        for name, found in clock.items()
                    ],
                ),
                "3,600 machines of nine types, 30 task types, filled to 0.01:",
                table(
                    ["Tasks", "Whole study"],
                    [[f"{int(tasks):,}", duration(took)] for tasks, took in large.items()],
                ),
            ]
        ),
    )


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


CASE: Final = Case(
    "Schedules along the front",
    {
        AREAS: Part(measure_areas),
        CLOCK: Part(measure_by_clock),
        LARGE: Part(measure_large),
    },
    tell,
)
