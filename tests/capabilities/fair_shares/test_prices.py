"""Prices never prove more than the optimum, and the best of them prove all of it."""

import math

import numpy as np
import pytest
from capabilities.fair_shares.as_published import possible
from capabilities.fair_shares.made import compute_only, f9, random_bags
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.epochs import Epochs, epochs_between, milestones
from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.prices import PricesOverTime, proven_stretch
from core.capabilities.fair_shares.routes import RouteProgram, RouteShares


def optimum_at(bags: ArrivingBags, stretch: float) -> RouteShares:
    program = RouteProgram(bags.work, bags.ideal)
    program.at(order(bags, stretch), stretch)
    return program.solve()


def order(bags: ArrivingBags, stretch: float) -> Epochs:
    ends = [*milestones(bags.work.release, bags.ideal), math.inf]
    at = max(np.searchsorted(ends, stretch) - 1, 0)
    return epochs_between(bags.work.release, bags.ideal, ends[at], ends[at + 1])


def test_one_price_proves_what_is_computed_by_hand() -> None:
    """Two bags of 1 s and 3 s on one machine: 4 s of work until the later deadline, 3 S."""
    bags = compute_only((1, 3))
    epochs = epochs_between(bags.work.release, bags.ideal, 1.0, math.inf)
    none = np.zeros((1, 2))
    prices = PricesOverTime(none, none + 1.0, np.zeros(2), none)
    assert prices.proves(bags.work, bags.ideal, epochs, 1.333)
    assert not prices.proves(bags.work, bags.ideal, epochs, 1.334)
    proven = proven_stretch(prices, bags.work, bags.ideal, epochs, 4 / 3)
    assert 4 / 3 * (1 - 1e-10) < proven <= 4 / 3


def test_waiting_is_paid_for() -> None:
    """Without its price of memory, the proof of a small memory is lost."""
    bags = f9(0.25)
    stretch = 1.58
    found = optimum_at(bags, stretch)
    assert found.size > 1
    assert found.prices.memory.max() > 0
    assert found.prices.proves(bags.work, bags.ideal, found.epochs, stretch)
    free = found.prices._replace(memory=np.zeros_like(found.prices.memory))
    assert not free.proves(bags.work, bags.ideal, found.epochs, stretch)


def test_without_memory_tasks_do_not_wait() -> None:
    found = optimum_at(f9(0.0), 1.66)
    assert np.isinf(found.prices.memory).all()
    bags = f9(0.0)
    assert found.prices.proves(bags.work, bags.ideal, found.epochs, 1.66)
    plenty = f9()
    assert not found.prices.proves(plenty.work, plenty.ideal, found.epochs, 1.66)


@examples(24)
@given(st.integers(0, 2**32), st.floats(0.6, 1.2))
def test_no_prices_prove_more_than_is_true(seed: int, share: float) -> None:
    bags, rng = random_bags(seed), np.random.default_rng(seed)
    least = least_stretch(bags, early=False).stretch
    stretch = max(least * share, 1.0)
    found = optimum_at(bags, stretch)
    for noise in (0.0, 1e-3, 0.3, 3.0):
        prices = PricesOverTime(*(each * rng.uniform(1, 1 + noise) for each in found.prices))
        noisy = PricesOverTime(
            *(each * rng.uniform(1 / (1 + noise), 1 + noise, each.shape) for each in prices)
        )
        for at in (stretch, least * (1 + 1e-9), least * 1.001):
            if noisy.proves(bags.work, bags.ideal, found.epochs, at):
                assert at < least * (1 + 1e-9)
        proven = proven_stretch(noisy, bags.work, bags.ideal, found.epochs, stretch)
        assert proven <= least * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_impossible_is_proven_so(seed: int) -> None:
    bags = random_bags(seed)
    least = least_stretch(bags, early=False).stretch
    stretch = 1 + (least - 1) * 0.7
    found = optimum_at(bags, stretch)
    impossible = not possible(bags, stretch)
    assert (found.size > 1 + 1e-9) == impossible
    assert found.prices.proves(bags.work, bags.ideal, found.epochs, stretch) == impossible
