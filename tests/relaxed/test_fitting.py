"""What whole tasks prove machine by machine is true, is much, and is asked of single tasks only."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.front.methods import Lp
from core.front.study import study
from core.makespan.solve import solve
from core.model.arrays import FloatArray
from core.model.budget import Budget, Effort
from core.model.system import System
from core.relaxed import MAKESPAN, lower_bound
from core.relaxed import fitting as module
from core.relaxed.fitting import Worths, fitted, fitted_within
from core.samples.generate import HCSP_CLASSES, Consistency, Generation, generate


def single_tasks(
    tasks: int, machines: int, seed: int, consistency: Consistency = "inconsistent"
) -> System:
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


def drawn(tasks: int, machines: int, seed: int) -> System:
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


def powered(system: System) -> System:
    """With powers, all of which are the same."""
    return replace(system, apc=np.full(system.etc.shape, 100.0))


def fastest(system: System) -> float:
    """Seconds, by looking at every assignment."""
    loads: FloatArray = np.zeros((1, len(system.machine_types)))
    for task in np.flatnonzero(system.task_counts):
        own = np.diag(system.etc[task])[system.can_run[task]]
        loads = (loads[:, None] + np.where(np.isfinite(own), own, 0.0)).reshape(-1, loads.shape[1])
    return float(loads.max(axis=1).min())


def improved(system: System, rounds: int) -> Worths:
    worths = Worths(lower_bound(system, MAKESPAN))
    with ThreadPoolExecutor(1) as pool:
        for _ in range(rounds):
            worths.improve(pool)
    return worths


@given(st.integers(1, 7), st.integers(2, 4), st.integers(0, 2**31))
def test_no_schedule_is_faster(tasks: int, machines: int, seed: int) -> None:
    system = drawn(tasks, machines, seed)
    assert improved(system, 12).soonest <= fastest(system)


@pytest.mark.parametrize("consistency", ["inconsistent", "consistent"])
def test_much_of_what_whole_tasks_cost_is_proven(consistency: Consistency) -> None:
    """Of the way from the divisible bound to the fastest schedule."""
    shares = []
    for seed in range(1, 5):
        system = single_tasks(9, 3, seed, consistency)
        divisible = lower_bound(system, MAKESPAN).value
        proven, optimum = improved(system, 60).soonest, fastest(system)
        assert proven <= optimum
        shares.append((max(proven, divisible) - divisible) / (optimum - divisible))
    assert np.mean(shares) > 0.5


def test_worths_that_are_improved_prove_more() -> None:
    """An instance of the benchmark, a quarter of its size."""
    system = single_tasks(128, 8, 1)
    first, last = improved(system, 1), improved(system, 40)
    assert first.proven > 0
    assert last.proven > 3 * first.proven
    assert last.soonest < solve(system, effort=Effort(0.3)).schedule.makespan


@pytest.mark.parametrize("seed", range(6))
def test_the_table_holds_the_least_cost_within_each_room(seed: int) -> None:
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


def test_a_table_too_large_proves_nothing_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_CELLS", 0)
    monkeypatch.setattr(module, "_fit", module._fit.function)
    system = single_tasks(9, 3, 1)
    assert improved(system, 20).soonest <= fastest(system)


def test_only_single_tasks_are_fitted() -> None:
    system = single_tasks(24, 4, 1)
    bound = lower_bound(system, MAKESPAN)
    raised = fitted(bound, 1.0)
    assert raised is not None
    assert bound.value < raised.soonest <= solve(system, effort=Effort(0.2)).schedule.makespan
    two = system.with_counts(system.task_counts * 2, system.machine_counts)
    pairs = system.with_counts(system.task_counts, system.machine_counts * 2)
    for other in (two, pairs):
        assert fitted(lower_bound(other, MAKESPAN), 1.0) is None


def test_it_ends_when_asked_to() -> None:
    bound = lower_bound(single_tasks(24, 4, 1), MAKESPAN)
    stopped = fitted(bound, 1.0, should_stop=lambda: True)
    assert stopped is not None
    assert (stopped.soonest, stopped.units) == (bound.value, 0.0)


def test_stopped_after_three_steps_it_proves_what_three_steps_do() -> None:
    bound = lower_bound(single_tasks(24, 4, 1), MAKESPAN)
    asked = iter(range(4))
    stopped = fitted(bound, 1.0, should_stop=lambda: next(asked) == 3)
    whole = fitted(bound, 1.0)
    assert stopped is not None
    assert whole is not None
    assert 0 < stopped.units < whole.units
    assert stopped == fitted(bound, stopped.units)
    assert bound.value <= stopped.soonest <= whole.soonest


def test_it_ends_by_counted_work_and_as_much_again_proves_the_same() -> None:
    bound = lower_bound(single_tasks(64, 4, 1), MAKESPAN)
    few, more = fitted(bound, 0.02), fitted(bound, 0.1, threads=2)
    assert few is not None
    assert more is not None
    assert 0.02 <= few.units < 0.1 <= more.units < 0.2
    assert bound.value < few.soonest < more.soonest
    for found in (few, more):
        assert fitted(bound, found.units) == found


def test_of_a_budget_it_spends_a_share_whatever_the_clock_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bound = lower_bound(single_tasks(64, 4, 1), MAKESPAN)
    budget = Budget.of_work(0.2)
    found = fitted_within(budget, bound)
    assert found == fitted(bound, 0.03)
    assert found is not None
    assert budget.used == found.units
    late = Budget(0.2, clock=iter([0.0, *[100.0] * 99]).__next__)
    assert fitted_within(late, bound) == found
    assert fitted_within(Budget(0.1, threads=2), bound) == found
    monkeypatch.setattr(module, "MOST_FITTING", 0.03)
    assert fitted_within(Budget(600.0), bound) == found


def test_a_round_that_takes_long_is_for_those_who_have_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bound = lower_bound(single_tasks(24, 4, 1), MAKESPAN)
    a_round = 24 * 4 * 20_000 / 3.5e8
    monkeypatch.setattr(module, "_LONG_ROUND", a_round * 0.9)
    assert fitted(bound, a_round * 0.95) is None
    found = fitted(bound, a_round * 1.05)
    assert found is not None
    assert fitted(bound, found.units) == found


def test_solving_says_what_is_proven() -> None:
    system = single_tasks(64, 4, 1)
    solution = solve(system, effort=Effort(0.5))
    assert solution.bound.value > 1.0005 * lower_bound(system, MAKESPAN).value
    assert solution.gap == pytest.approx(solution.value / solution.bound.value - 1)


def test_solve_and_front_say_the_same_of_single_tasks() -> None:
    system = powered(single_tasks(64, 4, 1))
    found, along = (
        solve(system, effort=Effort(work=0.4)),
        study(system, Lp(0.5), effort=Effort(work=0.4)),
    )
    assert along.proven.soonest == pytest.approx(found.bound.value, rel=1e-12)
    assert found.bound.value > 1.0005 * lower_bound(system, MAKESPAN).value


def test_work_that_is_counted_gives_the_same_again() -> None:
    system = single_tasks(64, 4, 1)
    once, again = solve(system, effort=Effort(work=0.3)), solve(system, effort=Effort(work=0.3))
    assert once.bound.value == again.bound.value
    np.testing.assert_array_equal(once.schedule.tasks, again.schedule.tasks)
    with pytest.raises(ValueError, match="work is not counted for 'min-min'"):
        solve(system, method="min-min", effort=Effort(work=1.0))
