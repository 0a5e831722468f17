"""How many jobs are believed to come: by the budget, and by hours that look like a usual day."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from replay.workloads import lone_jobs

from core.arrivals.synthetic import DAY, BudgetSettings, draw_budget_day
from core.replay.belief import USUAL_SHARE, Belief, Window, believed, usual_days, window_to_price
from core.replay.energy import DAY_SECONDS, EnergyWindows
from core.replay.workload import ArrivingJobs, Horizon


def belief_of(arrival: np.ndarray, now: float, budget_jobs: float) -> Belief:
    """The belief at a time of the day if the budget is for so many jobs of 1 J each."""
    window = Window(0.0, DAY.end, budget_jobs * USUAL_SHARE)
    return believed(lone_jobs(arrival).jobs, DAY, window, now, 1.0)


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
    found = belief_of(np.array([0.0]), 0.0, 1000.0)
    assert found.trust == 0.0
    assert found.to_come == pytest.approx(1000.0, rel=0.01)


def test_a_usual_day_is_recognised_and_its_rest_is_known() -> None:
    """Issue 33, point 8: the forecast trusts the arrivals where they are as on a usual day."""
    jobs = usual_day()
    now = DAY.begin + 9 * 3600.0
    window = Window(0.0, DAY.end, 2.0 * USUAL_SHARE * len(jobs))
    found = believed(jobs, DAY, window, now, 1.0)
    come = int((jobs.arrival <= now).sum())
    assert found.trust > 0.4
    assert found.to_come + come == pytest.approx(len(jobs), rel=0.25)


@pytest.mark.parametrize("now", [6 * 3600.0, 12 * 3600.0, 16 * 3600.0])
def test_other_hours_are_not_trusted(now: float) -> None:
    """Issue 33, point 8: of arrivals at other hours nobody can tell what is still to come."""
    for arrival in (
        evenly(1000),
        np.sort(np.tile(np.linspace(0.0, DAY.end, 5), 200)),
        np.sort(DAY.end * np.random.default_rng(0).beta(1.0, 2.5, 1000)),
    ):
        assert belief_of(arrival, now, 1000.0).trust < 0.15


def test_at_the_end_of_a_day_little_is_still_to_come() -> None:
    """However much the budget was for."""
    late = [belief_of(evenly(1000), hour * 3600.0, 10_000.0) for hour in (26.0, 27.0, 27.9)]
    assert [one.trust for one in late] == sorted(one.trust for one in late)
    assert late[-1].trust > 0.9
    assert late[-1].to_come < 50


def test_jobs_that_have_come_count_against_what_the_budget_is_for() -> None:
    """If more have come than it is for, somewhat more are believed to come all the same."""
    few, more, most = (
        belief_of(np.full(jobs, 3600.0), 14 * 3600.0, 1000.0).to_come for jobs in (200, 800, 1600)
    )
    assert few == pytest.approx(800.0, rel=0.05)
    assert 100 < most < more < few


@given(
    st.lists(st.floats(0.0, DAY.end), min_size=1, max_size=60),
    st.floats(0.0, DAY.end - 1.0),
    st.floats(0.01, 1e9),
)
def test_a_belief_is_always_a_number(arrival: list[float], now: float, budget: float) -> None:
    found = belief_of(np.array(sorted(arrival)), now, budget)
    assert np.isfinite(found.to_come)
    assert found.to_come >= 0.0
    assert 0.0 <= found.trust <= 1.0


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
