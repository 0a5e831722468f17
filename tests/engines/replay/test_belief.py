"""How many jobs are believed to come: by the budget, and by how well ways of arriving foretold."""

import numpy as np
import pytest
from engines.replay.workloads import lone_jobs
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import betabinom, dirichlet_multinomial

from core.capabilities.arrivals.made.synthetic import DAY, BudgetSettings, draw_budget_day
from core.engines.replay.belief import (
    _EVEN,
    Capacity,
    Future,
    Window,
    _of_a_way,
    believed,
    usual_days,
    window_to_price,
    with_a_surge,
)
from core.engines.replay.energy import DAY_SECONDS, EnergyWindows
from core.engines.replay.workload import ArrivingJobs, Horizon


def futures_of(arrival: np.ndarray, now: float, paid: float) -> tuple[Future, ...]:
    """The futures at a time of the day if the budget pays for so many jobs of a million that the
    cores could run.
    """
    window = Window(0.0, DAY.end, 1.0)
    return believed(lone_jobs(arrival).jobs, DAY, window, now, Capacity(paid, 1e6))


def to_come(arrival: np.ndarray, now: float, paid: float) -> float:
    """The mean number of jobs to come."""
    return sum(one.to_come * one.likely for one in futures_of(arrival, now, paid))


def spread(arrival: np.ndarray, now: float, paid: float) -> float:
    """How many times as many jobs there are in all where many come as where few do."""
    found, come = futures_of(arrival, now, paid), int((arrival <= now).sum())
    return (come + found[-1].to_come) / (come + found[0].to_come)


def usual_day() -> ArrivingJobs:
    return draw_budget_day(BudgetSettings(5_000, seed=500)).jobs


def evenly(jobs: int) -> np.ndarray:
    return DAY.end * (np.arange(jobs) + 0.5) / jobs


def test_a_usual_day_has_all_its_jobs_and_most_at_work() -> None:
    hours = usual_days(np.arange(-24.0, 49.0))
    assert hours[[0, 24, 48, 72]] == pytest.approx([-1.0, 0.0, 1.0, 2.0])
    rates = 24 * np.diff(hours[24:49])
    assert (rates > 0).all()
    assert rates[11] == pytest.approx(0.8 * 1.5 + 0.2 * 2.0, abs=0.01)
    assert rates[0] == pytest.approx(0.8 * 0.5 + 0.2 * 0.4, abs=0.01)


def test_where_nothing_has_come_the_budget_alone_speaks() -> None:
    """Without a budget 0.78 of the joules of 1,000 jobs are drawn; this one has 0.8 of these."""
    found = futures_of(np.array([0.0]), 0.0, 0.8 * 0.78 * 1000.0)
    assert found[1].to_come == pytest.approx(1000.0, rel=0.03)
    assert [one.likely for one in found] == [0.3, 0.4, 0.3]
    assert found[0].to_come < 0.85 * found[1].to_come < 0.72 * found[2].to_come


def test_a_budget_is_for_more_jobs_where_the_cores_cannot_run_them_all() -> None:
    """As 1 / (0.78 * 1,500) + 0.7 / 1,500 = 0.8 / 605.6."""
    crowded = believed(
        lone_jobs(np.array([0.0])).jobs,
        DAY,
        Window(0.0, DAY.end, 1.0),
        0.0,
        Capacity(605.6, 1500.0),
    )
    assert crowded[1].to_come == pytest.approx(1500.0, rel=0.05)


def test_a_usual_day_is_recognised_and_its_rest_is_known() -> None:
    """Issue 33, point 8: the arrivals are believed where they are as on a usual day."""
    arrival = usual_day().arrival
    for hour, paid in ((9, 0.5), (9, 0.65), (9, 0.8), (9, 1.1), (12, 0.35), (15, 0.35), (15, 1.0)):
        now = DAY.begin + hour * 3600.0
        come = int((arrival <= now).sum())
        found = come + to_come(arrival, now, paid * len(arrival))
        assert found == pytest.approx(len(arrival), rel=0.25)


@pytest.mark.parametrize("now", [20 * 3600.0, 24 * 3600.0])
def test_other_hours_tell_little(now: float) -> None:
    """Issue 33, point 8: a forecast knows how little it knows. After bursts, or a day on which ever
    fewer jobs came, many or few may come.
    """
    usual = spread(usual_day().arrival, now, 3000.0)
    for arrival in (
        np.sort(np.tile(np.linspace(0.0, DAY.end, 5), 1000)),
        np.sort(DAY.end * np.random.default_rng(0).beta(1.0, 2.5, 5000)),
    ):
        assert spread(arrival, now, 3000.0) > 1.1 * usual


def test_even_days_are_recognised_though_they_are_not_usual() -> None:
    arrival = evenly(1000)
    assert to_come(arrival, DAY.end / 2, 650.0) == pytest.approx(500.0, rel=0.15)


