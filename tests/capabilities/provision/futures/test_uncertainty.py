"""Futures are drawn with the means, spreads and correlations that a plan states."""

import math
from dataclasses import replace

import numpy as np
import pytest
from capabilities.provision.plans import e1, odd_plan
from scipy import stats

from core.capabilities.provision.futures.uncertainty import (
    Uncertainty,
    Variation,
    VaryingOperations,
    draw,
    fit_covs,
    mean_future,
)
from core.capabilities.provision.plan import TaskDemand
from core.engines.operations.factors import Operations

ENDS = np.array([0.0, 0.25, 0.5, 1.0])
ONES = np.ones((6, 3))
SEEN = (0.5, 0.8, 1.0, 1.2, 1.9)


def test_the_uniform_law_is_as_published():
    """Literal draws of the publication: a mean of 10, and of 1."""
    assert 10 * Variation(0.25).factors(ENDS[[0, 3]]) == pytest.approx([5.669873, 14.330127])
    assert Variation(0.3158).factors(ENDS[[0, 3]]) == pytest.approx([0.453, 1.547], abs=2e-5)
    # Wider than from 0 on it cannot be: a coefficient of 1 is in truth one of 0.577350.
    assert (10 * Variation(1.0).factors(ENDS)).tolist() == [0, 5, 10, 20]


@pytest.mark.parametrize(
    ("cov", "low", "high"),
    [(0.0, 1.0, 1.0), (0.57, 1 - math.sqrt(3) * 0.57, 1 + math.sqrt(3) * 0.57), (0.58, 0.0, 2.0)],
)
def test_a_uniform_law_is_narrowed_at_its_limit(cov, low, high):
    assert Variation(cov).factors(ENDS[[0, 3]]) == pytest.approx([low, high], abs=1e-15)


@pytest.mark.parametrize(
    "variation",
    [Variation(0.25), Variation(0.5), Variation(0.4, "lognormal"), Variation(1.5, "lognormal")],
    ids=str,
)
def test_factors_have_the_mean_1_and_the_spread(variation):
    points = (np.arange(2**17) + 0.5) / 2**17
    factors = variation.factors(points)
    assert factors.mean() == pytest.approx(1, abs=1e-3)
    assert factors.std() == pytest.approx(variation.cov, rel=2e-2)
    assert (np.diff(factors) >= 0).all()


def test_the_lognormal_law_is_that_of_scipy():
    sigma = math.sqrt(math.log(1 + 0.4**2))
    points = np.array([0.01, 0.3, 0.5, 0.99])
    expected = stats.lognorm.ppf(points, sigma, scale=math.exp(-(sigma**2) / 2))
    assert Variation(0.4, "lognormal").factors(points) == pytest.approx(expected)


def test_the_empirical_law_is_what_was_seen_in_shares_of_its_mean():
    law = Variation(law="empirical", seen=(9.0, 3.0, 6.0))
    middles = np.array([1 / 6, 3 / 6, 5 / 6])
    assert law.factors(middles) == pytest.approx([0.5, 1, 1.5])
    assert law.factors(ENDS[[0, 3]]) == pytest.approx([0.5, 1.5])
    assert law.factors(np.array([2 / 6])) == pytest.approx([0.75])
    assert law.varies
    assert not Variation(law="empirical", seen=(3.0,)).varies
    assert Variation(0.1).varies
    assert not Variation().varies


@pytest.mark.parametrize("cov", [0.0, 0.1, 0.4136, 0.7, 1.2])
@pytest.mark.parametrize("seen", [SEEN, (1.0, 30.0, 2.0, 2.0)])
def test_what_was_seen_may_vary_more_or_less(seen, cov):
    points = ((np.arange(2**15) + 0.5) / 2**15)[:, None]
    factors = Variation(law="empirical", seen=seen).factors(points, np.array([cov]))
    assert factors.min() > 0
    assert factors.mean() == pytest.approx(1, abs=1e-6)
    assert factors.std() == pytest.approx(cov, abs=1e-4)


def test_what_was_seen_is_as_it_was_with_its_own_variation():
    law = Variation(law="empirical", seen=SEEN)
    assert float(law.own_covs) == pytest.approx(0.41367, abs=1e-5)
    points = np.linspace(0, 1, 21)[:, None]
    assert law.factors(points, law.own_covs[None]) == pytest.approx(law.factors(points))
    assert float(Variation(law="empirical", seen=(3.0, 3.0)).own_covs) == 0
    assert Variation(0.2, covs=(0.1, 0.3)).own_covs.tolist() == [0.1, 0.3]


