"""Table 6.3 without its normaliser: means as multiples of that of batch MaxMin."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np

from benchmarks.publications.arrivals.uncertain_readings import ReadCells
from benchmarks.publications.arrivals.uncertain_runs import MEASURES, REFERENCE, UncertainCells
from benchmarks.publications.arrivals.uncertain_tables import IMPROVEMENT, UncertainRow
from benchmarks.publications.arrivals.uncertain_words import otherwise, place_of
from benchmarks.publications.claim import Claim
from core.capabilities.arrivals.uncertain.methods import METHODS
from core.vocabulary.arrays import FloatArray

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
