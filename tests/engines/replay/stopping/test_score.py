"""What stopping jobs comes to."""

from dataclasses import replace

import pytest
from engines.replay.stopping.stopped_days import GREEDY, MINUTE, NONE, Job, day, policy, run

from core.engines.replay.clock import replay
from core.engines.replay.stopping.rules import NOTHING, Technique
from core.engines.replay.stopping.score import StopScore, urgent_jobs, waits_of
from core.engines.replay.workload import Pools, StopRights

pytestmark = pytest.mark.usefixtures("kernels_interpreted")


def test_the_score_of_stops():
    """Job 0 loses 4 minutes on 2 cores; the urgent job waits a minute more until they are free."""
    wide = Job(0, {0: 10}, 1, units=2)
    outcome = run(
        day([2], [wide, Job(4, {0: 5}, 9)]), GREEDY, checkpoints=NOTHING, stop_seconds=60.0
    )
    score = StopScore.of(outcome)
    assert (score.stops, score.lost_core_seconds) == (1, 4 * MINUTE * 2)
    assert score.lost_share == pytest.approx(8 / (8 + 20 + 5))
    assert (score.urgent_wait, score.urgent_wait_p95) == (MINUTE, MINUTE)
    assert score.other_flow == outcome.end[0]


def test_who_is_urgent_and_how_long_each_waits():
    """Two jobs of the higher tier wait 0 and 4 min; one of them is worth less than others. Units
    have 3 cores, and a job without the right to stop others is not urgent.
    """
    jobs = [
        Job(0, {0: 30}, 5),
        Job(2, {0: 4}, 1),
        Job(2, {0: 4}, 1),
        Job(3, {0: 10}, 9),
    ]
    rights = StopRights.of(4, [True, True, True, False], tier=[0, 2, 2, 2])
    workload = day([1], jobs, rights=rights)
    workload = replace(workload, pools=Pools.of(["p0"], [1], 3))
    score = StopScore.of(run(workload, Technique.TIERS, checkpoints=NOTHING))
    assert urgent_jobs(workload.jobs).tolist() == [False, True, True, False]
    assert score.urgent_wait == 2 * MINUTE
    assert score.urgent_wait_p95 == pytest.approx(0.95 * 4 * MINUTE)
    assert score.lost_core_seconds == 2 * MINUTE * 3
    assert not urgent_jobs(replace(workload.jobs, rights=None)).any()


def test_a_job_that_was_dropped_waited_until_then():
    rules = replace(policy(NONE), drop_below=0.5)
    outcome = replay(day([1], [Job(0, {0: 30}, 5), Job(2, {0: 4}, 1, 10.5)]), rules)
    assert outcome.dropped[1]
    assert waits_of(outcome).tolist() == [0.0, outcome.end[1] - 2 * MINUTE]