def test_what_was_seen_is_narrowed_where_it_cannot_vary_so_much():
    law = Variation(law="empirical", seen=(1.0, 1.5, 2.0))
    factors = law.factors(np.array([[0.1], [0.9]]), np.array([99.0]))
    assert factors[:, 0] == pytest.approx([0, 3], abs=1e-6)


def test_each_column_may_have_a_spread_of_its_own():
    points = np.array([[0.0, 0.0], [1.0, 1.0]])
    narrow = Variation(0.25).factors(points, np.array([0.1, 0.2]))
    assert narrow == pytest.approx(1 + math.sqrt(3) * np.array([[-0.1, -0.2], [0.1, 0.2]]))


@pytest.mark.parametrize("points", ["independent", "latin", "sobol"])
def test_equal_seeds_draw_equal_futures(points):
    plan, _ = odd_plan(3)
    all_vary = Uncertainty(Variation(0.3), Variation(0.2), Variation(0.1), 0.4)
    one, same, other = (draw(plan, all_vary, 16, seed, points) for seed in (7, 7, 8))
    assert one.powers is not None
    for name in ("arrivals", "times", "powers"):
        assert (getattr(one, name) == getattr(same, name)).all()
        finite = np.isfinite(getattr(one, name))
        assert not (getattr(one, name)[finite] == getattr(other, name)[finite]).any()
    assert len(one) == 16
    assert one.times.shape == (16, *plan.times.shape)
    assert (np.isinf(one.times) == np.isinf(plan.times)).all()


def test_independent_draws_are_those_of_numpy_one_quantity_after_the_other():
    random = np.random.default_rng(5)
    first, second = random.random(4), random.random(4)
    found = draw(e1(), Uncertainty(arrivals=Variation(0.25)), 4, 5)
    width = 0.25 * math.sqrt(3)
    expected = 1 + width * (2 * np.stack([first, second], axis=1) - 1)
    assert found.arrivals == pytest.approx(expected)
    assert (found.times == e1().times).all()
    assert len(found.times) == 1


def test_task_types_take_the_same_share_more_on_one_machine_type():
    plan, _ = odd_plan(3)
    found = draw(plan, Uncertainty(times=Variation(0.2), powers=Variation(0.3)), 64, 1)
    assert plan.powers is not None
    assert found.powers is not None
    assert (found.arrivals == plan.arrival_rates).all()
    for drawn, mean, cov in ((found.times, plan.times, 0.2), (found.powers, plan.powers, 0.3)):
        with np.errstate(invalid="ignore"):
            factors = drawn / mean
        spread = np.nanmax(factors, axis=1) - np.nanmin(factors, axis=1)
        assert spread == pytest.approx(0, abs=1e-12)
        assert np.nanmean(factors) == pytest.approx(1, abs=0.1)
        assert np.nanmin(factors) >= 1 - math.sqrt(3) * cov
        assert np.nanmax(factors) <= 1 + math.sqrt(3) * cov


@pytest.mark.parametrize("points", ["latin", "sobol"])
def test_even_points_fill_every_part_of_each_range_once(points):
    found = draw(e1(), Uncertainty(arrivals=Variation(0.25)), 64, 2, points)
    width = 0.25 * math.sqrt(3)
    places = ((found.arrivals - 1) / width + 1) / 2
    assert (np.sort(np.floor(places * 64), axis=0) == np.arange(64)[:, None]).all()


@pytest.mark.parametrize("law", ["uniform", "lognormal"])
@pytest.mark.parametrize("correlation", [0.0, 0.6, 1.0])
def test_normal_scores_of_arrivals_have_the_correlation(law, correlation):
    spread = Variation(0.3, law)
    found = draw(e1(), Uncertainty(arrivals=spread, correlation=correlation), 2**13, 1, "sobol")
    ranks = (stats.rankdata(found.arrivals, axis=0) - 0.5) / len(found)
    assert np.corrcoef(stats.norm.ppf(ranks).T)[0, 1] == pytest.approx(correlation, abs=0.02)
    assert found.arrivals.mean(axis=0) == pytest.approx(1, abs=0.01)
    assert found.arrivals.std(axis=0) == pytest.approx(0.3, rel=0.03)


@pytest.mark.parametrize("correlation", [0.25, 0.9, 1.0])
def test_scores_are_tied_by_the_one_symmetric_root(correlation):
    """Other roots depend on the vectors that a processor finds for equal eigenvalues, and so would
    the futures.
    """
    types = 6
    plan = replace(
        e1(), demands=tuple(TaskDemand(f"T{i}", 1.0, 1.0) for i in range(types)), times=ONES
    )

    def scores(correlation):
        uncertainty = Uncertainty(Variation(0.3, "lognormal"), correlation=correlation)
        found = draw(plan, uncertainty, 16, 4, "sobol").arrivals
        sigma = math.sqrt(math.log1p(0.09))
        return np.asarray((np.log(found) + sigma**2 / 2) / sigma)

    matrix = np.full((types, types), correlation) + (1 - correlation) * np.eye(types)
    values, vectors = np.linalg.eigh(matrix)
    root = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T
    assert scores(correlation) == pytest.approx(scores(0.0) @ root, abs=1e-6)


