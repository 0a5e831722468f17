"""Polishing never makes a schedule worse, keeps every task, stops when told, and closes the gap."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.model.budget import Budget
from core.model.kinds import MachineType, TaskType
from core.model.schedule import Schedule
from core.model.system import System
from core.recover import assign, polish, round_rows
from core.recover.polish import MOST_CELLS
from core.relaxed import ENERGY, MAKESPAN, Bound, lower_bound
from core.samples.generate import make_consistent, resample
from core.samples.named import load_sample
from core.verify.judge import verify


def recovered(system: System) -> tuple[Schedule, Bound]:
    bound = lower_bound(system, MAKESPAN)
    return assign(system, round_rows(bound.placed, system.task_counts)), bound


def single_tasks(tasks: int, machines: int, seed: int) -> System:
    rng = np.random.default_rng(seed)
    etc = rng.uniform(1, 100, (tasks, 1)) * rng.uniform(1, 10, (tasks, machines))
    return System(
        tuple(TaskType(f"T{i}") for i in range(tasks)),
        tuple(MachineType(f"M{j}") for j in range(machines)),
        make_consistent(etc, "semi-consistent"),
    )


@given(systems(max_task_types=4, max_machine_types=3, max_count=9), st.integers(0, 2**31))
def test_a_polished_schedule_is_valid_and_never_worse(system: System, seed: int) -> None:
    given_schedule, bound = recovered(system)
    polished = polish(given_schedule, bound, Budget(0.01), seed=seed)
    assert verify(polished, system).ok
    assert polished.makespan <= given_schedule.makespan * (1 + 1e-12)
    assert polished.makespan >= bound.value


def best_makespan(system: System) -> float:
    """By enumeration of every assignment of single tasks to single machines."""
    kinds = np.repeat(np.arange(len(system.machine_types)), system.machine_counts)
    tasks = np.repeat(np.arange(len(system.task_types)), system.task_counts)
    places = np.indices((len(kinds),) * len(tasks)).reshape(len(tasks), -1)
    seconds = system.etc[tasks[:, None], kinds[places]]
    loads = [np.where(places == machine, seconds, 0.0).sum(axis=0) for machine in range(len(kinds))]
    return float(np.max(loads, axis=0).min())


@pytest.mark.parametrize("seed", range(4))
def test_small_systems_are_solved_to_the_optimum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    system = System(
        (TaskType("a", 4), TaskType("b", 2), TaskType("c", 2)),
        (MachineType("A", 2), MachineType("B", 1)),
        rng.integers(2, 30, (3, 2)).astype(float),
    )
    schedule, bound = recovered(system)
    polished = polish(schedule, bound, Budget.of_work(0.3), seed=seed)
    assert polished.makespan == pytest.approx(best_makespan(system), rel=1e-9)


def test_many_tasks_a_machine_come_close_to_the_bound() -> None:
    """The publication's environment at 2,500 tasks: rounding and packing alone lose 1 to 3 %."""
    nine = resample(load_sample("nine"), 2500, np.random.default_rng(5))
    schedule, bound = recovered(nine)
    polished = polish(schedule, bound, Budget.of_work(2.0), seed=1)
    assert schedule.makespan / bound.value - 1 > 0.006
    assert polished.makespan / bound.value - 1 < 0.005


def test_single_tasks_on_a_few_machines_come_close_to_the_bound() -> None:
    """Every task its own type, where rounding alone loses several per cent."""
    system = single_tasks(128, 8, seed=3)
    schedule, bound = recovered(system)
    polished = polish(schedule, bound, Budget.of_work(2.0), seed=1)
    assert schedule.makespan / bound.value - 1 > 0.03
    assert polished.makespan / bound.value - 1 < 0.02


@pytest.mark.parametrize("idle", [0.05, 0.1, 0.2, 0.5])
def test_energy_is_polished_too(idle: float) -> None:
    """At least half of what rounding and packing lose is won back."""
    system = load_sample("nine").with_idle_fraction(idle)
    bound = lower_bound(system, ENERGY, then=MAKESPAN)
    schedule = assign(system, round_rows(bound.placed, system.task_counts))
    polished = polish(schedule, bound, Budget.of_work(1.0))
    assert verify(polished, system).ok
    assert bound.value <= polished.energy
    assert polished.energy - bound.value < 0.5 * (schedule.energy - bound.value)


def test_it_stops_when_asked() -> None:
    system = single_tasks(64, 4, seed=1)
    schedule, bound = recovered(system)
    asked = []

    def stop_at_once() -> bool:
        asked.append(True)
        return True

    budget = Budget.of_work(3600.0, stop_at_once)
    polished = polish(schedule, bound, budget)
    assert asked
    assert budget.used < 1
    assert verify(polished, system).ok


def test_reports_never_get_worse() -> None:
    system = load_sample("nine")
    schedule, bound = recovered(system)
    told: list[tuple[float, float]] = []
    budget = Budget(600.0, should_stop=lambda: len(told) >= 20)
    polished = polish(
        schedule, bound, budget, report=lambda spent, value: told.append((spent, value))
    )
    values = [value for _, value in told]
    assert values == sorted(values, reverse=True)
    assert values[-1] == pytest.approx(polished.makespan, rel=1e-9)


def test_large_systems_that_cannot_be_sliced_come_back_as_they_are() -> None:
    types = MOST_CELLS // 10**6 + 1
    system = System(
        tuple(TaskType(f"T{i}", 10**7) for i in range(types)),
        (MachineType("A", 10**6, idle_power=10.0),),
        np.arange(1.0, types + 1)[:, None],
        np.full((types, 1), 100.0),
    )
    bound = lower_bound(system, ENERGY)
    schedule = assign(system, round_rows(bound.placed, system.task_counts))
    assert polish(schedule, bound, Budget(60.0)) is schedule
