"""What value of service comes to: worth for being early, worth for the options, jobs by size."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.workload import beside_each_other
from core.engines.replay.worth import curves_at


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
        taken = beside_each_other(workload.option_cores, options.further)
        rows, size = np.unique(taken, axis=0, return_inverse=True)
        pieces = outcome.pieces
        count = np.bincount(size[option], minlength=len(rows))
        lasted = np.bincount(size[pieces.option], pieces.end - pieces.start, len(rows))
        names = [*map(tuple, rows.tolist())]
        sizes = {names[row]: int(count[row]) for row in np.flatnonzero(count).tolist()}
        seconds = {names[row]: float(lasted[row]) for row in np.flatnonzero(lasted).tolist()}
        return cls(
            float(early @ within),
            None if options.extra is None else float(added @ within),
            workload.pools.resources,
            {} if options.further is None else sizes,
            {} if options.further is None else seconds,
        )
