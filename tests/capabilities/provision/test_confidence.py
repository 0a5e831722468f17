"""Intervals hold as often as they say, and regions are those that were published."""

import numpy as np
import pytest
from capabilities.provision.plans import e1

from core.capabilities.provision.confidence import (
    Sampling,
    confidence_region,
    known_out_of_sample,
    out_of_sample,
    region_size,
)
from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.futures.uncertainty import (
    Uncertainty,
    Variation,
    mean_future,
)
from core.capabilities.provision.second_stages import SecondStages, Weights
from core.vocabulary.intervals import Interval

UNIFORM = Uncertainty(arrivals=Variation(0.5))


def purchase_of(first, third):
    counts = np.array([first, 0.0, third])
    return Purchase(counts, 0 * counts, counts, float(counts.sum()))


def test_fresh_scenarios_are_others_and_are_repeated():
    sampling = Sampling(UNIFORM, 8, seed=3)
    drawn = [sampling.fresh(e1(), k).arrivals for k in (0, 1, 0)]
    assert (drawn[0] == drawn[2]).all()
    assert (drawn[0] != drawn[1]).any()
    assert (sampling.scenarios(e1()).arrivals != drawn[0]).any()
    assert len(sampling.fresh(e1(), 0, 4)) == 4
    assert (Sampling(UNIFORM, 8, seed=4).fresh(e1(), 0).arrivals != drawn[0]).any()
    assert [Sampling(UNIFORM, count).repeated.count for count in (8, 1039, 1040)] == [64, 64, 65]


def test_even_points_come_in_sets_which_say_how_sure_their_mean_is():
    even = Sampling(UNIFORM, 1280).scenarios(e1())
    assert (len(even), even.sets, len(even.times)) == (1280, 10, 1)
    assert len(np.unique(even.arrivals[:, 0])) == 1280
    for one in np.split(even.arrivals, 10):
        assert np.abs(one.mean(axis=0) - 1).max() < 2e-3
    worth = SecondStages(e1(), even, Weights()).of(np.array([1.4, 0.0, 1.1])).values
    found = Interval.of_sets(worth, even.sets)
    assert found.mean == pytest.approx(worth.mean())
    assert found.low <= expected_reward() <= found.high
    assert found.half_width < Interval.of(worth).half_width / 20
    assert Interval.of_sets(worth, 1) == Interval.of(worth)


@pytest.mark.parametrize(
    ("points", "count"), [("independent", 1280), ("sobol", 99), ("sobol", 101)]
)
def test_other_points_are_one_set(points, count):
    drawn = Sampling(UNIFORM, count, points=points).scenarios(e1())
    assert (len(drawn), drawn.sets) == (count, 1)


def test_sets_keep_what_varies_and_what_does_not():
    times = Uncertainty(times=Variation(0.2))
    drawn = Sampling(times, 100).scenarios(e1())
    assert drawn.times.shape == (100, 2, 3)
    assert len(np.unique(drawn.times[:, 0, 0])) == 100


def expected_reward():
    """Of 1.4 and 1.1 machines of the first and third type, by the midpoint rule."""
    at = (np.arange(1000) + 0.5) / 1000
    rates = 1 + np.sqrt(3) * 0.5 * (2 * at - 1)
    first, second = rates[:, None], rates[None]
    one, two = np.minimum(first, 1.4), np.minimum(second, 1.1 / 1.1)
    helped = np.minimum((1.4 - one) / 100, second - two)
    helped = helped + np.minimum((1.1 - 1.1 * two) / 100, first - one)
    return float((one + two + helped).mean())


@pytest.mark.parametrize("points", ["independent", "latin", "sobol"])
def test_the_mean_of_fresh_scenarios_is_the_true_one(points):
    sampling = Sampling(UNIFORM, 128, points=points)  # type: ignore[arg-type]
    found = out_of_sample(e1(), purchase_of(1.4, 1.1), Weights(), sampling)
    assert found.aim.low <= expected_reward() <= found.aim.high
    assert found.objectives[0].mean == pytest.approx(found.aim.mean)
    assert found.objectives[0].half_width == pytest.approx(found.aim.half_width)
    assert found.objectives[1] == Interval(2.5, 0.0)
    assert np.isnan(found.objectives[3].mean)
    if points != "independent":
        assert found.aim.half_width < 0.01


@pytest.mark.parametrize("caution", [0.0, 0.9])
def test_no_purchase_has_more_than_who_knows_the_same_fresh_scenarios(caution):
    sampling, weights = Sampling(UNIFORM, 64), Weights(caution=caution)
    known = known_out_of_sample(e1(), weights, sampling)
    found = [
        out_of_sample(e1(), purchase_of(*counts), weights, sampling).objectives[0].mean
        for counts in ((1.4, 1.1), (1.0, 1.0), (2.0, 0.5))
    ]
    assert max(found) < known.mean < 1.2 * max(found)
    certain = known_out_of_sample(e1(), weights, Sampling(Uncertainty(), 64))
    again = SecondStages(e1(), mean_future(e1()), weights).wait_and_see()
    assert certain.mean == pytest.approx(float(again.values[0]))


@pytest.mark.parametrize(
    ("count", "size"), [(100, 0.0624145), (1000, 0.00601551), (8000, 0.000749307)]
)
def test_the_size_of_a_region_is_the_published_one(count, size):
    assert region_size(2, count) == pytest.approx(size, rel=1e-5)


def test_a_region_of_one_objective_is_the_interval():
    samples = np.random.default_rng(0).normal(size=50)
    region = confidence_region(np.array([samples.mean()]), np.array(samples.var(ddof=1)), 50)
    assert abs(region.axes[0, 0]) == pytest.approx(Interval.of(samples).half_width)
    assert region_size(2, 2) == np.inf


def test_the_outline_of_a_region_is_where_the_distance_is_its_size():
    covariance = np.array([[4.0, 1.0], [1.0, 2.0]])
    region = confidence_region(np.array([5.0, -1.0]), covariance, 100)
    off = region.outline(16) - region.centre
    distances = np.einsum("ki,ij,kj->k", off, np.linalg.inv(covariance), off)
    assert distances == pytest.approx(region_size(2, 100))