TWO_KINDS = Operations(np.array([[1.0, 0.5], [0.2, 1.0]]), np.array([[4.0, 1.0], [1.0, 3.0]]))


def test_times_of_operations_vary_with_their_kinds():
    plan = replace(e1(), offers=e1().offers[:2], times=TWO_KINDS.times)
    covs = np.array([[0.1, 0.3], [0.2, 0.0]])
    operations = VaryingOperations(TWO_KINDS, covs, np.array([[40.0, 20.0], [10.0, 60.0]]))
    spread = Uncertainty(times=Variation(1.0), operations=operations)
    found = draw(plan, spread, 2**13, 3, "sobol")
    mean, sd = TWO_KINDS.times, np.sqrt(TWO_KINDS.per_task**2 @ (covs * TWO_KINDS.per_machine) ** 2)
    assert found.times.mean(axis=0) == pytest.approx(mean, rel=1e-3)
    assert found.times.std(axis=0) == pytest.approx(sd, rel=1e-2)
    # Joules stay as they are: who takes longer draws less.
    assert found.powers is not None
    joules = TWO_KINDS.per_task @ np.array([[40.0, 20.0], [10.0, 60.0]])
    assert found.powers * found.times == pytest.approx(np.broadcast_to(joules, found.times.shape))


def test_times_of_operations_vary_as_what_was_seen():
    plan = replace(e1(), offers=e1().offers[:2], times=TWO_KINDS.times)
    variation = Variation(law="empirical", seen=SEEN)
    covs = fit_covs(TWO_KINDS, np.broadcast_to(variation.own_covs, (2, 2)))
    spread = Uncertainty(times=variation, operations=VaryingOperations(TWO_KINDS, covs))
    found = draw(plan, spread, 2**13, 3, "sobol").times
    sd = np.sqrt(TWO_KINDS.per_task**2 @ (covs * TWO_KINDS.per_machine) ** 2)
    assert (covs > variation.own_covs).any(), "kinds vary more than their sums"
    assert found.mean(axis=0) == pytest.approx(TWO_KINDS.times, rel=1e-3)
    assert found.std(axis=0) == pytest.approx(sd, rel=1e-2)


def test_operations_that_do_not_vary_give_the_times_that_they_explain():
    plan = replace(e1(), offers=e1().offers[:2], times=np.array([[5.0, np.inf], [2.0, 3.0]]))
    still = VaryingOperations(TWO_KINDS, np.zeros((2, 2)))
    found = draw(plan, Uncertainty(operations=still), 3)
    expected = np.where(np.isinf(plan.times), np.inf, TWO_KINDS.times)
    assert (found.times == expected).all()
    assert found.powers is None


def test_no_time_is_drawn_below_a_millionth_of_its_mean():
    plan = e1()
    least = draw(plan, Uncertainty(times=Variation(1.0)), 4, 0, "latin").times / plan.times
    assert (least > 0).all()
    narrow = Variation(law="empirical", seen=(0.0, 0.0, 3.0))
    none = draw(plan, Uncertainty(times=narrow), 64, 0).times / plan.times
    assert none.min() == pytest.approx(1e-6)


def test_covs_of_operations_give_those_of_times_where_they_can():
    covs = np.array([[0.1, 0.3], [0.2, 0.05]])
    variances = TWO_KINDS.per_task**2 @ (covs * TWO_KINDS.per_machine) ** 2
    target = np.sqrt(variances) / TWO_KINDS.times
    assert fit_covs(TWO_KINDS, target) == pytest.approx(covs)
    # What only a negative variance could give is 0.
    steep = fit_covs(TWO_KINDS, np.array([[0.0, 0.0], [0.3, 0.3]]))
    assert (steep >= 0).all()
    assert (steep[0] == 0).all()


def test_the_mean_future_is_one_scenario_of_means():
    plan, _ = odd_plan(3)
    found = mean_future(plan)
    assert len(found) == found.sets == 1
    assert found.arrivals.tolist() == [plan.arrival_rates.tolist()]
    assert np.array_equal(found.times[0], plan.times)
    assert plan.powers is not None
    assert np.array_equal(found.powers[0], plan.powers, equal_nan=True)
