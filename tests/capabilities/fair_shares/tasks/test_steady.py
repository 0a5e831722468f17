"""Bags advance together at steady rates, as fast as all limits allow."""

import numpy as np
import pytest
from capabilities.fair_shares.made import made, random_bags

from core.capabilities.fair_shares.tasks.steady import steady_rates


@pytest.mark.parametrize("seed", range(20))
def test_a_bag_alone_has_its_throughput(seed: int) -> None:
    work = random_bags(seed).work
    for k in range(len(work.counts)):
        alone = np.zeros(len(work.counts))
        alone[k] = 3.0
        rates = steady_rates(work, alone)
        assert rates.sum(axis=1) == pytest.approx(np.where(alone > 0, work.throughput, 0.0))


def test_bags_advance_in_proportion_to_their_weights() -> None:
    """Two bags on one machine: a + 2 b = 1 second a second."""
    work = made((5, 5), [[1.0, 2.0]]).work
    assert steady_rates(work, np.array([1.0, 1.0]))[:, 0] == pytest.approx([1 / 3, 1 / 3])
    assert steady_rates(work, np.array([2.0, 1.0]))[:, 0] == pytest.approx([1 / 2, 1 / 4])
    assert not steady_rates(work, np.zeros(2)).any()


@pytest.mark.parametrize("seed", range(20))
def test_all_limits_are_kept(seed: int) -> None:
    work = random_bags(seed).work
    weights = np.random.default_rng(seed).uniform(0.1, 2.0, len(work.counts))
    rates = steady_rates(work, weights)
    total = rates.sum(axis=1) / weights
    assert total == pytest.approx(np.full(len(total), total[0]))
    busy = np.where(rates > 0, rates * np.where(rates > 0, work.seconds, 1.0), 0.0).sum(axis=0)
    assert (busy <= 1 + 1e-6).all()
    assert (work.data @ rates <= work.links * (1 + 1e-6)).all()
    assert float((work.data @ rates).sum()) <= work.bandwidth * (1 + 1e-6)
