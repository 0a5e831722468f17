"""What value of service comes to: worth for being early, worth for the options, jobs by size."""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.value import JobValues
from core.engines.replay.workload import beside_each_other
from core.engines.replay.worth import curves_at
from core.vocabulary.arrays import FloatArray
from core.vocabulary.calendar import HOURS_OF_DAY


class ValueScore(NamedTuple):
    """What jobs earned within the horizon by being early (`time`), and what their options added
    (`energy`; None: no option adds anything); together they are the worth. `sizes` says how many
    jobs ran in each size: its cores, and what it has of each of the `resources`. It is empty where
    options take nothing of these. `seconds` says for how long jobs ran in each, also in parts that
    were stopped.
    """

    time: float
    energy: float | None
    resources: tuple[str, ...]
    sizes: Mapping[tuple[float, ...], int]
    seconds: Mapping[tuple[float, ...], float]

    @classmethod
    def of(cls, outcome: ReplayOutcome) -> "ValueScore":
        """The figures of an outcome."""
        workload, ran = outcome.workload, np.flatnonzero(outcome.ran)
        jobs, options, option = workload.jobs, workload.options, outcome.option[ran]
        delay = outcome.end[ran] - jobs.arrival[ran]
        curve = curves_at(workload.curves, jobs.curve[ran], jobs.urgency[ran], delay)
        early = jobs.priority[ran] * curve
        added = np.where(curve > 0.0, options.added[option], 0.0)
        within = outcome.share[ran]
        sizes, seconds = dict[tuple[float, ...], int](), dict[tuple[float, ...], float]()
        if options.further is not None:
            pieces = outcome.pieces
            taken = beside_each_other(workload.option_cores, options.further)
            used = taken[np.append(option, pieces.option)]
            rows, size = np.unique(used, axis=0, return_inverse=True)
            ended, parts = np.split(size, [len(ran)])
            names = [*map(tuple, rows.tolist())]
            count = np.bincount(ended, minlength=len(names)).tolist()
            lasted = np.bincount(parts, pieces.end - pieces.start, len(names)).tolist()
            sizes = {name: jobs for name, jobs in zip(names, count, strict=True) if jobs}
            seconds = dict(zip(names, lasted, strict=True))
        return cls(
            float(early @ within),
            None if options.extra is None else float(added @ within),
            workload.pools.resources,
            sizes,
            seconds,
        )


def worth_by_hour(outcome: ReplayOutcome, values: JobValues) -> FloatArray:
    """What the jobs of each category (row) earned, by the hour at which they were submitted."""
    hour = values.weights.hours(outcome.workload.jobs.arrival)
    shape = len(values.weights.categories), HOURS_OF_DAY
    cell = values.category * HOURS_OF_DAY + hour
    return np.bincount(cell, outcome.job_worth, math.prod(shape)).reshape(shape).astype(float)
