"""Annealing moves whole tasks between machines that can run them, and knows its own loads."""

import numpy as np
import pytest
from called import kernels_called

from core.engines.recover.annealing import Annealer, AnnealingGoal, AnnealingProblem, load_kernels
from core.engines.recover.states import Archive, loads_of
from core.vocabulary.budget import Budget


def state(machines=6, types=5, seed=0):
    rng = np.random.default_rng(seed)
    machine_type = np.sort(np.append(rng.integers(0, 3, machines - 3), [0, 1, 2]))
    seconds = rng.uniform(0.01, 0.2, (types, 3))
    seconds[0, 1] = np.inf
    counts = rng.integers(0, 5, (machines, types))
    counts[machine_type == 1, 0] = 0
    return seconds, machine_type, counts


def loads(counts, seconds, machine_type):
    held = np.where(counts > 0, seconds.T[machine_type], 0.0)
    return np.asarray((counts * held).sum(axis=1))


def pairs(seconds):
    """Every possible pair of task type and machine type."""
    return np.argwhere(np.isfinite(seconds))


HALF = AnnealingGoal(0.5, 0.1)


def free(seconds, machine_type):
    """Tasks cost nothing on any machine that can run them, and may move to all of these."""
    tolls = np.where(np.isfinite(seconds), 0.0, np.inf)
    return AnnealingProblem.of(seconds, tolls, pairs(seconds), machine_type)


@pytest.mark.parametrize("temperature", [1e-1, 1e-4, 1e-12])
@pytest.mark.parametrize("seed", range(3))
def test_every_task_stays_and_none_goes_where_it_cannot_run(temperature, seed):
    seconds, machine_type, counts = state(seed=seed)
    annealer = Annealer(free(seconds, machine_type), HALF, counts, seed)
    annealer.run(1_000, temperature)
    assert (annealer.counts.sum(axis=0) == counts.sum(axis=0)).all()
    assert (annealer.counts >= 0).all()
    assert (annealer.counts != counts).any()
    assert (annealer.counts[machine_type == 1, 0] == 0).all()
    np.testing.assert_allclose(
        annealer.loads, loads(annealer.counts, seconds, machine_type), rtol=1e-12
    )


def test_the_same_seed_gives_the_same_counts():
    seconds, machine_type, counts = state()
    runs = []
    for seed in (1, 1, 2):
        annealer = Annealer(free(seconds, machine_type), HALF, counts, seed)
        annealer.run(500, 1e-3)
        runs.append(annealer.counts)
    assert (runs[0] == runs[1]).all()
    assert (runs[0] != runs[2]).any()


def test_tasks_go_only_to_the_targets():
    seconds, machine_type, counts = state(seed=2)
    forbidden = 2
    targets = pairs(seconds)
    counts[machine_type == forbidden] = 0
    allowed = targets[targets[:, 1] != forbidden]
    problem = AnnealingProblem.of(seconds, np.zeros(seconds.shape), allowed, machine_type)
    annealer = Annealer(problem, AnnealingGoal(0.0, 0.0), counts, 0)
    annealer.run(1_000, 1e-3)
    assert (annealer.counts != counts).any()
    assert (annealer.counts[machine_type == forbidden] == 0).all()


def test_idle_tolls_are_paid_for_what_is_missing_to_the_target():
    seconds, machine_type, counts = state(machines=8, seed=5)
    idle_tolls = np.array([0.3, 0.0, 2.0])
    waste = np.where(np.isfinite(seconds), seconds, np.inf)
    target, weight = 0.6, 0.1

    def energy(now):
        off = loads(now, seconds, machine_type) - target
        wasted = np.where(now > 0, waste.T[machine_type], 0.0)
        idle = idle_tolls[machine_type] * np.maximum(-off, 0.0)
        above = np.maximum(off, 0.0)
        return float((above**2).sum() + weight * ((now * wasted).sum() + idle.sum()))

    problem = AnnealingProblem.of(seconds, waste, pairs(seconds), machine_type, idle_tolls)
    annealer = Annealer(problem, AnnealingGoal(target, weight), counts, 3)
    previous = energy(annealer.counts)
    for _ in range(20):
        annealer.run(200, 1e-300)
        current = energy(annealer.counts)
        assert current <= previous + 1e-12
        previous = current
    assert previous < energy(counts)


def test_machines_that_cost_nothing_idle_are_left_to_wait():
    # Both machines are equally good for the task but for what it costs to let them wait.
    seconds = np.full((1, 2), 0.1)
    counts = np.array([[5], [5]])
    tolls, targets = np.zeros((1, 2)), np.array([[0, 0], [0, 1]])
    for dear in (0, 1):
        idle_tolls = np.eye(2)[dear]
        problem = AnnealingProblem.of(seconds, tolls, targets, np.arange(2), idle_tolls)
        annealer = Annealer(problem, AnnealingGoal(1.0, 1.0), counts, 0)
        annealer.run(1000, 1e-300)
        assert annealer.counts[dear] == 10


