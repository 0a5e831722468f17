"""What is seen of an event is what was decided there, and each job takes its best way."""

import numpy as np
import pytest
from engines.replay.workloads import small_workloads
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.arrivals.policies import POLICIES
from core.engines.replay.clock import OpenReplay, ReplaySettings
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.looking import Decided, see_event
from core.engines.replay.policy import Blocked, Measure, Order, Policy
from core.engines.replay.pricing import Foresight
from core.engines.replay.workload import ArrivingJobs, Options, Pools, Truth, Workload
from core.vocabulary.budget import Budget

BY_MEASURE = [one.policy for one in POLICIES.values() if one.policy.order is Order.BEST]


@given(
    small_workloads(),
    st.sampled_from(BY_MEASURE),
    st.sampled_from([np.inf, 5e4, 1e4]),
    st.integers(0, 30),
)
def test_each_decision_is_the_best_way_of_its_job(
    given_: tuple[Workload, Truth], policy: Policy, joules: float, minutes: int
) -> None:
    workload, truth = given_
    windows = EnergyWindows.daily(workload.horizon, joules)
    settings = ReplaySettings(windows, every=60.0, pricing=Foresight())
    run = OpenReplay(workload, truth, policy, settings)
    run.run(60.0 * minutes, Budget())
    try:
        looked = run.look()
    except ValueError:
        with pytest.raises(ValueError, match="no event is left"):
            see_event(workload, policy, 60.0 * minutes, truth, settings)
        return
    seen = see_event(workload, policy, 60.0 * minutes, truth, settings)
    assert seen.now == run.now - settings.every
    chosen = [job for job in seen.jobs if job.chosen is not None]
    assert [job.job for job in chosen] == looked.job.tolist()
    assert [job.chosen.start for job in chosen if job.chosen] == looked.start.tolist()
    assert [job.chosen.option for job in chosen if job.chosen] == looked.option.tolist()
    assert seen.waited == len(looked.job) + len(run.waiting) - sum(
        job.decided is Decided.HELD for job in chosen
    )
    for job in chosen:
        assert job.chosen is not None
        assert job.chosen.fits
        if policy.switch == 0:
            assert job.chosen == job.ways[0]
            compared = looked.measure[chosen.index(job)]
            value = job.chosen.value
            if policy.measure is Measure.SURPLUS:  # by size, in an order near to the usual
                value *= run._clock.tilt[job.job] / run.charges.least_size[job.job]
            assert value == pytest.approx(compared, rel=1e-12)
        assert (job.decided is Decided.STARTS) == (job.chosen.start <= seen.now)
    for job in seen.jobs:
        if job.decided is Decided.WAITS:
            assert not any(way.fits for way in job.ways)


def test_there_is_no_event_after_the_last() -> None:
    """Without energy no job can ever start, so the replay ends at once, whatever waits."""
    workload, policy = small()
    windows = EnergyWindows.daily(workload.horizon, 0.0)
    assert see_event(workload, policy, 0.0, settings=ReplaySettings(windows)).waited == 2
    with pytest.raises(ValueError, match="no event is left"):
        see_event(workload, policy, 1.0, settings=ReplaySettings(windows))


def small(*, blocked: Blocked = Blocked.HOLD) -> tuple[Workload, Policy]:
    """Two jobs that want the one fast node; a slow node is free, too."""
    options = Options.of(
        [0, 0, 1, 1], [0, 1, 0, 1], 1, [60.0, 300.0, 60.0, 300.0], [100.0, 10.0, 100.0, 10.0]
    )
    jobs = ArrivingJobs.plain(np.zeros(2), types=("plain",))
    workload = Workload(Pools.of(["fast", "slow"], [1, 1]), jobs, options)
    return workload, Policy("per time", Order.BEST, Measure.PER_TIME, blocked)


@pytest.mark.parametrize(
    ("blocked", "decided"), [(Blocked.HOLD, Decided.HELD), (Blocked.RESERVE, Decided.PROMISED)]
)
def test_the_second_job_keeps_a_place_on_the_fast_node(blocked: Blocked, decided: Decided) -> None:
    workload, policy = small(blocked=blocked)
    seen = see_event(workload, policy, 0.0)
    assert (seen.now, seen.waited, seen.free.tolist()) == (0.0, 2, [1, 1])
    first, second = seen.jobs
    assert first.decided is Decided.STARTS
    assert first.chosen is not None
    assert (first.chosen.start, first.chosen.joules, first.chosen.worth) == (0.0, 6000.0, 1.0)
    assert second.decided is decided
    assert [(way.option, way.start) for way in second.ways] == [(2, 60.0), (3, 0.0)]
    assert [way.value for way in second.ways] == [1 / 60, 1 / 300]


def test_only_so_many_jobs_are_listed_and_the_others_counted() -> None:
    jobs = 100
    options = Options.of(jobs, 0, 1, 50.0, 1)
    arriving = ArrivingJobs.plain(np.zeros(jobs), types=("plain",))
    workload = Workload(Pools.of(["nodes"], [10]), arriving, options)
    policy = Policy("waits", Order.BEST, Measure.PER_TIME, Blocked.WAIT)
    seen = see_event(workload, policy, 0.0)
    assert (seen.waited, len(seen.jobs), seen.more) == (100, 60, 40)
    assert sum(job.decided is Decided.STARTS for job in seen.jobs) == 10
