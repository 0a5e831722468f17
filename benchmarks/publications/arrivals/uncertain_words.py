"""What all tables on uncertain times say alike, and table 6.3 without its normaliser: means as
multiples of that of batch MaxMin.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np

from benchmarks.publications.arrivals.uncertain_runs import (
    AS_HERE,
    IMPROVEMENT,
    INSTANCES,
    MEASURES,
    REFERENCE,
    ReadCells,
    UncertainCells,
    UncertainRow,
)
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


NEAR_RATIO: Final = 0.1
"""Within which ratios of means count as reproduced."""


def _printed() -> Mapping[UncertainRow, FloatArray]:
    """By method and measure: what is left of the worst, over what batch MaxMin leaves of it."""
    left = {row: 1 - np.array(rows).T / 100 for row, rows in IMPROVEMENT.items()}
    return {row: part / part[place_of(REFERENCE)] for row, part in left.items()}


PRINTED_RATIOS: Final = _printed()


def ratio_claims(cells: UncertainCells, read: ReadCells) -> Iterator[Claim]:
    """A claim for each method and measure, without errors and with them."""
    for place, measure in enumerate(MEASURES):
        for method, (name, known) in enumerate(METHODS.items()):
            if name == REFERENCE:
                continue
            for errors in (False, True):
                rows = [row for row in IMPROVEMENT if (row[1] != "none") == errors]
                apart = partial(_most_apart, rows, method, place)
                yield Claim(
                    f"{known.label} takes so many times the {measure} of batch MaxMin, "
                    f"{'with' if errors else 'without'} errors (derived from the printed "
                    f"improvements; read: each within {NEAR_RATIO:g})",
                    "; ".join(f"{PRINTED_RATIOS[row][method, place]:.2f}" for row in rows),
                    "; ".join(f"{cells[row].ratios[method, place]:.2f}" for row in rows),
                    apart(cells) <= NEAR_RATIO,
                    f"at most {apart(cells):.2f}",
                    cause=otherwise(read, apart, "The largest difference", digits=2),
                )


def _most_apart(
    rows: Sequence[UncertainRow], method: int, place: int, cells: UncertainCells
) -> float:
    return max(float(_differs(cells, row)[method, place]) for row in rows)


def _differs(cells: UncertainCells, row: UncertainRow) -> FloatArray:
    """By method and measure: how far the ratio is from the printed one."""
    return np.asarray(np.abs(cells[row].ratios - PRINTED_RATIOS[row]))


def normaliser_said(cells: UncertainCells, row: UncertainRow, place: int) -> str:
    """Why shares of the worst method of a row are not as printed: how bad that method is, and whose
    ratio to batch MaxMin is another.
    """
    reference = place_of(REFERENCE)
    here = 1 / (1 - cells[row].improvement[:, reference, place].mean())
    printed = 1 / (1 - IMPROVEMENT[row][place][reference] / 100)
    others = [
        f"{known.label} {cells[row].ratios[method, place]:.2f} "
        f"(printed {PRINTED_RATIOS[row][method, place]:.2f})"
        for method, known in enumerate(METHODS.values())
        if _differs(cells, row)[method, place] > NEAR_RATIO
    ]
    said = (
        f"The worst method of an instance takes {here:.2f} times the {MEASURES[place]} of batch "
        f"MaxMin; derived from the print: {printed:.2f}."
    )
    if not others:
        return f"{said} Ratios to batch MaxMin are within {NEAR_RATIO:g} for all methods."
    return f"{said} Ratios to batch MaxMin differ by more than {NEAR_RATIO:g} for " + (
        ", ".join(others) + "."
    )


def mean_difference(cells: UncertainCells, place: int) -> float:
    """The mean difference of all ratios from the printed ones, in percent."""
    return 100 * float(np.mean([_differs(cells, row)[:, place] for row in IMPROVEMENT]))
