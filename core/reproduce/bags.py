"""The measurements of figures 2 to 6: bags of growing size on the nine environment."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.generate import resample
from core.relaxed import MAKESPAN, lower_bound, met_bound
from core.reproduce.phases import Run, Runs, generator, published_method, rival_run
from core.reproduce.stand_ins import stand_in
from core.solve import solve
from core.system import System

EXPERIMENT: Final = 1
SIZES: Final = (100, 250, 500, 1000, 1500, 2000, 2500, 5000, 10_000, 25_000, 100_000)
LARGEST_QUALITY: Final = 5000
"""Quality is shown up to this many tasks, run times up to the largest size."""

POLISH_SECONDS: Final = 0.3
MOST_POLISHED: Final = 20


@dataclass(frozen=True, eq=False)
class Bags:
    """What was measured at each bag size (tasks) and trial; makespans and run times in seconds.

    `polished` holds the gap left by polishing, at fewer sizes and trials.
    """

    sizes: FloatArray
    lp: Runs
    met: FloatArray
    min_min: FloatArray
    max_min: FloatArray
    min_min_seconds: FloatArray
    max_min_seconds: FloatArray
    polished: FloatArray

    @property
    def shown(self) -> int:
        """How many sizes the figures on quality show."""
        return int((self.sizes <= LARGEST_QUALITY).sum())


def measure(trials: int, sizes: Sequence[int] = SIZES, polish: float = POLISH_SECONDS) -> Bags:
    """Every method on the same `trials` bags of each size, drawn from the nine environment's mix.

    The first bags of each size are also polished for `polish` seconds each. Sizes ascend; they
    take turns, so that a computer that is busier for a while is so for all of them.
    """
    nine = stand_in("nine")
    runs: list[list[Run]] = [[] for _ in sizes]
    others: list[list[tuple[float, ...]]] = [[] for _ in sizes]
    for trial in range(trials):
        for point, size in enumerate(sizes):
            system = resample(nine, size, generator(EXPERIMENT, point, trial))
            runs[point].append(published_method(system))
            others[point].append(
                (
                    met_bound(system),
                    *rival_run("min-min", system),
                    *rival_run("max-min", system),
                )
            )
    # Apart from what is timed: it keeps the computer busy.
    gaps = [
        [
            _gap_to_divisible(resample(nine, size, generator(EXPERIMENT, point, trial)), polish)
            for trial in range(min(trials, MOST_POLISHED))
        ]
        for point, size in enumerate(sizes)
        if size <= LARGEST_QUALITY
    ]
    met, min_min, min_min_seconds, max_min, max_min_seconds = np.moveaxis(np.array(others), 2, 0)
    return Bags(
        np.array(sizes, np.float64),
        Runs.of(runs),
        met,
        min_min,
        max_min,
        min_min_seconds,
        max_min_seconds,
        np.array(gaps),
    )


def _gap_to_divisible(system: System, seconds: float) -> float:
    """As published, against the bound of tasks in parts, whatever whole ones prove besides."""
    makespan = solve(system, seconds=seconds).schedule.makespan
    return makespan / lower_bound(system, MAKESPAN).value - 1
