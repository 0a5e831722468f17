"""The figures of an outcome are those of its jobs, added up by hand."""

import numpy as np
import pytest

from core.engines.replay.clock import replay
from core.engines.replay.outcome import ReplayScore
from core.engines.replay.policy import Blocked, Measure, Order, Policy
from core.engines.replay.workload import ArrivingJobs, Options, Pools, Workload

FIRST_COME = Policy("first come", Order.ARRIVAL, Measure.EARLIEST, Blocked.WAIT)


def test_figures_of_two_jobs_in_a_line() -> None:
    """One node; each job takes 100 s at 5 W. The second arrives at 30 s and begins at 120 s, the
    first mapping event after the first job is done.
    """
    options = Options(
        first=np.array([0, 1, 2]),
        pool=np.zeros(2, np.int64),
        units=np.ones(2, np.int64),
        seconds=np.full(2, 100.0),
        watts=np.full(2, 5.0),
        state=np.zeros(2, np.int64),
    )
    jobs = ArrivingJobs.plain(np.array([0.0, 30.0]), np.zeros(2, np.int64), ("plain",))
    outcome = replay(Workload(Pools.of(["node"], [1]), jobs, options), FIRST_COME)
    found = ReplayScore.of(outcome, 0.25)
    assert (found.worth, found.joules, found.seconds) == (2.0, 1000.0, 0.25)
    assert (found.completed, found.dropped, found.makespan) == (2, 0, 220.0)
    assert found.mean_flow == pytest.approx((100 + 190) / 2)
    assert found.max_stretch == pytest.approx(1.9)
    assert found.events == len(outcome.decisions.time) > 0
