"""Evening out keeps every task on its machine type and never makes the busiest machine later."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.model.arrays import FloatArray, IntArray
from core.recover.packing import even_out


def loads(counts: IntArray, seconds: FloatArray, machine_type: IntArray) -> FloatArray:
    return np.asarray((counts * seconds.T[machine_type]).sum(axis=1))


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 6))
@settings(max_examples=60)
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
