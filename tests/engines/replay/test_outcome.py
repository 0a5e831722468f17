"""The record of a replay says what its judge computes."""

from dataclasses import replace

import numpy as np
import pytest

from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.energy import DAY_SECONDS, EnergyWindows
from core.engines.replay.judge import judge_outcome
from core.engines.replay.outcome import ReplayScore
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
        ArrivingJobs.plain(arrival),
        Options.of(jobs, 0, 1, [1e-8, 1e-8, 1e-8, 1e-8, 60.0], 50.0),
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
        ArrivingJobs.plain(np.zeros(2)),
        Options.of(2, 0, 1, 80.0, 1),
        horizon=Horizon(0.0, 40.0),
    )
    outcome = replay(workload, GREEDY)
    assert outcome.ran.tolist() == [True, False]
    assert outcome.share.tolist() == [0.5, 0]


@pytest.mark.parametrize(("end", "jobs"), [(3000.0, 4), (np.inf, 3)])
def test_a_budget_limits_what_jobs_draw_and_not_what_machines_do(end: float, jobs: int) -> None:
    """Jobs of half an hour and 100 W on two nodes of 50 W have energy for three of them; what two
    draw after the horizon is free, so another one begins.
    """
    workload = Workload(
        Pools.of(["nodes"], [2], idle_watts=50.0),
        ArrivingJobs.plain(np.linspace(0.0, 3000.0, 8)),
        Options.of(8, 0, 1, 1800.0, 100.0),
        horizon=Horizon(0.0, end),
    )
    length = min(end, DAY_SECONDS)
    windows = EnergyWindows.daily(workload.horizon, 540_000.0 * DAY_SECONDS / length)
    outcome = replay(workload, GREEDY, settings=ReplaySettings(windows))
    score = ReplayScore.of(outcome, 0.0)
    assert windows.joules.tolist() == [540_000.0]
    assert outcome.completed == jobs
    assert score.joules_of_jobs == pytest.approx(540_000.0)
    assert score.joules == pytest.approx(540_000.0 + 2 * 50.0 * min(end, outcome.makespan))


def test_figures_of_two_jobs_in_a_line() -> None:
    """One node; each job takes 100 s at 5 W. The second arrives at 30 s and begins at 120 s, the
    first mapping event after the first job is done.
    """
    options = Options.of(2, 0, 1, 100.0, 5.0)
    jobs = ArrivingJobs.plain(np.array([0.0, 30.0]), types=("plain",))
    outcome = replay(Workload(Pools.of(["node"], [1]), jobs, options), GREEDY)
    found = ReplayScore.of(outcome, 0.25)
    assert (found.worth, found.joules, found.seconds) == (2.0, 1000.0, 0.25)
    assert (found.completed, found.dropped, found.makespan) == (2, 0, 220.0)
    assert found.mean_flow == pytest.approx((100 + 190) / 2)
    assert found.max_stretch == pytest.approx(1.9)
    assert found.events == len(outcome.decisions.time) > 0
