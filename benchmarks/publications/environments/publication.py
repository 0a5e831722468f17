"""Calibration: which of ten drawn environments is nearest to the published numbers.

Environments are measured like those of the publication: areas between bounds (tables 3.1 and 3.2)
of the method without and with convex fill, each up to the nadir of its own schedules, and for nine
also the averages of the chapter on makespan. NSGA-II takes minutes and is left out. The distance
from the published numbers is the root mean square of the logarithms of all ratios.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.convex import convex_bound, hull_boundary, supporting_boundary
from benchmarks.publications.claim import Claim
from benchmarks.publications.figure import Figure, Table
from benchmarks.publications.front.environments import FILLED, SWEPT
from benchmarks.publications.front.tables import PUBLISHED_AREAS, PUBLISHED_BOUNDS
from benchmarks.publications.linear import linear
from benchmarks.publications.makespan.bag_figures import PUBLISHED_EXCESS, PUBLISHED_GAP
from benchmarks.publications.makespan.bags import GAP_SIZE, averages
from benchmarks.publications.publication import Publication, silent
from benchmarks.publications.stand_ins import CANDIDATES, KEPT, NAMES, drawn
from core.engines.relaxed import trace_front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.boundaries import loose_boundary
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


GROUPS: Final = {"1": ("nine", "six", "two"), "2": ("ten",)}
"""The environments that one seed draws, by the table that shows their calibration."""

PREAMBLE: Final = """\
# The environments that stand in for the published ones

We do not have the matrices of the publication. It says how many types, tasks and machines there
are; the times of ten task types on the nine machine types; by which methods times and powers were
drawn (for ten without parameters: we use those that it gives for its figure 7); and the results. So
we draw ten environments as it describes. The one whose results are nearest to the published ones is
used in all three reports. Differences that remain come from the methods, or from what no seed of
ours brings about.

This file is written by `wattfront reproduce environments`; nothing in it is edited by hand. The
recipe is in `benchmarks/publications/stand_ins.py`, the measurement in
`benchmarks/publications/environments/`.

## How to read it

- Each number in the tables is a ratio: the result in the drawn environment over the published
  result; 1 means equal. The distance is the root mean square of the logarithms of the ratios: 0.5
  means a typical factor of 1.6.
- Areas are those of tables 3.1 and 3.2, up to the nadir of the schedules that are measured: the
  publication does not say whether its methods share one. The areas of NSGA-II are left out.
- Powers are not scaled to fit: the level of each machine type is drawn, from 80 to 200 W.
- The candidates were chosen by the areas of the LP-based method and by the three averages of
  chapter 2. So if a report finds that these agree with the publication, that is no evidence.
"""

PUBLICATION: Final = Publication("environments", PREAMBLE, "png", TRIALS)


@dataclass(frozen=True, eq=False)
class Likeness:
    """For each candidate (rows), the ratio of each number to the published one."""

    numbers: Sequence[str]
    ratios: FloatArray

    @property
    def distances(self) -> FloatArray:
        distances: FloatArray = np.sqrt((np.log(self.ratios) ** 2).mean(axis=1))
        return distances

    @property
    def nearest(self) -> int:
        return int(self.distances.argmin())


def published(names: Sequence[str]) -> dict[str, float]:
    """The published numbers of these environments."""
    numbers: dict[str, float] = {}
    for published_numbers, _ in MEASUREMENTS:
        for name in names:
            numbers |= published_numbers(name)
    return numbers


def found(candidate: int, names: Sequence[str], effort: CalibrationEffort) -> list[float]:
    """The same numbers for the environments of a candidate."""
    systems = {name: drawn(name, candidate) for name in names}
    return [
        number
        for _, found_numbers in MEASUREMENTS
        for name, system in systems.items()
        for number in found_numbers(name, system, effort)
    ]


def likeness(
    names: Sequence[str], effort: CalibrationEffort, candidates: Sequence[int] = CANDIDATES
) -> Likeness:
    wanted = published(names)
    numbers = np.array([found(candidate, names, effort) for candidate in candidates])
    return Likeness(tuple(wanted), numbers / np.array(list(wanted.values())))


def reproduce(
    folder: Path, trials: int = TRIALS, say: Callable[[str], None] = silent
) -> Mapping[str, object]:
    """Measure all candidates; the result is that of `Publication.reproduce`."""
    effort = CalibrationEffort(trials=trials)
    return PUBLICATION.reproduce(
        lambda: [figure(number, names, effort, say) for number, names in GROUPS.items()],
        folder,
        trials,
        f"This run swept {effort.weights:,} weights, filled to a spacing of "
        f"{effort.spacing:g}, "
        f"and drew {trials} bags for each average.",
        say,
    )


def figure(
    number: str, names: Sequence[str], effort: CalibrationEffort, say: Callable[[str], None]
) -> Figure:
    say(f"{len(CANDIDATES)} candidates for {', '.join(names)}")
    alike = likeness(names, effort)
    kept, distances = KEPT[names[0]], alike.distances
    return Figure(
        number,
        f"Candidates for {', '.join(names)}",
        "Each column is a candidate, named by its seed; each row is a published number.",
        [],
        [
            Claim(
                f"Candidate {kept}, which we use, is the nearest",
                "our choice",
                f"candidate {alike.nearest} is, at a distance of {distances.min():.2f}",
                alike.nearest == kept,
                f"the next is at {np.sort(distances)[1]:.2f}, the farthest at "
                f"{distances.max():.2f}",
                ours=True,
            )
        ],
        table=Table(
            ["number", *(f"{candidate}" for candidate in CANDIDATES)],
            [
                *(
                    [name, *(f"{ratio:.2f}" for ratio in row)]
                    for name, row in zip(alike.numbers, alike.ratios.T, strict=True)
                ),
                ["distance", *(f"**{distance:.2f}**" for distance in distances)],
            ],
        ),
        kind="Table",
    )
