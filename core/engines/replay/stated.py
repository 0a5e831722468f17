"""What an outcome states, row by row, before anybody has checked it."""

from dataclasses import dataclass

import numpy as np

from core.engines.replay.energy import EnergyWindows
from core.engines.replay.outcome import NOT_RUN, Decisions, ReplayOutcome
from core.engines.replay.workload import Truth, Workload
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class StatedOutcome:
    """Rows of an outcome, in which anything may be wrong.

    Row r says that job `job[r]` ran on `option[r]` (its place among all options of the workload;
    `NOT_RUN`: it never ran) with `units[r]` units of `pool[r]`, from `start[r]` to `end[r]`, and
    was expected to end at `estimated_end[r]` (s). It earned `worth[r]` and drew `joules[r]`. A job
    with `dropped[r]` was given up at `end[r]`. A job without a row never ran.

    `total_worth` and `total_joules` are those of the outcome; None where they are not stated.
    """

    workload: Workload
    truth: Truth
    windows: EnergyWindows
    job: IntArray
    option: IntArray
    pool: IntArray
    units: IntArray
    start: FloatArray
    end: FloatArray
    estimated_end: FloatArray
    worth: FloatArray
    joules: FloatArray
    dropped: BoolArray
    total_worth: float | None = None
    total_joules: float | None = None

    def outcome(self, policy: str) -> ReplayOutcome:
        """The record of what is stated, without decisions; only for rows that the judge agrees
        with.
        """
        jobs = len(self.workload.jobs)
        option, dropped = np.full(jobs, NOT_RUN), np.zeros(jobs, bool)
        start, end, estimated = (np.full(jobs, np.nan) for _ in range(3))
        option[self.job], dropped[self.job] = self.option, self.dropped
        start[self.job], end[self.job] = self.start, self.end
        estimated[self.job] = self.estimated_end
        nothing, none = np.zeros(0), np.zeros(0, np.int64)
        return ReplayOutcome(
            self.workload,
            self.truth,
            self.windows,
            policy,
            option,
            start,
            end,
            estimated,
            dropped,
            Decisions(nothing, none, none),
        )

    @classmethod
    def of(cls, outcome: ReplayOutcome) -> "StatedOutcome":
        """What a replay states: a row for each job."""
        options = outcome.workload.options
        known = (outcome.option >= 0) & (outcome.option < len(options.pool))
        option = np.where(known, outcome.option, 0)
        return cls(
            outcome.workload,
            outcome.truth,
            outcome.windows,
            np.arange(len(outcome.workload.jobs)),
            outcome.option,
            np.where(known, options.pool[option], NOT_RUN),
            np.where(known, options.units[option], 0),
            outcome.start,
            outcome.end,
            outcome.estimated_end,
            outcome.job_worth,
            outcome.job_joules,
            outcome.dropped,
            outcome.worth,
            outcome.joules,
        )
