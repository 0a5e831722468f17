"""What is said of the machine that finishes last is true of the schedule, move included."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from strategies import schedules, systems

from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from dashboard.parts.machines.scope import Scope, looked_at
from dashboard.screens.schedule.last import Move, last_machine, last_of, part_sentences, sentences


def moved(schedule, move):
    """The schedule after the move, every machine a group of its own."""
    sizes = schedule.machines
    machine_type, tasks = (
        np.repeat(schedule.machine_type, sizes),
        np.repeat(schedule.tasks, sizes, axis=0),
    )
    tasks = tasks.copy()
    last = last_machine(schedule)
    firsts = np.searchsorted(machine_type, [last.machine_type, move.machine_type])
    tasks[firsts[0] + last.machine - 1, move.task_type] -= 1
    tasks[firsts[1] + move.machine - 1, move.task_type] += 1
    return Schedule(schedule.system, machine_type, np.ones(len(machine_type), int), tasks)


@given(schedules(systems(dyadic=True)))
def test_a_move_saves_what_it_says(schedule):
    move = last_machine(schedule).move
    if move is not None:
        after = moved(schedule, move)
        assert move.sooner > 0
        assert after.makespan == pytest.approx(schedule.makespan - move.sooner)
        if move.joules is not None:
            assert after.energy == pytest.approx(schedule.energy + move.joules, abs=1e-6)


@given(schedules(systems(max_task_types=3, max_machine_types=2, dyadic=True, max_count=5)))
def test_no_other_move_of_one_task_ends_sooner(schedule):
    last = last_machine(schedule)
    system = schedule.system
    best = schedule.makespan - (last.move.sooner if last.move else 0.0)
    kinds, firsts = schedule.machine_type.tolist(), schedule.first_machine.tolist()
    for i, _, _ in last.runs:
        for kind, first, size in zip(kinds, firsts, schedule.machines.tolist(), strict=True):
            same = (kind, first) == (last.machine_type, last.machine)
            if system.can_run[i, kind] and not (same and size == 1):
                machine = first + 1 if same else first
                after = moved(schedule, Move(i, kind, machine, 0.0, None))
                assert after.makespan >= best - 1e-9


@given(schedules(systems()))
def test_it_ends_at_the_makespan_and_the_next_one_earlier(schedule):
    last = last_machine(schedule)
    assert last.finish == schedule.makespan
    assert sum(seconds for _, _, seconds in last.runs) == pytest.approx(last.finish)
    assert 1 <= last.tied <= schedule.system.machines
    if last.next_finish is None:
        assert last.tied == schedule.system.machines
    else:
        assert last.next_finish < last.finish
    assert all(sentences(schedule, last))


def by_hand(tasks, system):
    count = len(tasks)
    return Schedule(system, np.zeros(count, int), np.ones(count, int), np.array(tasks))


def test_the_soonest_end_counts_before_the_energy():
    system = System(
        (TaskType("T", 2),),
        (MachineType("last"), MachineType("thrifty"), MachineType("soon")),
        np.array([[10.0, 15.0, 12.0]]),
        np.array([[50.0, 1.0, 100.0]]),
    )
    schedule = Schedule(system, np.arange(3), np.ones(3, int), np.array([[2], [0], [0]]))
    assert last_machine(schedule).move == Move(0, 2, 1, 8.0, 700.0)


def test_it_is_said_in_words():
    system = System(
        (TaskType("long", 4), TaskType("short", 2)),
        (MachineType("M", 3, 5.0),),
        np.array([[10.0], [2.0]]),
        np.array([[20.0], [20.0]]),
    )
    schedule = by_hand([[2, 1], [1, 1], [1, 0]], system)
    assert list(sentences(schedule, last_machine(schedule))) == [
        "M #1 finishes last, after 22 s.",
        "It runs 2 × long (20 s), 1 × short (2 s).",
        "The next machine finishes 10 s earlier. By less work on this machine alone, the makespan "
        "can become shorter by that much at most.",
        "Moving one task long to M #3 shortens the makespan by 2 s (9 %), and takes 30 J less.",
    ]


def test_what_is_taken_is_rounded_up_what_a_move_saves_down_and_what_it_could_save_up():
    """100.011 s, of which a move of one task saves 33.337 s, a third."""
    system = System((TaskType("T", 3),), (MachineType("M", 2),), np.array([[33.337]]))
    schedule = by_hand([[3], [0]], system)
    assert list(sentences(schedule, last_machine(schedule))) == [
        "M #1 finishes last, after 100.1 s.",
        "It runs 3 × T (100 s).",
        "The next machine finishes 100.1 s earlier. By less work on this machine alone, the "
        "makespan can become shorter by that much at most.",
        "Moving one task T to M #2 shortens the makespan by 33.33 s (33.3 %).",
    ]
    part = last_of(schedule, np.array([1, 0]))
    assert part is not None
    assert next(part_sentences(schedule, part, alone=True)) == "M #1 finishes after 100.1 s."


def test_where_several_end_together_no_move_is_claimed_to_help():
    system = System((TaskType("T", 5),), (MachineType("M", 3),), np.array([[10.0]]))
    schedule = by_hand([[2], [2], [1]], system)
    assert last_machine(schedule).move is None
    said = list(sentences(schedule, last_machine(schedule)))
    assert said[0] == "M #1 and 1 other finish last, after 20 s."
    assert said[-1] == (
        "Several machines finish last together, so moving one task does not shorten the makespan."
    )


def test_an_even_load_is_called_so():
    system = System((TaskType("T", 6),), (MachineType("M", 3),), np.array([[10.0]]))
    schedule = by_hand([[2], [2], [2]], system)
    assert list(sentences(schedule, last_machine(schedule)))[-1].startswith("All machines finish")


def test_without_powers_nothing_is_said_of_energy():
    system = System((TaskType("T", 3),), (MachineType("M", 2),), np.array([[10.0]]))
    schedule = by_hand([[3], [0]], system)
    said = list(sentences(schedule, last_machine(schedule)))[-1]
    assert said == "Moving one task T to M #2 shortens the makespan by 10 s (33.3 %)."
    powered = by_hand([[3], [0]], replace(system, apc=np.array([[7.0]])))
    assert list(sentences(powered, last_machine(powered)))[-1].endswith("with the same energy.")


@given(schedules(systems()))
def test_of_a_machine_type_the_last_machine_is_told(schedule):
    for kind, count in enumerate(schedule.system.machine_counts.tolist()):
        part = last_of(schedule, looked_at(schedule, Scope(machine_type=kind)))
        if not count:
            assert part is None
            continue
        ends = schedule.load[schedule.machine_type == kind]
        assert (part.machine_type, part.finish) == (kind, ends.max())
        assert part.finish + part.waits == pytest.approx(schedule.makespan)
        assert sum(seconds for *_, seconds in part.runs) == pytest.approx(part.finish)
        assert all(said.endswith(".") for said in part_sentences(schedule, part, alone=False))


def test_one_machine_is_told_by_its_own_number_and_how_long_it_waits():
    system = System(
        (TaskType("long", 1), TaskType("short", 3)),
        (MachineType("A", 1), MachineType("B", 4)),
        np.array([[10.0, 20.0], [5.0, 2.0]]),
    )
    schedule = Schedule(
        system, np.array([0, 1, 1]), np.array([1, 3, 1]), np.array([[1, 0], [0, 1], [0, 0]])
    )

    def told(scope):
        part = last_of(schedule, looked_at(schedule, scope), scope.machine)
        assert part is not None
        return [*part_sentences(schedule, part, alone=scope.machine is not None)]

    assert told(Scope(machine_type=1, machine=2)) == [
        "B #2 finishes after 2 s.",
        "It runs 1 × short (2 s).",
        "Then it is idle for 8 s, until the last machine of all finishes.",
    ]
    assert told(Scope(machine_type=1)) == [
        "B #1 finishes last of B, after 2 s.",
        "It runs 1 × short (2 s).",
        "Then it is idle for 8 s, until the last machine of all finishes.",
    ]
    assert told(Scope(machine_type=1, machine=4)) == ["B #4 runs nothing."]
    assert told(Scope(machine_type=0))[-1] == "No other machine finishes later."


@pytest.mark.parametrize(
    ("types", "said"),
    [
        (2, "1 × T1 (2 s), 1 × T0 (1 s)"),
        (3, "1 × T2 (3 s), 1 × T1 (2 s), 1 × T0 (1 s)"),
        (4, "1 × T3 (4 s), 1 × T2 (3 s), 1 × T1 (2 s), and others (1 s)"),
    ],
)
def test_three_task_types_are_named(types, said):
    etc = np.arange(1.0, types + 1)[:, None]
    system = System(tuple(TaskType(f"T{i}") for i in range(types)), (MachineType("M"),), etc)
    schedule = by_hand([[1] * types], system)
    assert list(sentences(schedule, last_machine(schedule)))[1] == f"It runs {said}."
