"""Evening out keeps every task on its machine type and never makes the busiest machine later."""

import numpy as np
import pytest
from called import kernels_called
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.engines.recover.assignment import _best_exchange, even_out, load_kernels
from core.vocabulary.arrays import FloatArray, IntArray


def loads(counts: IntArray, seconds: FloatArray, machine_type: IntArray) -> FloatArray:
    return np.asarray((counts * seconds.T[machine_type]).sum(axis=1))


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 6))
@examples(12)
def test_tasks_stay_on_their_type_and_no_type_ends_later(seed: int, most: int, tasks: int) -> None:
    rng = np.random.default_rng(seed)
    machine_type = np.repeat(np.arange(3), np.add(rng.integers(0, 5, 3), [1, 0, 0]))
    seconds = rng.uniform(0.1, 2.0, (tasks, 3))
    before = rng.integers(0, most + 1, (len(machine_type), tasks))
    after = before.copy()
    even_out(after, seconds, machine_type)
    assert (after >= 0).all()
    was, now = (loads(counts, seconds, machine_type) for counts in (before, after))
    for kind in np.unique(machine_type):
        of = machine_type == kind
        assert (after[of].sum(axis=0) == before[of].sum(axis=0)).all()
        assert now[of].max() <= was[of].max() * (1 + 1e-12)


def test_nothing_that_two_exchanged_tasks_could_mend_is_left() -> None:
    machine_type = np.zeros(2, np.int64)
    # 9 + 1 and 4 + 3 + 2 are 10 and 9; no exchange brings 9.5, and from 12 and 7 two are needed.
    seconds = np.array([[9.0], [1.0], [4.0], [3.0], [2.0]])
    counts = np.array([[1, 0, 0, 1, 0], [0, 1, 1, 0, 1]])
    even_out(counts, seconds, machine_type)
    assert loads(counts, seconds, machine_type).max() == 10.0


def test_one_task_goes_for_two_where_nothing_less_helps() -> None:
    # 5 + 7 and 2 + 2 + 3 + 3 are 12 and 10; only 5 for 2 + 2, or 7 for 3 + 3, makes 11 of both.
    seconds = np.array([[5.0], [7.0], [2.0], [3.0]])
    counts = np.array([[1, 1, 0, 0], [0, 0, 2, 2]])
    machine_type = np.zeros(2, np.int64)
    even_out(counts, seconds, machine_type)
    assert loads(counts, seconds, machine_type).tolist() == [11.0, 11.0]


def test_equal_machines_with_small_tasks_end_all_but_together() -> None:
    rng = np.random.default_rng(5)
    machine_type = np.repeat(np.arange(2), 6)
    seconds = rng.uniform(1.0, 9.0, (8, 2))
    counts = np.zeros((12, 8), np.int64)
    counts[[0, 6]] = 24
    work = even_out(counts, seconds, machine_type)
    # What is even already is less work than making it so.
    assert 0 < even_out(counts, seconds, machine_type) < work
    ends = loads(counts, seconds, machine_type).reshape(2, 6)
    assert ends.max(axis=1) == pytest.approx(ends.mean(axis=1), rel=5e-3)


def evened(seed: int) -> tuple[list[list[int]], float]:
    """Of six machines of two types; whole times, so that no sum is rounded. The steps, too."""
    spread = np.sqrt(np.arange(2.0, 32.0) + seed) % 1
    seconds = 1 + np.floor(spread[:10] * 30).reshape(5, 2)
    counts = np.zeros((6, 5), np.int64)
    counts[[0, 2]] = np.floor(spread[10:20] * 6).reshape(2, 5)
    counts[3:5] = np.floor(spread[20:30] * 3).reshape(2, 5)
    work = even_out(counts, seconds, np.array([0, 0, 0, 1, 1, 1]))
    return counts.tolist(), work * 5e8


# Whoever changes the order of the search on purpose finds others, and writes them down here.
@pytest.mark.parametrize(
    ("seed", "counts", "steps"),
    [
        (
            0,
            [
                [1, 2, 4, 1, 1],
                [0, 1, 0, 4, 0],
                [1, 1, 2, 2, 2],
                [0, 0, 2, 1, 0],
                [0, 2, 1, 0, 1],
                [2, 0, 0, 0, 0],
            ],
            909.0,
        ),
        (
            1,
            [
                [1, 3, 3, 0, 0],
                [3, 0, 2, 0, 0],
                [0, 3, 2, 3, 4],
                [1, 2, 0, 0, 0],
                [0, 0, 1, 1, 0],
                [1, 1, 0, 0, 1],
            ],
            1012.0,
        ),
        (
            2,
            [
                [6, 5, 0, 0, 1],
                [0, 1, 3, 0, 0],
                [0, 1, 0, 4, 4],
                [2, 0, 0, 0, 1],
                [0, 1, 1, 1, 0],
                [1, 0, 0, 0, 1],
            ],
            819.0,
        ),
        (
            3,
            [
                [4, 2, 0, 1, 1],
                [3, 1, 0, 0, 3],
                [0, 0, 4, 4, 3],
                [0, 0, 0, 0, 2],
                [1, 0, 1, 2, 0],
                [0, 1, 0, 0, 1],
            ],
            1007.0000000000001,
        ),
    ],
)
def test_the_same_tasks_are_always_shared_alike(
    seed: int, counts: list[list[int]], steps: float
) -> None:
    assert evened(seed) == (counts, pytest.approx(steps, rel=1e-12))


@pytest.mark.parametrize(
    ("a", "b", "seconds", "exchange"),
    [
        # A task for nothing, one for one, two for nothing, one for two, two for one.
        ([2, 0], [0, 0], [3.0, 5.0], (1, 0, -1, -1, -1)),
        ([2, 0], [0, 2], [5.0, 3.0], (1, 0, -1, 1, -1)),
        ([4, 0], [0, 0], [3.0, 5.0], (1, 0, 0, -1, -1)),
        ([2, 0], [0, 4], [5.0, 2.0], (1, 0, -1, 1, 1)),
        ([5, 0], [1, 2], [2.0, 3.0], (1, 0, 0, 1, -1)),
        # Only what there is: not two of a kind of which there is one.
        ([1, 1], [0, 0], [3.0, 5.0], (1, 0, -1, -1, -1)),
        # A single task can only change the machine; what would be no better stays.
        ([1, 0], [0, 0], [3.0, 5.0], (-1, -1, -1, -1, -1)),
        ([1, 0], [0, 1], [3.0, 3.0], (-1, -1, -1, -1, -1)),
        ([1, 0], [0, 1], [3.0, 3.0 - 1e-9], (-1, -1, -1, -1, -1)),
    ],
)
def test_the_exchange_that_lowers_the_later_end_most(
    a: list[int], b: list[int], seconds: list[float], exchange: tuple[int, ...]
) -> None:
    counts, times = np.array([a, b]), np.array(seconds)
    *found, steps = _best_exchange(counts, times, counts @ times, 0)
    assert tuple(found) == exchange
    assert steps >= 2


def test_what_is_loaded_is_what_evening_out_calls() -> None:
    called = kernels_called(lambda: evened(0))
    assert {name for name, _ in called} == {"_even_out"}
    assert called <= kernels_called(load_kernels)
