"""A policy by prices keeps to the rules and below the bound, and saves energy for later."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from replay.workloads import small_workloads

from core.replay.bound import bound
from core.replay.clock import ReplaySettings
from core.replay.energy import EnergyWindows
from core.replay.judge import judge_outcome
from core.replay.pricing import replay_with_prices
from core.replay.workload import ArrivingJobs, Horizon, Options, Pools, Truth, Workload


@settings(max_examples=5, deadline=None)
@given(small_workloads(), st.sampled_from([np.inf, 2e6, 2e5]), st.booleans())
def test_it_keeps_to_the_rules_and_below_the_bound(
    drawn: tuple[Workload, Truth], joules: float, expects: bool
) -> None:
    workload, truth = drawn
    windows = EnergyWindows.daily(workload.horizon, joules)
    forecast = workload if expects else None
    outcome = replay_with_prices(workload, truth, ReplaySettings(windows), forecast)
    assert judge_outcome(outcome).problems == ()
    assert outcome.worth <= bound(workload, truth, windows, slots=4).value


def two_jobs() -> Workload:
    """One that is worth 1 arrives at once, one that is worth 8 an hour later; each takes 1 kJ."""
    return Workload(
        Pools.of(("A",), [2]),
        ArrivingJobs(
            np.array([0.0, 3600.0]),
            np.zeros(2, int),
            ("job",),
            np.array([1.0, 8.0]),
            np.zeros(2),
            np.zeros(2, int),
        ),
        Options(
            np.arange(3),
            np.zeros(2, int),
            np.ones(2, int),
            np.full(2, 100.0),
            np.full(2, 10.0),
            np.zeros(2, int),
        ),
        horizon=Horizon(0.0, 7200.0),
    )


def test_energy_is_kept_for_what_is_expected() -> None:
    workload = two_jobs()
    given_settings = ReplaySettings(EnergyWindows(np.array([0.0, 7200.0]), np.array([1000.0])))
    truth = Truth.as_estimated(2)
    later = replace(workload.jobs, arrival=np.full(2, 3600.0), priority=np.array([8.0, 4.0]))
    forecast = replace(workload, jobs=later)
    expecting = replay_with_prices(workload, truth, given_settings, forecast)
    assert expecting.ran.tolist() == [False, True]
    surprised = replay_with_prices(workload, truth, given_settings)
    assert surprised.ran.tolist() == [True, False]


def test_jobs_to_come_are_not_looked_at() -> None:
    workload = two_jobs()
    other = replace(workload, jobs=replace(workload.jobs, priority=np.array([1.0, 2.0])))
    given_settings = ReplaySettings(EnergyWindows(np.array([0.0, 7200.0]), np.array([1000.0])))
    truth = Truth.as_estimated(2)
    one, two = (replay_with_prices(each, truth, given_settings) for each in (workload, other))
    assert one.start[0] == two.start[0] == 0.0
