"""Ranks and crowding are those of the textbook, whatever the ties."""

import numpy as np
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.engines.rivals.evolution import EvolutionProblem, Pool, evolve, rank_and_crowding
from core.engines.rivals.rival import machine_kinds
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

few_values = st.integers(0, 6).map(float)
any_values = st.floats(-1e9, 1e9)
points = st.lists(st.tuples(few_values, few_values), min_size=1, max_size=60) | st.lists(
    st.tuples(any_values, any_values), min_size=1, max_size=60
)


def textbook_rank(points: FloatArray) -> IntArray:
    """Front by front: what no other point of those left dominates is taken away."""
    rank = np.full(len(points), -1)
    for front in range(len(points)):
        left = np.flatnonzero(rank < 0)
        one, other = points[left, None], points[None, left]
        dominated = (other <= one).all(axis=2) & (other < one).any(axis=2)
        rank[left[~dominated.any(axis=1)]] = front
    return rank


def textbook_crowding(points: FloatArray, rank: IntArray) -> FloatArray:
    """Objective by objective, each rank sorted anew."""
    crowding = np.zeros(len(points))
    for members in (np.flatnonzero(rank == each) for each in np.unique(rank)):
        for values in points[members].T:
            order = members[np.argsort(values)]
            inner = np.sort(values)[2:] - np.sort(values)[:-2]
            crowding[order[[0, -1]]] = np.inf
            crowding[order[1:-1]] += np.divide(
                inner, np.ptp(values), out=np.zeros(len(inner)), where=np.ptp(values) > 0
            )
    return crowding


@given(points)
def test_ranks_are_those_of_the_textbook(points: list[tuple[float, float]]) -> None:
    table = np.array(points)
    rank, _ = rank_and_crowding(*table.T.copy())
    assert rank.tolist() == textbook_rank(table).tolist()


def test_ranks_by_hand() -> None:
    # (0, 2), (1, 1) twice and (3, 0) are the first front; (1, 2) waits for it, (2, 2) for that.
    table = np.array([[1, 2], [0, 2], [1, 1], [2, 2], [1, 1], [3, 0]], float)
    rank, _ = rank_and_crowding(*table.T.copy())
    assert rank.tolist() == textbook_rank(table).tolist() == [1, 0, 0, 2, 0, 0]


@given(points)
def test_crowding_is_that_of_the_textbook(points: list[tuple[float, float]]) -> None:
    table = np.array(sorted(set(points)))
    rank, crowding = rank_and_crowding(*table.T.copy())
    np.testing.assert_allclose(crowding, textbook_crowding(table, rank), rtol=1e-12)


def test_crowding_by_hand_where_points_are_equal() -> None:
    # The copies at (1, 1) share the room from (0, 3) to (2, 0), and the ends stay ends.
    rank, crowding = rank_and_crowding(
        np.array([1.0, 0.0, 1.0, 2.0, 1.0]), np.array([1.0, 3.0, 1.0, 0.0, 1.0])
    )
    assert rank.tolist() == [0] * 5
    inner = [1 / 2 + 2 / 3, 0.0, 1 / 2 + 1 / 3]
    np.testing.assert_allclose(crowding, [inner[0], np.inf, inner[1], np.inf, inner[2]])


def test_equal_points_at_an_end_leave_one_with_all_the_room() -> None:
    _, crowding = rank_and_crowding(np.zeros(4), np.ones(4))
    assert sorted(crowding) == [0, 0, np.inf, np.inf]


def evolved(system: System, generations: int, seed: int) -> tuple[EvolutionProblem, Pool]:
    random = np.random.default_rng(seed)
    problem = EvolutionProblem.of(system)
    pool = Pool.begun(problem, [], 8, random)
    evolve(random, problem, pool, generations)
    return problem, pool


@given(system=systems(with_apc=True, max_count=7), generations=st.integers(0, 9))
def test_loads_and_work_are_exact(system: System, generations: int) -> None:
    problem, pool = evolved(system, generations, seed=1)
    for slot in pool.population:
        place = problem.task_type, problem.machine_type[pool.genes[slot]]
        assert system.can_run[place].all()
        loads = np.zeros(system.machines, np.int64)
        np.add.at(loads, pool.genes[slot], problem.seconds[place])
        assert pool.loads[slot].tolist() == loads.tolist()
        assert pool.work[slot] == problem.joules[place].sum()


@examples(5)
@given(system=systems(with_apc=True, dyadic=True, max_count=7))
def test_energy_and_makespan_are_those_of_the_system(system: System) -> None:
    problem, pool = evolved(system, 5, seed=2)
    kinds = machine_kinds(system)
    for slot in pool.population:
        place = problem.task_type, kinds[pool.genes[slot]]
        makespan = np.bincount(pool.genes[slot], system.etc[place]).max()
        assert pool.makespan[slot] == makespan
        dynamic = system.dynamic_energy[place].sum()
        assert pool.energy[slot] == dynamic + system.total_idle_power * makespan


@given(system=systems(with_apc=True, dyadic=True, max_count=7))
def test_slots_stay_a_permutation_and_the_best_survive(system: System) -> None:
    _, pool = evolved(system, 6, seed=3)
    assert sorted(pool.slots) == list(range(16))
    out = pool.slots[8:]
    assert pool.rank[pool.population].max() <= pool.rank[out].min()


@examples(8)
@given(system=systems(with_apc=True, max_count=7))
def test_the_best_of_either_objective_is_never_lost(system: System) -> None:
    best = [np.inf, np.inf]
    for generations in range(6):
        _, pool = evolved(system, generations, seed=4)
        now = [pool.energy[pool.population].min(), pool.makespan[pool.population].min()]
        assert now[0] <= best[0]
        assert now[1] <= best[1]
        best = now


def test_a_random_machine_is_any_that_can_run_the_task() -> None:
    never = np.inf
    system = System(
        (TaskType("T1"), TaskType("T2")),
        (MachineType("M1", 2), MachineType("M2", 2), MachineType("M3", 1)),
        np.array([[1.0, never, 1.0], [never, 1.0, 1.0]]),
        np.array([[1.0, np.nan, 1.0], [np.nan, 1.0, 1.0]]),
    )
    problem = EvolutionProblem.of(system)
    pool = Pool.begun(problem, [], 100, np.random.default_rng(5))
    first, second = pool.genes[pool.population].T.tolist()
    assert set(first) == {0, 1, 4}
    assert set(second) == {2, 3, 4}


def test_powers_next_to_nothing_are_nothing() -> None:
    system = System(
        (TaskType("T"),), (MachineType("M", 1, 5e-324),), np.array([[1.0]]), np.array([[0.0]])
    )
    assert EvolutionProblem.of(system).joules.tolist() == [[0]]
