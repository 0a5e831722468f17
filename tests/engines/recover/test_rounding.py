"""Rounding keeps every task type's count and is as near to the fractions as it can be."""

import itertools

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import systems

from core.engines.recover import round_rows
from core.engines.relaxed import MAKESPAN, lower_bound
from core.vocabulary.system import System


@st.composite
def divided(draw: st.DrawFn, most_tasks: int = 5) -> tuple[np.ndarray, int]:
    """A row of fractions, some of them zero, and the whole number that they sum to."""
    shares = np.array(draw(st.lists(st.integers(0, 12), min_size=1, max_size=4).filter(any)))
    count = draw(st.integers(0, most_tasks))
    return count * shares / shares.sum(), count


@pytest.mark.parametrize(
    ("placed", "count", "rounded"),
    [
        ([3, 0, 9, 11, 0, 0], 23, [3, 0, 9, 11, 0, 0]),
        ([3, 0, 9.6, 11.4, 0, 0], 24, [3, 0, 10, 11, 0, 0]),
        ([3, 15.3, 9.3, 11.4, 0, 0], 39, [3, 15, 9, 12, 0, 0]),
        ([3, 15.2, 9.9, 11.4, 2.3, 4.2], 46, [3, 15, 10, 12, 2, 4]),
        ([0.5, 0.5, 0, 0, 0, 0], 1, [1, 0, 0, 0, 0, 0]),
        ([2.9999999, 1e-9, 0, 1.0000001, 0, 0], 4, [3, 0, 0, 1, 0, 0]),
        ([0, 0, 0, 0, 0, 0], 0, [0, 0, 0, 0, 0, 0]),
    ],
    ids=["whole", "one up", "two left", "four", "tie", "solver's noise", "no task"],
)
def test_published_rows_and_awkward_ones(
    placed: list[float], count: int, rounded: list[int]
) -> None:
    assert round_rows(np.array([placed]), np.array([count])).tolist() == [rounded]


@given(row=divided())
def test_no_whole_numbers_of_that_sum_are_nearer(row: tuple[np.ndarray, int]) -> None:
    placed, count = row
    rounded = round_rows(placed[None, :], np.array([count]))[0]
    assert rounded.sum() == count
    assert (np.abs(rounded - placed) < 1).all()
    others = itertools.product(range(count + 1), repeat=len(placed))
    nearest = min(np.abs(np.array(o) - placed).sum() for o in others if sum(o) == count)
    assert np.abs(rounded - placed).sum() == pytest.approx(nearest, abs=1e-6)


@given(rows=st.lists(divided(), min_size=1, max_size=5))
def test_rows_do_not_touch_each_other(rows: list[tuple[np.ndarray, int]]) -> None:
    width = max(len(placed) for placed, _ in rows)
    table = np.array([np.pad(placed, (0, width - len(placed))) for placed, _ in rows])
    counts = np.array([count for _, count in rows])
    one_by_one = [round_rows(table[[i]], counts[[i]])[0].tolist() for i in range(len(rows))]
    assert round_rows(table, counts).tolist() == one_by_one


@example(row=(np.array([0, 5e11, 5e11]), 10**12), noise=1e-11)
@example(row=(np.array([0, 5e11, 5e11]), 10**12), noise=-1e-11)
@given(row=divided(most_tasks=10**12), noise=st.floats(-1e-11, 1e-11))
def test_counts_beyond_the_digits_of_a_fraction_are_kept(
    row: tuple[np.ndarray, int], noise: float
) -> None:
    placed, count = row
    placed = placed * (1 + noise)
    rounded = round_rows(placed[None, :], np.array([count]))[0]
    assert rounded.sum() == count
    assert (rounded >= 0).all()
    assert (rounded[placed == 0] == 0).all()
    assert (np.abs(rounded - placed) <= 1 + 1e-10 * count).all()


@given(system=systems())
def test_any_bound_rounds_to_tasks_where_they_can_run(system: System) -> None:
    placed = lower_bound(system, MAKESPAN).placed
    rounded = round_rows(placed, system.task_counts)
    assert (rounded.sum(axis=1) == system.task_counts).all()
    assert (rounded >= 0).all()
    assert (rounded[placed == 0] == 0).all()
    assert (rounded[~system.can_run] == 0).all()
