"""The examples of the publication are as it prints them, and ours of what it does not print."""

import numpy as np
import pytest

from benchmarks.publications.provision.examples import (
    e1,
    e1_scenarios,
    e2_scenarios,
    e3_scenarios,
    like_e2,
    like_e3,
)
from benchmarks.samples import E2_SECONDS, E3_SECONDS
from core.capabilities.provision.two_stage import decide
from core.engines.operations.factors import factor


def test_the_first_example_is_as_printed() -> None:
    plan = e1()
    assert plan.times.tolist() == [[1, 3, 100], [100, 3, 1.1]]
    assert plan.prices.tolist() == [1, 1, 1]
    assert plan.counts.tolist() == [0, 0, 0]
    assert plan.arrival_rates.tolist() == [1, 1]
    assert plan.limits.budget == 3.5
    found = decide(plan, e1_scenarios(1000, 0), gap=1e-9)
    assert found.lower == pytest.approx(2.007607, abs=1e-6)


def test_rates_of_the_third_example_keep_a_hundred_m8_busy() -> None:
    plan = like_e3()
    assert plan.arrival_rates @ E3_SECONDS[:, 7] == pytest.approx(100)
    assert plan.arrival_rates.sum() == pytest.approx(1.238015)
    assert plan.prices.tolist() == [1596, 2976, 1382, 2089, 2199, 3566, 2969, 2747, 3350]
    drawn = e3_scenarios(plan, 4096, points="sobol")
    assert drawn.arrivals.std(axis=0) / plan.arrival_rates == pytest.approx(0.25, rel=1e-2)
    factors = drawn.times / E3_SECONDS
    assert np.ptp(factors, axis=1) == pytest.approx(0, abs=1e-9)
    assert factors[:, 0].std(axis=0) == pytest.approx(0.25, rel=1e-2)


def test_the_second_example_is_decided_though_some_futures_are_extreme() -> None:
    operations = factor(E2_SECONDS, 2)
    plan = like_e2(operations)
    assert plan.counts.tolist() == [0, 0, 0, 0, 10]
    assert plan.times == pytest.approx(E2_SECONDS, rel=0.06)
    scenarios = e2_scenarios(plan, operations, 500, 0)
    assert (scenarios.times > 0).all()
    assert scenarios.times.mean(axis=0) == pytest.approx(plan.times, rel=0.2)
    found = decide(plan, scenarios)
    assert found.gap <= 1e-6
    assert found.purchase.cost <= 1 + 1e-9
