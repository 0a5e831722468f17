"""Instances with uncertain times have the averages that the publication prints."""

import numpy as np
import pytest

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
)

MANY = 200_000


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


def test_errors_are_small_or_large_and_seldom_between() -> None:
    errors = draw_errors(np.random.default_rng(3), "medium", MANY)
    between = ((errors > 0.2) & (errors < 0.8)).mean()
    assert between == pytest.approx(0.15, abs=0.01)


def test_true_times_are_7_8_hours_over_all_levels() -> None:
    random = np.random.default_rng(4)
    hours = draw_estimates(random, MANY) / 3600
    means = [(hours * (1 - draw_errors(random, level, MANY))).mean() for level in ERROR_LEVELS]
    assert np.mean(means) == pytest.approx(7.8, abs=0.1)


@pytest.mark.parametrize(("machines", "cores"), [(8, 131), (16, 262)])
def test_scenarios_have_as_many_cores_as_published(machines: int, cores: int) -> None:
    found = [
        draw_uncertain(UncertainSettings(machines, kind, tasks=1, seed=seed)).workload.pools.units
        for kind in HETEROGENEITIES
        for seed in range(200)
    ]
    assert np.sum(found) / len(found) == pytest.approx(cores, rel=0.03)


def test_machines_of_low_heterogeneity_are_alike() -> None:
    def kinds(heterogeneity) -> float:
        drawn = (UncertainSettings(16, heterogeneity, tasks=1, seed=seed) for seed in range(50))
        pools = [draw_uncertain(one).workload.pools for one in drawn]
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
    for workload, truth in drawn[1:]:
        assert np.array_equal(workload.options.seconds, drawn[0].workload.options.seconds)
        assert np.array_equal(workload.jobs.arrival, drawn[0].workload.jobs.arrival)
        assert truth.time.mean() < drawn[0].truth.time.mean()
    assert (drawn[0].truth.time == 1).all()


def test_the_same_seed_draws_the_same_and_another_does_not() -> None:
    one, same, other = (draw_uncertain(UncertainSettings(seed=seed)) for seed in (5, 5, 6))
    assert np.array_equal(one.truth.time, same.truth.time)
    assert np.array_equal(one.workload.options.seconds, same.workload.options.seconds)
    assert not np.array_equal(one.truth.time, other.truth.time)


def test_a_task_draws_within_five_percent_of_its_estimate() -> None:
    _, truth = draw_uncertain(UncertainSettings(seed=8))
    assert 0.95 <= truth.power.min() < 0.951
    assert 1.049 < truth.power.max() <= 1.05