def test_at_the_end_of_a_day_little_is_still_to_come() -> None:
    """However much the budget is for."""
    late = [to_come(evenly(1000), hour * 3600.0, 5_000.0) for hour in (20.0, 26.0, 27.0, 27.9)]
    assert late == sorted(late, reverse=True)
    assert late[-1] < 30


def test_jobs_that_have_come_count_against_what_the_budget_is_for() -> None:
    """If more have come than it is for, some more are believed to come all the same."""
    few, more, most = (
        to_come(np.full(jobs, 3600.0), 14 * 3600.0, 650.0) for jobs in (400, 800, 1600)
    )
    assert 0 < most < more < few < 1000


def test_a_budget_that_is_far_too_large_is_not_believed_for_long() -> None:
    """A hundred jobs come at once, then three an hour; the budget would be for 5,000."""
    arrival = np.concatenate([np.zeros(100), np.arange(1, 85) * 1200.0])
    hours = (8.0, 14.0, 20.0, 26.0)
    found = [futures_of(arrival, hour * 3600.0, 3_300.0) for hour in hours]
    for which in range(3):
        numbers = [one[which].to_come for one in found]
        assert numbers == sorted(numbers, reverse=True)
    assert found[2][1].to_come < 300
    assert found[3][2].to_come < 21


@examples(25)
@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=5),
    st.floats(0.05, 3.0),
    st.integers(0, 5),
)
def test_the_likelihoods_are_those_of_the_distributions(
    counts: list[int], rest: float, which: int
) -> None:
    """By another library: counts of hours, and how many of all jobs have come."""
    numbers, shares = np.array(counts), np.linspace(0.1, 0.4, len(counts))
    many = int(numbers.sum())
    ahead = np.arange(4.0)
    found = _of_a_way(numbers, shares, np.array([rest]), ahead)
    even = float(_EVEN[which])
    expected = 0.3 * dirichlet_multinomial(even * shares, many).logpmf(numbers)
    for place, more in enumerate(ahead):
        come = betabinom(many + int(more), even * shares.sum(), even * rest).logpmf(many)
        assert found[which, place] == pytest.approx(expected + come - 0.2 * np.log(even), abs=1e-6)


@given(
    st.lists(st.floats(0.0, DAY.end), min_size=1, max_size=60),
    st.floats(0.0, DAY.end - 1e-6),
    st.floats(1e-9, 1e300),
    st.floats(1e-9, 1e300),
)
def test_a_belief_is_always_in_order(
    arrival: list[float], now: float, paid: float, run: float
) -> None:
    jobs = lone_jobs(np.array(sorted(arrival))).jobs
    found = believed(jobs, DAY, Window(0.0, DAY.end, 1.0), now, Capacity(paid, run))
    numbers = [one.to_come for one in found]
    assert np.isfinite(numbers).all()
    assert 0.0 <= numbers[0] <= numbers[1] <= numbers[2]
    assert sum(one.likely for one in found) == pytest.approx(1.0)


def test_a_surge_is_as_many_jobs_as_half_of_the_budget_pays_for_not() -> None:
    """It is 15 % likely at first, and less as the window passes; what has come counts against it;
    where as many are expected anyway, there is none.
    """
    window, told = Window(100.0, 300.0, 1.0), (Future(10.0, 0.6), Future(30.0, 0.4))
    before = np.array([50.0, 120.0, 130.0])
    found = with_a_surge(told, before, window, 150.0, Capacity(20.0, 1.0))
    likely = 0.15 * 0.75
    assert found == (
        Future(10.0, pytest.approx(0.6 * (1 - likely))),
        Future(30.0, pytest.approx(0.4 * (1 - likely))),
        Future(38.0, pytest.approx(likely)),
    )
    assert with_a_surge(told, before, window, 0.0, Capacity(20.0, 1.0))[2].likely == 0.15
    for now, paid in ((150.0, 16.0), (300.0, 20.0), (400.0, 20.0)):
        assert with_a_surge(told, before, window, now, Capacity(paid, 1.0)) == told


def test_the_first_window_has_the_time_before_it_and_later_ones_have_their_own() -> None:
    horizon = Horizon(3600.0, 3600.0 + 2 * DAY_SECONDS)
    windows = EnergyWindows.daily(horizon, 24.0)
    first = window_to_price(windows, horizon, 0.0)
    assert first == Window(0.0, 3600.0 + DAY_SECONDS, pytest.approx(25.0))
    assert window_to_price(windows, horizon, 2 * DAY_SECONDS) == Window(
        3600.0 + DAY_SECONDS, horizon.end, 24.0
    )
    assert window_to_price(EnergyWindows.without_limit(horizon), horizon, 0.0) is None
    endless = EnergyWindows.daily(Horizon(), 24.0)
    assert window_to_price(endless, Horizon(), 1000.0) == Window(0.0, 2000.0, 24.0)
