"""Means of the first example over a grid of rates are those that were verified before."""

import itertools

import numpy as np
import pytest

from benchmarks.publications.provision.examples import e1
from benchmarks.publications.provision.first_example import FirstGrid
from core.capabilities.provision.futures.uncertainty import Scenarios
from core.capabilities.provision.second_stages import SecondStages, Weights

GRID = FirstGrid()


def test_the_optimum_and_its_neighbours() -> None:
    first, best = GRID.best(3.5)
    assert first == pytest.approx(1.88246, abs=5e-6)
    assert best == pytest.approx(1.994736, abs=1e-6)
    assert GRID.reward(1.9, 1.6) == pytest.approx(1.994547, abs=1e-6)
    assert GRID.wait_and_see(3.5) == pytest.approx(1.999483, abs=1e-6)
    assert GRID.for_the_mean(3.5) == pytest.approx(1.756948, abs=1e-6)
    assert GRID.reward(3.5, 0) == pytest.approx(1.025, abs=1e-9)
    assert GRID.reward(1, 1.1) == pytest.approx(1.615243, abs=1e-6)


@pytest.mark.parametrize(
    ("first", "reward"),
    [(1.2, 1.844761), (1.5, 1.939727), (2.2, 1.942975), (2.4, 1.870145)],
)
def test_other_best_purchases_for_the_mean(first: float, reward: float) -> None:
    assert GRID.reward(first, 3.5 - first) == pytest.approx(reward, abs=1e-6)


@pytest.mark.parametrize(
    ("budget", "best", "known", "mean", "rule"),
    [
        (0.5, 0.46289, 0.49432, 0.43812, 0.43812),
        (1, 0.90232, 0.96932, 0.75250, 0.75250),
        (2, 1.56630, 1.69757, 1.56599, 1.01000),
        (3, 1.92804, 1.97825, 1.75448, 1.02000),
        (5, 2.00000, 2.00000, 1.76429, 1.04000),
    ],
)
def test_budgets(budget: float, best: float, known: float, mean: float, rule: float) -> None:
    """The record of the best is that of a coarse grid of purchases, so ours is a little more."""
    assert best - 1e-5 <= GRID.best(budget)[1] <= best + 6e-5
    assert GRID.wait_and_see(budget) == pytest.approx(known, abs=6e-6)
    assert GRID.for_the_mean(budget) == pytest.approx(mean, abs=6e-6)
    assert GRID.reward(budget, 0) == pytest.approx(rule, abs=6e-6)


@pytest.mark.parametrize("counts", [(1.0, 2.5), (1.9, 1.6), (0.0, 3.0), (3.5, 0.0), (0.4, 0.3)])
def test_the_closed_second_stage_is_the_optimum(counts: tuple[float, float]) -> None:
    small = FirstGrid(8)
    arrivals = np.array(list(itertools.product(*small.rates)))
    stages = SecondStages(e1(), Scenarios(arrivals, e1().times[None]), Weights())
    worth = stages.of(np.array([counts[0], 0, counts[1]]))
    assert small.reward(*counts) == pytest.approx(float(worth.values.mean()), abs=1e-12)


def test_who_knows_the_future_buys_what_it_needs() -> None:
    small = FirstGrid(8)
    arrivals = np.array(list(itertools.product(*small.rates)))
    for budget in (0.6, 2.0, 3.5):
        stages = SecondStages(e1(budget), Scenarios(arrivals, e1().times[None]), Weights())
        values = stages.wait_and_see().values
        assert small.wait_and_see(budget) == pytest.approx(float(values.mean()), abs=1e-12)
