"""NSGA-II returns real schedules that none of the others beats, and loses no seed."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.engines.relaxed import ENERGY, lower_bound
from core.engines.rivals import basic_seeds, nsga2
from core.engines.rivals.nsga2 import last_generation
from core.engines.verify.judge import verify
from core.files.samples.named import load_sample
from core.vocabulary.budget import Budget, NoScheduleFound
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import NoPowerData, System

TwoByTwo = Callable[..., System]

small = systems(with_apc=True, max_count=7)


def points(found: list[Schedule]) -> list[tuple[float, float]]:
    return [(schedule.energy, schedule.makespan) for schedule in found]


@given(system=small, population=st.integers(1, 9), seed=st.integers(0, 100))
def test_schedules_are_real_and_a_front(system: System, population: int, seed: int) -> None:
    found = nsga2(system, [], generations=5, population=population, budget=Budget(), seed=seed)
    assert found
    assert all(verify(schedule, system).ok for schedule in found)
    energy, makespan = np.array(points(found)).T
    assert (np.diff(energy) > 0).all()
    assert (np.diff(makespan) < 0).all()


@given(given=schedules(small), generations=st.integers(0, 4), seed=st.integers(0, 100))
def test_what_is_found_is_the_last_generation_and_the_seeds_that_it_lost(
    given: Schedule, generations: int, seed: int
) -> None:
    how = {"generations": generations, "population": 4, "budget": Budget(), "seed": seed}
    last = last_generation(given.system, [given], **how)
    of_both = points([given, *last])
    for one in points(nsga2(given.system, [given], **how)):
        assert one in of_both
    for one in of_both:
        found = np.array(points(nsga2(given.system, [given], **how)))
        assert (found <= one).all(axis=1).any()


@given(given=schedules(small), population=st.integers(1, 5), generations=st.integers(0, 4))
def test_no_seed_is_lost(given: Schedule, population: int, generations: int) -> None:
    seeds = [given, *basic_seeds(given.system)] * 3
    found = nsga2(
        given.system, seeds, generations=generations, population=population, budget=Budget()
    )
    for energy, makespan in points(seeds):
        assert any(e <= energy and m <= makespan for e, m in points(found))


@pytest.mark.parametrize(
    ("idle", "front"),
    [
        (
            (0, 0),
            [
                *[(900, 30), (940, 28), (980, 26), (1020, 24), (1060, 22), (1100, 20)],
                *[(1140, 18), (1210, 17), (1250, 15), (1320, 14), (1360, 12), (1430, 11)],
            ],
        ),
        ((20, 10), [(1380, 18), (1390, 15), (1400, 12), (1430, 11)]),
    ],
)
def test_two_by_two_has_the_front_of_whole_tasks(
    two_by_two: TwoByTwo, idle: tuple[int, int], front: list[tuple[int, int]]
) -> None:
    system = two_by_two(*idle)
    found = nsga2(system, [], generations=200, population=40, budget=Budget())
    assert points(found) == front


def test_it_finds_much_between_its_seeds() -> None:
    system = load_sample("nine")
    seeds = basic_seeds(system)
    found = nsga2(system, seeds, generations=300, budget=Budget())
    assert len(found) > 20
    assert found[0].energy == pytest.approx(min(seed.energy for seed in seeds), rel=1e-12)
    assert found[-1].makespan <= min(seed.makespan for seed in seeds)


def test_same_seed_same_schedules_however_often_it_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    system = load_sample("ten")

    def run(seed: int) -> list[tuple[float, float]]:
        return points(nsga2(system, [], generations=60, population=20, budget=Budget(), seed=seed))

    quick = run(1)
    monkeypatch.setitem(nsga2.__globals__, "LONGEST_STEP_SECONDS", 1e-9)
    assert run(1) == quick
    assert run(2) != quick


def test_it_reports_and_stops_with_what_it_has(two_by_two: TwoByTwo) -> None:
    system = two_by_two()
    told: list[tuple[int, int]] = []
    budget = Budget(should_stop=lambda: len(told) == 3)
    found = nsga2(
        system,
        [],
        generations=10**12,
        budget=budget,
        report=lambda done, all_of_them: told.append((done, all_of_them)),
    )
    assert found
    assert len(told) == 3
    assert {all_of_them for _, all_of_them in told} == {10**12}
    assert 0 < told[0][0] < told[1][0] < told[2][0]


def test_stopped_at_the_first_ask_it_breeds_no_generation(two_by_two: TwoByTwo) -> None:
    system, told = two_by_two(), []
    budget = Budget(should_stop=lambda: True)
    seeds = basic_seeds(system)
    found = nsga2(
        system, seeds, generations=5, budget=budget, report=lambda *done: told.append(done)
    )
    assert found
    assert not told
    assert min(points(found)) <= min(points(seeds))


@pytest.mark.parametrize(("most", "runs"), [(19, False), (20, True), (21, True)])
def test_memory_for_so_many_genes_is_taken(
    monkeypatch: pytest.MonkeyPatch, most: int, runs: bool
) -> None:
    """Two chromosomes, each of six tasks and four machines."""
    system = System((TaskType("T", 6),), (MachineType("M", 4),), np.ones((1, 1)), np.ones((1, 1)))
    monkeypatch.setitem(nsga2.__globals__, "MOST_GENES", most)
    if runs:
        assert nsga2(system, [], generations=1, population=2, budget=Budget())
    else:
        with pytest.raises(NoScheduleFound, match="20, where 19 are the limit"):
            nsga2(system, [], generations=1, population=2, budget=Budget())


def test_it_ends_when_the_seconds_have_passed(two_by_two: TwoByTwo) -> None:
    assert nsga2(two_by_two(), [], generations=10**12, budget=Budget(seconds=0.05))


def test_it_does_the_generations_asked_for(two_by_two: TwoByTwo) -> None:
    told: list[tuple[int, int]] = []
    how = {"population": 4, "budget": Budget(), "report": lambda *done: told.append(done)}
    nsga2(two_by_two(), [], generations=77, **how)
    assert told[-1] == (77, 77)


def test_it_refuses_what_would_fill_memory() -> None:
    system = System(
        (TaskType("T", 10**12),), (MachineType("M", 2),), np.ones((1, 1)), np.ones((1, 1))
    )
    with pytest.raises(NoScheduleFound, match=r"1,000,000,000,000 tasks .* choose a smaller"):
        nsga2(system, [], generations=1, budget=Budget())


def test_seeds_are_of_the_same_system(two_by_two: TwoByTwo) -> None:
    with pytest.raises(ValueError, match="another system"):
        nsga2(two_by_two(), basic_seeds(two_by_two(1, 1)), generations=1, budget=Budget())


def test_without_watts_there_is_no_energy(two_by_two: TwoByTwo) -> None:
    system = two_by_two()
    with pytest.raises(NoPowerData):
        nsga2(
            System(system.task_types, system.machine_types, system.etc),
            [],
            generations=1,
            budget=Budget(),
        )


def test_basic_seeds_are_the_least_energy_and_min_min(two_by_two: TwoByTwo) -> None:
    # Min-min runs 8 tasks on A for 12 s, 4 on B for 10 s.
    assert points(basic_seeds(two_by_two())) == [(900, 30), (1500, 12)]
    thriftiest, min_min = basic_seeds(load_sample("nine"))
    assert thriftiest.energy == pytest.approx(lower_bound(thriftiest.system, ENERGY).value)
    assert min_min.makespan == pytest.approx(2987.62, abs=0.005)
