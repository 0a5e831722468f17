"""A policy by prices keeps to the rules and looks at no job to come, and saves energy for later."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from replay.workloads import lone_jobs, small_workloads

from core.arrivals.synthetic import BudgetSettings, draw_budget_day
from core.model.budget import Budget
from core.replay.bound import bound
from core.replay.clock import OpenReplay, ReplaySettings, replay
from core.replay.energy import EnergyWindows
from core.replay.judge import judge_outcome
from core.replay.learned import Learned, held_by, left_of
from core.replay.policy import Measure, Prices
from core.replay.pricing import BY_PRICES, Foresight, best_price, quickest_joules
from core.replay.workload import ArrivingJobs, Horizon, Options, Pools, Truth, Workload
from core.replay.worth import WorthCurves, WorthPiece


def priced(joules: EnergyWindows) -> ReplaySettings:
    return ReplaySettings(joules, pricing=Foresight())


@settings(max_examples=20, deadline=None)
@given(small_workloads(), st.sampled_from([np.inf, 2e6, 2e5]))
def test_it_keeps_to_the_rules_and_below_the_bound(
    drawn: tuple[Workload, Truth], joules: float
) -> None:
    workload, truth = drawn
    windows = EnergyWindows.daily(workload.horizon, joules)
    outcome = replay(workload, BY_PRICES, truth, priced(windows))
    assert judge_outcome(outcome).problems == ()
    assert outcome.worth <= bound(workload, truth, windows, slots=4).value


@settings(max_examples=30, deadline=None)
@given(small_workloads(), st.integers(0, 1200))
def test_jobs_to_come_are_not_looked_at(drawn: tuple[Workload, Truth], now: int) -> None:
    """What later jobs are worth and take changes no decision before they arrive."""
    workload, truth = drawn
    later = workload.jobs.arrival > now
    other = replace(
        workload,
        jobs=replace(
            workload.jobs,
            arrival=np.where(later, workload.jobs.arrival + 30.0, workload.jobs.arrival),
            priority=np.where(later, 1.0, workload.jobs.priority),
        ),
        options=replace(
            workload.options,
            seconds=np.where(later[workload.options.job], 77.0, workload.options.seconds),
        ),
    )
    windows = EnergyWindows.daily(workload.horizon, 1e6)
    one, two = (replay(each, BY_PRICES, truth, priced(windows)) for each in (workload, other))
    for outcome, its_fellow in ((one, two), (two, one)):
        before = outcome.ran & (outcome.start <= now)
        assert (outcome.start[before] == its_fellow.start[before]).all()
        assert (outcome.option[before] == its_fellow.option[before]).all()


def alternating_day() -> tuple[Workload, EnergyWindows]:
    """Jobs of worth 1 and 9 take turns, 5 min apart; energy is there for half of them."""
    jobs = 24
    plainly = lone_jobs(300.0 * np.arange(jobs))
    workload = replace(
        plainly,
        jobs=replace(plainly.jobs, priority=np.where(np.arange(jobs) % 2, 9.0, 1.0)),
        options=replace(plainly.options, seconds=np.full(jobs, 100.0)),
        horizon=Horizon(0.0, 7200.0),
    )
    return workload, EnergyWindows(np.array([0.0, 7200.0]), np.array([1000.0 * jobs / 2]))


def test_the_day_is_expected_to_go_on_as_it_began() -> None:
    workload, windows = alternating_day()
    outcome = replay(workload, BY_PRICES, settings=priced(windows))
    # Until the first prices are set, after ten minutes, whatever comes is run.
    assert outcome.ran[workload.jobs.priority == 9].sum() >= 11
    plain = replay(
        workload,
        replace(BY_PRICES, measure=Measure.PER_RESOURCE, sequences=1),
        None,
        ReplaySettings(windows),
    )
    assert outcome.worth > 1.6 * plain.worth


def test_no_energy_is_kept_for_jobs_that_come_to_be_worth_nothing() -> None:
    """Jobs of worth 9 fall to nothing before they could end, so those of worth 1 get the energy."""
    workload, windows = alternating_day()
    high = workload.jobs.priority == 9
    curves = WorthCurves(
        (
            (WorthPiece(0.0, 1.0, 1.0, 0.0),),
            (WorthPiece(0.0, 1.0, 0.0, 0.0), WorthPiece(50.0, 0.0, 0.0, 0.0)),
        ),
        ("flat", "soon"),
    )
    workload = replace(
        workload, jobs=replace(workload.jobs, curve=high.astype(np.int64)), curves=curves
    )
    outcome = replay(workload, BY_PRICES, settings=priced(windows))
    assert outcome.ran.tolist() == (~high).tolist()


def halfway(now: float) -> OpenReplay:
    """An alternating day that has come to `now`."""
    workload, windows = alternating_day()
    truth = Truth.as_estimated(len(workload.jobs))
    run = OpenReplay(workload, truth, BY_PRICES, ReplaySettings(windows))
    run.run(now, Budget())
    return run


def test_at_first_prices_are_searched_everywhere_and_later_near_the_present_ones() -> None:
    """Later there are two groups of five replays at most, at first nine more."""
    run, foresight = halfway(600.0), Foresight()
    assert len(replays_of_the_rest(run, foresight)) >= 9 + 2
    run.run(3600.0, Budget())
    assert len(replays_of_the_rest(run, foresight)) <= 10
    # What was found for one replay is nothing to another.
    assert len(replays_of_the_rest(halfway(3600.0), foresight)) >= 9 + 2


def test_a_core_is_priced_at_a_tenth_of_its_mean_worth() -> None:
    """A job takes 10 W and 100 s of a core, and is worth 5."""
    workload, windows = alternating_day()
    workload = replace(workload, jobs=replace(workload.jobs, priority=np.full(24, 5.0)))
    run = OpenReplay(workload, Truth.as_estimated(24), BY_PRICES, ReplaySettings(windows))
    run.run(600.0, Budget())
    found = Foresight().prices(run, Budget())
    assert found is not None
    assert found.core_second == pytest.approx(0.1 * 5.0 / 100.0)


def test_the_best_price_is_where_the_parabola_is_highest() -> None:
    assert best_price(lambda joule: 10.0 - (joule - 0.52) ** 2, 0.5) == pytest.approx(
        0.52, abs=4e-3
    )
    # It is moved to twice if it lies at an end, and is never below 0.
    assert best_price(lambda joule: joule, 0.5) == pytest.approx(0.78)
    assert best_price(lambda joule: 1.0 - joule, 0.5) == pytest.approx(0.22)
    assert best_price(lambda joule: 1.0 - joule, 0.1) == 0.0
    assert best_price(lambda _: 0.0, 0.5) == 0.5
    # Of prices under which as much is earned, the lowest.
    assert best_price(lambda joule: 12.3 - max(joule - 0.7, 0.0), 0.5) == pytest.approx(0.22)


def test_chance_moves_the_best_price_less_than_where_most_is_earned() -> None:
    """Of 0.36 to 0.64, the price 0.57 earns the most by chance; the parabola stays near 0.5."""
    by_chance = {0.57: 0.2}

    def earned(joule: float) -> float:
        return 10.0 - 20.0 * (joule - 0.5) ** 2 + by_chance.get(round(joule, 9), 0.0)

    assert max((0.36, 0.43, 0.5, 0.57, 0.64), key=earned) == 0.57
    assert 0.5 < best_price(earned, 0.5) < 0.53


def test_prices_are_set_anew_at_the_next_energy_window() -> None:
    workload, _ = alternating_day()
    windows = EnergyWindows(np.array([0.0, 3600.0, 4950.0, 7200.0]), np.full(3, 1e4))
    truth = Truth.as_estimated(len(workload.jobs))
    run = OpenReplay(workload, truth, BY_PRICES, ReplaySettings(windows))
    again = []
    for now in (0.0, 1200.0, 3480.0, 4920.0):
        run.run(now, Budget())
        again.append(Foresight().again(run))
    assert again == pytest.approx([3600 / 28, 1200 + 3600 / 28, 3600.0, 4950.0])


def test_without_a_limit_of_energy_nothing_has_a_price() -> None:
    workload = draw_budget_day(BudgetSettings(60, cores=2_000))
    ours = replace(BY_PRICES, drop_below=0.5)
    one = replay(workload, ours, settings=ReplaySettings(pricing=Foresight()))
    two = replay(workload, ours, settings=ReplaySettings(prices=Prices(0.0, 0.0)))
    assert one.decisions.priced == ()
    assert one.option.tolist() == two.option.tolist()
    np.testing.assert_array_equal(one.start, two.start)


def replays_of_the_rest(run: OpenReplay, foresight: Foresight | None = None) -> list[OpenReplay]:
    """The replays by which prices are set."""
    tried: list[OpenReplay] = []

    class Watched(OpenReplay):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            tried.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.replay.pricing.OpenReplay", Watched)
        (foresight or Foresight()).prices(run, Budget())
    return tried


def test_the_rest_of_the_day_is_replayed_without_sequences_and_without_hopeless_jobs() -> None:
    """A job of worth 1 and one of 99 wait. What is worth less than 0.2 of the mean is given up."""
    workload = lone_jobs(np.array([0.0, 0.0]))
    workload = replace(workload, jobs=replace(workload.jobs, priority=np.array([1.0, 99.0])))
    windows = EnergyWindows(np.array([0.0, 7200.0]), np.array([600.0]))
    for drop_below, used in ((-1.0, 10.0), (30.0, 30.0)):
        policy = replace(BY_PRICES, drop_below=drop_below)
        truth = Truth.as_estimated(2)
        run = OpenReplay(workload, truth, policy, ReplaySettings(windows))
        rules = {(one.policy.sequences, one.policy.drop_below) for one in replays_of_the_rest(run)}
        assert rules == {(1, used)}


def rest_of(
    edges: list[float], horizon: Horizon, most: int, monkeypatch: pytest.MonkeyPatch
) -> OpenReplay:
    """A replay by which prices are set, half an hour after 19 jobs began to come, 100 s apart; of
    those that are expected, no more than so many are looked at. Each window has 1 MJ.
    """
    monkeypatch.setattr("core.replay.pricing._MOST", most)
    monkeypatch.setattr("core.replay.pricing._AGAIN", 1_000)
    windows = EnergyWindows(np.array(edges), np.full(len(edges) - 1, 1e6))
    workload = replace(lone_jobs(100.0 * np.arange(19)), horizon=horizon)
    run = OpenReplay(workload, Truth.as_estimated(19), BY_PRICES, ReplaySettings(windows))
    run.run(1800.0, Budget())
    assert run.left[0] < 1e6
    return replays_of_the_rest(run)[0]


def test_of_many_expected_jobs_the_next_are_looked_at_with_the_energy_for_their_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A budget of 1 MJ is believed to be for 1,800 jobs or more, of 1 kJ each."""
    whole = rest_of([0.0, 7200.0], Horizon(0.0, 7200.0), 10_000, monkeypatch)
    part = rest_of([0.0, 7200.0], Horizon(0.0, 7200.0), 40, monkeypatch)
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
    few = rest_of([0.0, 7200.0], Horizon(0.0, 7200.0), 10_000, monkeypatch)
    assert len(few.windows.joules) == 1
    endless = rest_of([0.0, np.inf], Horizon(), 4, monkeypatch)
    assert endless.workload.horizon.end == np.inf
    assert len(endless.windows.joules) == 1


