"""Descent keeps all tasks and every limit, lowers costs, and ends where no exchange pays."""

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest
from called import kernels_called
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st

from core.engines.recover.descent import Machines, descend, load_kernels
from core.engines.recover.states import Archive

TIME_COST = 0.01
SEEDS = st.integers(0, 2**32 - 1)


def machines_of(rng):
    machine_type = np.repeat(np.arange(3), rng.integers(1, 4, 3))
    seconds = rng.uniform(0.02, 0.3, (4, 3))
    seconds[0, 1] = np.inf
    return Machines(seconds, rng.uniform(0.0, 0.2, (4, 3)), TIME_COST, machine_type)


def loads(machines, counts):
    seconds = np.where(np.isfinite(machines.seconds), machines.seconds, 0.0)
    return np.asarray((counts * seconds.T[machines.machine_type]).sum(axis=1))


def cost(machines, counts):
    paid = (counts * machines.costs.T[machines.machine_type]).sum()
    return float(paid + machines.time_cost * loads(machines, counts).max())


def begun(seed, time_cost=TIME_COST):
    """One random schedule in the archive, with slots up to twice its makespan."""
    rng = np.random.default_rng(seed)
    machines = machines_of(rng)._replace(time_cost=time_cost)
    counts = rng.integers(0, 4, (len(machines.machine_type), 4))
    counts[machines.machine_type == 1, 0] = 0
    counts[0, :] += 1
    makespan = float(loads(machines, counts).max())
    limits = makespan * np.append(np.linspace(0.5, 2.0, 9), np.inf)
    archive = Archive.empty(limits, machines.costs, time_cost, len(counts))
    archive.offer(cost(machines, counts), makespan, counts)
    return machines, archive, counts


@given(SEEDS)
@examples(12)
def test_what_is_archived_is_what_it_says_and_keeps_all_tasks(seed):
    machines, archive, counts = begun(seed)
    least_before = archive.costs.min()
    descend(archive, machines, 0, len(archive.limits))
    assert archive.costs.min() <= least_before
    for slot in archive.filled:
        held = archive.counts[slot]
        assert (held >= 0).all()
        assert (held.sum(axis=0) == counts.sum(axis=0)).all()
        assert (held[machines.machine_type == 1, 0] == 0).all()
        assert np.isclose(loads(machines, held).max(), archive.makespans[slot], rtol=1e-12)
        assert np.isclose(cost(machines, held), archive.costs[slot], rtol=1e-12)
        assert archive.makespans[slot] <= archive.limits[slot]


def exchanges(machines, counts):
    """Everything that moving a task, or two for one, between two machine types can lead to."""
    found = []
    numbers, tasks = counts.shape
    for a, b in itertools.permutations(range(numbers), 2):
        if machines.machine_type[a] == machines.machine_type[b]:
            continue
        for i, k in itertools.product(range(tasks), repeat=2):
            for going, coming in ((1, 0), (1, 1), (2, 1)):
                after = counts.copy()
                after[[a, b], i] += np.array([-going, going])
                after[[a, b], k] += np.array([coming, -coming])
                impossible = np.isinf(machines.seconds.T[machines.machine_type]) & (after > 0)
                if (after >= 0).all() and not impossible.any():
                    found.append(after)
    return found


@given(SEEDS)
@example(12501693)
@examples(3)
def test_at_the_end_no_exchange_within_the_limit_pays(seed):
    """Exchanges are compared by the costs of tasks alone. So time costs nothing here: else the best
    schedule archived may be one from which an exchange saves less than its longer makespan costs.
    """
    machines, archive, _ = begun(seed, time_cost=0.0)
    descend(archive, machines, 0, len(archive.limits))
    last = len(archive.limits) - 2
    best = archive.costs[: last + 1].argmin()
    counts = archive.counts[best]
    limit = archive.limits[last]
    paid = (counts * machines.costs.T[machines.machine_type]).sum()
    for after in exchanges(machines, counts):
        if loads(machines, after).max() <= limit * (1 - 1e-9):
            now = (after * machines.costs.T[machines.machine_type]).sum()
            assert now >= paid - 1e-9


