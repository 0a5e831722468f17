"""A policy by prices keeps to the rules and looks at no job to come, and saves energy for later."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from replay.workloads import small_workloads

from core.arrivals.synthetic import BudgetSettings, draw_budget_day
from core.model.budget import Budget
from core.replay.bound import bound
from core.replay.clock import OpenReplay, ReplaySettings, replay
from core.replay.energy import EnergyWindows
from core.replay.judge import judge_outcome
from core.replay.policy import Measure, Policy, Prices
from core.replay.pricing import BY_PRICES, Foresight, best_price, expected_jobs
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


def test_the_day_so_far_is_expected_again_and_faster_the_less_of_it_is_known() -> None:
    """A quarter of a day is known: what came in it is expected in 1 / 2.125 of the time."""
    workload = lone_jobs(np.array([0.0, 1000.0, 1800.0, 4000.0]))
    found = expected_jobs(workload, 1800.0, 7200.0)
    again = 1800.0 / 2.125
    one_round = np.array([0.0, again * 1000 / 1800, again])
    rounds = np.concatenate([1800.0 + one_round + again * k for k in range(7)])
    np.testing.assert_allclose(found.jobs.arrival, rounds[rounds < 7200.0])
    assert found.jobs.priority.tolist() == ([1.0, 2.0, 3.0] * 7)[: len(found.jobs)]
    assert found.options.seconds.tolist() == ([100.0, 101.0, 102.0] * 7)[: len(found.jobs)]


def test_after_a_day_the_last_day_is_expected_again() -> None:
    day = 86400.0
    workload = lone_jobs(np.array([1000.0, day - 500.0, day + 2000.0, day + 5000.0]))
    found = expected_jobs(workload, day + 3000.0, 2 * day)
    np.testing.assert_allclose(found.jobs.arrival, [2 * day - 500.0])
    found = expected_jobs(workload, day + 3000.0, np.inf)
    np.testing.assert_allclose(found.jobs.arrival, [2 * day - 500.0, 2 * day + 2000.0])


def test_nothing_is_expected_of_a_day_that_begins() -> None:
    assert len(expected_jobs(lone_jobs(np.array([0.0, 10.0])), 0.0, 7200.0).jobs) == 0


def lone_jobs(arrival: np.ndarray) -> Workload:
    """Job k is worth k + 1, and takes one unit for 100 + k seconds, and 10 W."""
    count = len(arrival)
    nothing = np.zeros(count, int)
    return Workload(
        Pools.of(("A",), [2]),
        ArrivingJobs(
            arrival, nothing, ("job",), np.arange(1.0, count + 1), np.zeros(count), nothing
        ),
        Options(
            np.arange(count + 1),
            nothing,
            nothing + 1,
            100.0 + np.arange(count),
            np.full(count, 10.0),
            nothing,
        ),
    )


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


def halfway(now: float, prices: Prices | None) -> OpenReplay:
    """An alternating day that has come to `now`, under these prices."""
    workload, windows = alternating_day()
    settings = ReplaySettings(windows, prices=prices)
    run = OpenReplay(workload, Truth.as_estimated(len(workload.jobs)), BY_PRICES, settings)
    run.run(now, Budget())
    return run


DEAR_ENERGY = Prices(joule=0.02)
"""Four times what the worth of all jobs is for each joule of theirs: 5 for 1,000 J."""


def test_at_first_prices_are_searched_everywhere_and_later_near_the_present_ones() -> None:
    early = [Foresight().prices(halfway(600.0, one), Budget()) for one in (None, DEAR_ENERGY)]
    assert early[0] is not None
    assert early[1] is not None
    assert early[0].joule == pytest.approx(early[1].joule, rel=0.05)
    assert early[0].joule < 0.5 * 0.005
    later = Foresight().prices(halfway(3600.0, DEAR_ENERGY), Budget())
    assert later is not None
    assert later.joule > 2.5 * 0.005
    # A core draws 10 W, and is priced at a tenth of its mean worth.
    assert later.core_second == pytest.approx(0.1 * 10.0 * 0.005, rel=0.1)


def test_the_best_price_is_where_the_parabola_is_highest() -> None:
    assert best_price(lambda joule: 10.0 - (joule - 0.52) ** 2, 0.5) == pytest.approx(
        0.52, abs=4e-3
    )
    # It is moved to twice if it lies at an end, and is never below 0.
    assert best_price(lambda joule: joule, 0.5) == pytest.approx(0.8)
    assert best_price(lambda joule: 1.0 - joule, 0.5) == pytest.approx(0.2)
    assert best_price(lambda joule: 1.0 - joule, 0.1) == 0.0
    assert best_price(lambda _: 0.0, 0.5) == 0.5
    # Of prices under which as much is earned, the lowest.
    assert best_price(lambda joule: 12.3 - max(joule - 0.7, 0.0), 0.5) == pytest.approx(0.2)


def test_chance_moves_the_best_price_less_than_where_most_is_earned() -> None:
    """Of 0.35 to 0.65, the price 0.6 earns the most by chance; the parabola stays near 0.5."""
    by_chance = {0.6: 0.3}

    def earned(joule: float) -> float:
        return 10.0 - 20.0 * (joule - 0.5) ** 2 + by_chance.get(round(joule, 9), 0.0)

    assert max((0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65), key=earned) == 0.6
    assert 0.5 < best_price(earned, 0.5) < 0.53


def test_prices_are_set_anew_at_the_next_energy_window() -> None:
    workload, _ = alternating_day()
    windows = EnergyWindows(np.array([0.0, 3600.0, 5000.0, 7200.0]), np.full(3, 1e4))
    truth = Truth.as_estimated(len(workload.jobs))
    run = OpenReplay(workload, truth, BY_PRICES, ReplaySettings(windows))
    again = []
    for now in (0.0, 1200.0, 3480.0, 4920.0):
        run.run(now, Budget())
        again.append(Foresight().again(run))
    assert again == pytest.approx([3600 / 14, 1200 + 3600 / 14, 3600.0, 5000.0])


def test_without_a_limit_of_energy_nothing_has_a_price() -> None:
    workload = draw_budget_day(BudgetSettings(60, cores=2_000))
    ours = replace(BY_PRICES, drop_below=0.5)
    one = replay(workload, ours, settings=ReplaySettings(pricing=Foresight()))
    two = replay(workload, ours, settings=ReplaySettings(prices=Prices(0.0, 0.0)))
    assert one.decisions.priced == ()
    assert one.option.tolist() == two.option.tolist()
    np.testing.assert_array_equal(one.start, two.start)


def test_the_rest_of_the_day_is_replayed_without_sequences_and_without_hopeless_jobs() -> None:
    """A job of worth 1 and one of 99 wait. What is worth less than 0.2 of the mean is given up."""
    tried: list[Policy] = []

    class Watched(OpenReplay):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            tried.append(self.policy)

    workload = lone_jobs(np.array([0.0, 0.0]))
    workload = replace(workload, jobs=replace(workload.jobs, priority=np.array([1.0, 99.0])))
    windows = EnergyWindows(np.array([0.0, 7200.0]), np.array([1500.0]))
    for drop_below, used in ((-1.0, 10.0), (30.0, 30.0)):
        policy = replace(BY_PRICES, drop_below=drop_below)
        truth = Truth.as_estimated(2)
        run = OpenReplay(workload, truth, policy, ReplaySettings(windows))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("core.replay.pricing.OpenReplay", Watched)
            Foresight().prices(run, Budget())
        assert {(one.sequences, one.drop_below) for one in tried} == {(1, used)}
        tried.clear()
