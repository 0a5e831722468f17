"""What all tables on uncertain times say alike."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from benchmarks.publications.arrivals.uncertain_readings import AS_HERE, ReadCells
from benchmarks.publications.arrivals.uncertain_runs import INSTANCES, MEASURES, UncertainCells
from benchmarks.publications.arrivals.uncertain_tables import UncertainRow
from benchmarks.publications.claim import Claim
from benchmarks.publications.figure import Table
from core.capabilities.arrivals.uncertain.methods import METHODS
from core.vocabulary.arrays import FloatArray
from core.vocabulary.intervals import Interval

NEAR: Final = 5.0
"""Percentage points within which numbers of another catalogue of machines count as reproduced."""
LABELS: Final = tuple(method.label for method in METHODS.values())


def setting_of(cells: UncertainCells) -> str:
    count = len(next(iter(cells.values())).actual)
    return (
        f"{count} instances of each number of machines and level of errors (published: "
        f"{INSTANCES}), half of them with alike machines, half with slow arrivals. Batches are "
        "planned each minute in which there is news. Means with 95 % intervals."
    )


def claims_of_rows(
    published: Mapping[UncertainRow, tuple[Sequence[float], Sequence[float]]],
    found: Mapping[UncertainRow, FloatArray],
    what: str,
    cause: Callable[[UncertainRow, int], str],
) -> Iterator[Claim]:
    """A claim for each row and measure of a table of means; `cause` is of a row and the place of
    the measure.
    """
    for place, measure in enumerate(MEASURES):
        for (count, level), printed in published.items():
            samples = found[count, level][..., place]
            apart = points_apart(samples, printed[place])
            yield Claim(
                f"{what}, {measure} in percent: {count} machines, {level} error (read: each within "
                f"{NEAR:g} points)",
                "; ".join(f"{one:.1f}" for one in printed[place]),
                "; ".join(said(Interval.of(one)) for one in samples.T),
                apart <= NEAR,
                f"at most {apart:.1f} percentage points",
                cause=cause((count, level), place),
            )


def points_apart(samples: FloatArray, printed: Sequence[float]) -> float:
    """The largest difference of mean shares (columns) from printed ones, in percentage points."""
    return float(np.abs(100 * samples.mean(axis=0) - printed).max())


def otherwise(
    read: ReadCells, statistic: Callable[[UncertainCells], float], what: str, digits: int = 1
) -> str:
    """What a statistic of all rows is under each reading that changes what is said."""
    count = len(next(iter(read[AS_HERE].values())).actual)
    found = {name: f"{statistic(cells):.{digits}f}" for name, cells in read.items()}
    here = found[AS_HERE]
    others = [f"{name} {said}" for name, said in found.items() if said != here]
    if not others:
        others = ["all others the same"]
    elif len(others) < len(found) - 1:
        others.append(f"the rest {AS_HERE}")
    return (
        f"{what}, on the same {count} instances of a row under the readings of table R: "
        + "; ".join([f"{AS_HERE} {here}", *others])
        + "."
    )


def table_of(labels: Sequence[str], found: Mapping[UncertainRow, FloatArray]) -> Table:
    return Table(
        ["machines", "error", "measure", *labels],
        [
            [str(count), level, measure] + [said(Interval.of(one)) for one in samples[..., place].T]
            for place, measure in enumerate(MEASURES)
            for (count, level), samples in found.items()
        ],
    )


def said(share: Interval) -> str:
    return f"{100 * share.mean:.1f} ± {100 * share.half_width:.1f}"


def place_of(name: str) -> int:
    return list(METHODS).index(name)