def test_what_rounding_puts_beyond_the_last_limit_is_kept_nowhere():
    # One machine, so that nothing can be exchanged; it is archived as if it ended a little sooner.
    machines = Machines(np.ones((1, 1)), np.ones((1, 1)), TIME_COST, np.zeros(1, np.int64))
    limits = np.array([3 - 1e-12])
    # Behind the only slot is what belongs to nobody.
    costs, makespans = np.array([9.0, np.inf]), np.array([3 - 1e-12, np.inf])
    counts = np.array([[[3]], [[0]]])
    archive = Archive(limits, machines.costs, TIME_COST, costs[:1], makespans[:1], counts[:1])
    descend(archive, machines, 0, 1)
    assert costs.tolist() == [9.0, np.inf]
    assert makespans.tolist() == [3 - 1e-12, np.inf]
    assert counts.ravel().tolist() == [3, 0]


def test_two_tasks_for_one_where_nothing_less_fits():
    # Two tasks of 1 s against one of 2 s, in 2 s: by itself none of them can move.
    seconds = np.array([[1.0, 1.0], [2.0, 2.0]])
    costs = np.array([[1.0, 0.4], [1.0, 0.0]])
    machines = Machines(seconds, costs, TIME_COST, np.arange(2))
    counts = np.array([[2, 0], [0, 1]])
    archive = Archive.empty(np.array([2.0, np.inf]), costs, TIME_COST, 2)
    archive.offer(cost(machines, counts), 2.0, counts)
    work = descend(archive, machines, 0, 1)
    assert archive.counts[0].tolist() == [[0, 1], [2, 0]]
    assert 0 < descend(archive, machines, 0, 1) < work


FULL_MACHINES = """
import numpy as np
from core.engines.recover.states import Archive
from core.engines.recover.descent import Machines, descend, load_kernels

seconds, costs = np.array([[1.0, 1.0], [1.0, 1.0]]), np.zeros((2, 2))
machines = Machines(seconds, costs, 0.0, np.array([0, 1, 1, 1]))
limits = np.array([2 - 1e-15, np.inf])
archive = Archive.empty(limits, costs, 0.0, 4)
archive.costs[0], archive.makespans[0], archive.counts[0] = 1.0, 2.0, 1
descend(archive, machines, 0, 1)
print(archive.counts[0].tolist())
"""


@pytest.mark.thorough
def test_machines_that_rounding_puts_beyond_a_limit_have_each_type_listed_once():
    # As plain Python, where an index beyond an end is an error: compiled it wrote there.
    plain = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", FULL_MACHINES], capture_output=True, text=True, env=plain
    )
    assert ran.stdout.strip() == str([[1, 1]] * 4), ran.stderr


def test_a_full_machine_gives_tasks_away_though_rounding_puts_it_beyond_the_limit():
    machines = Machines(np.ones((1, 2)), np.array([[1.0, 0.5]]), TIME_COST, np.arange(2))
    archive = Archive.empty(np.array([2 - 1e-15, np.inf]), machines.costs, TIME_COST, 2)
    archive.costs[0], archive.makespans[0], archive.counts[0] = 2.0, 2.0, [[2], [0]]
    descend(archive, machines, 0, 1)
    assert archive.counts[0].tolist() == [[1], [1]]


def test_what_rounding_alone_might_save_is_not_exchanged():
    costs = np.array([[1e6, 1e6 - 1e-9]])
    machines = Machines(np.ones((1, 2)), costs, TIME_COST, np.arange(2))
    archive = Archive.empty(np.array([3.0, np.inf]), costs, TIME_COST, 2)
    archive.offer(1e6 + TIME_COST, 1.0, np.array([[1], [0]]))
    descend(archive, machines, 0, 1)
    assert archive.counts[0].tolist() == [[1], [0]]


def test_nothing_comes_back_to_where_it_cannot_run_however_much_room_there_is():
    # The second type would be cheapest on the first machine, which cannot run it.
    seconds = np.array([[1.0, 1.0], [np.inf, 1.0]])
    costs = np.array([[1.0, 0.5], [0.0, 9.0]])
    machines = Machines(seconds, costs, TIME_COST, np.arange(2))
    archive = Archive.empty(np.array([np.inf]), costs, TIME_COST, 2)
    archive.offer(10.0, 1.0, np.array([[1, 0], [0, 1]]))
    descend(archive, machines, 0, 1)
    assert archive.counts[0].tolist() == [[0, 0], [1, 1]]


