"""A policy by prices keeps to the rules and looks at no job to come, and saves energy for later."""

from dataclasses import replace

import numpy as np
import pytest
from engines.replay.days import (
    alternating_day,
    begun,
    halfway,
    hundred_small_and_fifty_large,
    priced,
    replays_of_the_rest,
)
from engines.replay.workloads import lone_jobs, small_workloads
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.arrivals.made.synthetic import BudgetSettings, draw_budget_day
from core.engines.replay import pricing
from core.engines.replay.belief import Future
from core.engines.replay.bound import bound
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.judge import judge_outcome
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
from core.engines.replay.workload import Horizon, Options, Pools, Truth, Workload
from core.engines.replay.worth import WorthCurves, WorthPiece
from core.vocabulary.budget import Budget


@pytest.mark.thorough
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


@pytest.mark.thorough
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


@pytest.mark.parametrize("end", [7200.0, np.inf])
@pytest.mark.parametrize("joules", [0.0, 1e6])
def test_a_job_at_once_and_no_energy_or_no_end_stop_no_replay(joules: float, end: float) -> None:
    """At time 0 nothing has passed by which a day without an end could be foretold."""
    workload, _ = alternating_day()
    workload = replace(workload, horizon=Horizon(0.0, end))
    assert workload.jobs.arrival[0] == 0.0
    outcome = replay(
        workload, BY_PRICES, settings=priced(EnergyWindows.daily(workload.horizon, joules))
    )
    assert judge_outcome(outcome).problems == ()
    assert outcome.ran.any() == (joules > 0.0)


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


@pytest.mark.thorough
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
    run = begun(workload, windows, 600.0)
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


def test_prices_are_set_anew_at_the_next_energy_window() -> None:
    workload, _ = alternating_day()
    windows = EnergyWindows(np.array([0.0, 3600.0, 4950.0, 7200.0]), np.full(3, 1e4))
    run = begun(workload, windows, -np.inf)
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
    run = begun(workload, windows, 2400.0)
    assert Foresight().again(run) == burst[more - 1]
    # Nothing foretells the last jobs.
    run.run(2520.0, Budget())
    assert Foresight().again(run) == 2520.0 + 2520.0


def quiet_until_evening() -> Workload:
    """Sixty jobs over the day, and 110 from 20 to 21 h. Each may take half of the power, and a
    fifth longer.
    """
    random = np.random.default_rng(0)
    evening = 72_000.0 + 3600.0 * random.random(110)
    plainly = lone_jobs(np.sort(np.concatenate([1440.0 * np.arange(60), evening])))
    seconds = random.uniform(750.0, 2250.0, 170)
    pieces = ((0.0, 1.0, 1.0), (7200.0, 0.5, 0.0), (14_400.0, 0.0, 0.0))
    priority = random.integers(1, 9, 170).astype(float)
    return replace(
        plainly,
        pools=Pools.of(("A",), [30]),
        jobs=replace(plainly.jobs, priority=priority, urgency=np.ones(170)),
        options=Options.of(
            np.repeat(np.arange(170), 2).tolist(),
            0,
            1,
            np.stack([seconds, 1.2 * seconds], axis=1).ravel(),
            np.tile([300.0, 150.0], 170),
        ),
        curves=WorthCurves((tuple(WorthPiece(*one, 0.0) for one in pieces),), ("c",)),
        horizon=Horizon(0.0, 86_400.0),
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


@pytest.mark.thorough
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


@pytest.mark.parametrize(("many", "futures_told"), [(105.0, 1), (140.0, 3)])
def test_futures_that_hardly_differ_are_replayed_as_one(
    many: float, futures_told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = (Future(100.0, 0.3), Future(102.0, 0.4), Future(many, 0.3))
    monkeypatch.setattr("core.engines.replay.pricing.believed", lambda *_: told)
    jobs = {len(one.workload.jobs) for one in replays_of_the_rest(halfway(3600.0))}
    assert len(jobs) == futures_told
