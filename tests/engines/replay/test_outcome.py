"""The record of a replay says what its judge computes."""

from dataclasses import replace

import numpy as np
import pytest

from core.engines.replay.clock import replay
from core.engines.replay.judge import judge_outcome
from core.engines.replay.policy import Blocked, Measure, Order, Policy
from core.engines.replay.workload import ArrivingJobs, Horizon, Options, Pools, Workload

GREEDY = Policy("greedy", Order.ARRIVAL, Measure.EARLIEST, Blocked.WAIT)


@pytest.mark.filterwarnings("error")
def test_a_job_that_ends_as_it_starts_counts_if_that_moment_does() -> None:
    """After 31 years, times have no digits for a ten-millionth of a second."""
    arrival = np.array([99.0, 100.0, 5e8, 1e9, 1e9]) + 1e9
    jobs = len(arrival)
    workload = Workload(
        Pools.of(["A"], [9]),
        ArrivingJobs.plain(arrival, np.zeros(jobs, int), ("job",)),
        Options(
            np.arange(jobs + 1),
            np.zeros(jobs, int),
            np.ones(jobs, int),
            np.array([1e-8, 1e-8, 1e-8, 1e-8, 60.0]),
            np.full(jobs, 50.0),
            np.zeros(jobs, int),
        ),
        horizon=Horizon(1e9 + 100.0, 2e9 + 30.0),
    )
    outcome = replace(
        replay(workload, GREEDY),
        option=np.array([0, 1, 2, 3, 4]),
        start=arrival,
        end=arrival + workload.options.seconds,
        estimated_end=arrival + workload.options.seconds,
    )
    assert (outcome.end - outcome.start).tolist() == [0, 0, 0, 0, 60]
    assert outcome.share.tolist() == [0, 1, 1, 1, 0.5]
    verdict = judge_outcome(outcome)
    assert verdict.problems == ()
    assert verdict.worth == outcome.worth == 3.5
    assert verdict.joules == outcome.joules == 1500


def test_a_job_that_never_ran_has_no_share() -> None:
    workload = Workload(
        Pools.of(["A"], [1]),
        ArrivingJobs.plain(np.zeros(2), np.zeros(2, int), ("job",)),
        Options(
            np.arange(3), np.zeros(2, int), np.ones(2, int), np.full(2, 80.0), np.ones(2), [0, 0]
        ),
        horizon=Horizon(0.0, 40.0),
    )
    outcome = replay(workload, GREEDY)
    assert outcome.ran.tolist() == [True, False]
    assert outcome.share.tolist() == [0.5, 0]
