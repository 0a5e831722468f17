"""Runs as they would be if all were as published, and others."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from benchmarks.publications.centre.day_runs import (
    DAYS,
    READ_DAYS,
    READINGS,
    DayFound,
    DayRuns,
    EvolvedRun,
    FrontFound,
    MadeName,
)
from benchmarks.publications.centre.savings_tables import TABLE_34
from core.capabilities.centre.rivals.evolving import EVOLVING_METHODS
from core.vocabulary.arrays import FloatArray

TRIALS = 3
USUAL, EXCESS, LATE = 6.0, 1e6, 1e4
"""The worst values: cost as usual, joules, steps."""
COVERS = {"ev-moga": (1.0, 0.85, 0.75), "nsga2": (0.75, 0.65, 0.6)}
UNSURE = (("large", "g1"), ("large", "g3"))


def front_of(covers: float, saved: float, excess: float) -> FloatArray:
    """Plans that dominate a share of all, of which the cheapest on time saves so much. All others
    have the worst value of two objectives, so they dominate nothing.
    """
    return np.array(
        [
            [EXCESS * (1 - covers), USUAL * (1 - saved), 0.0, excess],
            [0.0, USUAL, LATE, 0.0],
            [EXCESS, 0.0, LATE, 0.0],
        ]
    )


def covers_of(day: MadeName, method: str, trial: int) -> float:
    """Under one target, the best front of NSGA-II is ahead where the difference is not sure."""
    if day[:2] in UNSURE and day.target == "C" and trial == 0:
        return {"ev-moga": 0.97, "nsga2": 1.0}[method]
    return COVERS[method][trial]


def as_published(
    covers: Callable[[MadeName, str, int], float] = covers_of,
    more_saved: float = 0.0,
    trials: Sequence[int] = range(TRIALS),
) -> DayRuns:
    """Fronts with the printed means of table 3.4, and `more_saved`."""
    fronts, days = {}, {}
    for day in DAYS:
        printed = TABLE_34[day.size, day.green]
        for method, trial in product(EVOLVING_METHODS, trials):
            saved = printed.saved[0] + more_saved + 0.001 * (trial - 1)
            values = front_of(covers(day, method, trial), saved, printed.excess[0])
            run = EvolvedRun(day, method, trial, 1000)
            fronts[run] = FrontFound(values, values, 0, 1.0)
        cost = USUAL * (1 - printed.saved[0] - more_saved - 0.1)
        days[day] = DayFound(USUAL, cost - 0.01, cost, 0.01, 0.02, 0.04, 0, 0.5, 3.0)
    for day, reading in product(READ_DAYS, READINGS):
        values = front_of(0.5, 0.3, 0.1)
        run = EvolvedRun(day, "ev-moga", 0, 1000, reading)
        fronts[run] = FrontFound(values, values[:0], 0, 1.0)
    return DayRuns(days, fronts, len(trials))


def with_days(runs: DayRuns, **changed: float) -> DayRuns:
    """The same, but what is known of each day."""
    return replace(runs, days={day: one._replace(**changed) for day, one in runs.days.items()})
