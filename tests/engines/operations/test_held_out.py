"""Errors are those of pairs that were not looked at, and decide how many kinds there are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.operations import held_out
from core.engines.operations.estimates import ChosenKinds, RelativeError, choose
from core.engines.operations.factors import SHRINKAGES
from core.engines.operations.pairs import Pairs, connected
from core.vocabulary.budget import Cancelled


def made(seed: int, tasks: int, machines: int, kinds: int, noise: float = 0.0):
    rng = np.random.default_rng(seed)
    times = rng.gamma(0.7, size=(tasks, kinds)) @ rng.gamma(1, 10, size=(kinds, machines))
    return times * np.exp(rng.normal(0, noise, times.shape))


def test_errors_by_hand() -> None:
    """Estimates of half, the whole and twice the time are off by 50, 0 and 100 %."""
    error = RelativeError.of(np.log([0.5, 1.0, 2.0]))
    assert (error.median, error.mean) == pytest.approx((0.5, 0.5))
    assert RelativeError.of(np.array([1e6])).mean == pytest.approx(1e24)


@pytest.mark.parametrize("kinds", [1, 2, 3])
def test_as_many_kinds_are_chosen_as_made_the_times(kinds: int) -> None:
    choice = choose(Pairs.of(made(kinds, 16, 8, kinds)), 4)
    assert choice.kinds == kinds
    assert choice.held_out is not None
    assert len(choice.held_out.kinds) == 4
    assert choice.held_out.kinds[kinds - 1].median < 5e-3
    assert choice.held_out.pairs == 16 * 8
    if kinds > 1:
        assert choice.shrinkage == SHRINKAGES[-1]
        assert choice.held_out.kinds[kinds - 2].median > 0.05


def test_times_without_structure_have_one_kind() -> None:
    times = np.exp(np.random.default_rng(1).normal(0, 0.5, (14, 7)))
    assert choose(Pairs.of(times), 3).kinds == 1


def test_noisy_times_are_shrunk() -> None:
    assert choose(Pairs.of(made(3, 20, 6, 2, 0.4)), 2).shrinkage > SHRINKAGES[-1]


def test_the_guesses_are_means_of_the_other_pairs() -> None:
    """A single pair can be held out in turn; all others are needed or are in its row and column."""
    times = np.array([[1.0, 2.0], [3.0, 12.0]])
    choice = choose(Pairs.of(times), 1)
    assert choice.held_out is not None
    assert choice.held_out.pairs == 4
    one = choice.held_out.kinds[0]
    # Held out, each of them is estimated by the product of its neighbours over the opposite one.
    errors = [(2 * 3 / 12) / 1 - 1, (1 * 12 / 3) / 2 - 1, (1 * 12 / 2) / 3 - 1, (2 * 3) / 12 - 1]
    assert (one.median, one.mean) == pytest.approx(
        (np.median(np.abs(errors)), np.abs(errors).mean())
    )
    of_task = np.abs([2 / 1 - 1, 1 / 2 - 1, 12 / 3 - 1, 3 / 12 - 1])
    of_machine = np.abs([3 / 1 - 1, 12 / 2 - 1, 1 / 3 - 1, 2 / 12 - 1])
    assert choice.held_out.means_of_task_types.mean == pytest.approx(of_task.mean())
    assert choice.held_out.means_of_task_types.median == pytest.approx(np.median(of_task))
    assert choice.held_out.means_of_machine_types.mean == pytest.approx(of_machine.mean())


def test_a_pair_that_leaves_its_type_one_other_is_estimated_by_one_kind() -> None:
    """As estimates are: with two machine types, this is every held-out pair."""
    choice = choose(Pairs.of(made(1, 8, 2, 2, 0.3)), 3)
    assert choice.held_out is not None
    assert choice.held_out.kinds[1:] == choice.held_out.kinds[:1] * 2


def test_means_are_of_known_times_in_seconds() -> None:
    pairs = Pairs.of(np.array([[1.0, 3.0, np.nan], [8.0, np.inf, 2.0]]))
    assert np.exp(held_out._mean(pairs, 2))[0] == pytest.approx(np.array([[2] * 3, [5] * 3]))
    assert np.exp(held_out._mean(pairs, 1))[0] == pytest.approx(np.array([[4.5, 3, 2]] * 2))


@pytest.mark.parametrize(
    "times",
    [
        [[5.0]],
        [[1.0, 2.0, 3.0]],
        [[1.0], [2.0]],
        [[1.0, 2.0], [np.nan, 3.0]],
        [[np.nan, np.nan]],
    ],
)
def test_if_every_pair_is_needed_there_is_no_error(times) -> None:
    assert choose(Pairs.of(np.array(times)), 4) == ChosenKinds(1, SHRINKAGES[-1], None)


@given(st.integers(0, 200), st.integers(1, 7), st.integers(1, 7))
def test_folds_leave_every_type_connected_and_take_every_pair_once(seed, tasks, machines) -> None:
    rng = np.random.default_rng(seed)
    known = rng.random((tasks, machines)) < 0.7
    pairs = Pairs.of(np.where(known, np.exp(rng.normal(size=known.shape)), np.nan))
    folds = held_out._folds(pairs, seed)
    assert (folds.sum(axis=0) <= known).all()
    for fold in folds:
        assert (connected(known & ~fold) == connected(known)).all()


@pytest.mark.parametrize(("tasks", "machines", "folds"), [(10, 10, 10), (101, 1, 5), (2, 51, 5)])
def test_few_pairs_have_more_folds(tasks: int, machines: int, folds: int) -> None:
    assert len(held_out._folds(Pairs.of(np.ones((tasks, machines))), 0)) == folds


def test_of_very_many_pairs_some_folds_are_tried(monkeypatch) -> None:
    monkeypatch.setattr(held_out, "MANY_PAIRS", 120)
    all_of, some = (held_out._folds(Pairs.of(np.ones((rows, 10))), 0) for rows in (12, 13))
    assert all_of.shape == (5, 12, 10)
    assert some.shape == (2, 13, 10)


def test_folds_have_pairs_of_every_size() -> None:
    """Of ten pairs in order of size, each fold of the first has one of each half, and so on."""
    sizes = np.random.default_rng(1).permutation(300).reshape(30, 10)
    folds = held_out._folds(Pairs.of(np.exp(sizes / 10)), 3)
    for fold in folds:
        assert abs(sizes[fold].mean() - 149.5) < 6


def test_the_order_of_types_does_not_matter() -> None:
    times = made(5, 12, 7, 2, 0.1)
    tasks, machines = np.random.default_rng(1).permutation(12), np.arange(7)[::-1]
    here, there = choose(Pairs.of(times), 3), choose(Pairs.of(times[tasks][:, machines]), 3)
    assert (here.kinds, here.shrinkage) == (there.kinds, there.shrinkage)
    assert here.held_out is not None
    assert there.held_out is not None
    for a, b in zip(here.held_out.kinds, there.held_out.kinds, strict=True):
        assert (a.median, a.mean) == pytest.approx((b.median, b.mean), rel=1e-3)


def test_seeds_deal_other_folds_and_the_same_seed_the_same() -> None:
    pairs = Pairs.of(made(5, 12, 7, 2, 0.3))
    assert choose(pairs, 2, seed=1) == choose(pairs, 2, seed=1)
    assert choose(pairs, 2, seed=1).held_out != choose(pairs, 2, seed=2).held_out


def test_what_is_clearly_less() -> None:
    """By more than the standard error of the difference, and by more than a hundredth."""
    ones = np.ones(100)
    assert held_out._clearly_less(-0.98 * ones, ones)
    assert not held_out._clearly_less(0.995 * ones, ones)
    assert not held_out._clearly_less(0.5 * ones[:1], ones[:1])
    unsteady = np.where(np.arange(100) % 2, 0.0, 1.9)  # mean gain 0.05, standard error 0.0955
    assert not held_out._clearly_less(unsteady, ones)
    assert held_out._clearly_less(np.repeat(unsteady, 4), np.repeat(ones, 4))
    assert not held_out._clearly_less(0 * ones, 1e-9 * ones)
    # Two gains, 1 and -0.1: their mean is 0.45, its standard error 0.55.
    assert not held_out._clearly_less(np.array([0.0, 1.1]), ones[:2])
    assert held_out._clearly_less(np.array([0.0, 0.9]), ones[:2])


def test_cancelled_it_ends() -> None:
    with pytest.raises(Cancelled):
        choose(Pairs.of(made(1, 6, 5, 2)), 2, should_stop=lambda: True)


def test_one_kind_has_the_least_shrinkage() -> None:
    choice = choose(Pairs.of(made(1, 6, 5, 1)), 3)
    assert (choice.kinds, choice.shrinkage) == (1, SHRINKAGES[-1])
    assert choice.held_out is not None
