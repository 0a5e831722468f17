"""Assigning counts is the same as giving tasks one by one to the machine that is free first."""

import heapq

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import systems

from core.engines.recover import assign, fill_machines, round_rows
from core.engines.relaxed import MAKESPAN, lower_bound
from core.engines.verify.judge import verify
from core.files.samples.named import load_sample
from core.vocabulary.system import System

Tasks = list[tuple[float, int]]


def one_by_one(machines: int, tasks: Tasks) -> list[list[int]]:
    """List scheduling as published: how many tasks of each kind every machine gets."""
    given_to = [[0] * len(tasks) for _ in range(machines)]
    free = [(0.0, machine) for machine in range(machines)]
    for kind, (seconds, count) in enumerate(tasks):
        for _ in range(count):
            ready, machine = free[0]
            heapq.heapreplace(free, (ready + seconds, machine))
            given_to[machine][kind] += 1
    return given_to


def in_groups(machines: int, tasks: Tasks) -> tuple[np.ndarray, np.ndarray]:
    seconds, counts = zip(*tasks, strict=True)
    return fill_machines(machines, np.array(seconds, float), np.array(counts, np.int64))


def check_greedy(machines: int, tasks: Tasks) -> None:
    """Nothing is lost, and no machine got a task that another could have begun earlier."""
    size, given_to = in_groups(machines, tasks)
    assert (size > 0).all()
    assert size.sum() == machines
    assert (given_to >= 0).all()
    assert (size @ given_to).tolist() == [count for _, count in tasks]
    assert len(size) <= sum(count > 0 for _, count in tasks) + 1
    load = np.zeros(len(size))
    widest = 0.0
    for kind, (seconds, _) in enumerate(tasks):
        # In place of the loads, what they are above the least: a step may be far below one's ulp.
        load += (given_to[:, kind] - given_to[:, kind].min()) * seconds
        load -= load.min()
        widest = max(widest, load.max())
        last_start = np.where(given_to[:, kind] > 0, load - seconds, 0.0)
        assert last_start.max() <= 1e-9 * seconds + 1e-13 * widest


def tasks(seconds: st.SearchStrategy[float], most: int) -> st.SearchStrategy[Tasks]:
    return st.lists(st.tuples(seconds, st.integers(0, most)), min_size=1, max_size=4)


def longest_first(tasks: Tasks) -> Tasks:
    return sorted(tasks, reverse=True)


@given(machines=st.integers(1, 9), tasks=tasks(st.integers(1, 8).map(float), 40))
def test_machine_by_machine_what_one_by_one_gives(machines: int, tasks: Tasks) -> None:
    """In any order of the tasks; ties, of which there are many, go to the lowest number."""
    size, given_to = in_groups(machines, tasks)
    assert np.repeat(given_to, size, axis=0).tolist() == one_by_one(machines, tasks)


@given(machines=st.integers(1, 9), tasks=tasks(st.floats(1e-3, 1e3), 40).map(longest_first))
def test_the_loads_that_one_by_one_gives(machines: int, tasks: Tasks) -> None:
    """Where rounding breaks the ties the machines may be others, but not their loads."""
    seconds = [each for each, _ in tasks]
    size, given_to = in_groups(machines, tasks)
    loads = np.sort(np.repeat(given_to, size, axis=0) @ seconds)
    expected = np.sort(np.array(one_by_one(machines, tasks)) @ seconds)
    np.testing.assert_allclose(loads, expected, rtol=1e-9)


@given(machines=st.integers(1, 10**6), tasks=tasks(st.floats(1e-9, 1e15), 10**12))
@example(machines=1, tasks=[(1e15, 10**12), (1e-9, 10**12)])
@example(machines=2, tasks=[(1e15, 10**12 + 1), (1e-9, 10**12), (1e-9, 10**12)])
@example(machines=2, tasks=[(1e15 / 3, 10**12 + 1), (1e13 / 3, 10**3), (1e7, 10**9), (0.1, 9)])
@example(machines=10**6, tasks=[(1.0, 10**12)] * 4)
@example(machines=114, tasks=[(5e14, 39180977), (0.97, 123562636), (0.72, 9110)])
@example(machines=17, tasks=[(7.6e10, 185540087), (2e3, 12617481939), (1.8e-6, 304166962945)])
def test_any_times_and_counts_are_given_out_greedily(machines: int, tasks: Tasks) -> None:
    check_greedy(machines, longest_first(tasks))


@pytest.mark.parametrize(
    ("tasks", "loads"),
    [([(6.0, 4), (4.0, 2)], [12, 10, 10]), ([(6.0, 2), (3.0, 4)], [9, 9, 6])],
)
def test_published_loads(tasks: Tasks, loads: list[float]) -> None:
    size, given_to = in_groups(3, tasks)
    assert (np.repeat(given_to, size, axis=0) @ [each for each, _ in tasks]).tolist() == loads


def test_groups_are_as_few_as_can_be() -> None:
    size, given_to = in_groups(10**6, [(5.0, 10**12), (3.0, 0), (2.0, 1), (1.0, 10**6 - 1)])
    assert size.tolist() == [1, 10**6 - 1]
    assert given_to.tolist() == [[10**6, 0, 1, 0], [10**6, 0, 0, 1]]


@given(system=systems())
def test_a_schedule_of_any_system(system: System) -> None:
    placed = round_rows(lower_bound(system, MAKESPAN).placed, system.task_counts)
    schedule = assign(system, placed)
    assert verify(schedule, system).ok
    assert (schedule.placed == placed).all()
    for kind, count in enumerate(system.machine_counts.tolist()):
        here = schedule.machine_type == kind
        used = placed[:, kind] > 0
        assert here.sum() <= used.sum() + 1
        if not used.any():
            continue
        # The guarantee of list scheduling.
        seconds = system.etc[used, kind]
        even = placed[used, kind] @ seconds / count
        latest = schedule.load[here].max()
        assert latest <= (even + (1 - 1 / count) * seconds.max()) * (1 + 1e-9)


def test_the_longest_go_first() -> None:
    nine = load_sample("nine")
    placed = round_rows(lower_bound(nine, MAKESPAN).placed, nine.task_counts)
    schedule = assign(nine, placed)
    for kind in range(len(nine.machine_types)):
        order = np.argsort(-nine.etc[:, kind], kind="stable")
        tasks = list(zip(nine.etc[order, kind], placed[order, kind], strict=True))
        here = schedule.machine_type == kind
        machines = np.repeat(schedule.tasks[here], schedule.machines[here], axis=0)
        assert machines[:, order].tolist() == one_by_one(4, tasks)
