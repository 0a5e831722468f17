"""A policy by prices keeps to the rules and looks at no job to come, and saves energy for later."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from engines.replay.workloads import lone_jobs, small_workloads
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.arrivals.made.synthetic import BudgetSettings, draw_budget_day
from core.engines.replay import pricing
from core.engines.replay.belief import Future, Window
from core.engines.replay.bound import bound
from core.engines.replay.clock import OpenReplay, ReplaySettings, replay
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.judge import judge_outcome
from core.engines.replay.learned import Learned, held_by, left_of
from core.engines.replay.policy import Measure, Prices
from core.engines.replay.pricing import (
    _CORES,
    BY_PRICES,
    Foresight,
    _Found,
    _searched,
    _sure,
    best_price,
)
from core.engines.replay.rest_of_day import Futures, Quickest, capacity_of
from core.engines.replay.workload import ArrivingJobs, Horizon, Options, Pools, Truth, Workload
from core.engines.replay.worth import WorthCurves, WorthPiece
from core.vocabulary.budget import Budget


def priced(joules: EnergyWindows) -> ReplaySettings:
    return ReplaySettings(joules, pricing=Foresight())


@examples(6)
@given(small_workloads(), st.sampled_from([np.inf, 2e6, 2e5]))
def test_it_keeps_to_the_rules_and_below_the_bound(
    drawn: tuple[Workload, Truth], joules: float
) -> None:
    workload, truth = drawn
    windows = EnergyWindows.daily(workload.horizon, joules)
    outcome = replay(workload, BY_PRICES, truth, priced(windows))
    assert judge_outcome(outcome).problems == ()
    assert outcome.worth <= bound(workload, truth, windows, slots=4).value


@examples(8)
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
    """In each of three futures: later by two groups of three replays and one with another price of
    cores at most; at first by fourteen more.
    """
    run, foresight = halfway(600.0), Foresight()
    assert len(replays_of_the_rest(run, foresight)) >= 3 * 14
    run.run(3600.0, Budget())
    assert len(replays_of_the_rest(run, foresight)) <= 3 * 8
    # What was found for one replay is nothing to another.
    assert len(replays_of_the_rest(halfway(3600.0), foresight)) >= 3 * 14


def test_a_core_is_priced_in_parts_of_its_mean_worth() -> None:
    """A job takes 10 W and 100 s of a core, and is worth 5."""
    workload, windows = alternating_day()
    workload = replace(workload, jobs=replace(workload.jobs, priority=np.full(24, 5.0)))
    run = OpenReplay(workload, Truth.as_estimated(24), BY_PRICES, ReplaySettings(windows))
    run.run(600.0, Budget())
    found = Foresight().prices(run, Budget())
    assert found is not None
    parts = [0.0, 0.05, 0.1, 0.2]
    assert min(abs(found.core_second / (5.0 / 100.0) - part) for part in parts) < 1e-9


def test_another_price_of_cores_is_tried_upwards_and_downwards_in_turn() -> None:
    """It is kept if it earns more by a thousandth at least; a joule costs less where a core costs
    more.
    """

    def search(most_at: float, known: _Found | None) -> _Found:
        def earned(joule: float, cores: int) -> float:
            return 10.0 - 5 * (_CORES[cores] - most_at) ** 2 - (joule - 0.5) ** 2

        return _searched(earned, known)

    # At first 0 and 0.1 are looked at, then the next above the better one; later that below.
    first = search(0.2, None)
    assert first == (pytest.approx(0.5 - 0.07, abs=0.01), 3, False)
    second = search(0.2, first)
    assert second == (pytest.approx(0.5, abs=0.01), 3, True)
    # Beyond the last there is none.
    assert search(0.2, second) == (pytest.approx(0.5, abs=0.01), 3, False)
    assert search(0.0, first) == (pytest.approx(0.5 + 0.07, abs=0.01), 2, True)
    assert search(0.0, _Found(0.5, 0, False)) == (pytest.approx(0.5, abs=0.01), 0, True)
    # What earns as much by less than a thousandth is left alone.
    assert search(0.1 + 0.055, _Found(0.5, 2, True)).cores == 2


def test_the_best_price_is_where_the_parabola_is_highest() -> None:
    assert best_price(lambda joule: 10.0 - (joule - 0.52) ** 2, 0.5) == pytest.approx(
        0.52, abs=5e-3
    )
    # It is moved to twice if it lies at an end, and is never below 0.
    assert best_price(lambda joule: joule, 0.5) == pytest.approx(0.7)
    assert best_price(lambda joule: 1.0 - joule, 0.5) == pytest.approx(0.3)
    assert best_price(lambda joule: 1.0 - joule, 0.1) == 0.0
    assert best_price(lambda joule: 1.0 - joule, 0.0) == 0.0
    assert best_price(lambda _: 0.0, 0.5) == 0.5
    # Of prices under which as much is earned, the lowest.
    assert best_price(lambda joule: 12.3 - max(joule - 0.7, 0.0), 0.5) == pytest.approx(0.3)


def test_chance_moves_the_best_price_less_than_where_most_is_earned() -> None:
    """Of 0.4, 0.5 and 0.6 the last earns the most by chance; the parabola stays below it."""
    by_chance = {0.6: 0.25}

    def earned(joule: float) -> float:
        return 10.0 - 20.0 * (joule - 0.5) ** 2 + by_chance.get(round(joule, 9), 0.0)

    assert max((0.4, 0.5, 0.6), key=earned) == 0.6
    assert 0.5 < best_price(earned, 0.5) < 0.59


def futures(few: float, many: float) -> tuple[Future, ...]:
    return Future(few, 0.3), Future((few + many) / 2, 0.4), Future(many, 0.3)


def test_high_prices_are_for_futures_that_agree() -> None:
    """Issue 33, point 8: if 100 to 400 jobs may come, nobody can tell whether energy is short."""
    assert _sure(futures(100.0, 400.0), 100) == 0.0
    assert _sure(futures(60.0, 75.0), 100) == pytest.approx((161 / 176 - 0.5) / 0.4, abs=0.1)
    assert _sure(futures(90.0, 100.0), 100) == 1.0
    half = _sure(futures(100.0, 186.0), 100)
    assert 0.4 < half < 0.6


def test_of_a_high_price_as_much_is_kept_as_the_futures_agree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From 0.48 up to the best one; lower prices are left alone."""

    def price(best: float, sure: float) -> float:
        monkeypatch.setattr("core.engines.replay.pricing._sure", lambda futures, jobs: sure)
        monkeypatch.setattr(
            "core.engines.replay.pricing._searched",
            lambda worth, known: _Found(best, 0, True),
        )
        found = Foresight().prices(halfway(3600.0), Budget())
        assert found is not None
        return found.joule

    whole = price(0.9, 1.0)
    assert price(0.9, 0.0) == pytest.approx(whole * 0.48 / 0.9)
    assert price(0.9, 0.5) == pytest.approx(whole * 0.69 / 0.9)
    assert price(0.3, 0.0) == price(0.3, 1.0) == pytest.approx(whole * 0.3 / 0.9)


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


