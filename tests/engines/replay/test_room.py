"""The steps of a pool stay within the room of an event, also when many jobs end early."""

import numpy as np

from core.engines.replay.clock import OpenReplay, ReplaySettings
from core.engines.replay.events import room_needed
from core.engines.replay.policy import Blocked, Measure, Order, Policy
from core.engines.replay.workload import ArrivingJobs, Options, Pools, Truth, Workload


def test_promises_that_move_have_room() -> None:
    random, jobs = np.random.default_rng(1), 300
    workload = Workload(
        Pools.of(["A"], [40]),
        ArrivingJobs.plain(np.sort(random.uniform(0, 3000, jobs)), np.zeros(jobs, int), ("job",)),
        Options(
            np.arange(jobs + 1),
            np.zeros(jobs, int),
            random.integers(1, 30, jobs),
            random.uniform(100, 3000, jobs),
            np.zeros(jobs),
            np.zeros(jobs, int),
        ),
    )
    truth = Truth(random.uniform(0.1, 1, jobs), np.ones(jobs))
    policy = Policy("promises", Order.ARRIVAL, Measure.EARLIEST, Blocked.RESERVE)
    run = OpenReplay(workload, truth, policy, ReplaySettings())
    for _ in range(400):
        needed = room_needed(run._facts, run._clock, run.now)
        run.look()
        assert run._clock.base.steps.max() <= needed
        assert run._clock.plan.steps.max() <= needed
