"""Job arrays run every task once, on its machine, in the order and at the times of the schedule."""

from itertools import groupby, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.engines.slurm import job_arrays
from core.engines.slurm.job_arrays import ARRAY_SIZE, USUAL_ARRAY_SIZE, JobArray, job_arrays_of
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.problems import InvalidInput
from core.vocabulary.schedule import Schedule, StatedBlocks
from core.vocabulary.system import System


def rows(planned):
    return [array for chain in planned.chains() for array in chain]


def test_a_machine_has_a_chain_of_job_arrays(small):
    planned = job_arrays_of(small.blocks(), small.system)
    assert planned.system is small.system
    assert list(planned.chains()) == [
        [JobArray(0, 1, 0, 0, 3, 0.0, 12.0), JobArray(0, 1, 1, 0, 2, 12.0, 17.0)],
        [JobArray(0, 2, 0, 3, 3, 0.0, 12.0), JobArray(0, 2, 1, 2, 2, 12.0, 17.0)],
        [JobArray(0, 3, 0, 6, 1, 0.0, 4.0)],
        [JobArray(1, 1, 1, 4, 4, 0.0, 6.0), JobArray(1, 1, 2, 0, 2, 6.0, 7.0)],
    ]
    assert (len(planned), planned.split) == (7, 0)


def test_a_block_that_is_too_large_becomes_several(small):
    planned = job_arrays_of(small.blocks(), small.system, 2)
    assert next(planned.chains()) == [
        JobArray(0, 1, 0, 0, 2, 0.0, 8.0),
        JobArray(0, 1, 0, 2, 1, 8.0, 12.0),
        JobArray(0, 1, 1, 0, 2, 12.0, 17.0),
    ]
    assert (len(planned), planned.split) == (10, 3)
    assert planned.digest == job_arrays_of(small.blocks(), small.system, 3).digest


@pytest.mark.parametrize(
    ("tasks", "sizes"), [(2, [2]), (3, [3]), (4, [3, 1]), (6, [3, 3]), (7, [3, 3, 1])]
)
def test_at_below_and_above_the_largest_size(tasks, sizes):
    system = System((TaskType("T", tasks),), (MachineType("M"),), np.array([[2.0]]))
    schedule = Schedule(system, [0], [1], [[tasks]])
    planned = job_arrays_of(schedule.blocks(), system, 3)
    assert [array.tasks for array in rows(planned)] == sizes
    assert [array.end for array in rows(planned)] == (2.0 * np.cumsum(sizes)).tolist()
    assert planned.split == (len(sizes) > 1)


def test_the_limits_are_those_of_slurm():
    assert USUAL_ARRAY_SIZE == 1001
    assert job_arrays.MOST_JOB_ARRAYS == 200_000
    assert (ARRAY_SIZE.low, ARRAY_SIZE.high) == (1, 4_000_001)


@given(schedules(systems(max_count=12)), st.integers(1, 5))
def test_any_schedule_is_there_task_by_task(schedule, size):
    """Enumerated in another way: the tasks of each machine, one by one."""
    system, blocks = schedule.system, schedule.blocks()
    planned = job_arrays_of(blocks, system, size)
    told = {}
    for b in range(len(blocks)):
        for k in range(blocks.machines[b]):
            machine = (blocks.machine_type[b], blocks.first_machine[b] + k)
            told.setdefault(machine, []).extend([blocks.task_type[b]] * blocks.count[b])
    made, seen = {}, [[] for _ in system.task_types]
    for array in rows(planned):
        assert 1 <= array.tasks <= size
        one = made.setdefault((array.machine_type, array.machine), [])
        one.extend([array.task_type] * array.tasks)
        seen[array.task_type] += range(array.first_index, array.first_index + array.tasks)
    assert made == told
    assert list(made) == sorted(made)
    assert seen == [list(range(task.count)) for task in system.task_types]
    for _, chain in groupby(rows(planned), lambda one: (one.machine_type, one.machine)):
        arrays = list(chain)
        assert arrays[0].start == 0.0
        for one, after in pairwise(arrays):
            assert after.start == pytest.approx(one.end, rel=1e-9)
        for one in arrays:
            each = system.etc[one.task_type, one.machine_type]
            assert one.end - one.start == pytest.approx(
                one.tasks * each, rel=1e-6, abs=one.end / 1e9
            )


@given(schedules(systems(max_count=9)), st.randoms(), st.integers(1, 4))
def test_rows_of_a_file_in_any_order_give_the_same_plan(schedule, random, size):
    planned = job_arrays_of(schedule.blocks(), schedule.system, 10**6)
    order = list(range(len(planned)))
    random.shuffle(order)
    blocks = planned.blocks
    stated = StatedBlocks(
        *(
            getattr(blocks, name)[order]
            for name in ("machine_type", "first_machine", "task_type", "count", "start", "end")
        )
    )
    again = job_arrays_of(stated.in_order(), schedule.system, size)
    assert rows(again) == rows(job_arrays_of(schedule.blocks(), schedule.system, size))
    assert again.digest == planned.digest


def test_blocks_of_no_length_keep_their_order_by_task_type():
    """Beside 2.8e14 s, tasks of 31 ms begin and end at one number."""
    system = System(
        (TaskType("short", 1), TaskType("long", 2), TaskType("short, too", 1)),
        (MachineType("M"),),
        np.array([[2.0**-5], [2.0**47], [2.0**-5]]),
    )
    blocks = Schedule(system, [0], [1], [[1, 2, 1]]).blocks()
    columns = ("machine_type", "first_machine", "task_type", "count", "start", "end")
    stated = StatedBlocks(*(getattr(blocks, name)[[2, 0, 1]] for name in columns))
    assert rows(job_arrays_of(stated.in_order(), system)) == rows(job_arrays_of(blocks, system))


def test_waiting_between_blocks_stays():
    system = System((TaskType("T", 4),), (MachineType("M", 2),), np.array([[1.0]]))
    stated = StatedBlocks(
        *map(np.array, ([0, 0, 0], [2, 1, 2], [0, 0, 0], [1, 2, 1], [7.0, 1, 0], [8.0, 3, 1]))
    )
    assert list(job_arrays_of(stated.in_order(), system).chains()) == [
        [JobArray(0, 1, 0, 0, 2, 1.0, 3.0)],
        [JobArray(0, 2, 0, 2, 1, 0.0, 1.0), JobArray(0, 2, 0, 3, 1, 7.0, 8.0)],
    ]


def test_too_many_job_arrays_are_refused_before_they_are_made(largest):
    with pytest.raises(InvalidInput, match="becomes 1,000,000,000 job arrays of at most 1,001"):
        job_arrays_of(largest.blocks(), largest.system, 1_001)


def test_as_many_as_allowed_are_made(small, monkeypatch):
    monkeypatch.setattr(job_arrays, "MOST_JOB_ARRAYS", 7)
    assert len(job_arrays_of(small.blocks(), small.system)) == 7
    with pytest.raises(InvalidInput, match="at most 7 can be written"):
        job_arrays_of(small.blocks(), small.system, 3)