@pytest.mark.parametrize(
    ("took", "moves"), [(2**-10, 2000), (2**-8, 2000), (2**-6, 500), (2**-3, 100), (1.0, 100)]
)
def test_moves_are_as_many_as_the_time_of_a_step_allows(took, moves):
    seconds, machine_type, counts = state()
    annealer = Annealer(free(seconds, machine_type), HALF, counts, 0)
    times = iter([5.0, 7.0, 7.0 + took])
    budget = Budget(clock=lambda: next(times))
    assert annealer.moves == 1000
    annealer.run_for(2**-7, budget, 1e-3)
    assert annealer.moves == moves
    assert (annealer.counts != counts).any()


def archived(machines=6, seed=1):
    """Annealed with an archive, and the task costs of the archive (0 where impossible)."""
    seconds, machine_type, counts = state(machines, seed=seed)
    rng = np.random.default_rng(seed)
    costs = np.where(np.isfinite(seconds), rng.uniform(-1, 3, seconds.shape), 0.0)
    limits = np.append(np.linspace(0.2, 2.0, 12), np.inf)
    archive = Archive.empty(limits, costs, 0.7, machines)
    annealer = Annealer(free(seconds, machine_type), HALF, counts, seed, archive)
    for temperature in (1e-1, 1e-3):
        annealer.run(1_000, temperature)
    return annealer, archive, costs


@pytest.mark.parametrize("seed", range(3))
def test_what_is_archived_is_what_it_says(seed):
    annealer, archive, costs = archived(seed=seed)
    filled = archive.filled
    assert len(filled) > 2
    for slot in filled:
        counts = archive.counts[slot]
        assert (counts.sum(axis=0) == annealer.counts.sum(axis=0)).all()
        assert (counts >= 0).all()
        makespan = loads(counts, annealer.problem.seconds, annealer.problem.machine_type).max()
        assert archive.makespans[slot] == pytest.approx(makespan, rel=1e-9)
        assert archive.limits[slot] >= makespan * (1 - 1e-9)
        assert slot == 0 or archive.limits[slot - 1] < makespan * (1 + 1e-9)
        paid = (counts * costs.T[annealer.problem.machine_type]).sum() + 0.7 * makespan
        assert archive.costs[slot] == pytest.approx(paid, rel=1e-9, abs=1e-9)


def test_work_grows_with_moves_and_with_what_is_archived():
    annealer, archive, _ = archived()
    few, many = (annealer.run(moves, 1e-3) for moves in (100, 1000))
    assert 0 < 8 * few < many < 12 * few
    seconds, machine_type, counts = state(6, seed=1)
    problem = free(seconds, machine_type)
    works = [Annealer(problem, HALF, counts, 1, each).run(500, 1e-1) for each in (None, archive)]
    assert works[0] < works[1]


def test_what_an_archive_knows_to_be_cheaper_is_not_replaced():
    annealer, archive, _ = archived()
    archive.costs[:] = -1e9
    before = archive.counts.copy()
    annealer.run(500, 1e-1)
    assert (archive.counts == before).all()


def test_an_archive_does_not_change_the_walk():
    annealer, _, _ = archived()
    seconds, machine_type, counts = state(6, seed=1)
    alone = Annealer(free(seconds, machine_type), HALF, counts, 1)
    for temperature in (1e-1, 1e-3):
        alone.run(1_000, temperature)
    assert (alone.counts == annealer.counts).all()


def annealed(moves, temperature, target, weight):
    """Of five machines of three types: numbers are multiples of 1/32, so that no sum is rounded.

    Gives the counts, the archive's costs and makespans, and the steps taken.
    """
    seconds = np.array([[4, 8, 2], [3, np.inf, 5], [6, 2, 7], [1, 3, 2]]) / 16
    possible = np.isfinite(seconds)
    counts = np.array([[3, 2, 0, 4], [1, 0, 2, 1], [2, 0, 1, 0], [0, 3, 1, 2], [5, 1, 0, 0]])
    tolls = np.array([[1, 2, 8], [4, 0, 2], [3, 1, 0], [0, 6, 1]]) / 32
    costs = np.array([[4, 1, 2], [1, 0, 3], [2, 5, 1], [3, 2, 1]]) / 4
    limits = np.append(np.arange(10, 30, 4) / 16, np.inf)
    archive = Archive.empty(limits, np.where(possible, costs, 0.0), 0.5, 5)
    problem = AnnealingProblem.of(
        seconds,
        np.where(possible, tolls, np.inf),
        np.argwhere(possible),
        np.array([0, 0, 1, 2, 2]),
        np.array([0.25, 0.0, 1.0]),
    )
    annealer = Annealer(problem, AnnealingGoal(target, weight), counts, 7, archive)
    work = annealer.run(moves, temperature)
    filled = archive.filled
    archived = [archive.costs[filled].tolist(), archive.makespans[filled].tolist()]
    return annealer.counts.tolist(), archived, work * 2.5e8


