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
from core.replay.policy import Measure, Prices
from core.replay.pricing import BY_PRICES, Foresight, best_price, expected_jobs
from core.replay.workload import Horizon, Truth, Workload
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


def replays_of_the_rest(run: OpenReplay) -> list[OpenReplay]:
    """The replays by which prices are set."""
    tried: list[OpenReplay] = []

    class Watched(OpenReplay):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            tried.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.replay.pricing.OpenReplay", Watched)
        Foresight().prices(run, Budget())
    return tried


def test_the_rest_of_the_day_is_replayed_without_sequences_and_without_hopeless_jobs() -> None:
    """A job of worth 1 and one of 99 wait. What is worth less than 0.2 of the mean is given up."""
    workload = lone_jobs(np.array([0.0, 0.0]))
    workload = replace(workload, jobs=replace(workload.jobs, priority=np.array([1.0, 99.0])))
    windows = EnergyWindows(np.array([0.0, 7200.0]), np.array([1500.0]))
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
    windows = EnergyWindows(np.array(edges), np.full(len(edges) - 1, 1e6))
    workload = replace(lone_jobs(100.0 * np.arange(19)), horizon=horizon)
    run = OpenReplay(workload, Truth.as_estimated(19), BY_PRICES, ReplaySettings(windows))
    run.run(1800.0, Budget())
    assert run.left[0] < 1e6
    return replays_of_the_rest(run)[0]


@pytest.mark.parametrize(
    ("begin", "most", "passed", "faster", "window"),
    [
        # In the rest of this hour, the jobs so far are expected 1.75 times as fast as they came.
        (0.0, 4, 300.0, 1.75, 0),
        # Until 7,000 s, somewhat faster. The fourth still comes in this hour ...
        (3600.0, 4, 300.0, 1 + 1.5 * 5200 / 7000, 0),
        # ... and the 57th, the last of the third round, in the next.
        (3600.0, 57, 5400.0, 1 + 1.5 * 5200 / 7000, 1),
    ],
)
def test_of_many_expected_jobs_the_next_are_looked_at_with_the_energy_for_their_time(
    begin: float,
    most: int,
    passed: float,
    faster: float,
    window: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    horizon, until = Horizon(begin, 7000.0), 1800.0 + passed / faster
    rest = rest_of([0.0, 3600.0, 7200.0], horizon, most, monkeypatch)
    left = rest_of([0.0, 3600.0, 7200.0], horizon, 1000, monkeypatch).windows.joules
    since, end = ((1800.0, 3600.0), (3600.0, 7000.0))[window]
    part = (until - since) / (end - since)
    assert rest.workload.jobs.arrival[-1] == pytest.approx(until)
    assert rest.workload.horizon == pytest.approx(Horizon(begin, until))
    edges = [0.0, 3600.0, 7200.0]
    edges.insert(window + 1, until)
    assert rest.windows.edges == pytest.approx(edges)
    both = [left[window] * part, left[window] * (1 - part)]
    joules = [*left[:window], *both, *left[window + 1 :]]
    assert rest.windows.joules == pytest.approx(joules)


def test_few_expected_jobs_are_all_looked_at_and_so_are_many_if_nothing_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = rest_of([0.0, 3600.0, 7200.0], Horizon(0.0, 7000.0), 33, monkeypatch)
    assert few.workload.horizon.end == 3600.0
    assert len(few.windows.joules) == 2
    endless = rest_of([0.0, np.inf], Horizon(), 4, monkeypatch)
    assert endless.workload.horizon.end == np.inf
    assert len(endless.workload.jobs) > 4
    assert len(endless.windows.joules) == 1
