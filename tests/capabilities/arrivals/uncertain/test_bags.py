"""Instances with uncertain times have the averages that the publication prints."""

from itertools import permutations, product

import numpy as np
import pytest
from capabilities.arrivals.bags import workload_of
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.arrivals.made.system_work import SystemWork, workload_of_system
from core.capabilities.arrivals.uncertain.bags import (
    CATALOGUE,
    ERROR_LEVELS,
    HETEROGENEITIES,
    LONGEST,
    RATES,
    UncertainSettings,
    bag_of_tasks,
    draw_errors,
    draw_estimates,
    draw_uncertain,
    less_than_estimated,
)
from core.capabilities.arrivals.uncertain.methods import METHODS, WEIGHED, bag_bound, run_method
from core.engines.replay.workload import WITHOUT_END, Truth
from core.files.samples.named import load_sample

MANY = 200_000


def test_a_workload_of_estimates_takes_less_and_has_no_end() -> None:
    estimated = workload_of_system(load_sample("two-by-two"), SystemWork(300.0, seed=1))
    workload, truth = less_than_estimated(estimated, "high", 2)
    assert workload.horizon == WITHOUT_END
    assert workload.options is estimated.options
    assert truth.time.mean() == pytest.approx(1 - 0.67, abs=0.08)
    assert truth.time.max() <= 1
    assert np.abs(truth.power - 1).max() <= 0.05
    _, again = less_than_estimated(estimated, "high", 2)
    np.testing.assert_array_equal(again.time, truth.time)


def test_estimates_are_short_or_near_the_limit() -> None:
    hours = draw_estimates(np.random.default_rng(1), MANY) / 3600
    shares = np.histogram(hours, [0, 5.6, 11.2, 16.8, 22.4, 28.0])[0] / MANY
    np.testing.assert_allclose(shares, [0.5, 0.05 / 3, 0.05 / 3, 0.05 / 3, 0.45], atol=0.005)
    assert hours.mean() == pytest.approx(13.7, abs=0.05)
    assert hours.max() == LONGEST / 3600


@pytest.mark.parametrize(
    ("level", "mean"), [("none", 0.0), ("low", 0.48), ("medium", 0.56), ("high", 0.67)]
)
def test_errors_have_the_published_means(level, mean: float) -> None:
    errors = draw_errors(np.random.default_rng(2), level, MANY)
    assert errors.mean() == pytest.approx(mean, abs=0.01)
    assert errors.min() >= 0
    assert errors.max() < 1
    between = ((errors > 0.2) & (errors < 0.8)).mean()
    assert between == pytest.approx(0.15 if mean else 0.0, abs=0.01), "seldom in between"


def test_true_times_are_7_8_hours_over_all_levels() -> None:
    random = np.random.default_rng(4)
    hours = draw_estimates(random, MANY) / 3600
    means = [(hours * (1 - draw_errors(random, level, MANY))).mean() for level in ERROR_LEVELS]
    assert np.mean(means) == pytest.approx(7.8, abs=0.1)


@pytest.mark.parametrize(("machines", "cores"), [(8, 131), (16, 262)])
def test_scenarios_have_as_many_cores_as_published(machines: int, cores: int) -> None:
    found = [
        draw_uncertain(UncertainSettings(machines, kind, tasks=1, seed=seed))[0].pools.units
        for kind in HETEROGENEITIES
        for seed in range(200)
    ]
    assert np.sum(found) / len(found) == pytest.approx(cores, rel=0.03)


def test_machines_of_low_heterogeneity_are_alike() -> None:
    def kinds(heterogeneity) -> float:
        drawn = (UncertainSettings(16, heterogeneity, tasks=1, seed=seed) for seed in range(50))
        pools = [draw_uncertain(one)[0].pools for one in drawn]
        return float(np.mean([len(set(one.units.tolist())) for one in pools]))

    assert kinds("low") < 3 < kinds("high")


@pytest.mark.parametrize("rate", RATES)
def test_tasks_arrive_at_the_rate(rate: float) -> None:
    workload, _ = draw_uncertain(UncertainSettings(rate=rate, tasks=20_000))
    assert 20_000 / workload.jobs.arrival[-1] == pytest.approx(rate, rel=0.03)


def test_power_is_linear_in_the_cores_that_work() -> None:
    """Twelve cores, 140 W if all are idle and 300 W if all work, at speed 0.9."""
    workload = bag_of_tasks([CATALOGUE[3]], np.zeros(1), np.array([3600.0]))
    pools, options = workload.pools, workload.options
    assert float(pools.units @ pools.idle_watts) == pytest.approx(140.0)
    assert float(pools.units @ pools.idle_watts) + 12 * options.watts[0] == pytest.approx(300.0)
    assert options.seconds[0] == pytest.approx(4000.0)


