"""Steps are below the cells that they are made of, not far; and two prove what either does."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.vocabulary.plane.steps import Steps

CELLS = st.lists(st.integers(-9, 50).map(float) | st.just(np.inf), min_size=1, max_size=12)


@given(CELLS, st.sampled_from([0.0, 1.0, 20.0]))
def test_steps_are_below_the_cells_and_not_far(cells: list[float], worth_a_step: float) -> None:
    joules = np.array(cells)
    begins = np.arange(len(cells) + 1.0) + 7
    steps = Steps.of_cells(begins, joules, worth_a_step)
    # What a slower schedule cannot do a faster one cannot do either.
    exact = np.maximum.accumulate(joules[::-1])[::-1]
    possible = exact < np.inf
    assert steps.begins[0] == 7 + (~possible).sum()
    assert (np.diff(steps.begins) > 0).all()
    assert (np.diff(steps.joules) < 0).all()
    assert steps.joules[-1] == -np.inf
    if possible.any():
        lost = exact[possible] - steps.needed(begins[:-1][possible])
        assert (lost >= 0).all()
        assert lost.sum() <= worth_a_step * len(steps.joules)


def test_steps_worth_nothing_are_left_out() -> None:
    begins, joules = np.arange(5.0), np.array([9.0, 8.0, 3.0, 2.0])
    steps = Steps.of_cells(begins, joules, 1.5)
    assert steps.begins.tolist() == [0.0, 2.0, 4.0]
    assert steps.joules.tolist() == [8.0, 2.0, -np.inf]


@pytest.mark.parametrize(
    ("worth_a_step", "begins"), [(0.9, [0, 2, 4]), (1.0, [0, 4]), (1.1, [0, 4])]
)
def test_what_a_step_is_worth_is_joules_by_seconds(
    worth_a_step: float, begins: list[float]
) -> None:
    # Half a joule over 2 s; the last step, below which nothing is known, is worth any.
    steps = Steps.of_cells(np.array([0.0, 2.0, 4.0]), np.array([2.5, 2.0]), worth_a_step)
    assert steps.begins.tolist() == begins
    assert steps.joules.tolist() == ([2.5, 2, -np.inf] if len(begins) == 3 else [2, -np.inf])


def test_half_a_joule_less_is_another_step() -> None:
    steps = Steps.descending(np.array([1.0, 2.0, 3.0]), np.array([2.5, 2.0, 2.0]))
    assert (steps.begins.tolist(), steps.joules.tolist()) == ([1, 2], [2.5, 2])


@given(CELLS, CELLS, st.integers(0, 8))
def test_two_prove_what_either_does(cells: list[float], other: list[float], later: int) -> None:
    one = Steps.of_cells(np.arange(len(cells) + 1.0), np.array(cells), 0.0)
    two = Steps.of_cells(np.arange(len(other) + 1.0) + later, np.array(other), 0.0)
    both = one.raised_to(two)
    assert both.begins[0] == max(one.begins[0], two.begins[0])
    makespans = np.linspace(both.begins[0], 30, 200)
    higher = np.maximum(one.needed(makespans), two.needed(makespans))
    assert (both.needed(makespans) == higher).all()
    assert (np.diff(both.joules) < 0).all()


def test_where_nothing_is_known_but_the_least_makespan() -> None:
    none = Steps.none_before(3.0)
    assert none.needed(np.array([3.0, 9.0])).tolist() == [-np.inf, -np.inf]