def test_prices_are_set_anew_at_the_next_energy_window() -> None:
    workload, _ = alternating_day()
    windows = EnergyWindows(np.array([0.0, 3600.0, 4950.0, 7200.0]), np.full(3, 1e4))
    truth = Truth.as_estimated(len(workload.jobs))
    run = OpenReplay(workload, truth, BY_PRICES, ReplaySettings(windows))
    again = []
    for now in (0.0, 1200.0, 3480.0, 4920.0):
        run.run(now, Budget())
        again.append(Foresight().again(run))
    assert again == pytest.approx([3600 / 24, 1200 + 3600 / 24, 3600.0, 4950.0])


@pytest.mark.parametrize(("come", "more"), [(40, 10), (43, 10), (8, 5), (100, 25), (1, 5)])
def test_prices_are_set_anew_as_soon_as_many_more_jobs_have_come(come: int, more: int) -> None:
    """Issue 33, point 8: in a burst, prices of a quiet hour spent all that was left within that
    hour. A quarter more is many, and so are five of few.
    """
    burst = 2460.0 + np.arange(30)
    workload = lone_jobs(np.concatenate([10.0 * np.arange(come - 1), [2400.0], burst]))
    workload = replace(workload, horizon=Horizon(0.0, 86_400.0))
    windows = EnergyWindows.daily(workload.horizon, 1e6)
    truth = Truth.as_estimated(len(workload.jobs))
    run = OpenReplay(workload, truth, BY_PRICES, ReplaySettings(windows))
    run.run(2400.0, Budget())
    assert Foresight().again(run) == burst[more - 1]
    # Nothing foretells the last jobs.
    run.run(2520.0, Budget())
    assert Foresight().again(run) == 2520.0 + 2520.0


