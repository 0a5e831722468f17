"""The optimum is that of the textbook program, proven, and at a vertex, whatever the units."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from examples import seeds
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.engines.lp.program import Program
from core.engines.relaxed import ENERGY, MAKESPAN, Bound, Objective, lower_bound
from core.engines.relaxed import program as module
from core.engines.relaxed.program import DivisibleProgram
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

OBJECTIVES = [MAKESPAN, ENERGY, Objective(energy=1e-4, makespan=0.5)]

objectives = pytest.mark.parametrize("objective", OBJECTIVES)


def divisible_value(bound):
    """The objective of the divisible schedule that comes with the bound."""
    joules = bound.objective.energy * bound.energy if bound.objective.energy else 0.0
    return joules + bound.objective.makespan * bound.makespan


def optimum_by_cvxpy(system, objective):
    """The linear program as a reader of the publication would write it down."""
    import cvxpy as cp  # which takes a second

    possible = np.isfinite(system.etc)
    seconds = np.where(possible, system.etc, 0.0)
    watts = np.where(possible, system.apc, 0.0)
    placed = cp.Variable(system.etc.shape, nonneg=True)
    makespan = cp.Variable()
    finish = cp.sum(cp.multiply(placed, seconds), axis=0) / system.machine_counts
    waiting = cp.multiply(system.machine_counts * system.idle_power, makespan - finish)
    energy = cp.sum(cp.multiply(placed, seconds * watts)) + cp.sum(waiting)
    constraints = [
        cp.sum(placed, axis=1) == system.task_counts,
        finish <= makespan,
        cp.multiply(placed, ~possible) == 0,
    ]
    program = cp.Problem(
        cp.Minimize(objective.energy * energy + objective.makespan * makespan), constraints
    )
    return float(program.solve(solver=cp.CLARABEL))


@objectives
@pytest.mark.parametrize("seed", seeds(2, 6))
def test_the_bound_is_the_optimum_of_the_textbook_program(objective, seed, random_system):
    system = random_system(seed)
    value = lower_bound(system, objective).value
    assert value == pytest.approx(optimum_by_cvxpy(system, objective), rel=1e-6)


@objectives
@given(seed=st.integers(0, 10**6))
def test_the_divisible_schedule_meets_the_bound(objective, seed, random_system):
    bound = lower_bound(random_system(seed), objective)
    assert bound.value <= divisible_value(bound) <= bound.value * (1 + 1e-9)


def test_where_the_dual_simplex_loses_its_way_the_primal_one_does_not():
    system = System(
        (TaskType("none", 0), TaskType("a", 1774), TaskType("b", 3)),
        (MachineType("A"), MachineType("B"), MachineType("C", 77)),
        np.array([[1.0, np.inf, np.inf], [2723697.0, 1.0, 1e-9], [3.0, np.inf, np.inf]]),
    )
    assert lower_bound(system, MAKESPAN).value == pytest.approx(9.0)


@given(system=systems())
def test_it_meets_the_bound_on_the_makespan_of_any_system(system):
    bound = lower_bound(system, MAKESPAN)
    assert bound.value <= bound.makespan <= bound.value * (1 + 1e-5)


@given(
    system=systems(with_apc=True),
    objective=st.sampled_from(OBJECTIVES),
    then=st.sampled_from([None, *OBJECTIVES]),
)
def test_every_task_is_placed_where_it_can_run_in_few_cells(system, objective, then):
    bound = lower_bound(system, objective, then)
    np.testing.assert_allclose(bound.placed.sum(axis=1), system.task_counts, rtol=1e-12)
    assert (bound.placed >= 0).all()
    assert (bound.placed[~system.can_run] == 0).all()
    assert np.count_nonzero(bound.placed) <= sum(system.etc.shape)
    assert (bound.prices >= 0).all()


@given(seed=st.integers(0, 10**6), power=st.integers(-20, 20))
def test_the_bound_scales_with_the_times(seed, power, random_system):
    system = random_system(seed)
    scaled = replace(system, etc=system.etc * 2.0**power)
    for objective in (MAKESPAN, ENERGY):
        value = lower_bound(system, objective).value
        assert lower_bound(scaled, objective).value == pytest.approx(value * 2.0**power, rel=1e-9)


@given(seed=st.integers(0, 10**6), kind=st.integers(0, 3))
def test_one_machine_more_never_raises_the_bound(seed, kind, random_system):
    system = random_system(seed)
    machines = list(system.machine_types)
    machines[kind] = replace(machines[kind], count=machines[kind].count + 1)
    larger = replace(system, machine_types=tuple(machines))
    before = lower_bound(system, MAKESPAN).value
    assert lower_bound(larger, MAKESPAN).value <= before * (1 + 1e-9)


def test_a_machine_type_without_machines_does_not_count(random_system):
    system = random_system(0)
    ghost = replace(
        system,
        machine_types=(*system.machine_types, MachineType("ghost", 0, 1e6)),
        etc=np.column_stack([system.etc, np.full(6, 1e-9)]),
        apc=np.column_stack([system.apc, np.zeros(6)]),
    )
    for objective in OBJECTIVES:
        without, with_ghost = lower_bound(system, objective), lower_bound(ghost, objective)
        assert with_ghost.value == pytest.approx(without.value, rel=1e-12)
        assert (with_ghost.placed[:, -1] == 0).all()


@pytest.mark.thorough
@objectives
@pytest.mark.parametrize("then", OBJECTIVES)
@given(seed=st.integers(0, 10**6))
def test_among_optima_one_that_is_best_for_the_next_objective(objective, then, seed, random_system):
    first = lower_bound(random_system(seed), objective)
    both = lower_bound(first.system, objective, then)
    assert both.value == first.value
    assert divisible_value(both) <= first.value * (1 + 1e-9)
    next_value = divisible_value(replace(both, objective=then))
    assert next_value <= divisible_value(replace(first, objective=then)) * (1 + 1e-9)


@pytest.mark.parametrize(
    ("idle", "thrifty", "fast"),
    [
        ((0, 0), (900, 30), (1404, 10.8)),
        ((10, 5), (1200, 30), (1404, 10.8)),
        ((20, 10), (1380, 18), (1404, 10.8)),
    ],
)
def test_both_ends_of_the_two_by_two_instance(idle, thrifty, fast, two_by_two):
    system = two_by_two(*idle)
    for first, then, end in [(ENERGY, MAKESPAN, thrifty), (MAKESPAN, ENERGY, fast)]:
        bound = lower_bound(system, first, then)
        assert (bound.energy, bound.makespan) == pytest.approx(end, rel=1e-9)
        assert bound.value == pytest.approx(end[0] if first is ENERGY else end[1], rel=1e-12)
    np.testing.assert_allclose(bound.placed, [[6, 0], [2.4, 3.6]], rtol=1e-9)


@pytest.mark.parametrize(
    ("name", "thrifty", "fast"),
    [
        ("nine", (10_252_153.8, 6812.250), (12_215_477.2, 2597.2182)),
        ("six", (10_977_582, 10_181.183), (13_248_965, 2841.146)),
        ("two", (16_707_979, 3992.321), (16_841_854, 3228.774)),
        ("ten", (486_766, 265.107), (552_504, 112.234)),
    ],
)
def test_both_ends_of_the_samples(name, thrifty, fast):
    system = load_sample(name)
    for first, then, end in [(ENERGY, MAKESPAN, thrifty), (MAKESPAN, ENERGY, fast)]:
        bound = lower_bound(system, first, then)
        # Near its fast end the front falls by more than a joule in 10^-10 of the makespan.
        assert bound.energy == pytest.approx(end[0], abs=1.5)
        assert bound.makespan == pytest.approx(end[1], abs=1e-3)


def test_the_largest_counts():
    nine = load_sample("nine")
    largest = nine.with_counts(np.full(30, 10**12), np.full(9, 10**6))
    single = nine.with_counts(np.ones(30, np.int64), np.ones(9, np.int64))
    value = lower_bound(largest, MAKESPAN).value
    assert value == pytest.approx(lower_bound(single, MAKESPAN).value * 1e6, rel=1e-9)


@pytest.mark.parametrize("magnitudes", [6, 12, 24])
@pytest.mark.parametrize("objective", [MAKESPAN, ENERGY])
def test_task_types_of_very_different_lengths(magnitudes, objective):
    rng = np.random.default_rng(magnitudes)
    lengths = 10.0 ** rng.uniform(-9, magnitudes - 9.5, (40, 1))
    system = System(
        tuple(TaskType(f"T{i}", int(n)) for i, n in enumerate(10 ** rng.uniform(0, 6, 40))),
        tuple(MachineType(f"M{j}", int(n), 30.0) for j, n in enumerate(rng.integers(1, 99, 8))),
        lengths * rng.uniform(1, 3, (40, 8)),
        rng.uniform(50, 200, (40, 8)),
    )
    bound = lower_bound(system, objective)
    assert bound.value <= divisible_value(bound) <= bound.value * (1 + 1e-8)


@given(data=st.data())
def test_pairs_of_very_different_speeds(data):
    """Times spread over nine orders of magnitude, cell by cell, cost no more than a millionth."""
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    system = System(
        tuple(TaskType(f"T{i}", int(n)) for i, n in enumerate(rng.integers(1, 1000, 12))),
        tuple(MachineType(f"M{j}", int(n)) for j, n in enumerate(rng.integers(1, 99, 5))),
        10.0 ** rng.uniform(-3, 6, (12, 5)),
    )
    bound = lower_bound(system, MAKESPAN)
    assert bound.value <= bound.makespan <= bound.value * (1 + 1e-6)


def test_a_cost_next_to_nothing_does_not_upset_the_solver():
    system = System(
        (TaskType("T"),),
        (MachineType("thrifty"), MachineType("idle", 1, 1.0), MachineType("greedy")),
        np.array([[1.0, 1e-9, 1.0]]),
        np.array([[1e-33, 1.0, 1.0]]),
    )
    bound = lower_bound(system, ENERGY, then=MAKESPAN)
    assert bound.value <= bound.energy <= bound.value * (1 + 1e-8)
    assert bound.energy == pytest.approx(1e-9, rel=1e-12)


def test_where_work_costs_nothing_waiting_has_its_price():
    """Machines draw 1 and 2 W, but only while they wait: both run half of the task, for 0 J."""
    system = System(
        (TaskType("T", 1),),
        (MachineType("A", 1, 1.0), MachineType("B", 1, 2.0)),
        np.ones((1, 2)),
        np.zeros((1, 2)),
    )
    assert lower_bound(system, ENERGY).value == pytest.approx(0, abs=1e-13)


def test_the_numbers_of_a_divisible_schedule_by_hand(two_by_two):
    """A runs 2 x 1 s + 3 x 2 s, each of two machines B half of 4 x 2 s + 3 x 3 s."""
    system = two_by_two(20.0, 10.0).with_counts(np.array([6, 6]), np.array([1, 2]))
    placed = np.array([[2.0, 4.0], [3.0, 3.0]])
    bound = Bound(system, ENERGY, 1.0, placed, np.zeros(2))
    assert bound.finish.tolist() == [8.0, 8.5]
    assert bound.makespan == 8.5
    # Above idle power, 80 W for 8 s on A and 20 W for 17 s on B; 40 W idle for 8.5 s.
    assert bound.energy == 8 * 80 + 17 * 20 + 8.5 * 40
    nobody = replace(bound, system=system.with_counts(np.array([6, 6]), np.array([1, 0])))
    assert nobody.finish.tolist() == [8.0, 0.0]


def test_units_are_what_task_types_take_in_turn(two_by_two):
    program = DivisibleProgram(two_by_two(20.0, 10.0))
    assert program.load.tolist() == [[6, 12], [12, 18]]
    # Spread over both, six tasks 1 take 1 / (1/6 + 1/12) = 4 s, and six tasks 2 take 7.2 s.
    assert program.time_scale == pytest.approx(11.2)
    # On A and B together they draw 130 W. On B alone 30 W, 20 W idling on A: 50 W for 12 s are
    # more than 130 W for 4 s, 50 W for 18 s less than 130 W for 7.2 s.
    assert program._in_turn(ENERGY) == pytest.approx(130 * 4 + 50 * 18)
    assert program._in_turn(Objective(0.5, 1.0)) == pytest.approx(66 * 4 + 26 * 18)
    assert not program.capped.any()
    several = DivisibleProgram(two_by_two().with_counts(np.array([6, 0]), np.array([3, 0])))
    assert several.load[0].tolist() == [2, np.inf]
    assert several.task.tolist() == [0] * len(several.task)


def test_the_solver_gets_the_smallest_tolerances_and_the_seconds(two_by_two, monkeypatch):
    asked = []

    class Asked(Program):
        def __init__(self, **options):
            asked.append(options)
            super().__init__(**options)

    monkeypatch.setattr(module, "Program", Asked)
    DivisibleProgram(two_by_two(), 3.0)
    DivisibleProgram(two_by_two())
    tolerances = {
        "primal_feasibility_tolerance": 1e-10,
        "dual_feasibility_tolerance": 1e-10,
        "small_matrix_value": 1e-12,
        "solver": "simplex",
    }
    assert asked == [{"time_limit": seconds} | tolerances for seconds in (3.0, np.inf)]


def test_both_optima_and_their_prices_by_hand(two_by_two):
    program = DivisibleProgram(two_by_two(20.0, 10.0))
    program.minimise(MAKESPAN)
    # At 0.6 and 0.4 a second task 1 is cheaper on A, and task 2 costs 1.2 on both.
    np.testing.assert_allclose(program.placed(), [[6, 0], [2.4, 3.6]], atol=1e-9)
    shares = program.solution.values[program.cells]
    np.testing.assert_allclose(shares, [1, 0, 0.4, 0.6], atol=1e-9)
    np.testing.assert_allclose(program.machine_prices(), [0.6, 0.4])
    program.minimise(ENERGY)
    # A waits: all 30 W of idling are worth 30 J a second of B. Task 1 then costs 80 or 40 + 60 J,
    # task 2 160 or 60 + 90 J.
    np.testing.assert_allclose(program.placed(), [[6, 0], [0, 6]], atol=1e-9)
    np.testing.assert_allclose(program.machine_prices(), [0, 30], atol=1e-9)
    assert program.price_scale == pytest.approx(1420 / 11.2)
    bound = lower_bound(two_by_two(20.0, 10.0), ENERGY)
    assert bound.value == pytest.approx(1380.0, rel=1e-12)
    assert bound.value <= 1380
    np.testing.assert_allclose(bound.prices, [0, 30], atol=1e-9)


def test_a_price_is_that_of_one_machine(two_by_two, monkeypatch):
    """A third of the worth of three machines, and nothing where there are none or it costs."""
    system = two_by_two().with_counts(np.array([6, 6]), np.array([3, 0]))
    program = DivisibleProgram(system)
    program.minimise(MAKESPAN)
    for reduced, prices in (([0.75, 0.5], [0.25, 0]), ([-1e-12, 0.5], [0, 0])):
        costs = np.array(program.solution.reduced_costs)
        costs[program.waiting] = reduced
        monkeypatch.setattr(program, "solution", SimpleNamespace(reduced_costs=costs))
        monkeypatch.setattr(program, "price_scale", 1.0)
        assert program.machine_prices().tolist() == prices


def test_shares_next_to_nothing_of_what_was_capped_are_taken_away(two_by_two, monkeypatch):
    program = DivisibleProgram(two_by_two())
    program.minimise(MAKESPAN)
    values = np.array(program.solution.values)
    monkeypatch.setattr(program, "solution", SimpleNamespace(values=values))
    values[program.cells] = [1 - 9e-7, 9e-7, 1 - 2e-6, 2e-6]
    np.testing.assert_allclose(program.placed() / 6, [[1 - 9e-7, 9e-7], [1 - 2e-6, 2e-6]])
    program.capped[:] = True
    np.testing.assert_allclose(program.placed() / 6, [[1, 0], [1 - 2e-6, 2e-6]])
    # Rows add up to the counts, and what is a little below 0 is nothing.
    program.capped[:] = False
    values[program.cells] = [0.75, 0.75, 1.0, -1e-12]
    np.testing.assert_allclose(program.placed(), [[3, 3], [6, 0]])
    assert program.placed()[1, 1] == 0
