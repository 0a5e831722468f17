"""Branch and bound from a schedule gives one at least as good, of the same tasks."""

import itertools

import numpy as np
import pytest

from core.arrays import FloatArray, IntArray
from core.budget import Budget, never
from core.recover.branching import branch


def makespan(counts: IntArray, seconds: FloatArray) -> float:
    return float((counts.T * np.where(np.isfinite(seconds), seconds, 0.0)).sum(axis=0).max())


@pytest.mark.parametrize("seed", range(5))
def test_all_pairs_give_the_optimum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    seconds = rng.uniform(0.2, 0.6, (6, 3))
    seconds[0, 1] = np.inf
    start = np.zeros((3, 6), np.int64)
    start[0] = 1
    found = branch(
        seconds,
        np.where(np.isfinite(seconds), 0.0, np.inf),
        start,
        pairs_per_task=3,
        limit=30.0,
        seed=seed,
        should_stop=never,
    )
    best = min(
        np.bincount(places, weights=seconds[np.arange(6), places], minlength=3).max()
        for places in map(list, itertools.product(range(3), repeat=6))
        if places[0] != 1
    )
    assert (found.sum(axis=0) == 1).all()
    assert makespan(found, seconds) == pytest.approx(best, rel=1e-4)


def test_what_it_is_given_is_what_it_gives_when_nothing_else_may_be_used() -> None:
    seconds = np.array([[1.0, 2.0], [2.0, 1.0]])
    start = np.array([[1, 0], [0, 1]])
    waste = np.array([[0.0, 9.0], [9.0, 0.0]])
    found = branch(seconds, waste, start, pairs_per_task=1, limit=5.0, seed=0, should_stop=never)
    assert (found == start).all()


def test_it_stops_when_asked() -> None:
    """Far before its limit, which on this program it would spend whole."""
    rng = np.random.default_rng(0)
    seconds = rng.uniform(0.005, 0.05, (400, 12))
    start = np.zeros((12, 400), np.int64)
    start[np.arange(400) % 12, np.arange(400)] = 1
    asked = []

    def stop_at_once() -> bool:
        asked.append(True)
        return True

    budget = Budget(3600.0)
    found = branch(
        seconds,
        seconds - seconds.min(axis=1, keepdims=True),
        start,
        pairs_per_task=4,
        limit=budget.seconds,
        seed=0,
        should_stop=stop_at_once,
    )
    assert asked
    assert budget.used < 600
    assert (found.sum(axis=0) == 1).all()
