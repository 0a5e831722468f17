"""The rest of a day is replayed as it is expected: with what waits and runs, and jobs to come."""

from dataclasses import replace

import numpy as np
import pytest
from engines.replay.days import begun, halfway, hundred_small_and_fifty_large, replays_of_the_rest
from engines.replay.workloads import lone_jobs

from core.capabilities.arrivals.made.synthetic import BudgetSettings, draw_budget_day
from core.engines.replay.belief import Future, Window
from core.engines.replay.clock import OpenReplay
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.policy import Prices
from core.engines.replay.pricing import (
    BY_PRICES,
)
from core.engines.replay.rest_of_day import (
    Futures,
    Learned,
    Quickest,
    capacity_of,
    held_by,
    left_of,
)
from core.engines.replay.workload import Horizon
from core.vocabulary.budget import Budget


def test_a_future_of_which_only_a_part_is_looked_at_counts_as_a_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ten of a hundred jobs are looked at: what they earn counts ten times."""
    monkeypatch.setattr("core.engines.replay.rest_of_day._MOST", 10)
    run = halfway(3600.0)
    window = Window(0.0, 7200.0, float(run.windows.joules[0]))
    told = Futures.of(run, (Future(100.0, 0.5), Future(2.0, 0.5)), window, Learned(1.0, 1.0))
    assert told.counts == pytest.approx((5.0, 0.5))
    prices = Prices(0.0, 0.0)
    many, few = (day.worth(prices, Budget()) for day in told.days)
    assert told.worth(prices, Budget()) == pytest.approx(5.0 * many + 0.5 * few)


def test_the_rest_of_the_day_is_replayed_without_sequences_and_without_hopeless_jobs() -> None:
    """A job of worth 1 and one of 99 wait. What is worth less than 0.2 of the mean is given up."""
    workload = lone_jobs(np.array([0.0, 0.0]))
    workload = replace(workload, jobs=replace(workload.jobs, priority=np.array([1.0, 99.0])))
    windows = EnergyWindows(np.array([0.0, 7200.0]), np.array([600.0]))
    for drop_below, used in ((-1.0, 10.0), (30.0, 30.0)):
        policy = replace(BY_PRICES, drop_below=drop_below)
        run = begun(workload, windows, -np.inf, policy=policy)
        rules = {(one.policy.sequences, one.policy.drop_below) for one in replays_of_the_rest(run)}
        assert rules == {(1, used)}


def rest_of(
    end: float, most: int, monkeypatch: pytest.MonkeyPatch, *, again: int = 1_000
) -> OpenReplay:
    """A replay by which prices are set, half an hour after 19 jobs began to come, 100 s apart; of
    those that are expected, no more than so many are looked at. There is 1 MJ until the end.
    """
    monkeypatch.setattr("core.engines.replay.rest_of_day._MOST", most)
    monkeypatch.setattr("core.engines.replay.rest_of_day._AGAIN", again)
    windows = EnergyWindows(np.array([0.0, end]), np.array([1e6]))
    workload = replace(lone_jobs(100.0 * np.arange(19)), horizon=Horizon(0.0, end))
    run = begun(workload, windows, 1800.0)
    assert run.left[0] < 1e6
    # Of the three futures that in which many jobs come.
    return replays_of_the_rest(run)[2]


def test_of_many_expected_jobs_the_next_are_looked_at_with_the_energy_for_their_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A budget of 1 MJ is believed to be for 1,800 jobs or more, of 1 kJ each."""
    whole = rest_of(7200.0, 10_000, monkeypatch)
    part = rest_of(7200.0, 40, monkeypatch)
    assert whole.workload.horizon.end == 7200.0
    expected = len(whole.workload.jobs) - (len(part.workload.jobs) - 40)
    assert expected > 1000
    until = float(part.workload.jobs.arrival[-1])
    assert part.workload.horizon.end == until
    assert part.windows.edges == pytest.approx([0.0, until, 7200.0])
    assert part.windows.joules[0] == pytest.approx(whole.windows.joules[0] * 40 / expected)