def hundred_small_and_fifty_large() -> tuple[Workload, Truth]:
    """The small ones come at 0 h, the large ones from 6 h on; all take 5 % of their estimates."""
    jobs = 150
    large = np.arange(jobs) >= 100
    nothing = np.zeros(jobs, int)
    workload = Workload(
        Pools.of(("A",), [20]),
        ArrivingJobs(
            np.where(large, 6 * 3600.0 + 600.0 * (np.arange(jobs) - 100), 0.0),
            large.astype(int),
            ("small", "large"),
            np.where(large, 8.0, 4.0),
            np.zeros(jobs),
            nothing,
        ),
        Options(
            np.arange(jobs + 1),
            nothing,
            np.where(large, 4, 1),
            np.where(large, 7200.0, 3600.0),
            np.where(large, 800.0, 200.0),
            nothing,
        ),
        horizon=Horizon(0.0, 86400.0),
    )
    return workload, Truth(np.full(jobs, 0.05), np.ones(jobs))


def test_prices_fall_where_the_budget_will_not_be_spent() -> None:
    """Issue 33, point 8: it earned 400 where Max UPE earned 578, and ran none of the later jobs."""
    workload, truth = hundred_small_and_fifty_large()
    per_energy = replace(BY_PRICES, measure=Measure.PER_ENERGY, sequences=1)
    free = replay(workload, per_energy, truth)
    windows = EnergyWindows.daily(workload.horizon, 0.9 * float(free.job_joules.sum()))
    published = replay(workload, per_energy, truth, ReplaySettings(windows))
    ours = replay(workload, BY_PRICES, truth, priced(windows))
    assert ours.ran[100:].sum() > 40
    assert ours.worth >= 0.99 * published.worth
    prices = [one.prices.joule for one in ours.decisions.priced]
    assert prices[-1] < 0.25 * max(prices)


