"""A job that is suspended lies in its memory, where that stays taken."""

from dataclasses import replace

import numpy as np
import pytest
from engines.replay.stopping.stopped_days import (
    GREEDY,
    MINUTE,
    Job,
    day,
    policy,
    run,
    with_memory_of,
)

from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.judge import judge_outcome
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.policy import Blocked
from core.engines.replay.stopping.rules import NOTHING, Stopping, SuspendedMemory, Technique
from core.engines.replay.workload import StopRights, Truth, Workload

pytestmark = pytest.mark.usefixtures("kernels_interpreted")
LONG, URGENT = Job(0, {0: 30}, 1, units=3), Job(5, {0: 5}, 9, units=2)


def three(last: Job, takes: tuple[float, float, float]) -> Workload:
    """A job of 3 units, an urgent one of 2, and one that stops nobody and stays, in 4 GB."""
    rights = StopRights.of(3, [True, True, False], [True, True, False])
    return with_memory_of(day([3], [LONG, URGENT, last], rights=rights), 4.0, list(takes))


@pytest.mark.parametrize(
    ("stopping", "start"),
    [
        ({}, 30),
        ({"suspended_memory": "free"}, 5),
        ({"checkpoints": 60.0}, 5),
        ({"checkpoints": NOTHING}, 5),
    ],
)
def test_nobody_is_stopped_for_memory_that_stays_taken(stopping, start):
    workload = with_memory_of(day([3], [LONG, URGENT]), 4.0, [3, 2])
    assert run(workload, GREEDY, **stopping).start[1] == start * MINUTE


@pytest.mark.parametrize(("memory", "start"), [("taken", 35), ("free", 6)])
def test_memory_is_free_when_the_job_has_ended(memory: SuspendedMemory, start: float) -> None:
    """The first job is stopped at 5 min and goes on at 10."""
    small = Job(6, {0: 9}, 0.01)
    outcome = run(three(small, (3, 1, 1.5)), GREEDY, suspended_memory=memory)
    assert len(outcome.stops) == 1
    assert outcome.start[2] == start * MINUTE


@pytest.mark.parametrize(("memory", "start"), [("taken", 30), ("free", 5)])
def test_tiers_stop_nobody_for_memory_that_stays_taken(
    memory: SuspendedMemory, start: float
) -> None:
    rights = StopRights.of(2, tier=[0, 1])
    workload = with_memory_of(day([3], [LONG, URGENT], rights=rights), 4.0, [3, 2])
    outcome = run(workload, Technique.TIERS, suspended_memory=memory)
    assert outcome.start[1] == start * MINUTE


def test_who_waits_for_memory_that_is_held_hears_when_it_will_be_free() -> None:
    """The last job comes before the first one, which holds memory for ever until it is promised its
    own start.
    """
    rights = StopRights.of(3, [True, True, False], [True, True, False], [0, 2, 1])
    workload = day([3], [LONG, URGENT, Job(6, {0: 9}, 1)], rights=rights)
    tiers = replace(policy(Technique.TIERS), blocked=Blocked.RESERVE)
    outcome = replay(with_memory_of(workload, 4.0, [3, 1, 1.5]), tiers)
    assert judge_outcome(outcome).problems == ()
    assert outcome.start.tolist() == [10 * MINUTE, 5 * MINUTE, 35 * MINUTE]


def test_a_promise_of_memory_is_kept() -> None:
    """The second job is promised the memory of the first one, which would hold it: it stays."""
    jobs = [Job(0, {0: 30}, 1), Job(1, {0: 9}, 1, units=2), Job(5, {0: 5}, 1, units=2)]
    rights = StopRights.of(3, [False, False, True], [True, False, False], [0, 0, 1])
    for takes, start in (([3, 2, 0], 39), ([3, 1, 0], 5)):
        workload = with_memory_of(day([2], jobs, rights=rights), 4.0, takes)
        outcome = run(workload, Technique.TIERS)
        assert outcome.start[1:].tolist() == [30 * MINUTE, start * MINUTE]


def test_memory_is_free_when_the_job_is_dropped() -> None:
    """The first job is worth nothing from 32 min on, and would need 25."""
    workload = day(
        [3],
        [LONG._replace(until=32), URGENT, Job(6, {0: 9}, 0.6)],
        rights=StopRights.of(3, [True, True, False], [True, True, False]),
    )
    workload = with_memory_of(workload, 4.0, [3, 1, 1.5])
    dropping = replace(policy(GREEDY), drop_below=0.5)
    outcome = replay(workload, dropping)
    assert judge_outcome(outcome).problems == ()
    assert outcome.dropped.tolist() == [True, False, False]
    assert outcome.start[2] == outcome.end[0] == 7 * MINUTE


@pytest.mark.parametrize("whole", [True, False])
def test_memory_is_free_earlier_if_a_promise_is_moved_forward(whole: bool) -> None:
    """The first job is stopped at 5 min. It is promised a start at 45, and goes on at 25 if the
    urgent one ends then; so it ends 25 min later.
    """
    jobs = [Job(0, {0: 30}, 1), Job(0, {0: 99}, 1), Job(5, {0: 40}, 9), Job(6, {0: 9}, 1)]
    rights = StopRights.of(4, True, [True, False, False, False], [0, 0, 1, 0])
    workload = with_memory_of(day([2], jobs, rights=rights), 4.0, [3, 0, 1, 3])
    truth = Truth(np.array([1.0, 1.0, 1.0 if whole else 0.5, 1.0]), np.ones(4))
    tiers = replace(policy(Technique.TIERS), blocked=Blocked.RESERVE)
    outcome = replay(workload, tiers, truth)
    assert judge_outcome(outcome).problems == ()
    goes_on = 45 if whole else 25
    assert outcome.start.tolist() == [goes_on * MINUTE, 0.0, 5 * MINUTE, (goes_on + 25) * MINUTE]


class TestJudge:
    @pytest.fixture
    def given_back(self) -> ReplayOutcome:
        return run(three(Job(6, {0: 3}, 0.01), (3, 1, 1.5)), GREEDY, suspended_memory="free")

    def test_it_asks_whether_the_memory_is_there(self, given_back: ReplayOutcome) -> None:
        holding = replace(given_back, stopping=Stopping())
        (problem,) = judge_outcome(holding).problems
        assert "has 4 memory_gb, but at 360 s 5.5 work" in problem.message

    def test_what_ends_holds_nothing(self, given_back: ReplayOutcome) -> None:
        later = Job(36, {0: 3}, 0.01)
        for stopping in (ReplaySettings(), ReplaySettings(stopping=given_back.stopping)):
            outcome = replay(three(later, (3, 1, 4)), policy(GREEDY), settings=stopping)
            assert outcome.start[2] == 36 * MINUTE
            assert judge_outcome(outcome).problems == ()
