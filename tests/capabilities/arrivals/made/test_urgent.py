"""A drawn day of urgent jobs holds the published shares."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from core.capabilities.arrivals.made.urgent import (
    UrgentSettings,
    decaying_curves,
    draw_urgent_day,
    step_curves,
)
from core.capabilities.arrivals.policies import policy_named
from core.engines.replay.clock import replay
from core.engines.replay.workload import ArrivingJobs, Options, Pools, Workload
from core.engines.replay.worth import curves_at

MINUTE = 60.0
EVENLY = UrgentSettings(burst=1, curves="step")


@cache
def day(settings: UrgentSettings = EVENLY) -> Workload:
    return draw_urgent_day(settings)


def _seconds(workload: Workload) -> np.ndarray:
    """Times of jobs (rows) on clusters."""
    return workload.options.seconds.reshape(-1, 5)


def test_a_day_is_2_19_times_what_the_cores_can_do() -> None:
    workload = day()
    jobs, horizon = workload.jobs, workload.horizon
    assert horizon == (4 * 3600, 28 * 3600)
    assert workload.pools.units.tolist() == [160] * 5
    inside = jobs.arrival >= horizon.begin
    assert inside.sum() == pytest.approx(60_000, rel=0.02)
    load = _seconds(workload)[inside].mean(axis=1).sum() / (800 * 86_400)
    assert load == pytest.approx(2.19, rel=0.03)


@pytest.mark.parametrize(("share", "minutes"), [(0.2, 10), (0.5, 30), (0.001, 10), (1, 50)])
def test_critical_jobs_have_their_share_and_their_time(share: float, minutes: float) -> None:
    """Of the starting worth, a fifth of the jobs has two thirds."""
    workload = day(replace(EVENLY, critical_share=share, critical_time=minutes * MINUTE))
    jobs = workload.jobs
    critical = jobs.priority == 8
    assert set(jobs.priority.tolist()) <= {8, 1}
    assert (jobs.rights.tier == critical).all()
    assert critical.mean() == pytest.approx(share, abs=0.01)
    of_worth = jobs.priority[critical].sum() / jobs.priority.sum()
    assert of_worth == pytest.approx(8 * share / (1 + 7 * share), rel=0.05, abs=0.01)
    if share > 0.1:
        assert _seconds(workload)[critical].mean() == pytest.approx(minutes * MINUTE, rel=0.1)


def test_times_differ_by_type_and_from_cluster_to_cluster() -> None:
    workload = day()
    _, first = np.unique(workload.jobs.type, return_index=True)
    seconds, mean = _seconds(workload)[first], np.repeat([10, 50], [20, 80]) * MINUTE
    assert len(first) == 100
    assert (seconds[:, 0] / mean).std() == pytest.approx(0.1, abs=0.02)
    assert (seconds[:, 1:] / seconds[:, :1]).mean() == pytest.approx(1, abs=0.05)
    assert (seconds[:, 1:] / seconds[:, :1]).std() == pytest.approx(0.3, abs=0.05)
    lasts = seconds.mean(axis=1) * np.repeat([1, 10], [20, 80])
    assert [pieces[1].begin for pieces in workload.curves.pieces] == lasts.tolist()


@pytest.mark.parametrize("burst", [1, 7, 64])
def test_a_burst_is_of_one_type_and_one_curve(burst: int) -> None:
    jobs = day(UrgentSettings(burst=burst)).jobs
    times, first, sizes = np.unique(jobs.arrival, return_index=True, return_counts=True)
    for of in (jobs.type, jobs.curve, jobs.urgency):
        assert (of == np.repeat(of[first], sizes)).all()
    half = burst // 2
    assert set(sizes.tolist()) == set(range(burst - half, burst + half + 1))
    assert sizes.mean() == pytest.approx(burst, rel=0.02)
    at_noon = abs((times - 4 * 3600) % 86_400 - 43_200) < 6 * 3600
    assert at_noon.mean() == pytest.approx(0.6, abs=0.04)


def test_flags_are_drawn_for_each_job_and_change_nothing_else() -> None:
    every, some, none = (day(replace(EVENLY, flags=share)) for share in (1, 0.6, 0))
    assert np.array_equal(every.jobs.arrival, some.jobs.arrival)
    assert np.array_equal(every.options.seconds, some.options.seconds)
    for of in ("may_stop_others", "may_be_stopped"):
        assert getattr(every.jobs.rights, of).all()
        assert getattr(some.jobs.rights, of).mean() == pytest.approx(0.6, abs=0.02)
        assert not getattr(none.jobs.rights, of).any()
    both = some.jobs.rights.may_stop_others & some.jobs.rights.may_be_stopped
    assert both.mean() == pytest.approx(0.36, abs=0.02)


def test_a_step_is_as_wide_as_the_mean_time_of_the_type() -> None:
    """8 and 14 min: it is in time on the first cluster alone, and never starts on the second."""
    seconds = np.array([[8, 14]]) * MINUTE
    curves = step_curves(seconds.mean(axis=1), np.array([True]))
    assert [piece.begin for piece in curves.pieces[0]] == [0, 11 * MINUTE]
    jobs = ArrivingJobs(
        np.zeros(3), np.zeros(3, int), ("T1",), np.full(3, 8.0), np.zeros(3), np.zeros(3, int)
    )
    options = Options.of([0, 0, 1, 1, 2, 2], [0, 1] * 3, 1, np.tile(seconds[0], 3))
    workload = Workload(Pools.of(["a", "b"], [1, 2]), jobs, options, curves)
    for name in ("util-now", "upt-greedy", "util-pair"):
        outcome = replay(workload, policy_named(name).policy)
        assert (outcome.worth, outcome.completed) == (8, 1)


def test_other_jobs_keep_their_worth_ten_times_as_long() -> None:
    curves = step_curves(np.array([600.0, 3000.0]), np.array([True, False]))
    assert [pieces[1].begin for pieces in curves.pieces] == [600, 30_000]


def test_a_decaying_worth_is_full_for_the_mean_time_and_nothing_200_min_later() -> None:
    curves = decaying_curves(np.array([600.0]))
    at = np.array([0, 10, 11, 20, 209.9, 210]) * MINUTE
    found = curves_at(curves, np.zeros(6, int), np.full(6, 0.3 / MINUTE), at)
    assert found == pytest.approx([1, 1, np.exp(-0.3), np.exp(-3), 0, 0])
    drawn = day(UrgentSettings(600, 8, curves="decaying")).jobs
    assert set(drawn.urgency.tolist()) == {0.3 / MINUTE}


def test_urgency_of_the_classes_is_by_whether_a_job_is_critical() -> None:
    jobs = day(UrgentSettings(6_000, 80)).jobs
    critical = jobs.priority == 8
    for of, rates in ((critical, {0.6, 0.2}), (~critical, {0.1, 0.01})):
        assert {round(one * MINUTE, 6) for one in jobs.urgency[of].tolist()} == rates