def test_an_empty_archive_stays_empty_and_slots_outside_are_left_alone():
    machines, archive, _ = begun(1)
    filled = archive.filled.tolist()
    before = archive.costs.copy()
    descend(archive, machines, 0, filled[0])
    assert (archive.costs == before).all()


def descended(seed):
    """Costs, makespans, what the last slot runs, and the steps, of five machines of three types;
    numbers are multiples of 1/32, so that no sum is rounded.
    """
    spread = np.sqrt(np.arange(2.0, 46.0) + seed) % 1
    seconds = (1 + np.floor(spread[:12] * 15)).reshape(4, 3) / 16
    seconds[0, 1] = np.inf
    costs = np.floor(spread[12:24] * 32).reshape(4, 3) / 32
    machines = Machines(seconds, costs, 0.25, np.array([0, 0, 1, 2, 2]))
    counts = np.floor(spread[24:44] * 4).astype(np.int64).reshape(5, 4)
    counts[2, 0] = 0
    makespan = float(loads(machines, counts).max())
    limits = makespan * np.append(np.linspace(0.5, 2.0, 7), np.inf)
    archive = Archive.empty(limits, costs, 0.25, 5)
    paid = float((counts * costs.T[machines.machine_type]).sum())
    archive.offer(paid + 0.25 * makespan, makespan, counts)
    work = descend(archive, machines, 0, 7)
    filled = archive.filled
    return (
        archive.costs[filled].tolist(),
        archive.makespans[filled].tolist(),
        archive.counts[filled[-1]].tolist(),
        work * 2.5e8,
    )


# Whoever changes the order of the search on purpose finds others, and writes them down here.
@pytest.mark.parametrize(
    ("seed", "costs", "makespans", "last", "steps"),
    [
        (
            0,
            [4.296875, 4.390625],
            [2.9375, 3.6875],
            [[0, 5, 3, 0], [0, 2, 3, 0], [0, 0, 0, 0], [1, 0, 0, 3], [1, 0, 0, 3]],
            785.0,
        ),
        (
            1,
            [6.3125],
            [5.0],
            [[0, 1, 4, 0], [0, 5, 2, 0], [0, 0, 0, 8], [0, 0, 0, 0], [4, 0, 0, 0]],
            882.0,
        ),
        (
            2,
            [9.171875, 9.078125, 9.109375],
            [4.9375, 5.6875, 6.1875],
            [[4, 2, 5, 6], [2, 4, 3, 4], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
            1363.0,
        ),
        (
            5,
            [12.78125, 12.40625, 12.375, 12.390625],
            [3.5, 4.125, 4.75, 5.9375],
            [[4, 6, 3, 7], [6, 2, 2, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
            2278.0,
        ),
    ],
)
def test_the_same_schedule_always_descends_alike(seed, costs, makespans, last, steps):
    assert descended(seed) == (costs, makespans, last, pytest.approx(steps, rel=1e-12))


def test_what_is_loaded_is_what_descent_calls():
    called = kernels_called(lambda: descended(0))
    assert {name for name, _ in called} == {"_descend"}
    assert called <= kernels_called(load_kernels)


def test_rounding_is_judged_by_the_dearest_task_of_all():
    costs = np.array([[1.0, 1.0 - 1e-7], [1e6, 1e6]])
    machines = Machines(np.ones((2, 2)), costs, TIME_COST, np.arange(2))
    for dearest, moved in ((1e6, False), (1e4, True)):
        costs[1] = dearest
        archive = Archive.empty(np.array([3.0, np.inf]), costs, TIME_COST, 2)
        archive.offer(1 + TIME_COST, 1.0, np.array([[1, 0], [0, 0]]))
        descend(archive, machines, 0, 1)
        assert (archive.counts[0].tolist() == [[0, 0], [1, 0]]) is moved
