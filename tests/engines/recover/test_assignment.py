"""Rounding keeps every task type's count and is as near to the fractions as it can be."""

import heapq
import itertools

import numpy as np
import pytest
from called import kernels_called
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import systems

from core.engines.recover import assign, fill_machines, round_rows
from core.engines.recover.assignment import _best_exchange, even_out, load_kernels
from core.engines.relaxed import MAKESPAN, lower_bound
from core.engines.verify.judge import verify
from core.files.samples.named import load_sample


@st.composite
def divided(draw, most_tasks=5):
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
def test_published_rows_and_awkward_ones(placed, count, rounded):
    assert round_rows(np.array([placed]), np.array([count])).tolist() == [rounded]


@given(row=divided())
def test_no_whole_numbers_of_that_sum_are_nearer(row):
    placed, count = row
    rounded = round_rows(placed[None, :], np.array([count]))[0]
    assert rounded.sum() == count
    assert (np.abs(rounded - placed) < 1).all()
    others = itertools.product(range(count + 1), repeat=len(placed))
    nearest = min(np.abs(np.array(o) - placed).sum() for o in others if sum(o) == count)
    assert np.abs(rounded - placed).sum() == pytest.approx(nearest, abs=1e-6)


@given(rows=st.lists(divided(), min_size=1, max_size=5))
def test_rows_do_not_touch_each_other(rows):
    width = max(len(placed) for placed, _ in rows)
    table = np.array([np.pad(placed, (0, width - len(placed))) for placed, _ in rows])
    counts = np.array([count for _, count in rows])
    one_by_one = [round_rows(table[[i]], counts[[i]])[0].tolist() for i in range(len(rows))]
    assert round_rows(table, counts).tolist() == one_by_one


@example(row=(np.array([0, 5e11, 5e11]), 10**12), noise=1e-11)
@example(row=(np.array([0, 5e11, 5e11]), 10**12), noise=-1e-11)
@given(row=divided(most_tasks=10**12), noise=st.floats(-1e-11, 1e-11))
def test_counts_beyond_the_digits_of_a_fraction_are_kept(row, noise):
    placed, count = row
    placed = placed * (1 + noise)
    rounded = round_rows(placed[None, :], np.array([count]))[0]
    assert rounded.sum() == count
    assert (rounded >= 0).all()
    assert (rounded[placed == 0] == 0).all()
    assert (np.abs(rounded - placed) <= 1 + 1e-10 * count).all()


def one_by_one(machines, tasks):
    """List scheduling as published: how many tasks of each kind every machine gets."""
    given_to = [[0] * len(tasks) for _ in range(machines)]
    free = [(0.0, machine) for machine in range(machines)]
    for kind, (seconds, count) in enumerate(tasks):
        for _ in range(count):
            ready, machine = free[0]
            heapq.heapreplace(free, (ready + seconds, machine))
            given_to[machine][kind] += 1
    return given_to


def in_groups(machines, tasks):
    seconds, counts = zip(*tasks, strict=True)
    return fill_machines(machines, np.array(seconds, float), np.array(counts, np.int64))


def check_greedy(machines, tasks):
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


def tasks(seconds, most):
    return st.lists(st.tuples(seconds, st.integers(0, most)), min_size=1, max_size=4)


def longest_first(tasks):
    return sorted(tasks, reverse=True)


@given(machines=st.integers(1, 9), tasks=tasks(st.integers(1, 8).map(float), 40))
def test_machine_by_machine_what_one_by_one_gives(machines, tasks):
    """In any order of the tasks; ties, of which there are many, go to the lowest number."""
    size, given_to = in_groups(machines, tasks)
    assert np.repeat(given_to, size, axis=0).tolist() == one_by_one(machines, tasks)


@given(machines=st.integers(1, 9), tasks=tasks(st.floats(1e-3, 1e3), 40).map(longest_first))
def test_the_loads_that_one_by_one_gives(machines, tasks):
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
def test_any_times_and_counts_are_given_out_greedily(machines, tasks):
    check_greedy(machines, longest_first(tasks))


@pytest.mark.parametrize(
    ("tasks", "loads"), [([(6.0, 4), (4.0, 2)], [12, 10, 10]), ([(6.0, 2), (3.0, 4)], [9, 9, 6])]
)
def test_published_loads(tasks, loads):
    size, given_to = in_groups(3, tasks)
    assert (np.repeat(given_to, size, axis=0) @ [each for each, _ in tasks]).tolist() == loads


def test_groups_are_as_few_as_can_be():
    size, given_to = in_groups(10**6, [(5.0, 10**12), (3.0, 0), (2.0, 1), (1.0, 10**6 - 1)])
    assert size.tolist() == [1, 10**6 - 1]
    assert given_to.tolist() == [[10**6, 0, 1, 0], [10**6, 0, 0, 1]]


@given(system=systems())
def test_a_schedule_of_any_system(system):
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


def test_the_longest_go_first():
    nine = load_sample("nine")
    placed = round_rows(lower_bound(nine, MAKESPAN).placed, nine.task_counts)
    schedule = assign(nine, placed)
    for kind in range(len(nine.machine_types)):
        order = np.argsort(-nine.etc[:, kind], kind="stable")
        tasks = list(zip(nine.etc[order, kind], placed[order, kind], strict=True))
        here = schedule.machine_type == kind
        machines = np.repeat(schedule.tasks[here], schedule.machines[here], axis=0)
        assert machines[:, order].tolist() == one_by_one(4, tasks)


def loads(counts, seconds, machine_type):
    return np.asarray((counts * seconds.T[machine_type]).sum(axis=1))


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 6))
@examples(12)
def test_tasks_stay_on_their_type_and_no_type_ends_later(seed, most, tasks):
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


def test_nothing_that_two_exchanged_tasks_could_mend_is_left():
    machine_type = np.zeros(2, np.int64)
    # 9 + 1 and 4 + 3 + 2 are 10 and 9; no exchange brings 9.5, and from 12 and 7 two are needed.
    seconds = np.array([[9.0], [1.0], [4.0], [3.0], [2.0]])
    counts = np.array([[1, 0, 0, 1, 0], [0, 1, 1, 0, 1]])
    even_out(counts, seconds, machine_type)
    assert loads(counts, seconds, machine_type).max() == 10.0


def test_one_task_goes_for_two_where_nothing_less_helps():
    # 5 + 7 and 2 + 2 + 3 + 3 are 12 and 10; only 5 for 2 + 2, or 7 for 3 + 3, makes 11 of both.
    seconds = np.array([[5.0], [7.0], [2.0], [3.0]])
    counts = np.array([[1, 1, 0, 0], [0, 0, 2, 2]])
    machine_type = np.zeros(2, np.int64)
    even_out(counts, seconds, machine_type)
    assert loads(counts, seconds, machine_type).tolist() == [11.0, 11.0]


def test_equal_machines_with_small_tasks_end_all_but_together():
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


def evened(seed):
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
def test_the_same_tasks_are_always_shared_alike(seed, counts, steps):
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
def test_the_exchange_that_lowers_the_later_end_most(a, b, seconds, exchange):
    counts, times = np.array([a, b]), np.array(seconds)
    *found, steps = _best_exchange(counts, times, counts @ times, 0)
    assert tuple(found) == exchange
    assert steps >= 2


def test_what_is_loaded_is_what_evening_out_calls():
    called = kernels_called(lambda: evened(0))
    assert {name for name, _ in called} == {"_even_out"}
    assert called <= kernels_called(load_kernels)
