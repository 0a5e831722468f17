"""What the jobs that are done have taught: how much of its estimate a job really takes."""

from typing import NamedTuple

import numpy as np

from core.engines.replay.clock import OpenReplay, RestOfDay
from core.engines.replay.workload import Truth
from core.vocabulary.arrays import FloatArray

_BEFORE: float = 5.0
"""Estimates are believed as if so many jobs had been done that took just as long."""


class Learned(NamedTuple):
    """The shares of estimated seconds and watts that jobs take, by the joules of those done."""

    time: float
    power: float

    @classmethod
    def of(cls, run: OpenReplay) -> "Learned":
        """What is known at the time of a replay."""
        outcome, options = run.outcome(), run.workload.options
        done = np.flatnonzero(outcome.ran & (outcome.end <= run.now))
        if not len(done):
            return cls(1.0, 1.0)
        option = outcome.option[done]
        seconds, watts = options.seconds[option], options.watts[option]
        took = outcome.end[done] - outcome.start[done]
        before = _BEFORE * float((seconds * watts).mean())
        estimated = float((seconds * watts).sum())
        in_time = float((took * watts).sum())
        drawn = float((took * watts * outcome.truth.power[done]).sum())
        if estimated <= 0.0 or in_time <= 0.0:
            return cls(1.0, 1.0)
        time = (in_time + before) / (estimated + before)
        return cls(min(time, 1.0), (drawn + before) / (in_time + before))

    @property
    def joules(self) -> float:
        """The share of estimated joules."""
        return self.time * self.power

    def truth(self, jobs: int) -> Truth:
        """What so many jobs are expected to take."""
        return Truth(np.full(jobs, self.time), np.full(jobs, self.power))


def held_by(run: OpenReplay, learned: Learned) -> RestOfDay:
    """What runs now, until it is expected to be done."""
    outcome, options = run.outcome(), run.workload.options
    option = outcome.option[run.underway]
    end = _expected_ends(run, learned)
    return RestOfDay(run.now, options.pool[option], options.units[option], end)


def left_of(run: OpenReplay, learned: Learned) -> FloatArray:
    """The joules of each window that are left, with what those that run will not take."""
    outcome, options, edges = run.outcome(), run.workload.options, run.windows.edges
    watts = options.watts[outcome.option[run.underway]]
    end, promised = _expected_ends(run, learned), outcome.estimated_end[run.underway]
    spans = np.minimum(promised[:, None], edges[1:]) - np.maximum(end[:, None], edges[:-1])
    return np.asarray(run.left + (np.maximum(spans, 0.0) * watts[:, None]).sum(axis=0))


def _expected_ends(run: OpenReplay, learned: Learned) -> FloatArray:
    outcome = run.outcome()
    start, promised = outcome.start[run.underway], outcome.estimated_end[run.underway]
    end = start + learned.time * (promised - start)
    # What has gone on for longer than that may go on until then.
    return np.asarray(np.where(end > run.now, end, promised))
