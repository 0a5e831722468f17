"""Known pairs connect types as a walk over them does, and what can go leaves no type behind."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.operations.pairs import Pairs, connected, dispensable


@st.composite
def masks(draw, most=4):
    shape = draw(st.integers(1, most)), draw(st.integers(1, most))
    cells = draw(
        st.lists(st.booleans(), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])
    )
    return np.array(cells).reshape(shape)


def walked(known):
    """The machine types that a walk over known pairs from each task type comes to."""
    tasks, machines = known.shape
    found = known.copy()
    for _ in range(tasks + machines):
        for i, j, k, n in product(range(tasks), range(machines), range(tasks), range(machines)):
            found[i, n] |= found[i, j] and known[k, j] and known[k, n]
    return found


def test_a_chain_connects_and_a_gap_does_not():
    chain = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1]], bool)
    assert connected(chain).tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    chain[2, 1] = True
    assert connected(chain).all()


@given(masks(3))
def test_what_is_connected_is_what_a_walk_comes_to(known):
    assert (connected(known) == walked(known)).all()


@given(masks(), st.randoms(use_true_random=False))
def test_what_can_go_leaves_the_same_types_connected(known, random):
    order = np.array([random.random() for _ in range(known.size)]).reshape(known.shape)
    wanted = np.array([random.random() < 0.6 for _ in range(known.size)]).reshape(known.shape)
    going = dispensable(known, wanted, order)
    assert not (going & ~(known & wanted)).any()
    assert (connected(known & ~going) == connected(known)).all()
    for cell in zip(*np.nonzero(known & wanted & ~going), strict=True):
        fewer = known & ~going
        fewer[cell] = False
        assert (connected(fewer) != connected(known)).any(), "one more could go"


def test_of_pairs_that_cannot_all_go_the_first_stay():
    every = np.ones((2, 2), bool)
    order = np.array([[0.0, 0.9], [0.5, 0.1]])
    assert dispensable(every, every, order).tolist() == [[0, 1], [0, 0]]


def test_a_wanted_pair_goes_before_any_other():
    wanted = np.array([[True, False], [False, False]])
    order = np.where(wanted, 0.0, np.nextafter(1.0, 0.0))
    assert (dispensable(np.ones((2, 2), bool), wanted, order) == wanted).all()


def test_weights_are_about_one_and_units_do_not_matter():
    times = np.array([[1.0, np.e, np.nan], [np.inf, 1.0, 1.0]])
    pairs = Pairs.of(times, np.array([[2.0, 2.0, 7.0], [7.0, 4.0, 8.0]]))
    assert pairs.weights[0].tolist() == [[0.5, 0.5, 0], [0, 1, 2]]
    assert pairs.logs[0].tolist() == [[0, 1, 0], [0, 0, 0]]
    assert pairs.possible[0].tolist() == [[1, 1, 1], [0, 1, 1]]
    assert pairs.known.tolist() == [[[1, 1, 0], [0, 1, 1]]]
    assert Pairs.of(times).weights[0].tolist() == [[1, 1, 0], [0, 1, 1]]


def test_pairs_of_types_that_nothing_connects_are_not_possible():
    times = np.array([[1.0, np.nan], [np.nan, 1.0]])
    assert Pairs.of(times).possible[0].tolist() == [[1, 0], [0, 1]]
    assert not Pairs.of(np.full((2, 2), np.nan)).possible.any()


def test_a_type_with_one_known_pair_is_lonely():
    pairs = Pairs.of(np.array([[1.0, 1.0, np.nan], [1.0, 1.0, 1.0], [1.0, np.nan, np.nan]]))
    assert pairs.lonely[0].tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 1]]


def test_a_pull_is_the_mean_of_both_weights():
    pairs = Pairs(np.array([[[2.0, 5.0, 5.0]]]), np.array([[[3.0, 0, 0]]]), np.array([[[1, 1, 0]]]))
    target, weights = pairs.pulled(1.0)
    assert target.tolist() == [[[1.5, 0, 0]]]
    assert weights.tolist() == [[[4, 1, 0]]]


def test_sets_without_pairs_are_copies_but_for_these():
    pairs = Pairs.of(np.array([[1.0, 2.0], [3.0, np.nan]]))
    held_out = np.array([[[1, 0], [0, 0]], [[0, 0], [1, 0]]], bool)
    left = pairs.without(held_out)
    assert left.known.tolist() == [[[0, 1], [1, 0]], [[1, 1], [0, 0]]]
    assert left.logs == pytest.approx(np.repeat(pairs.logs, 2, 0))
    assert pairs.copies(3).weights.shape == (3, 2, 2)
    assert pairs.of_tasks(np.array([1])).logs[0] == pytest.approx(np.log([[3, 1]]))
    assert pairs.relative_to(np.full((1, 2, 2), 0.5)).logs == pytest.approx(pairs.logs - 0.5)


def test_copies_are_of_the_first_set_alone():
    pairs = Pairs.of(np.array([[1.0, 2.0], [3.0, np.nan]])).copies(2).copies(3)
    assert pairs.logs.shape == pairs.weights.shape == pairs.possible.shape == (3, 2, 2)