# Whoever changes the walk on purpose finds other numbers, and writes them down here.
WALKS = [
    (
        (200, 0.125, 0.75, 0.5),
        [[4, 1, 0, 0], [3, 1, 0, 5], [1, 0, 4, 0], [3, 1, 0, 2], [0, 3, 0, 0]],
        [[17.5, 18.59375, 19.0, 25.625], [1.0, 1.1875, 1.5, 1.75]],
        3029.0,
    ),
    (
        (400, 0.015625, 1.0, 0.125),
        [[3, 0, 0, 6], [3, 1, 0, 1], [1, 0, 4, 0], [1, 3, 0, 0], [3, 2, 0, 0]],
        [[19.53125, 17.875], [1.0625, 1.25]],
        5305.0,
    ),
    (
        (300, 1e-300, 1.0, 0.125),
        [[2, 2, 0, 3], [2, 2, 0, 4], [2, 0, 2, 0], [1, 0, 2, 0], [4, 2, 0, 0]],
        [[16.875], [1.25]],
        3821.0000000000005,
    ),
    (
        (150, 0.0625, 1.25, 0.0),
        [[3, 2, 0, 0], [0, 2, 0, 7], [2, 0, 2, 0], [3, 0, 2, 0], [3, 2, 0, 0]],
        [[18.0625, 16.4375, 17.46875, 21.34375], [1.125, 1.375, 1.4375, 1.6875]],
        2563.0,
    ),
    (
        (200, 0.5, 0.5, 0.25),
        [[5, 0, 0, 0], [1, 4, 0, 2], [1, 0, 4, 0], [2, 1, 0, 3], [2, 1, 0, 2]],
        [[16.4375, 14.5625, 13.84375, 14.96875, 17.84375], [0.875, 1.125, 1.1875, 1.4375, 1.6875]],
        3302.0,
    ),
]


@pytest.mark.parametrize(("asked", "counts", "archived", "steps"), WALKS)
def test_a_seed_gives_the_same_walk_on_every_computer(asked, counts, archived, steps):
    assert annealed(*asked) == (counts, archived, pytest.approx(steps, rel=1e-12))


def test_what_is_loaded_is_what_annealing_calls():
    called = kernels_called(lambda: annealed(1, 1, 1, 1))
    assert {name for name, _ in called} == {"loads_of", "_index", "_anneal"}
    assert called <= kernels_called(load_kernels)


def test_without_an_archive_nothing_is_kept_and_each_move_is_ten_steps_at_least():
    one = np.ones((1, 1))
    pair, machine_type = np.zeros((1, 2), np.int64), np.zeros(1, np.int64)
    problem = AnnealingProblem.of(one, one, pair, machine_type)
    alone = Annealer(problem, AnnealingGoal(1.0, 1.0), one, 0)
    # The only machine cannot hand anything to itself.
    assert alone.run(100, 1.0) == 1000 / 2.5e8
    assert alone.counts.tolist() == [[1]]
    assert len(alone.archive.limits) == 0


def test_rounding_does_not_add_up_from_run_to_run():
    seconds, machine_type, counts = state(8, 6, 3)
    annealer = Annealer(free(seconds, machine_type), HALF, counts, 0)
    annealer.run(300, 1e-1)
    assert (annealer.counts != counts).any()
    assert annealer.loads.tolist() == loads_of(annealer.counts, seconds, machine_type).tolist()


def test_a_machine_type_without_machines_is_there_with_none():
    problem = free(np.ones((1, 3)), np.array([0, 0, 1]))
    assert problem.machines.tolist() == [2, 1, 0]
    assert problem.first.tolist() == [0, 2, 3]


def test_a_task_type_of_which_there_are_none_goes_nowhere():
    seconds = np.array([[0.5], [0.25]])
    problem = free(seconds, np.zeros(3, np.int64))
    annealer = Annealer(problem, AnnealingGoal(1.0, 1.0), np.array([[3, 0]] * 3), 0)
    annealer.run(60, 1.0)
    assert annealer.counts[:, 1].tolist() == [0, 0, 0]
    assert annealer.counts[:, 0].sum() == 9
    assert annealer.state.kinds_present.max() == 1
