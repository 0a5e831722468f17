"""Table 6.4 of Iturriaga's thesis, our weighed method beside batches, and how far each reading of
what is not printed is from the printed numbers.
"""

from collections.abc import Sequence
from itertools import product
from typing import Final

import numpy as np

from benchmarks.publications.arrivals.uncertain_runs import (
    AS_HERE,
    DEVIATION,
    IMPROVEMENT,
    MEASURES,
    READINGS,
    WAITING,
    WINS,
    ReadCells,
    UncertainCell,
    UncertainCells,
)
from benchmarks.publications.arrivals.uncertain_words import (
    LABELS,
    mean_difference,
    place_of,
    said,
    setting_of,
)
from benchmarks.publications.claim import Claim, percent, points
from benchmarks.publications.figure import Figure, Table
from core.capabilities.arrivals.uncertain.bags import MACHINES
from core.capabilities.arrivals.uncertain.methods import METHODS, WEIGHED
from core.vocabulary.arrays import FloatArray, IntArray


def readings_figure(read: ReadCells) -> Figure:
    """How far each reading is from the print."""
    distances = {name: _distances(cells) for name, cells in read.items()}
    ours = distances[AS_HERE]
    nearer = [name for name, far in distances.items() if (far < ours).all()]
    return Figure(
        "R",
        "Readings of what is not printed: mean differences from the printed numbers",
        f"{len(read[AS_HERE][MACHINES[0], 'none'].actual)} instances of each number of machines "
        "and level of errors, of all heterogeneities and rates. Differences of tables 6.2 and "
        "6.3 are in percentage points, those of ratios to the mean of batch MaxMin in percent. So "
        f"few instances differ from those of the tables, also {AS_HERE}; but all readings meet the "
        "same ones, and can be compared with each other.",
        [],
        [
            Claim(
                "No other reading is nearer to the print in all six columns",
                "not published",
                ", ".join(nearer) or "none",
                not nearer,
                "none" if not nearer else "to be read so",
                ours=True,
            )
        ],
        [f"*{name}*: {READINGS[name].sentence}" for name in read],
        table=Table(
            [
                "reading",
                *(f"{what}, {one}" for what in ("6.2", "6.3", "ratios") for one in MEASURES),
            ],
            [[name, *(f"{one:.1f}" for one in far)] for name, far in distances.items()],
        ),
        kind="Table",
    )


def _distances(cells: UncertainCells) -> FloatArray:
    """Mean differences from tables 6.2 and 6.3 and from ratios: makespan and energy of each."""
    places = range(len(MEASURES))
    return np.array(
        [
            *(
                np.mean(
                    [
                        np.abs(100 * cells[row].deviation[..., place].mean(axis=0) - rows[place])
                        for row, rows in DEVIATION.items()
                    ]
                )
                for place in places
            ),
            *(
                np.mean(
                    [
                        np.abs(100 * cells[row].improvement[..., place].mean(axis=0) - rows[place])
                        for row, rows in IMPROVEMENT.items()
                    ]
                )
                for place in places
            ),
            *(mean_difference(cells, place) for place in places),
        ]
    )


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
