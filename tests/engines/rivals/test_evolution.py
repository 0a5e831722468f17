"""Whatever parents hand down, what a chromosome weighs is the sum over its genes."""

import numpy as np
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.engines.rivals.evolution import EvolutionProblem, Pool, evolve
from core.engines.rivals.rival import machine_kinds
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


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