def test_few_expected_jobs_are_all_looked_at_and_so_are_many_if_nothing_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = rest_of(7200.0, 10_000, monkeypatch)
    assert len(few.windows.joules) == 1
    endless = rest_of(np.inf, 4, monkeypatch)
    assert endless.workload.horizon.end == np.inf
    assert len(endless.windows.joules) == 1


def test_each_job_that_has_come_is_expected_again_so_often_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nineteen have come, and a budget of 1 MJ is for many more."""
    most = len(rest_of(7200.0, 10_000, monkeypatch, again=20).workload.jobs)
    assert 20 * 19 <= most <= 21 * 19


def test_jobs_that_are_done_teach_what_others_take() -> None:
    """Forecasts take the estimates at first, and a twentieth of them after a hundred jobs."""
    workload, truth = hundred_small_and_fifty_large()
    windows = EnergyWindows.daily(workload.horizon, 1e8)
    run = begun(workload, windows, -np.inf, truth=truth)
    assert Learned.of(run) == (1.0, 1.0)
    run.run(4 * 3600.0, Budget())
    learned = Learned.of(run)
    assert learned.time == pytest.approx((5.0 + 5.0) / 105.0)
    assert learned.power == pytest.approx(1.0)
    assert {one.truth.time[0] for one in replays_of_the_rest(run)} == {learned.time}


def test_energy_and_units_come_back_as_early_as_jobs_have_taught() -> None:
    workload, truth = hundred_small_and_fifty_large()
    windows = EnergyWindows.daily(workload.horizon, 1e8)
    run = begun(workload, windows, 120.0, truth=truth)
    assert len(run.underway) == 61
    starts = run.outcome().start[run.underway]
    assert set(starts) == {0.0, 60.0}
    half = Learned(0.5, 1.0)
    assert left_of(run, half)[0] == pytest.approx(run.left[0] + 61 * 0.5 * 7200.0 * 10.0)
    assert held_by(run, half).until == pytest.approx(starts + 3600.0)
    # What has gone on for longer than expected may go on as long as it was promised.
    tenth = Learned(0.001, 1.0)
    assert held_by(run, tenth).until == pytest.approx(starts + 7200.0)
    assert left_of(run, tenth)[0] == pytest.approx(run.left[0])


def test_the_quickest_option_takes_the_fewest_core_seconds() -> None:
    workload = draw_budget_day(BudgetSettings(60, cores=2_000))
    options = workload.options
    cores = options.units * workload.pools.cores[options.pool]
    joules, core_seconds = [], []
    for job in range(10):
        ways = range(int(options.first[job]), int(options.first[job + 1]))
        quickest = min(ways, key=lambda way: float(options.seconds[way] * cores[way]))
        joules.append(options.joules[quickest])
        core_seconds.append(options.seconds[quickest] * cores[quickest])
    assert Quickest.of(workload, 10) == pytest.approx((np.mean(joules), np.mean(core_seconds)))


def test_a_window_pays_for_jobs_and_its_cores_run_them_as_long_as_it_is() -> None:
    """Jobs of 10 W and 100 s of a core, of which half their times were needed so far."""
    run = halfway(3600.0)
    learned = Learned(0.5, 1.0)
    cores = float((run.workload.pools.units * run.workload.pools.cores).sum())
    whole = capacity_of(run, Window(0.0, 7200.0, 5000.0), learned)
    assert whole == pytest.approx((10.0, cores * 7200.0 / 50.0))
    last = capacity_of(run, Window(3600.0, 7200.0, 1000.0), learned)
    assert last == pytest.approx((2.0, cores * 3600.0 / 50.0))
    assert capacity_of(run, Window(0.0, 7200.0, 5000.0), Learned(0.5, 0.0)) is None
    for nothing in (
        Window(0.0, 7200.0, 0.0),
        Window(0.0, 0.0, 5000.0),
        Window(0.0, 7200.0, 1e-310),
    ):
        assert capacity_of(run, nothing, learned) is None
