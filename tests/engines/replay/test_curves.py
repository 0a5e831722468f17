"""Curves say what a count at any moment says, and thinned ones keep their extremes."""

from dataclasses import replace

import numpy as np
import pytest
from arriving_days import HOUR, a_day, two_nodes
from engines.replay.test_judge import outcome
from engines.replay.workloads import policies, small_workloads
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.curves import (
    TimeCurve,
    busy_curve,
    goal_curve,
    joules_by_hour,
    last_moment,
    power_curve,
    spent_curve,
    waiting_curve,
    worth_curve,
)
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.policy import Policy
from core.engines.replay.workload import Truth, Workload

__all__ = ["outcome"]


def at(curve: TimeCurve, moment: float) -> float:
    if curve.steps:
        return float(curve.value[np.searchsorted(curve.time, moment, side="right") - 1])
    return float(np.interp(moment, curve.time, curve.value))


MOMENTS = (0.5, 123.4, 333.3, 777.7, 1234.5)


@examples(20)
@given(small_workloads(), policies(), st.sampled_from([np.inf, 1e8]))
def test_curves_are_counts_at_each_moment(
    drawn: tuple[Workload, Truth], policy: Policy, budget: float
) -> None:
    workload, truth = drawn
    windows = EnergyWindows.daily(workload.horizon, budget)
    run = replay(workload, policy, truth, ReplaySettings(windows))
    end = last_moment(run)
    watts = workload.options.watts[run.option] * truth.power
    units = workload.options.units[run.option]
    pool = workload.options.pool[run.option]
    waiting, power, spent, worth = (
        waiting_curve(run),
        power_curve(run),
        spent_curve(run),
        worth_curve(run),
    )
    assert at(worth, end) == pytest.approx(run.worth, rel=1e-9, abs=1e-9)
    for moment in MOMENTS:
        if moment > end:
            continue
        now = run.ran & (run.start <= moment) & (run.end > moment)
        gone = np.where(run.ran, run.start <= moment, run.dropped & (run.end <= moment))
        assert at(waiting, moment) == np.sum((workload.jobs.arrival <= moment) & ~gone)
        for one in range(len(workload.pools)):
            assert at(busy_curve(run, one), moment) == units[now & (pool == one)].sum()
        if not (workload.pools.idle_watts.any() or workload.pools.sleep_watts.any()):
            assert at(power, moment) == pytest.approx(watts[now].sum(), abs=1e-6)
        window = int(np.searchsorted(windows.edges, moment, side="right")) - 1
        begin = max(windows.edges[window], 0.0)
        inside = np.clip(moment, None, run.end) - np.clip(run.start, begin, None)
        drawn_by = (watts * np.clip(inside, 0, None))[run.ran].sum()
        assert at(spent, moment) == pytest.approx(drawn_by, rel=1e-9, abs=1e-6)


@examples(15)
@given(small_workloads(), policies())
def test_the_power_integrates_to_the_energy(drawn: tuple[Workload, Truth], policy: Policy) -> None:
    workload, truth = drawn
    run = replay(workload, policy, truth)
    curve = power_curve(run)
    begin = workload.horizon.begin
    time = np.clip(curve.time, begin, None)
    joules = float(curve.value[:-1] @ np.diff(time))
    assert joules == pytest.approx(run.joules, rel=1e-9, abs=1e-6)


def test_each_hour_of_the_day_has_the_joules_that_are_drawn_in_it() -> None:
    """By clipping each job to each hour: those of a second day count with the hour of the first."""
    run = a_day(workload=two_nodes(60, end=30 * HOUR))
    hours = np.arange(30)[:, None] * HOUR
    inside = np.clip(run.end, hours, hours + HOUR) - np.clip(run.start, hours, hours + HOUR)
    expected = np.where(run.ran, inside, 0.0).sum(axis=1) * 1000.0
    found = joules_by_hour(run)
    assert found is not None
    assert found[6:] == pytest.approx(expected[6:24])
    assert found[:6] == pytest.approx(expected[:6] + expected[24:])
    assert found.sum() == pytest.approx(run.joules)
    assert joules_by_hour(a_day(workload=two_nodes(end=np.inf))) is None


def test_by_hand(outcome: ReplayOutcome) -> None:
    worth = worth_curve(outcome)
    # 2.8 in 60 s, 1 in 100 s, and 1.4 in the 50 s of the last that are within the horizon
    assert worth.time.tolist() == [0, 60, 100, 110]
    assert worth.value.tolist() == pytest.approx([0, 3.4, 2.8 + 1 + 1.4 * 0.8, 5.2])
    waiting = waiting_curve(outcome)
    assert waiting.time.tolist() == [0, 10, 30, 60, 110]
    assert waiting.value.tolist() == [0, 1, 2, 1, 1]
    power = power_curve(outcome)
    # two units of A are idle at 10 W beside the jobs
    assert power.value.tolist() == [150, 450, 420, 0]
    assert goal_curve(outcome) is None


def test_runs_without_length_earn_at_once(outcome: ReplayOutcome) -> None:
    """The first runs at 30 s and the last at 60 s, each for less than floats can tell."""
    first, second, last = np.flatnonzero(outcome.ran)
    start, end = outcome.start.copy(), outcome.end.copy()
    start[[first, last]] = end[[first, last]] = [30.0, 60.0]
    run = replace(outcome, start=start, end=end)
    worth = worth_curve(run)
    one, two, three = run.job_worth[[first, second, last]].tolist()
    assert min(one, two, three) > 0
    assert worth.time.tolist() == [0, 30, 30, 60, 60, 100, 110]
    before = [0, 0.3 * two, 0.3 * two + one, 0.6 * two + one]
    after = [0.6 * two + one + three, one + two + three, one + two + three]
    assert worth.value.tolist() == pytest.approx([*before, *after])


def test_energy_begins_anew_in_each_window(outcome: ReplayOutcome) -> None:
    edges, joules = np.array([0.0, 50.0, 110.0]), np.array([9e3, 6e4])
    limited = replace(outcome, windows=EnergyWindows(edges, joules))
    spent, goal = spent_curve(limited), goal_curve(limited)
    assert spent.time.tolist() == [0, 50, 50, 60, 100, 110]
    assert spent.value.tolist() == pytest.approx([0, 6500, 0, 1300, 1300 + 40 * 430, 22500])
    assert goal is not None
    assert goal.time.tolist() == [0, 50, 50, 110]
    assert goal.value.tolist() == [0, 9e3, 0, 6e4]


@given(st.integers(0, 2**32 - 1), st.booleans(), st.integers(5, 3000))
def test_a_thinned_curve_keeps_its_extremes_and_ends(seed: int, steps: bool, points: int) -> None:
    random = np.random.default_rng(seed)
    curve = TimeCurve(np.sort(random.random(points)), random.normal(size=points), steps)
    thin = curve.thinned(100)
    assert len(thin) <= max(100, 0)
    assert set(zip(thin.time, thin.value, strict=True)) <= set(
        zip(curve.time, curve.value, strict=True)
    )
    assert (thin.value.min(), thin.value.max()) == (curve.value.min(), curve.value.max())
    assert (thin.time[0], thin.time[-1]) == (curve.time[0], curve.time[-1])
    assert (thin.value[0], thin.value[-1]) == (curve.value[0], curve.value[-1])
    assert (np.diff(thin.time) >= 0).all()
