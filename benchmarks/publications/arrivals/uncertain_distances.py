"""How far each reading of what is not printed is from the printed numbers."""

import numpy as np

from benchmarks.publications.arrivals.uncertain_ratios import mean_difference
from benchmarks.publications.arrivals.uncertain_readings import AS_HERE, READINGS, ReadCells
from benchmarks.publications.arrivals.uncertain_runs import MEASURES, UncertainCells
from benchmarks.publications.arrivals.uncertain_tables import DEVIATION, IMPROVEMENT
from benchmarks.publications.claim import Claim
from benchmarks.publications.figure import Figure, Table
from core.capabilities.arrivals.uncertain.bags import MACHINES
from core.vocabulary.arrays import FloatArray


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
