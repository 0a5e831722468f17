"""Table 6.4 of Iturriaga's thesis, and our weighed method beside batches."""

from collections.abc import Sequence
from itertools import product
from typing import Final

import numpy as np

from benchmarks.publications.arrivals.uncertain_runs import (
    MEASURES,
    WAITING,
    UncertainCell,
    UncertainCells,
)
from benchmarks.publications.arrivals.uncertain_tables import WINS
from benchmarks.publications.arrivals.uncertain_words import (
    LABELS,
    place_of,
    said,
    setting_of,
)
from benchmarks.publications.claim import Claim, percent, points
from benchmarks.publications.figure import Figure, Table
from core.capabilities.arrivals.uncertain.methods import METHODS, WEIGHED
from core.vocabulary.arrays import IntArray

_BATCH: Final = ("batch-maxmin", "batch-maxmin-energy")
_MOST: Final = 0.8
_COLUMNS: Final = (
    "weighed: less",
    "MaxMin that waits: less",
    "weighed: above the bound",
    "batch MaxMin: above the bound",
)


def wins_figure(cells: UncertainCells) -> Figure:
    claims = []
    for place, measure in enumerate(MEASURES):
        for (count, level), rows in WINS.items():
            wins = cells[count, level].wins[place]
            most, here = int(np.argmax(rows[place])), int(wins.argmax())
            claims.append(
                Claim(
                    f"{count} machines, {level} error: the method that is the best in {measure} "
                    "most often",
                    f"{LABELS[most]} ({rows[place][most]} of 200)",
                    f"{LABELS[here]} ({wins[here]} of {len(cells[count, level].actual)})",
                    here == most,
                    f"{LABELS[most]} here {wins[most]}",
                    cause=_close(cells[count, level], most, here, place),
                )
            )
        pair = [place_of(name) for name in _BATCH]
        with_errors = [row for row in WINS if row[1] != "none"]
        reached = _share([cells[row].wins[place] for row in with_errors], pair)
        theirs = _share([np.array(WINS[row][place]) for row in with_errors], pair)
        claims.append(
            Claim(
                f"With errors, batch MaxMin and batch MaxMIN together have most wins in {measure} "
                f"(read: {percent(_MOST, 0)} of them)",
                percent(theirs),
                percent(reached),
                reached >= _MOST,
                points(reached, theirs),
            )
        )
    wins = {row: cells[row].wins for row in WINS}
    return Figure(
        "6.4",
        "On how many instances each method is the best",
        setting_of(cells),
        [],
        claims,
        table=Table(
            ["machines", "error", "measure", *LABELS],
            [
                [str(count), level, measure, *map(str, wins[count, level][place].tolist())]
                for place, measure in enumerate(MEASURES)
                for count, level in WINS
            ],
        ),
        kind="Table",
    )


def weighed_figure(cells: UncertainCells) -> Figure:
    hard = [row for row in WINS if row[1] in ("medium", "high")]
    claims = []
    for (count, level), rival, place in product(hard, _BATCH, range(len(MEASURES))):
        less = cells[count, level].less(WEIGHED.name, rival, place)
        claims.append(
            Claim(
                f"{count} machines, {level} error: the weighed method takes no more "
                f"{MEASURES[place]} than {METHODS[rival].label} (mean over instances)",
                "an aim of ours",
                f"{100 * less.mean:.1f} ± {100 * less.half_width:.1f} % less",
                less.mean >= 0,
                "beyond chance" if less.low > 0 else "within chance",
                ours=True,
            )
        )
    return Figure(
        "W",
        "The weighed method beside batches, in percent",
        setting_of(cells)
        + " Less: the mean of the differences, over the mean of batch MaxMin. Above "
        "the bound: how far beyond what would be possible for somebody who knows all times.",
        [],
        claims,
        [
            "Published batches let a core that becomes free go on with the last plan, which did "
            "not know that it would be free so soon. The column *that waits* is batch MaxMin where "
            "such a core waits up to a minute for the next plan: that alone is a part of what the "
            "weighed method gains."
        ],
        table=Table(
            ["machines", "error", "measure", *_COLUMNS],
            [
                [str(count), level, measure]
                + [
                    said(cells[count, level].less(name, "batch-maxmin", place))
                    for name in (WEIGHED.name, WAITING)
                ]
                + [
                    said(cells[count, level].above(name, place))
                    for name in (WEIGHED.name, "batch-maxmin")
                ]
                for place, measure in enumerate(MEASURES)
                for count, level in cells
            ],
        ),
        kind="Table",
    )


def _close(cell: UncertainCell, most: int, here: int, place: int) -> str:
    """How near the method with most wins in the print comes to the one with most wins here."""
    means = cell.published[..., place].mean(axis=0)
    return (
        f"On average {LABELS[most]} takes {means[most] / means[here]:.3f} times what "
        f"{LABELS[here]} takes; differences as small as this decide which method wins."
    )


def _share(rows: Sequence[IntArray], methods: Sequence[int]) -> float:
    """The share of all wins that these methods have."""
    wins = np.sum(rows, axis=0)
    return float(wins[list(methods)].sum() / wins.sum())
