"""A drawn day has the published distributions."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from core.capabilities.arrivals.made.synthetic import (
    CLASSES,
    CORES_A_NODE,
    DAY,
    LEVEL_SHARES,
    POOL_SHARES,
    SIZE_SHARES,
    WORTH_LEVELS,
    BudgetSettings,
    budget_pools,
    draw_budget_day,
    draw_worth_curves,
    speedup,
)
from core.engines.replay.workload import Workload
from core.engines.replay.worth import curves_at


@cache
def many() -> list[Workload]:
    return [draw_budget_day(BudgetSettings(seed=seed)) for seed in range(6)]


def test_the_published_table_of_worth_and_urgency_adds_up() -> None:
    assert np.sum(LEVEL_SHARES) == pytest.approx(100)
    assert np.sum(LEVEL_SHARES, axis=1) == pytest.approx([4.05, 12.95, 30, 53])
    assert np.sum(LEVEL_SHARES, axis=0) == pytest.approx([5.45, 17, 31.55, 46])
    means = np.mean(WORTH_LEVELS, axis=1)
    assert means @ np.sum(LEVEL_SHARES, axis=1) / 100 == pytest.approx(2.626, abs=5e-4)
    assert sum(SIZE_SHARES) == pytest.approx(1)
    assert sum(POOL_SHARES) == pytest.approx(1)


@pytest.mark.parametrize(
    ("nodes", "faster"),
    [(1, 1), (4, 3.48), (8, 5.93), (16, 9.14), (32, 12.55), (64, 15.42), (76, 16), (1000, 16)],
)
def test_downeys_speed_up_has_the_values_of_its_publication(nodes: int, faster: float) -> None:
    found = speedup(np.array([nodes]), np.array([16.0]), np.array([4.0]))
    assert found == pytest.approx([faster], abs=0.005)


def test_a_job_that_asks_for_one_node_gains_nothing_from_more() -> None:
    assert speedup(np.array([1, 2, 50]), np.ones(3), np.full(3, 7.0)) == pytest.approx([1, 1, 1])


def test_the_pools_have_100_000_cores_and_special_ones_are_larger() -> None:
    pools = budget_pools()
    cores = pools.units * pools.cores
    assert cores.sum() == pytest.approx(100_000, rel=0.01)
    assert cores[4:].mean() > cores[:4].max()
    assert tuple(pools.cores) == CORES_A_NODE


@pytest.mark.parametrize("a_day", [5_000, 10_000])
def test_a_day_has_the_mean_number_of_jobs_and_a_warm_up_of_4_hours(a_day: int) -> None:
    workload = draw_budget_day(BudgetSettings(a_day, seed=3))
    arrival = workload.jobs.arrival
    assert workload.horizon == DAY == (4 * 3600, 28 * 3600)
    assert np.count_nonzero(arrival >= DAY.begin) == pytest.approx(a_day, abs=5 * a_day**0.5)
    assert arrival[0] >= 0
    assert arrival[-1] < DAY.end


@pytest.mark.thorough
def test_types_are_60_general_and_20_for_each_special_pool() -> None:
    workload = many()[0]
    pools = [
        set(workload.options.pool[workload.options.job == job].tolist())
        for job in range(0, len(workload.jobs), 20)
    ]
    kinds = workload.jobs.type[::20]
    for mine, kind in zip(pools, kinds, strict=True):
        assert mine == ({0, 1, 2, 3} if kind < 60 else {4} if kind < 80 else {5})
    shares = np.bincount(workload.jobs.type, minlength=100) / len(workload.jobs)
    assert shares == pytest.approx(0.01, abs=0.005)


def test_priority_and_urgency_are_of_the_type_and_curves_of_the_job() -> None:
    jobs = many()[1].jobs
    for values in (jobs.priority, jobs.urgency):
        for kind in range(100):
            assert len(set(values[jobs.type == kind].tolist())) == 1
    assert len(set(jobs.curve[jobs.type == 0].tolist())) > 10
    assert ((jobs.priority >= 1) & (jobs.priority <= 8)).all()
    assert {round(60 * one, 6) for one in jobs.urgency.tolist()} <= {0.6, 0.2, 0.1, 0.01}
    for priority, urgency in zip(jobs.priority, 60 * jobs.urgency, strict=True):
        row = 0 if priority > 6 else 1 if priority > 4 else 2 if priority > 2 else 3
        column = int(np.abs(np.array([0.6, 0.2, 0.1, 0.01]) - urgency).argmin())
        assert LEVEL_SHARES[row][column] > 0


def test_types_that_need_many_cores_come_at_working_hours() -> None:
    """Twice the mean rate from 9 to 18, so 75 % of the jobs of these types."""
    at_work = wide = 0
    for workload in many():
        options, jobs = workload.options, workload.jobs
        cores = options.units * workload.pools.cores[options.pool]
        most = np.maximum.reduceat(cores, options.first[:-1])
        by_type = np.zeros(100)
        np.maximum.at(by_type, jobs.type, most)
        mine = (by_type[jobs.type] > 4096 + 128) & (jobs.arrival >= DAY.begin)
        hour = (jobs.arrival[mine] - DAY.begin) / 3600
        wide += len(hour)
        at_work += np.count_nonzero((hour >= 9) & (hour < 18))
    assert wide > 3000
    assert at_work / wide == pytest.approx(0.75, abs=0.02)


def test_fewer_watts_take_longer_and_less_energy() -> None:
    """With factors of 1, the energies of the three states are 1, 0.866 and 0.707."""
    of_state = [[], [], []]
    for workload in many():
        joules = workload.options.joules.reshape(-1, 3)
        seconds = workload.options.seconds.reshape(-1, 3)
        assert (seconds[:, 0] < seconds[:, 2]).mean() > 0.99
        for state in range(3):
            of_state[state].append((joules[:, state] / joules[:, 0]).mean())
    assert np.mean(of_state, axis=1) == pytest.approx([1, 0.866, 0.707], abs=0.02)


def test_fifteen_states_scale_power_evenly_from_one_to_a_half() -> None:
    workload = draw_budget_day(BudgetSettings(1000, states=15, seed=2))
    watts = workload.options.watts.reshape(-1, 15)
    assert (watts[:, 14] / watts[:, 0]).mean() == pytest.approx(0.5, abs=0.02)
    assert workload.options.labels == tuple(f"P{state}" for state in range(15))


def test_time_on_one_core_rises_with_worth_from_1_to_18_hours() -> None:
    """Jobs on one node are not sped up: their fastest states show it."""
    ratios = []
    for workload in many():
        options = workload.options
        alone = (options.units == 1) & (options.state == 0) & (options.pool == 4)
        mean = 3600 * (1 + 17 * (workload.jobs.priority[options.job[alone]] - 1) / 7)
        ratios += (options.seconds[alone] / mean).tolist()
    assert np.mean(ratios) == pytest.approx(1, abs=0.15)


def test_each_type_has_twenty_curves_that_fall_from_one_to_zero() -> None:
    curves = draw_worth_curves(np.random.default_rng(3), np.linspace(100, 9000, 100))
    every = np.arange(len(curves.names))
    assert len(every) == 100 * CLASSES == 2000
    begin = curves_at(curves, every, np.full(2000, 0.01), np.zeros(2000))
    end = curves_at(curves, every, np.full(2000, 0.01), np.full(2000, 1e7))
    assert (begin == 1).all()
    assert (end == 0).all()


def test_a_job_has_a_curve_of_its_type_and_no_curve_is_without_a_job() -> None:
    for workload in many():
        jobs, names = workload.jobs, workload.curves.names
        assert set(jobs.curve.tolist()) == set(range(len(names)))
        for job in range(0, len(jobs), 50):
            assert names[jobs.curve[job]].startswith(f"{jobs.types[jobs.type[job]]} class ")


def test_curves_of_a_class_have_one_shape_in_the_time_of_their_type() -> None:
    """A type whose jobs take 100 times as long has 100 times as long a curve."""
    curves = draw_worth_curves(np.random.default_rng(1), np.array([60.0, 6000.0]))
    for short, long in zip(curves.pieces[:CLASSES], curves.pieces[CLASSES:], strict=True):
        for one, other in zip(short, long, strict=True):
            assert 100 * one.begin == pytest.approx(other.begin)
            assert one[1:] == other[1:]
        assert 60 <= short[1].begin <= 120


def test_a_seed_draws_one_day_and_another_seed_another() -> None:
    again = draw_budget_day(BudgetSettings(seed=0))
    for one, other in (
        (again.jobs.arrival, many()[0].jobs.arrival),
        (again.options.seconds, many()[0].options.seconds),
        (again.options.watts, many()[0].options.watts),
    ):
        assert np.array_equal(one, other)
    assert again.curves == many()[0].curves
    assert not np.array_equal(many()[0].jobs.arrival[:100], many()[1].jobs.arrival[:100])


def test_other_pools_and_more_patience_leave_all_else_as_it_is() -> None:
    usual = BudgetSettings(300, seed=5)
    day, equal, patient = (
        draw_budget_day(one)
        for one in (
            usual,
            replace(usual, pool_shares=(1 / 6,) * 6),
            replace(usual, patience=2.0),
        )
    )
    cores = equal.pools.units * equal.pools.cores
    assert cores.tolist() == pytest.approx([100_000 / 6] * 6, rel=0.01)
    assert np.array_equal(equal.jobs.arrival, day.jobs.arrival)
    assert np.array_equal(patient.options.seconds, day.options.seconds)
    for curve, other in zip(day.curves.pieces, patient.curves.pieces, strict=True):
        assert [2 * one.begin for one in curve] == pytest.approx([one.begin for one in other])
        assert [one[1:] for one in curve] == [one[1:] for one in other]


def test_a_small_system_has_jobs_that_fit() -> None:
    workload = draw_budget_day(BudgetSettings(100, cores=2_000))
    assert (workload.options.units <= workload.pools.units[workload.options.pool]).all()
    assert (workload.options.units >= 1).all()
