"""Whatever way a schedule is added up, its seconds and joules come to the same."""

import itertools
from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.vocabulary.arrays import IntArray
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import ImpossibleSchedule, Schedule
from core.vocabulary.system import NoPowerData, System

# Small whole numbers, of which sums and products are exact: these tests compare with ==.
exact = schedules(systems(dyadic=True, max_count=12))
exact_with_power = schedules(systems(dyadic=True, with_apc=True, max_count=12))
anything = schedules(systems())


def machine_by_machine(schedule: Schedule) -> list[tuple[int, list[int]]]:
    """Each single machine: its type, and how many tasks of each type it runs."""
    groups = zip(
        schedule.machine_type.tolist(),
        schedule.machines.tolist(),
        schedule.tasks.tolist(),
        strict=True,
    )
    return [(kind, tasks) for kind, machines, tasks in groups for _ in range(machines)]


def seconds_on(schedule: Schedule, kind: int, tasks: list[int]) -> float:
    etc = schedule.system.etc[:, kind]
    return sum(n * float(seconds) for n, seconds in zip(tasks, etc, strict=True) if n)


def on_two(system: System, first: int, second: int) -> Schedule:
    """A runs so many tasks of type 1 and of type 2; B the rest."""
    tasks = np.array([[first, second], [6 - first, 6 - second]])
    return Schedule(system, np.array([0, 1]), np.array([1, 1]), tasks)


class TestTwoByTwo:
    @pytest.mark.parametrize(
        ("idle", "front"),
        [
            (
                (0, 0),
                "(900,30) (940,28) (980,26) (1020,24) (1060,22) (1100,20) (1140,18) (1210,17) "
                "(1250,15) (1320,14) (1360,12) (1430,11)",
            ),
            ((20, 10), "(1380,18) (1390,15) (1400,12) (1430,11)"),
        ],
    )
    def test_the_49_assignments_have_the_known_front(
        self, two_by_two: Callable[..., System], idle: tuple[float, float], front: str
    ) -> None:
        system = two_by_two(*idle)
        choices = itertools.product(range(7), repeat=2)
        points = {(s.energy, s.makespan) for s in (on_two(system, *choice) for choice in choices)}
        best = [
            point
            for point in sorted(points)
            if not any(p != point and p[0] <= point[0] and p[1] <= point[1] for p in points)
        ]
        assert " ".join(f"({energy:g},{makespan:g})" for energy, makespan in best) == front


class TestSeconds:
    @given(exact)
    def test_load_and_makespan_are_those_of_the_machines(self, schedule: Schedule) -> None:
        loads = [seconds_on(schedule, *machine) for machine in machine_by_machine(schedule)]
        assert np.repeat(schedule.load, schedule.machines).tolist() == loads
        assert schedule.makespan == max(loads) > 0

    @given(exact)
    def test_busy_seconds_are_those_of_the_machines_of_a_type(self, schedule: Schedule) -> None:
        busy = [0.0] * len(schedule.system.machine_types)
        for kind, tasks in machine_by_machine(schedule):
            busy[kind] += seconds_on(schedule, kind, tasks)
        assert schedule.busy_seconds.tolist() == busy

    @given(exact)
    def test_placed_counts_every_task_where_it_runs(self, schedule: Schedule) -> None:
        placed = np.zeros(schedule.system.etc.shape, int)
        for kind, tasks in machine_by_machine(schedule):
            placed[:, kind] += tasks
        assert schedule.placed.tolist() == placed.tolist()
        assert placed.sum(axis=1).tolist() == schedule.system.task_counts.tolist()