def test_jobs_that_are_done_teach_what_others_take() -> None:
    """Forecasts take the estimates at first, and a twentieth of them after a hundred jobs."""
    workload, truth = hundred_small_and_fifty_large()
    windows = EnergyWindows.daily(workload.horizon, 1e8)
    run = OpenReplay(workload, truth, BY_PRICES, ReplaySettings(windows))
    assert Learned.of(run) == (1.0, 1.0)
    run.run(4 * 3600.0, Budget())
    learned = Learned.of(run)
    assert learned.time == pytest.approx((5.0 + 5.0) / 105.0)
    assert learned.power == pytest.approx(1.0)
    assert {one.truth.time[0] for one in replays_of_the_rest(run)} == {learned.time}


def test_energy_and_units_come_back_as_early_as_jobs_have_taught() -> None:
    workload, truth = hundred_small_and_fifty_large()
    windows = EnergyWindows.daily(workload.horizon, 1e8)
    run = OpenReplay(workload, truth, BY_PRICES, ReplaySettings(windows))
    run.run(60.0, Budget())
    assert len(run.underway) == 20
    half = Learned(0.5, 1.0)
    assert left_of(run, half)[0] == pytest.approx(run.left[0] + 20 * 0.5 * 3600.0 * 200.0)
    assert held_by(run, half).until == pytest.approx(np.full(20, 1800.0))
    # What has gone on for longer than expected may go on as long as it was promised.
    tenth = Learned(0.01, 1.0)
    assert held_by(run, tenth).until == pytest.approx(np.full(20, 3600.0))
    assert left_of(run, tenth)[0] == pytest.approx(run.left[0])


def test_the_quickest_option_takes_the_fewest_core_seconds() -> None:
    workload = draw_budget_day(BudgetSettings(60, cores=2_000))
    options = workload.options
    cores = options.units * workload.pools.cores[options.pool]
    of_jobs = []
    for job in range(10):
        ways = range(int(options.first[job]), int(options.first[job + 1]))
        quickest = min(ways, key=lambda way: float(options.seconds[way] * cores[way]))
        of_jobs.append(options.joules[quickest])
    assert quickest_joules(workload, 10) == pytest.approx(np.mean(of_jobs))


def test_each_job_that_has_come_is_expected_again_so_often_at_most() -> None:
    """Nineteen have come, and a budget of 1 MJ is for many more."""
    windows = EnergyWindows(np.array([0.0, 7200.0]), np.array([1e6]))
    workload = replace(lone_jobs(100.0 * np.arange(19)), horizon=Horizon(0.0, 7200.0))
    run = OpenReplay(workload, Truth.as_estimated(19), BY_PRICES, ReplaySettings(windows))
    run.run(1800.0, Budget())
    (jobs,) = {len(one.workload.jobs) for one in replays_of_the_rest(run)}
    assert 20 * 19 <= jobs <= 21 * 19
