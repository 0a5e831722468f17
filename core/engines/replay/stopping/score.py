"""What stopping jobs for others comes to: stops, lost work, and how long each kind of job waits."""

from typing import NamedTuple

import numpy as np

from core.engines.replay.curves import last_moment
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.workload import ArrivingJobs
from core.vocabulary.arrays import BoolArray, FloatArray


class StopScore(NamedTuple):
    """How often jobs were stopped; the core-seconds of work that was lost, and their share of all
    work that was done; the wait of urgent jobs until they first start (s): the mean, and what 95 %
    of them do not exceed; and the mean time of the other jobs from arrival to end (s).
    """

    stops: int
    lost_core_seconds: float
    lost_share: float
    urgent_wait: float
    urgent_wait_p95: float
    other_flow: float

    @classmethod
    def of(cls, outcome: ReplayOutcome) -> "StopScore":
        """The figures of an outcome. A job that never started waits until it was dropped, or else
        until the end.
        """
        jobs, pieces = outcome.workload.jobs, outcome.pieces
        options, pools = outcome.workload.options, outcome.workload.pools
        cores = options.units * pools.cores[options.pool]
        lost = 0.0
        if outcome.broken is not None and outcome.stopping is not None:
            stopped = outcome.broken.at(~outcome.lasts)
            done = stopped.end - outcome.stopping.stop_seconds - stopped.since
            lost = float(((done - stopped.kept) * cores[stopped.option]).sum())
        in_all = lost + float((pieces.kept * cores[pieces.option]).sum())
        waits, urgent = waits_of(outcome), urgent_jobs(jobs)
        others = outcome.ran & ~urgent
        flow = (outcome.end - jobs.arrival)[others]
        mine = waits[urgent] if urgent.any() else np.zeros(1)
        return cls(
            len(outcome.stops),
            lost,
            lost / in_all if in_all > 0 else 0.0,
            float(mine.mean()),
            float(np.quantile(mine, 0.95)),
            float(flow.mean()) if len(flow) else 0.0,
        )


def urgent_jobs(jobs: ArrivingJobs) -> BoolArray:
    """The jobs of the highest tier that may stop others; if all are of one tier, those that are
    worth the most.
    """
    if jobs.rights is None:
        return np.zeros(len(jobs), bool)
    stop, _, tier = jobs.rights
    rank = tier if len(np.unique(tier)) > 1 else jobs.priority
    return np.asarray(stop & (rank == rank[stop].max(initial=0)))


def waits_of(outcome: ReplayOutcome) -> FloatArray:
    """How long each job waited until it first started (s)."""
    jobs = outcome.workload.jobs
    gone = np.where(outcome.dropped, outcome.end, np.maximum(last_moment(outcome), jobs.arrival))
    first = np.full(len(jobs), np.inf)
    np.minimum.at(first, outcome.pieces.job, outcome.pieces.start)
    return np.asarray(np.where(np.isfinite(first), first, gone) - jobs.arrival)