class TestEnergy:
    @given(exact_with_power)
    def test_machine_energies_sum_to_those_of_the_types_and_to_the_total(
        self, schedule: Schedule
    ) -> None:
        system = schedule.system
        assert system.apc is not None
        at_work = [0.0] * len(system.machine_types)
        idle = [0.0] * len(system.machine_types)
        for kind, tasks in machine_by_machine(schedule):
            for i, n in enumerate(tasks):
                if n:
                    at_work[kind] += n * float(system.etc[i, kind] * system.apc[i, kind])
            wait = schedule.makespan - seconds_on(schedule, kind, tasks)
            machine = system.machine_types[kind]
            asleep = machine.idle_power if machine.asleep_watts is None else machine.asleep_watts
            idle[kind] += wait * min(machine.idle_power, asleep)
        assert schedule.busy_energy.tolist() == at_work
        assert schedule.idle_energy.tolist() == idle
        assert schedule.energy == sum(at_work) + sum(idle)

    @given(exact_with_power)
    def test_the_power_curve_integrates_to_the_energy(self, schedule: Schedule) -> None:
        system, blocks = schedule.system, schedule.blocks()
        assert system.apc is not None
        times = sorted({0.0, schedule.makespan, *blocks.start.tolist(), *blocks.end.tolist()})
        assert times[-1] == schedule.makespan
        joules = 0.0
        for begin, end in itertools.pairwise(times):
            running = (blocks.start <= begin) & (blocks.end >= end)
            kinds, machines = blocks.machine_type[running], blocks.machines[running]
            busy = np.bincount(kinds, machines, len(system.machine_types))
            watts = machines @ system.apc[blocks.task_type[running], kinds]
            watts += (system.machine_counts - busy) @ system.idle_power
            joules += float(watts) * (end - begin)
        assert joules == schedule.energy

    @given(schedules(systems(with_apc=True)))
    def test_both_forms_of_the_energy_agree(self, schedule: Schedule) -> None:
        system = schedule.system
        there = schedule.placed > 0
        above_idle = (schedule.placed[there] * system.dynamic_energy[there]).sum()
        whole = system.total_idle_power * schedule.makespan
        terms = np.abs(schedule.placed[there] * system.dynamic_energy[there]).sum() + whole
        assert schedule.energy == pytest.approx(above_idle + whole, rel=1e-9, abs=1e-9 * terms)

    @given(anything)
    def test_is_unknown_without_powers_only(self, schedule: Schedule) -> None:
        if schedule.system.apc is None:
            assert schedule.energy_if_known is None
            for ask in ("energy", "busy_energy"):
                with pytest.raises(NoPowerData):
                    getattr(schedule, ask)
        else:
            assert schedule.energy_if_known == schedule.energy >= 0


class TestBlocks:
    @given(exact)
    def test_cover_every_count_once(self, schedule: Schedule) -> None:
        blocks = schedule.blocks()
        assert (blocks.count > 0).all()
        listed = sorted(
            zip(
                blocks.machine_type.tolist(),
                blocks.first_machine.tolist(),
                blocks.machines.tolist(),
                blocks.task_type.tolist(),
                blocks.count.tolist(),
                strict=True,
            )
        )
        placed = sorted(
            (
                int(schedule.machine_type[g]),
                int(schedule.first_machine[g]),
                int(schedule.machines[g]),
                int(i),
                int(schedule.tasks[g, i]),
            )
            for g, i in np.argwhere(schedule.tasks)
        )
        assert listed == placed

    @given(exact)
    def test_follow_each_other_longest_tasks_first_from_zero_to_the_load(
        self, schedule: Schedule
    ) -> None:
        blocks, etc = schedule.blocks(), schedule.system.etc
        ends: dict[tuple[int, int], float] = {}
        last: dict[tuple[int, int], tuple[float, int]] = {}
        for r in range(len(blocks)):
            group = (int(blocks.machine_type[r]), int(blocks.first_machine[r]))
            seconds, task = float(etc[blocks.task_type[r], group[0]]), int(blocks.task_type[r])
            assert blocks.start[r] == ends.get(group, 0.0)
            assert blocks.end[r] - blocks.start[r] == blocks.count[r] * seconds
            assert last.get(group, (-np.inf, -1)) < (-seconds, task)
            ends[group], last[group] = float(blocks.end[r]), (-seconds, task)
        groups = zip(
            schedule.machine_type.tolist(),
            schedule.first_machine.tolist(),
            schedule.load.tolist(),
            strict=True,
        )
        assert ends == {(kind, first): load for kind, first, load in groups if load}

    @given(anything)
    def test_come_group_by_group_in_the_order_run(self, schedule: Schedule) -> None:
        blocks = schedule.blocks()
        columns = (blocks.machine_type, blocks.first_machine, blocks.start)
        keys = np.column_stack(columns).tolist()
        assert keys == sorted(keys)
        assert (blocks.end >= blocks.start).all()
        assert blocks.end.max() == pytest.approx(schedule.makespan)

    def test_as_a_frame_of_one_known_by_hand(self, two_by_two: Callable[..., System]) -> None:
        system = two_by_two().with_counts(np.array([7, 9]), np.array([1, 2]))
        schedule = Schedule(system, np.array([0, 1]), np.array([1, 2]), np.array([[5, 3], [1, 3]]))
        assert schedule.to_frame().to_csv(index=False).splitlines() == [
            "machine_type,first_machine,machines,task_type,count,start,end",
            "A,1,1,2,3,0.0,6.0",
            "A,1,1,1,5,6.0,11.0",
            "B,1,2,2,3,0.0,9.0",
            "B,1,2,1,1,9.0,11.0",
        ]