def test_levels_share_machines_arrivals_and_estimates() -> None:
    drawn = [draw_uncertain(UncertainSettings(errors=level, seed=7)) for level in ERROR_LEVELS]
    (first, exact), *others = drawn
    for workload, truth in others:
        assert np.array_equal(workload.options.seconds, first.options.seconds)
        assert np.array_equal(workload.jobs.arrival, first.jobs.arrival)
        assert truth.time.mean() < exact.time.mean()
    assert (exact.time == 1).all()


def test_the_same_seed_draws_the_same_and_another_does_not() -> None:
    drawn = (draw_uncertain(UncertainSettings(seed=seed)) for seed in (5, 5, 6))
    (one, truth), (same, again), (_, other) = drawn
    assert np.array_equal(truth.time, again.time)
    assert np.array_equal(one.options.seconds, same.options.seconds)
    assert not np.array_equal(truth.time, other.time)
    assert 0.95 <= truth.power.min() < 0.951
    assert 1.049 < truth.power.max() <= 1.05


def test_the_bound_of_two_cores_by_hand() -> None:
    """12 h of work on a core of 1 W and one of 4 W that is twice as fast, 3 W idle together: fast
    alone takes 6 h, 42 Wh; both take 4 h, 32 Wh.
    """
    seconds, watts = np.array([[3.6e3, 1.8e3]] * 12), np.array([[1.0, 4.0]] * 12)
    workload = workload_of([0.0] * 12, seconds, watts, [1, 1], 1.5)
    bound = bag_bound(workload, Truth.as_estimated(12))
    assert bound.makespan == pytest.approx(4 * 3600)
    assert bound.joules == pytest.approx(32 * 3600)
    half = bag_bound(workload, Truth(np.full(12, 0.5), np.ones(12)))
    assert half.makespan == pytest.approx(2 * 3600)
    assert half.joules == pytest.approx(16 * 3600)


def test_a_task_that_comes_late_or_lasts_long_keeps_all_machines_on() -> None:
    seconds, watts = np.array([[100.0]] * 2), np.array([[5.0]] * 2)
    workload = workload_of([0.0, 400.0], seconds, watts, [2], 1.0)
    bound = bag_bound(workload, Truth.as_estimated(2))
    assert bound.makespan == pytest.approx(500.0)
    assert bound.joules == pytest.approx(2 * 500.0 + 2 * 500.0)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 4)), min_size=1, max_size=4),
    st.lists(st.integers(1, 3), min_size=1, max_size=2),
    st.integers(0, 2),
    st.booleans(),
)
def test_no_schedule_of_all_beats_it(tasks, speeds, idle, alike) -> None:
    """Brute force: every order of the tasks, on every choice of machines, as soon as possible."""
    tasks = sorted(tasks)
    arrival, work = [float(one) for one, _ in tasks], np.array([float(two) for _, two in tasks])
    speed = np.array(speeds, float)
    seconds = work[:, None] / speed
    if not alike:
        seconds[0] = seconds[0, ::-1]
    watts = np.tile(np.arange(1.0, len(speeds) + 1), (len(tasks), 1))
    power = np.linspace(0.9, 1.1, len(tasks))
    truth = Truth(np.linspace(0.5, 1.0, len(tasks)), power)
    workload = workload_of(arrival, seconds, watts, [1] * len(speeds), float(idle))
    bound = bag_bound(workload, truth)
    true = seconds * truth.time[:, None]
    for order in permutations(range(len(tasks))):
        for chosen in product(range(len(speeds)), repeat=len(tasks)):
            free = np.zeros(len(speeds))
            for task in order:
                machine = chosen[task]
                free[machine] = max(free[machine], arrival[task]) + true[task, machine]
            own = sum(true[t, m] * watts[t, m] * power[t] for t, m in enumerate(chosen))
            assert bound.makespan <= free.max() * (1 + 1e-12)
            assert bound.joules <= (own + idle * len(speeds) * free.max()) * (1 + 1e-12)


@pytest.mark.parametrize("errors", ["none", "high"])
def test_no_method_beats_it(errors) -> None:
    case = draw_uncertain(UncertainSettings(tasks=200, errors=errors, seed=1))
    bound = bag_bound(*case)
    for method in (*METHODS.values(), WEIGHED):
        outcome = run_method(*case, method)
        assert bound.makespan <= outcome.makespan
        assert bound.joules <= outcome.joules


def test_machines_that_are_off_when_idle_need_no_idle_power() -> None:
    workload = workload_of([0.0], np.array([[100.0]]), np.array([[5.0]]), [2], 1.0)
    always = bag_bound(workload, Truth.as_estimated(1))
    object.__setattr__(workload, "switching", "off when idle")
    off = bag_bound(workload, Truth.as_estimated(1))
    assert (always.joules, off.joules) == (pytest.approx(700.0), pytest.approx(500.0))
