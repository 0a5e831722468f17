"""Days of a small centre, drawn by a seed: 81 of them are compared in the reproduction.

After chapter 3 of S. Iturriaga, "Energy-aware scheduling in distributed computing systems" (2017),
which says how many jobs, steps, servers and watts there are. It prints no curve, and not how jobs
were drawn: lengths, due dates, releases and all curves are ours, and so is the step of a minute.
"""

import math
from typing import Final, Literal

import numpy as np

from core.capabilities.centre.centre import parasol
from core.capabilities.centre.day import CentreDay, Curves, DayJobs, grouped
from core.vocabulary.arrays import FloatArray

MadeSize = Literal["small", "medium", "large"]
MadeGreen = Literal["g1", "g2", "g3"]
MadeTarget = Literal["A", "B", "C"]
MADE_JOBS: Final[dict[MadeSize, int]] = {"small": 200, "medium": 300, "large": 400}
MADE_GREENS: Final[tuple[MadeGreen, ...]] = ("g1", "g2", "g3")
"""In the morning, at noon, and at night, when there is none."""
MADE_TARGETS: Final[tuple[MadeTarget, ...]] = ("A", "B", "C")
"""Even, lower from the middle of the day on, and with a hill in the morning."""
MADE_SEEDS: Final = (1, 2, 3)
"""The workloads of each size in the reproduction."""
MADE_STEPS: Final = 150
MADE_STEP: Final = 60.0
"""Ours: not printed."""

_GREEN_WATTS: Final = 1500.0
_LENGTHS: Final = (5, 25)
"""Ours: with their mean of 15, servers work 0.31, 0.47 and 0.63 of the time."""
_SLACKS: Final = (1.2, 3.0)
_AT_ONCE: Final = 0.25
_LAST_RELEASE: Final = 100


def made_day(
    size: MadeSize, green: MadeGreen = "g1", target: MadeTarget = "C", seed: int = 1
) -> CentreDay:
    """A day of `parasol`. Its jobs depend on size and seed alone; a kWh costs 1, without carbon."""
    curves = Curves(
        price=np.ones(MADE_STEPS),
        carbon=np.zeros(MADE_STEPS),
        outside=np.full(MADE_STEPS, 25.0),
        green=_green(green),
        target=_target(target),
    )
    return CentreDay(parasol(), made_jobs(MADE_JOBS[size], seed), curves, MADE_STEP)


def made_jobs(jobs: int, seed: int) -> DayJobs:
    """So many jobs of one server each. A quarter may start at once, the others from some step of
    the first 100 on; each is due after 1.2 to 3 times its length.
    """
    drawn = np.random.default_rng((seed, jobs))
    length = drawn.integers(*_LENGTHS, size=jobs, endpoint=True)
    release = drawn.integers(0, _LAST_RELEASE, size=jobs)
    release[: math.ceil(_AT_ONCE * jobs)] = 0
    due = np.ceil(release + length * drawn.uniform(*_SLACKS, size=jobs))
    rows = zip(length.tolist(), release.tolist(), due.tolist(), strict=True)
    return grouped([(0, 1, *row) for row in rows])


def _day_shares() -> FloatArray:
    return np.linspace(0.0, 1.0, MADE_STEPS)


def _green(green: MadeGreen) -> FloatArray:
    share = _day_shares()
    if green == "g1":
        return _GREEN_WATTS * np.sin(np.pi / 2 * (0.1 + 0.8 * share))
    if green == "g2":
        return _GREEN_WATTS * (0.92 + 0.08 * np.sin(7 * np.pi * share))
    return np.zeros(MADE_STEPS)


def _target(target: MadeTarget) -> FloatArray:
    share = _day_shares()
    if target == "A":
        return np.full(MADE_STEPS, 1300.0)
    if target == "B":
        return np.where(share < 0.5, 1600.0, 900.0)
    return 1000.0 + 600.0 * np.exp(-(((share - 0.35) / 0.2) ** 2))