class TestGroups:
    @given(anything)
    def test_number_the_machines_of_a_type_without_gap(self, schedule: Schedule) -> None:
        following = dict.fromkeys(range(len(schedule.system.machine_types)), 1)
        groups = zip(schedule.machine_type.tolist(), schedule.machines.tolist(), strict=True)
        for g, (kind, machines) in enumerate(groups):
            assert schedule.first_machine[g] == following[kind]
            following[kind] += machines
        counts = [following[kind] - 1 for kind in sorted(following)]
        assert counts == schedule.system.machine_counts.tolist()

    @given(exact, st.randoms(use_true_random=False))
    def test_in_any_order_and_however_split_are_merged(
        self, schedule: Schedule, random: Random
    ) -> None:
        single = machine_by_machine(schedule)
        random.shuffle(single)
        merged = Schedule.from_groups(
            schedule.system,
            np.array([kind for kind, _ in single]),
            np.ones(len(single), int),
            np.array([tasks for _, tasks in single]),
        )
        rows = [(kind, *tasks) for kind, tasks in single]
        kept = [
            (int(k), *t) for k, t in zip(merged.machine_type, merged.tasks.tolist(), strict=True)
        ]
        assert kept == sorted(set(rows))
        assert merged.machines.tolist() == [rows.count(row) for row in kept]
        assert merged.placed.tolist() == schedule.placed.tolist()
        assert merged.makespan == schedule.makespan
        assert merged.energy_if_known == schedule.energy_if_known

    def test_hold_more_tasks_than_memory_could(self, largest: Schedule) -> None:
        assert largest.makespan == 2e6
        assert largest.energy == 6e12
        assert largest.blocks().count.tolist() == [10**6]


def small() -> System:
    """Four tasks of each of two types, two machines of each of two; T2 cannot run on B; no C."""
    return System(
        (TaskType("T1", 4), TaskType("T2", 4)),
        (MachineType("A", 2), MachineType("B", 2), MachineType("C", 0)),
        np.array([[1.0, 2.0, 1.0], [3.0, np.inf, 1.0]]),
    )


SOUND: tuple[list[int], list[int], list[list[int]]] = ([0, 1], [2, 2], [[0, 2], [2, 0]])

IMPOSSIBLE: dict[str, tuple[list[int], list[int], list[list[int]], str]] = {
    "a task missing": ([0, 1], [2, 2], [[0, 2], [1, 0]], "task is missing"),
    "a task twice": ([0, 1], [2, 2], [[0, 3], [2, 0]], "task is missing, or there more than once"),
    "a machine missing": ([0, 1], [2, 1], [[0, 2], [4, 0]], "machine is missing"),
    "a machine type missing": ([0], [2], [[2, 2]], "machine is missing"),
    "a machine twice": ([0, 1], [2, 3], [[2, 2], [0, 0]], "machine is missing, or there more"),
    "a machine that is not there": ([0, 1, 2], [2, 2, 1], [[2, 2], [0, 0], [0, 0]], "machine is"),
    "a pair that cannot run": ([0, 1], [2, 2], [[2, 0], [0, 2]], "cannot run it"),
    "an unknown machine type": ([0, 3], [2, 2], [[0, 2], [2, 0]], "no known machine type"),
    "a negative machine type": ([-1, 0], [2, 2], [[0, 2], [2, 0]], "no known machine type"),
    "an empty group": ([0, 0, 1], [2, 0, 2], [[0, 2], [1, 1], [2, 0]], "no machine"),
    "a negative count": ([0, 1], [2, 2], [[-1, 2], [3, 0]], "negative number of tasks"),
    "groups out of order": ([1, 0], [2, 2], [[2, 0], [0, 2]], "order of the machine types"),
    "too few rows": ([0, 1], [2, 2], [[0, 2]], "matching lengths"),
    "too few columns": ([0, 1], [2, 2], [[0], [2]], "matching lengths"),
    "too few types": ([0], [2, 2], [[0, 2], [2, 0]], "matching lengths"),
    # In 64 bits 2 * 2**62 + 2 * (2**62 + 2) is 4, which would be right.
    "counts that overflow": ([0, 1], [2, 2], [[2**62, 2], [2**62 + 2, 0]], "task is missing"),
}


class TestImpossible:
    def test_the_sound_one_is_accepted(self) -> None:
        kinds, machines, tasks = map(np.array, SOUND)
        assert Schedule(small(), kinds, machines, tasks).makespan == 6.0

    @pytest.mark.parametrize("fault", IMPOSSIBLE)
    def test_is_refused(self, fault: str) -> None:
        kinds, machines, tasks, says = IMPOSSIBLE[fault]
        with pytest.raises(ImpossibleSchedule, match=says):
            Schedule(small(), np.array(kinds), np.array(machines), np.array(tasks))

    def test_nothing_can_be_changed_afterwards(self) -> None:
        kinds, machines, tasks = map(np.array, SOUND)
        schedule = Schedule(small(), kinds, machines, tasks)
        arrays: list[IntArray] = [schedule.machine_type, schedule.machines, schedule.tasks]
        for array in [*arrays, schedule.placed]:
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1
        tasks[0] = 99
        assert schedule.tasks[0].tolist() == [0, 2]