def quiet_until_evening() -> Workload:
    """Sixty jobs over the day, and 110 from 20 to 21 h. Each may take half of the power, and a
    fifth longer.
    """
    random = np.random.default_rng(0)
    arrival = np.sort(
        np.concatenate([1440.0 * np.arange(60), 72_000.0 + 3600.0 * random.random(110)])
    )
    jobs = len(arrival)
    nothing = np.zeros(jobs, int)
    seconds = random.uniform(750.0, 2250.0, jobs)
    pieces = ((0.0, 1.0, 1.0), (7200.0, 0.5, 0.0), (14_400.0, 0.0, 0.0))
    return Workload(
        Pools.of(("A",), [30]),
        ArrivingJobs(
            arrival,
            nothing,
            ("all",),
            random.integers(1, 9, jobs).astype(float),
            np.ones(jobs),
            nothing,
        ),
        Options(
            2 * np.arange(jobs + 1),
            np.zeros(2 * jobs, int),
            np.ones(2 * jobs, int),
            np.stack([seconds, 1.2 * seconds], axis=1).ravel(),
            np.tile([300.0, 150.0], jobs),
            np.tile([0, 1], jobs),
            ("P0", "P1"),
        ),
        WorthCurves((tuple(WorthPiece(*one, 0.0) for one in pieces),), ("c",)),
        Horizon(0.0, 86_400.0),
    )


def test_a_quiet_day_keeps_energy_for_a_busy_evening() -> None:
    """Issue 33, point 8: with half of the energy it earned 0.81 of what Max UPE does."""
    workload = quiet_until_evening()
    measured = replace(BY_PRICES, sequences=1)
    free = replay(workload, replace(measured, measure=Measure.PER_RESOURCE)).joules
    windows = EnergyWindows.daily(workload.horizon, 0.5 * free)
    thrifty = replay(
        workload, replace(measured, measure=Measure.PER_ENERGY), None, ReplaySettings(windows)
    )
    assert replay(workload, BY_PRICES, settings=priced(windows)).worth >= 0.99 * thrifty.worth


