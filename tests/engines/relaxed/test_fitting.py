"""What whole tasks prove machine by machine is true, is much, and is asked of single tasks only."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from called import kernels_called
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from irregular import irregular

from benchmarks.samples import HCSP_CLASSES
from core.capabilities.makespan.solve import solve
from core.engines.front.methods import Lp
from core.engines.front.study import study
from core.engines.relaxed import ENERGY, MAKESPAN, lower_bound
from core.engines.relaxed import fitting as module
from core.engines.relaxed.fitting import (
    Worths,
    fitted,
    fitted_within,
    has_single_tasks,
    load_kernels,
)
from core.files.samples.generate import Generation, generate
from core.vocabulary.budget import Budget, Effort
from core.vocabulary.system import System

pytestmark = pytest.mark.usefixtures("coarse_fitting")


def single_tasks(tasks, machines, seed, consistency="inconsistent"):
    """An instance like those of the benchmark, of another size."""
    return generate(
        Generation(
            etc=HCSP_CLASSES["hihi"],
            consistency=consistency,
            task_types=tasks,
            machine_types=machines,
            tasks=tasks,
            machines=machines,
            spread="equal",
            seed=seed,
        )
    )


def drawn(tasks, machines, seed):
    """Uniform times; every other seed whole ones that tie; some tasks impossible on some machines,
    or of no number.
    """
    rng = np.random.default_rng(seed)
    etc = rng.uniform(1, 9, (tasks, machines))
    if seed % 2:
        etc = np.ceil(etc)
    etc[(rng.random(etc.shape) < 0.2) & (np.arange(machines) != seed % machines)] = np.inf
    counts = np.ones(tasks, np.int64)
    counts[0] = seed % 3 > 0 or tasks == 1
    system = single_tasks(tasks, machines, 1)
    whole = System(system.task_types, system.machine_types, etc)
    return whole.with_counts(counts, system.machine_counts)


def powered(system):
    """With powers, all of which are the same."""
    return replace(system, apc=np.full(system.etc.shape, 100.0))


def fastest(system):
    """Seconds, by looking at every assignment."""
    loads = np.zeros((1, len(system.machine_types)))
    for task in np.flatnonzero(system.task_counts):
        own = np.diag(system.etc[task])[system.can_run[task]]
        loads = (loads[:, None] + np.where(np.isfinite(own), own, 0.0)).reshape(-1, loads.shape[1])
    return float(loads.max(axis=1).min())


def improved(system, rounds):
    worths = Worths(lower_bound(system, MAKESPAN))
    with ThreadPoolExecutor(1) as pool:
        for _ in range(rounds):
            worths.improve(pool)
    return worths


@given(st.integers(1, 6), st.integers(2, 3), st.integers(0, 2**31))
@examples(5)
def test_no_schedule_is_faster(tasks, machines, seed):
    system = drawn(tasks, machines, seed)
    assert improved(system, 6).soonest <= fastest(system)


@pytest.mark.parametrize("consistency", ["inconsistent", "consistent"])
def test_much_of_what_whole_tasks_cost_is_proven(consistency):
    """Of the way from the divisible bound to the fastest schedule."""
    shares = []
    for seed in (1, 2):
        system = single_tasks(8, 3, seed, consistency)
        divisible = lower_bound(system, MAKESPAN).value
        proven, optimum = improved(system, 30).soonest, fastest(system)
        assert proven <= optimum
        shares.append((max(proven, divisible) - divisible) / (optimum - divisible))
    assert np.mean(shares) > 0.5


def test_a_table_too_large_proves_nothing_wrong(monkeypatch):
    monkeypatch.setattr(module, "_MOST_CELLS", 0)
    monkeypatch.setattr(module, "_fit", module._fit.function)
    system = single_tasks(9, 3, 1)
    assert improved(system, 20).soonest <= fastest(system)


def test_only_single_tasks_are_fitted():
    system = single_tasks(24, 4, 1)
    bound = lower_bound(system, MAKESPAN)
    raised = fitted(bound, 0.01)
    assert bound.value < raised.soonest <= solve(system, method="min-min").schedule.makespan
    two = system.with_counts(system.task_counts * 2, system.machine_counts)
    pairs = system.with_counts(system.task_counts, system.machine_counts * 2)
    for other in (two, pairs):
        assert fitted(lower_bound(other, MAKESPAN), 0.01) is None


def test_stopped_after_three_steps_it_proves_what_three_steps_do():
    bound = lower_bound(single_tasks(24, 4, 1), MAKESPAN)
    asked = iter(range(4))
    stopped = fitted(bound, 1.0, should_stop=lambda: next(asked) == 3)
    whole = fitted(bound, 1.0)
    assert 0 < stopped.units < whole.units
    assert stopped == fitted(bound, stopped.units)
    assert bound.value <= stopped.soonest <= whole.soonest


def test_it_ends_by_counted_work_and_as_much_again_proves_the_same():
    bound = lower_bound(single_tasks(24, 4, 1), MAKESPAN)
    few, more = fitted(bound, 0.0005), fitted(bound, 0.002, threads=2)
    assert 0.0005 <= few.units < 0.002 <= more.units < 0.004
    assert bound.value <= few.soonest < more.soonest
    for found in (few, more):
        assert fitted(bound, found.units) == found


def test_of_a_budget_it_spends_a_share_whatever_the_clock_says(monkeypatch):
    bound = lower_bound(single_tasks(24, 4, 1), MAKESPAN)
    budget = Budget.of_work(0.004)
    found = fitted_within(budget, bound)
    assert found == fitted(bound, 0.0006)
    assert budget.used == found.units
    late = Budget(0.004, clock=iter([0.0, *[100.0] * 99]).__next__)
    assert fitted_within(late, bound) == found
    assert fitted_within(Budget(0.002, threads=2), bound) == found
    monkeypatch.setattr(module, "MOST_FITTING", 0.0006)
    assert fitted_within(Budget(600.0), bound) == found


def test_a_round_that_takes_long_is_for_those_who_have_the_time(monkeypatch):
    bound = lower_bound(single_tasks(24, 4, 1), MAKESPAN)
    a_round = 24 * 4 * 1000 / 3.5e8
    monkeypatch.setattr(module, "_LONG_ROUND", a_round * 0.9)
    assert fitted(bound, a_round * 0.95) is None
    assert fitted(bound, a_round) is not None
    found = fitted(bound, a_round * 1.05)
    assert fitted(bound, found.units) == found


def test_solve_and_front_say_what_is_proven_and_the_same_again():
    system = powered(single_tasks(12, 3, 1))
    found, again = (solve(system, effort=Effort(work=0.005)) for _ in range(2))
    assert found.bound.value == again.bound.value > lower_bound(system, MAKESPAN).value
    assert found.gap == pytest.approx(found.value / found.bound.value - 1)
    np.testing.assert_array_equal(found.schedule.tasks, again.schedule.tasks)
    along = study(system, Lp(0.5), effort=Effort(work=0.005))
    assert along.proven.soonest == pytest.approx(found.bound.value, rel=1e-12)
    with pytest.raises(ValueError, match="work is not counted for 'min-min'"):
        solve(system, method="min-min", effort=Effort(work=1.0))


def test_single_tasks_are_one_of_each_type_on_two_machine_types_at_least(monkeypatch):
    assert has_single_tasks(irregular(3, 2))
    assert not has_single_tasks(irregular(3, 1))
    assert not has_single_tasks(irregular(3, 2, 2))
    assert not has_single_tasks(irregular(3, 2, 1, 2))
    some = irregular(3, 2)
    assert not has_single_tasks(some.with_counts(np.array([1, 1, 2]), np.array([1, 1])))
    assert has_single_tasks(some.with_counts(np.array([1, 0, 1]), np.array([1, 1])))
    for most, are in ((2, False), (3, True), (4, True)):
        monkeypatch.setattr(module, "_MOST_TASKS", most)
        assert has_single_tasks(some) is are


def test_only_a_bound_on_the_makespan_is_raised():
    system = powered(single_tasks(6, 3, 1))
    assert fitted(lower_bound(system, ENERGY), 1.0) is None
    nothing = replace(lower_bound(system, MAKESPAN), placed=np.zeros(system.etc.shape))
    assert fitted(nothing, 1.0) is None


def test_what_is_loaded_is_what_fitting_calls():
    worths = Worths(lower_bound(irregular(4, 2), MAKESPAN))
    with ThreadPoolExecutor(1) as pool:
        called = kernels_called(lambda: worths.improve(pool))
    assert {name for name, _ in called} == {"_fit"}
    assert called <= kernels_called(load_kernels)


@pytest.mark.parametrize("seed", range(6))
def test_the_table_holds_the_least_cost_within_each_room(seed):
    """By looking at every set of tasks."""
    rng = np.random.default_rng(seed)
    tasks, leaving = 7, 3
    cells = rng.integers(0, 12, tasks)
    costs = rng.uniform(-0.2, 1.0, tasks)
    room, fewer, asked = int(rng.integers(-9, 12)), 15, 4
    found, changes, size = module._fit(cells, leaving, costs, room, fewer, asked)
    assert size == tasks * (cells[:leaving].sum() + max(room, 0) + 1)
    sign = np.where(np.arange(tasks) < leaving, -1, 1)
    sets = np.array(list(itertools.product((False, True), repeat=tasks)))
    takes, paid = sets @ (sign * cells), sets @ costs
    for less in range(fewer + 1):
        within = paid[takes <= room - less]
        assert found[less] == pytest.approx(within.min(initial=np.inf))
    if np.isfinite(found[asked]):
        assert costs[changes].sum() == pytest.approx(found[asked])
        assert (sign * cells)[changes].sum() <= room - asked
    else:
        assert not changes.any()


def test_a_table_is_filled_up_to_its_limit(monkeypatch):
    monkeypatch.setattr(module, "_fit", module._fit.function)
    cells, costs = np.array([2, 3]), np.array([0.5, 0.25])
    # Two tasks leave and make room for five cells; with that and two of room, eight columns.
    for most, filled in ((15, False), (16, True), (17, True)):
        monkeypatch.setattr(module, "_MOST_CELLS", most)
        found, changes, seen = module._fit(cells, 2, costs, 2, 3, 1)
        assert seen == (16 if filled else 4)
        expected = [0.0, 0.0, 0.0, 0.25] if filled else [-np.inf] * 4
        assert found.tolist() == expected
        assert not changes.any()


def test_the_best_set_of_a_room_of_nothing_or_less():
    cells, costs = np.array([4, 3]), np.array([1.0, 0.5])
    # The first leaves, then there is room for the second; it costs less than to leave alone.
    found, changes, seen = module._fit(cells, 1, np.array([1.0, -0.5]), 0, 5, 1)
    assert found.tolist() == [0.0, 0.5, 1.0, 1.0, 1.0, np.inf]
    assert changes.tolist() == [True, True]
    assert seen == 10
    found, changes, seen = module._fit(cells, 1, costs, -4, 1, 0)
    assert (found.tolist(), changes.tolist(), seen) == ([1.0, np.inf], [True, False], 10)
    found, changes, _ = module._fit(cells, 1, costs, -5, 0, 0)
    assert (found.tolist(), changes.tolist()) == ([np.inf], [False, False])
