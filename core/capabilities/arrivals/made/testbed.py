"""The publication's testbed as a workload: benchmarks that arrive on four small clusters.

After section 3.6 of D. Machovec, "Dynamic Resource Management in Heterogeneous Systems" (2021).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.replay.workload import ArrivingJobs, Horizon, Options, Pools, Workload
from core.engines.replay.worth import WorthCurves, WorthPiece

TYPES: Final = ("IS.8", "MG.8", "MG.16", "IS_CG.8")
TYPE_SHARES: Final = (0.4, 0.1, 0.1, 0.4)
CORES_OF_TYPES: Final = (8, 8, 16, 8)
NODES: Final = (16, 8, 4, 2)
CORES_A_NODE: Final = (1, 2, 4, 8)
SECONDS: Final = (
    (1675.0, 750.0, 552.0, 430.0),
    (1100.0, 712.0, np.inf, np.inf),
    (702.0, 500.0, 380.0, 326.0),
    (1039.0, 900.0, 700.0, 1366.0),
)
"""Seconds of a type (rows) on a cluster (columns): Table 6. Infinite: it does not fit into memory.
"""
JOULES: Final = (
    (25962.0, 35250.0, 17388.0, 28380.0),
    (27500.0, 41296.0, np.inf, np.inf),
    (34398.0, 55000.0, 30400.0, 50530.0),
    (23897.0, 47700.0, 27650.0, 105865.0),
)
"""Table 7."""
LENGTH: Final = 180 * 60.0
BETWEEN: Final = 120.0
"""Seconds between two arrivals, on average."""
EVERY: Final = 50.0
"""Seconds between two mapping events."""
BUDGET: Final = 2.8e6
"""What Max UPR drew in the published experiment (J), in all of its 180 minutes."""
LENIENT: Final = 2.5
"""A job keeps its full worth for so many times its least time. Then its worth falls in a line, for
as long again, to 0: the shape of the fall is ours."""


@dataclass(frozen=True)
class BladeSettings:
    """Which experiment to draw: jobs arrive `between` seconds apart on average for `length`
    seconds.
    """

    between: float = BETWEEN
    length: float = LENGTH
    seed: int = 0


def draw_testbed(settings: BladeSettings) -> Workload:
    """The workload of some settings; the same settings give the same workload."""
    random = np.random.default_rng(settings.seed)
    count = random.poisson(settings.length / settings.between)
    arrival = np.sort(random.uniform(0.0, settings.length, count))
    kind = random.choice(len(TYPES), count, p=TYPE_SHARES)
    worth = random.integers(1, 5, count).astype(float)
    jobs = ArrivingJobs(arrival, kind, TYPES, worth, np.zeros(count), kind.copy())
    seconds, joules = np.array(SECONDS), np.array(JOULES)
    job, pool = np.nonzero(np.isfinite(seconds)[kind])
    type_of = kind[job]
    units, taken = (
        np.array(CORES_OF_TYPES)[type_of] // np.array(CORES_A_NODE)[pool],
        (type_of, pool),
    )
    watts = joules[taken] / seconds[taken]
    options = Options.of(job, pool, units, seconds[taken], watts, jobs=count)
    return Workload(
        Pools.of([f"cluster {number}" for number in range(1, 5)], NODES, CORES_A_NODE),
        jobs,
        options,
        curves_of_testbed(),
        Horizon(0.0, settings.length),
        name=f"testbed, seed {settings.seed}",
    )


def curves_of_testbed() -> WorthCurves:
    soft = LENIENT * np.min(SECONDS, axis=1)
    return WorthCurves(
        tuple(
            (
                WorthPiece(0.0, 1.0, 1.0, 0.0),
                WorthPiece(begin, 1.0, 0.0, 0.0),
                WorthPiece(2 * begin, 0.0, 0.0, 0.0),
            )
            for begin in soft.tolist()
        ),
        TYPES,
    )
