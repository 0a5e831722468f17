"""Typical values and their intervals are those of the textbooks, for any number of values."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.runs.statistics import estimate, values_left_out

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