@pytest.mark.parametrize(
    ("now", "least"), [(1200.0, 0.2), (5400.0, 0.2), (6480.0, 0.1), (6840.0, 0.05)]
)
def test_no_joule_is_free_until_the_last_fifth(
    now: float, least: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue 33, point 8: what is believed cannot rule out that most of the work comes at last."""
    monkeypatch.setattr(pricing, "_scale_of", lambda workload: pricing._Scale(2.0, 10.0))
    for believed_price, charged in ((0.0, least), (0.05, max(least, 0.05)), (0.4, 0.4)):
        found = _Found(believed_price, 1, True)
        monkeypatch.setattr(pricing, "_searched", lambda worth, known, found=found: found)
        prices = Foresight().prices(halfway(now), Budget())
        assert prices == Prices(pytest.approx(0.1), pytest.approx(10.0 * charged))


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
        patch.setattr("core.engines.replay.rest_of_day.OpenReplay", Watched)
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
    monkeypatch.setattr("core.engines.replay.rest_of_day._MOST", most)
    monkeypatch.setattr("core.engines.replay.rest_of_day._AGAIN", 1_000)
    windows = EnergyWindows(np.array(edges), np.full(len(edges) - 1, 1e6))
    workload = replace(lone_jobs(100.0 * np.arange(19)), horizon=horizon)
    run = OpenReplay(workload, Truth.as_estimated(19), BY_PRICES, ReplaySettings(windows))
    run.run(1800.0, Budget())
    assert run.left[0] < 1e6
    # Of the three futures that in which many jobs come.
    return replays_of_the_rest(run)[2]


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
    """The small ones come in the first minutes, the large ones from 6 h on; all take 5 % of their
    estimates. After ten hours they are worth nothing.
    """
    jobs = 150
    number = np.arange(jobs)
    large = number >= 100
    nothing = np.zeros(jobs, int)
    workload = Workload(
        Pools.of(("A",), [100]),
        ArrivingJobs(
            np.where(large, 6 * 3600.0 + 1200.0 * (number - 100), number),
            nothing,
            ("all",),
            np.full(jobs, 4.0),
            np.ones(jobs),
            nothing,
        ),
        Options(
            np.arange(jobs + 1),
            nothing,
            np.where(large, 10, 1),
            np.where(large, 20_000.0, 7200.0),
            np.where(large, 100.0, 10.0),
            nothing,
        ),
        WorthCurves(
            ((WorthPiece(0.0, 1.0, 1.0, 0.0), WorthPiece(36_000.0, 0.0, 0.0, 0.0)),), ("c",)
        ),
        Horizon(0.0, 86_400.0),
    )
    return workload, Truth(np.full(jobs, 0.05), np.ones(jobs))


@pytest.mark.parametrize("share", [0.5, 0.7, 0.9])
def test_prices_fall_where_the_budget_will_not_be_spent(share: float) -> None:
    """Issue 33, point 8: at 90 % it earned 400 where Max UPE earned 578, and ran none of the later
    jobs.
    """
    workload, truth = hundred_small_and_fifty_large()
    per_energy = replace(BY_PRICES, measure=Measure.PER_ENERGY, sequences=1)
    free = float(replay(workload, per_energy, truth).job_joules.sum())
    windows = EnergyWindows.daily(workload.horizon, share * free)
    published = replay(workload, per_energy, truth, ReplaySettings(windows))
    ours = replay(workload, BY_PRICES, truth, priced(windows))
    assert ours.worth >= 0.999 * published.worth
    assert ours.worth >= 0.99 * bound(workload, truth, windows, slots=24).value
    assert ours.joules > 0.97 * share * free


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
    run.run(120.0, Budget())
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


@pytest.mark.parametrize(("many", "futures_told"), [(105.0, 1), (140.0, 3)])
def test_futures_that_hardly_differ_are_replayed_as_one(
    many: float, futures_told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = (Future(100.0, 0.3), Future(102.0, 0.4), Future(many, 0.3))
    monkeypatch.setattr("core.engines.replay.pricing.believed", lambda *_: told)
    jobs = {len(one.workload.jobs) for one in replays_of_the_rest(halfway(3600.0))}
    assert len(jobs) == futures_told


def test_each_job_that_has_come_is_expected_again_so_often_at_most() -> None:
    """Nineteen have come, and a budget of 1 MJ is for many more."""
    windows = EnergyWindows(np.array([0.0, 7200.0]), np.array([1e6]))
    workload = replace(lone_jobs(100.0 * np.arange(19)), horizon=Horizon(0.0, 7200.0))
    run = OpenReplay(workload, Truth.as_estimated(19), BY_PRICES, ReplaySettings(windows))
    run.run(1800.0, Budget())
    most = max(len(one.workload.jobs) for one in replays_of_the_rest(run))
    assert 20 * 19 <= most <= 21 * 19
