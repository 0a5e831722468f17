"""What stopping jobs comes to."""

from dataclasses import replace

import numpy as np
import pytest
from engines.replay.stopping.stopped_days import (
    DIFF,
    GREEDY,
    MINUTE,
    NONE,
    PAIR,
    UTIL,
    Job,
    day,
    policy,
    run,
)

from core.engines.replay.clock import replay
from core.engines.replay.stopping.rules import NOTHING, Technique
from core.engines.replay.stopping.score import (
    Stops,
    StopScore,
    UrgentWaits,
    urgent_jobs,
    waits_allowed,
    waits_of,
)
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
    assert score.urgent == UrgentWaits(1, 0, MINUTE, MINUTE, np.inf)
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
    assert score.urgent == pytest.approx((2, 0, 2 * MINUTE, 0.95 * 4 * MINUTE, np.inf))
    assert score.lost_core_seconds == 2 * MINUTE * 3
    assert not urgent_jobs(replace(workload.jobs, rights=None)).any()


def test_a_job_that_was_dropped_waited_until_then():
    rules = replace(policy(NONE), drop_below=0.5)
    outcome = replay(day([1], [Job(0, {0: 30}, 5), Job(2, {0: 4}, 1, 10.5)]), rules)
    assert outcome.dropped[1]
    assert waits_of(outcome).tolist() == [0.0, outcome.end[1] - 2 * MINUTE]


def test_a_stop_says_for_whom_and_what_it_gains_and_loses():
    """Job 0 has run 5 of 10 min, of which its checkpoint keeps 4; on 2 units of 3 cores it loses
    6 core-minutes. Job 2 stops job 1, which began later and has no checkpoint yet.
    """
    jobs = [
        Job(0, {0: 10}, 1, 20, falls=True, units=2),
        Job(5, {0: 3}, 9, units=2),
        Job(6, {0: 1}, 30, units=2),
    ]
    workload = day([2], jobs)
    workload = replace(workload, pools=Pools.of(["p0"], [2], 3))
    stops = Stops.of(run(workload, GREEDY, checkpoints=2 * MINUTE))
    assert stops.time.tolist() == [5 * MINUTE, 6 * MINUTE]
    assert (stops.job.tolist(), stops.stopped_for.tolist()) == ([0, 1], [1, 2])
    assert stops.after.tolist() == [5 * MINUTE, MINUTE]
    assert stops.lost.tolist() == [6 * MINUTE, 6 * MINUTE]
    assert stops.worth.tolist() == pytest.approx([0.5, 9])
    assert stops.gain.tolist() == [9, 30]


def test_a_job_that_goes_on_is_expected_to_end_by_what_remains():
    """Job 0 is stopped at 5 and at 7; it would have ended at 10, then at 11 after a minute of job
    1, and is worth 0 at 20.
    """
    jobs = [
        Job(0, {0: 10}, 1, 20, falls=True),
        Job(5, {0: 1}, 9),
        Job(7, {0: 1}, 9),
    ]
    stops = Stops.of(run(day([1], jobs), GREEDY))
    assert stops.worth.tolist() == pytest.approx([0.5, 1 - 11 / 20])
    assert not len(Stops.of(run(day([1], jobs[:1]), GREEDY)).time)


@pytest.mark.parametrize("technique", [GREEDY, PAIR, Technique.TIERS, Technique.PRICES])
def test_each_technique_says_for_whom(technique):
    rights = StopRights.of(2, [False, True], [True, False], [0, 1])
    workload = day([1], [Job(0, {0: 10}, 1), Job(5, {0: 1}, 9, 2)], rights=rights)
    outcome = run(workload, technique, UTIL, checkpoints=NOTHING)
    assert Stops.of(outcome).stopped_for.tolist() == [1]
    assert outcome.decisions.stopped_for.tolist() == [1, -1]


@pytest.mark.parametrize("technique", [GREEDY, DIFF, Technique.TIERS, Technique.PRICES])
def test_all_that_a_wide_job_stops_are_stopped_for_it(technique):
    """In each of two pools, a wide job stops two others at the same event."""
    short, wide = Job(0, {0: 10}, 1), Job(5, {0: 1}, 9, 2, units=2)
    jobs = [short, short, *(one._replace(minutes={1: 10}) for one in (short, short))]
    jobs += [wide, wide._replace(minutes={1: 1})]
    rights = StopRights.of(6, [False] * 4 + [True] * 2, [True] * 4 + [False] * 2, [0] * 4 + [1] * 2)
    stops = Stops.of(run(day([2, 2], jobs, rights=rights), technique, checkpoints=NOTHING))
    pairs = zip(stops.job.tolist(), stops.stopped_for.tolist(), strict=True)
    assert sorted(pairs) == [(0, 4), (1, 4), (2, 5), (3, 5)]
    assert stops.time.tolist() == [5 * MINUTE] * 4


def test_how_long_a_job_can_wait():
    """Half of a line to 0 at 20 min is there at 10; a step is full until its end; nothing is lost
    without one; and a job that takes too long cannot wait.
    """
    jobs = [
        Job(0, {0: 4, 1: 6}, 5, 20, falls=True),
        Job(0, {0: 4}, 5, 20),
        Job(0, {0: 4}, 5),
        Job(0, {0: 30}, 5, 20),
    ]
    allowed = waits_allowed(day([1, 1], jobs), np.ones(4, bool))
    assert allowed[:2] == pytest.approx([6 * MINUTE, 16 * MINUTE])
    assert allowed[2:].tolist() == [np.inf, 0]
    score = StopScore.of(run(day([1, 1], jobs[:1]), GREEDY))
    assert score.urgent is not None
    assert score.urgent.can == pytest.approx(6 * MINUTE)


def test_what_there_is_not_has_no_time():
    """All jobs are urgent, or none is; no other one ends, or no urgent one starts."""
    jobs = [Job(0, {0: 10}, 5), Job(5, {0: 5}, 5)]
    alike, nobody = day([1], jobs), day([1], jobs, rights=StopRights.of(2, False))
    assert StopScore.of(run(alike, GREEDY)).other_flow is None
    score = StopScore.of(run(nobody, GREEDY))
    assert (score.urgent, score.other_flow) == (None, 10 * MINUTE)
    first, last = (StopRights.of(2, one, False) for one in ([True, False], [False, True]))
    assert StopScore.of(run(day([1], jobs, (0, 8), first), GREEDY)).other_flow is None
    waits = StopScore.of(run(day([1], jobs, (0, 8), last), GREEDY)).urgent
    assert waits == UrgentWaits(1, 1, None, None, np.inf)
