"""Typical values and their intervals are those of the textbooks, for any number of values."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.engines.logs.pairs.statistics import WeightedMeans, estimate, values_left_out

VALUES = st.lists(st.floats(0, 1e9), min_size=1, max_size=60)


@given(VALUES)
def test_estimates_are_those_of_numpy_and_scipy(values: list[float]) -> None:
    ordered = np.sort(values)
    median, trimmed = estimate(ordered, "median"), estimate(ordered, "trimmed")
    spread = np.quantile(ordered, [0.1, 0.25, 0.75, 0.9])
    for found in (median, trimmed):
        assert found.runs == len(values)
        np.testing.assert_allclose(found[4:], spread, rtol=1e-9, atol=1e-9)
        assert math.isnan(found.low) or found.low <= found.value * (1 + 1e-9)
    assert median.value == pytest.approx(np.median(ordered))
    assert trimmed.value == pytest.approx(stats.trim_mean(ordered, 0.2), rel=1e-9, abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(0, 1e6)), max_size=40))
def test_the_mean_and_its_interval_are_those_of_scipy(drawn: list[tuple[int, float]]) -> None:
    means = WeightedMeans(3)
    groups, values = np.array([g for g, _ in drawn], int), np.array([v for _, v in drawn])
    for add in (means.add, means.add_spread):
        for half in (slice(None, 7), slice(7, None)):
            add(groups[half], values[half], np.ones(len(values[half])))
    for group in range(3):
        own = values[groups == group]
        value, low, high = means.of(group)
        if not len(own):
            assert math.isnan(value)
            continue
        assert value == pytest.approx(own.mean())
        if len(own) < 2:
            assert math.isnan(low)
            continue
        reach = stats.t.ppf(0.975, len(own) - 1) * stats.sem(own)
        assert (low, high) == pytest.approx((max(value - reach, 0), value + reach), abs=1e-6)


def test_long_runs_count_more_in_a_mean_of_watts() -> None:
    """Issue 33, point 2: 10 s at 100 W and 30 s at 200 W are 40 s at 175 W."""
    means = WeightedMeans(1)
    block = np.zeros(2, int), np.array([100.0, 200.0]), np.array([10.0, 30.0])
    means.add(*block)
    means.add_spread(*block)
    assert means.of(0)[0] == 175


def test_nothing_is_estimated_from_nothing() -> None:
    found = estimate(np.zeros(0), "median")
    assert found.runs == 0
    assert math.isnan(found.value)


@pytest.mark.parametrize("count", [*range(1, 60), *range(395, 445), 1_000, 99_999])
def test_an_interval_contains_the_median_with_95_percent(count: int) -> None:
    """Of the counts around the limit of the exact formula, and of some beyond."""
    left_out = values_left_out(count)

    def coverage(out: int) -> float:
        return float(1 - 2 * stats.binom.cdf(out, count, 0.5))

    if left_out >= 0:
        assert coverage(left_out) >= 0.95
    assert coverage(left_out + 2) < 0.95
    if count <= 400:
        assert coverage(left_out + 1) < 0.95


@pytest.mark.parametrize(("count", "known"), [(5, False), (6, True)])
def test_six_values_are_the_fewest_with_an_interval_of_the_median(count: int, known: bool) -> None:
    found = estimate(np.arange(1.0, count + 1), "median")
    assert math.isfinite(found.low) == known
    assert (found.low, found.high) == (1, 6) if known else math.isnan(found.high)


@pytest.mark.parametrize(("count", "known"), [(3, False), (4, True)])
def test_four_values_are_the_fewest_with_an_interval_of_the_trimmed_mean(
    count: int, known: bool
) -> None:
    assert math.isfinite(estimate(np.arange(1.0, count + 1), "trimmed").low) == known


@pytest.mark.parametrize("count", [4, 5, 9, 10, 11, 50])
def test_the_interval_of_a_trimmed_mean_is_that_of_yuen(count: int) -> None:
    values = np.sort(np.random.default_rng(count).lognormal(3, 1, count))
    cut = int(0.2 * count)
    moved = stats.mstats.winsorize(values, (0.2, 0.2))
    error = np.std(moved, ddof=1) / ((1 - 2 * cut / count) * math.sqrt(count))
    reach = stats.t.ppf(0.975, count - 2 * cut - 1) * error
    found = estimate(values, "trimmed")
    assert found.low == pytest.approx(max(found.value - reach, 0))
    assert found.high == pytest.approx(found.value + reach)


def test_an_outlier_moves_nothing() -> None:
    values = np.array([9.0, 10, 10, 10, 11, 1e12])
    assert estimate(values, "median").value == 10
    assert estimate(values, "trimmed").value == 10.25
    assert estimate(values, "trimmed").high < 12
    assert estimate(np.array([1.0, 1, 1, 100]), "trimmed").low == 0
