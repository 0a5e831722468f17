"""Verify accepts every true schedule and objects to every broken one, naming the place."""

import ast
import importlib
import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.schedule import Blocks, Schedule
from core.system import FloatArray, IntArray, MachineType, System, TaskType
from core.verify import LISTED_PER_CHECK, SAME_ENERGY, Verdict, verify, verify_stated

anything = schedules(systems())
exact = schedules(systems(dyadic=True, max_count=12))


@dataclass(frozen=True)
class Stated:
    """The rows of a schedule file."""

    machine_type: IntArray
    machine: IntArray
    task_type: IntArray
    count: IntArray
    start: FloatArray
    end: FloatArray

    def take(self, rows: object) -> "Stated":
        return Stated(*(np.atleast_1d(getattr(self, f.name)[rows]) for f in fields(self)))

    def set(self, row: int, **values: float) -> "Stated":
        changed = {name: getattr(self, name).copy() for name in values}
        for name, value in values.items():
            changed[name][row] = value
        return replace(self, **changed)

    def __len__(self) -> int:
        return len(self.count)


def stated(schedule: Schedule) -> Stated:
    """The schedule as its file would say it: a row a block of each single machine."""
    b = schedule.blocks()
    row = np.repeat(np.arange(len(b)), b.machines)
    within = np.arange(len(row)) - np.repeat(np.cumsum(b.machines) - b.machines, b.machines)
    machine = b.first_machine[row] + within
    order = np.lexsort((row, machine, b.machine_type[row]))
    row, machine = row[order], machine[order]
    columns = (b.task_type[row], b.count[row], b.start[row], b.end[row])
    return Stated(b.machine_type[row], machine, *columns)


@dataclass
class Claim:
    """Whatever somebody hands in as a schedule, unchecked."""

    system: System
    machine_type: IntArray
    machines: IntArray
    tasks: IntArray
    timeline: Blocks
    makespan: float
    energy_if_known: float | None

    def blocks(self) -> Blocks:
        return self.timeline


def claim(schedule: Schedule) -> Claim:
    return Claim(
        schedule.system,
        schedule.machine_type.copy(),
        schedule.machines.copy(),
        schedule.tasks.copy(),
        schedule.blocks(),
        schedule.makespan,
        schedule.energy_if_known,
    )


def sample() -> Schedule:
    """Three machines A, of which the first two do the same, two B, of which one is idle.

    A #1 and #2: 2 x T2 to 6 s, 1 x T1 to 7 s. A #3: 2 x T2 to 6 s. B #1: 4 x T1 to 8 s.
    T2 cannot run on B.
    """
    system = System(
        (TaskType("T1", 6), TaskType("T2", 6)),
        (MachineType("A", 3, 1.0), MachineType("B", 2, 2.0)),
        np.array([[1.0, 2.0], [3.0, np.inf]]),
        np.array([[10.0, 20.0], [30.0, np.nan]]),
    )
    return Schedule(
        system,
        np.array([0, 0, 1, 1]),
        np.array([2, 1, 1, 1]),
        np.array([[1, 2], [0, 2], [4, 0], [0, 0]]),
    )


def places(verdict: Verdict) -> set[tuple[str, str]]:
    assert all(problem.file == "schedule" for problem in verdict.problems)
    return {(problem.row, problem.column) for problem in verdict.problems}


class TestTrueSchedules:
    @given(anything)
    def test_are_accepted_with_the_same_figures(self, schedule: Schedule) -> None:
        verdict = verify(schedule, schedule.system)
        assert verdict.problems == ()
        assert verdict.ok
        assert verdict.makespan == pytest.approx(schedule.makespan, rel=1e-12)
        assert verdict.tasks == schedule.system.tasks
        assert (verdict.energy is None) == (schedule.system.apc is None)
        assert (SAME_ENERGY in verdict.checks) == (schedule.system.apc is not None)

    @given(exact)
    def test_add_up_to_the_same_to_the_last_bit(self, schedule: Schedule) -> None:
        verdict = verify(schedule, schedule.system)
        assert verdict.makespan == schedule.makespan
        assert verdict.energy == schedule.energy_if_known
        assert verdict.busy_seconds == schedule.busy_seconds.sum()
        assert (
            verdict.busy_seconds + verdict.idle_seconds
            == schedule.system.machines * schedule.makespan
        )
        assert verdict.machines == schedule.machines[schedule.tasks.any(axis=1)].sum()
        assert verdict.waiting_seconds == 0.0

    @given(exact)
    def test_are_accepted_as_stated_in_a_file(self, schedule: Schedule) -> None:
        whole, rows = (
            verify(schedule, schedule.system),
            verify_stated(stated(schedule), schedule.system),
        )
        assert rows.problems == ()
        assert replace(rows, checks=whole.checks) == whole

    @given(exact, st.randoms(use_true_random=False))
    def test_may_list_their_machines_in_any_order(self, schedule: Schedule, random: Random) -> None:
        rows = stated(schedule)
        machines = list(zip(rows.machine_type.tolist(), rows.machine.tolist(), strict=True))
        ranks = {machine: random.random() for machine in set(machines)}
        order = np.argsort([ranks[machine] for machine in machines], kind="stable")
        assert verify_stated(rows.take(order), schedule.system) == verify_stated(
            rows, schedule.system
        )

    @given(exact)
    def test_may_split_a_block_in_two(self, schedule: Schedule) -> None:
        rows = stated(schedule)
        large = np.flatnonzero(rows.count > 1)
        assume(len(large))
        row = int(large[0])
        half = rows.start[row] + (rows.end[row] - rows.start[row]) / rows.count[row]
        twice = rows.take(np.sort(np.append(np.arange(len(rows)), row)))
        split = twice.set(row, count=1, end=half).set(
            row + 1, count=rows.count[row] - 1, start=half
        )
        assert verify_stated(split, schedule.system) == verify_stated(rows, schedule.system)

    def test_may_wait_if_they_say_so(self) -> None:
        schedule = sample()
        rows = stated(schedule)
        (last,) = np.flatnonzero((rows.machine_type == 0) & (rows.machine == 1) & (rows.start == 6))
        late = verify_stated(rows.set(int(last), start=9.0, end=10.0), schedule.system)
        assert late.ok
        assert late.makespan == 10.0
        assert late.waiting_seconds == 3.0
        assert late.busy_seconds == 28.0
        assert late.idle_seconds == 5 * 10.0 - 28.0
        # At work 6 x 3 s x 30 W, 2 x 1 s x 10 W, 4 x 2 s x 20 W; idle 10 s at 1 W and 12 s at 2 W.
        assert late.energy == 540 + 20 + 160 + 10 + 24

    def test_may_be_as_large_as_a_system_may_be(self) -> None:
        system = System(
            (TaskType("T", 10**12),),
            (MachineType("M", 10**6, 1.0),),
            np.array([[2.0]]),
            np.array([[3.0]]),
        )
        schedule = Schedule(system, np.array([0]), np.array([10**6]), np.array([[10**6]]))
        verdict = verify(schedule, system)
        assert verdict.ok
        assert (verdict.tasks, verdict.machines, verdict.energy) == (10**12, 10**6, 6e12)

    def test_without_powers_have_no_energy(self) -> None:
        schedule = sample()
        system = replace(schedule.system, apc=None)
        bare = Schedule(system, schedule.machine_type, schedule.machines, schedule.tasks)
        for verdict in (verify(bare, system), verify_stated(stated(bare), system)):
            assert verdict.ok
            assert verdict.energy is None

    def test_the_checks_are_sentences(self) -> None:
        schedule = sample()
        for verdict in (
            verify(schedule, schedule.system),
            verify_stated(stated(schedule), schedule.system),
        ):
            assert len(set(verdict.checks)) == len(verdict.checks) >= 5
            assert all(len(check.split()) >= 5 for check in verdict.checks)


def drop_a_task(c: Claim) -> None:
    c.tasks[1, 1] -= 1


def duplicate_a_task(c: Claim) -> None:
    c.tasks[2, 0] += 1


def move_to_where_it_cannot_run(c: Claim) -> None:
    c.tasks[1, 1] -= 1
    c.tasks[3, 1] += 1


def keep(c: Claim, groups: slice) -> None:
    c.machine_type, c.machines, c.tasks = (
        c.machine_type[groups],
        c.machines[groups],
        c.tasks[groups],
    )


def add_machines(c: Claim) -> None:
    c.machines[3] = 4


def retype_a_machine(c: Claim) -> None:
    c.machine_type[3] = 0


def timeline(**columns: tuple[int, float]) -> Callable[[Claim], None]:
    """Sets one entry of each named column of the timeline."""

    def spoil(c: Claim) -> None:
        changed = {name: getattr(c.timeline, name).copy() for name in columns}
        for name, (row, value) in columns.items():
            changed[name][row] = value
        c.timeline = replace(c.timeline, **changed)

    return spoil


def reorder_timeline(*rows: int) -> Callable[[Claim], None]:
    def spoil(c: Claim) -> None:
        columns = {f.name: getattr(c.timeline, f.name)[list(rows)] for f in fields(Blocks)}
        c.timeline = Blocks(**columns)

    return spoil


def say(**claims: float | None) -> Callable[[Claim], None]:
    def spoil(c: Claim) -> None:
        for name, value in claims.items():
            setattr(c, name, value)

    return spoil


# The timeline of the sample: 0, 1: A #1 to #2; 2: A #3; 3: B #1. Spoilt how; where it must be said.
BROKEN: dict[str, tuple[Callable[[Claim], None], tuple[str, str], str]] = {
    "a task dropped": (drop_a_task, ("T2", "count"), "1 of 6 tasks are missing"),
    "a task duplicated": (
        duplicate_a_task,
        ("T1", "count"),
        "7 tasks are there, but the system has 6",
    ),
    "a task where it cannot run": (
        move_to_where_it_cannot_run,
        ("B #2", "task_type"),
        "cannot run tasks of type T2",
    ),
    "a machine missing": (lambda c: keep(c, slice(3)), ("B", "machines"), "1 machines are there"),
    "machines too many": (
        add_machines,
        ("B", "machines"),
        "5 machines are there, but the system has 2",
    ),
    "a machine of another type": (retype_a_machine, ("A", "machines"), "4 machines are there"),
    "a block dropped": (
        reorder_timeline(0, 1, 3),
        ("A #3", "count"),
        "the timeline has 0 tasks of type T2, but 2 are placed here",
    ),
    "a block twice": (reorder_timeline(0, 1, 2, 2, 3), ("A #3", "count"), "has 4 tasks"),
    "a block twice at once": (
        reorder_timeline(0, 1, 2, 2, 3),
        ("A #3", "start"),
        "before the block",
    ),
    "a block longer": (
        timeline(end=(2, 7.0)),
        ("A #3", "end"),
        "should last 6 s for 2 tasks of type T2",
    ),
    "a block shorter": (timeline(end=(3, 7.9)), ("B #1", "end"), "should last 8 s"),
    "a block shifted": (
        timeline(start=(1, 6.5), end=(1, 7.5)),
        ("A #1 to #2", "start"),
        "leaves the machine waiting from 6 s",
    ),
    "a first block shifted": (
        timeline(start=(3, 1.0), end=(3, 9.0)),
        ("B #1", "start"),
        "leaves the machine waiting from 0 s",
    ),
    "an overlap": (
        timeline(start=(1, 5.0), end=(1, 6.0)),
        ("A #1 to #2", "start"),
        "starts before the block before it ends, 6 s",
    ),
    "blocks swapped": (reorder_timeline(1, 0, 2, 3), ("A #1 to #2", "start"), "in the order run"),
    "a block with another count": (
        timeline(count=(3, 3)),
        ("B #1", "count"),
        "has 3 tasks of type T1",
    ),
    "a block of another type": (
        timeline(task_type=(2, 0)),
        ("A #3", "count"),
        "has 2 tasks of type T1",
    ),
    "a block of no type": (timeline(task_type=(2, 2)), ("A #3", "task_type"), "which is not there"),
    "a block elsewhere": (
        timeline(first_machine=(2, 2)),
        ("A #2", "machine"),
        "which are no group",
    ),
    "a block nowhere": (timeline(first_machine=(2, 4)), ("A #4", "machine"), "machine 4 of 1 to 3"),
    "a block on fewer machines": (timeline(machines=(0, 1)), ("A #1", "machine"), "on 1 machines"),
    "a block on no machine type": (
        timeline(machine_type=(2, 9)),
        ("", "machine_type"),
        "type number 10",
    ),
    "a start that is unknown": (timeline(start=(2, math.nan)), ("A #3", "start"), "at nan s"),
    "an end before time": (timeline(end=(2, -1.0)), ("A #3", "end"), "ends at -1 s"),
    "makespan too short": (say(makespan=7.9999), ("", "makespan"), "7.9999 s, but adds up to 8 s"),
    "makespan too long": (say(makespan=8.0001), ("", "makespan"), "adds up to 8 s"),
    "makespan unknown": (say(makespan=math.nan), ("", "makespan"), "said to be nan s"),
    "energy too low": (say(energy_if_known=700.0), ("", "energy"), "700 J, but adds up to 740 J"),
    "energy unknown": (say(energy_if_known=None), ("", "energy"), "said to be unknown"),
    "energy no number": (say(energy_if_known=math.nan), ("", "energy"), "said to be nan J"),
}


class TestBrokenSchedules:
    def test_the_sample_is_sound_before(self) -> None:
        assert verify(claim(sample()), sample().system) == verify(sample(), sample().system)
        assert verify(sample(), sample().system).energy == 740.0
        assert verify(sample(), sample().system).ok

    @pytest.mark.parametrize("fault", BROKEN)
    def test_are_refused_at_the_place(self, fault: str) -> None:
        spoil, place, says = BROKEN[fault]
        broken = claim(sample())
        spoil(broken)
        verdict = verify(broken, sample().system)
        assert not verdict.ok
        assert place in places(verdict)
        said = [p.message for p in verdict.problems if (p.row, p.column) == place]
        assert any(says in message for message in said), said

    @pytest.mark.parametrize(
        "fault", [f for f in BROKEN if f.startswith(("makespan", "energy", "a block longer"))]
    )
    def test_a_single_fault_is_said_once(self, fault: str) -> None:
        broken = claim(sample())
        BROKEN[fault][0](broken)
        assert len(verify(broken, sample().system).problems) == 1

    @given(anything, st.sampled_from([1 - 1e-6, 1 + 1e-6, 2.0, 0.0, math.inf]))
    def test_no_false_makespan_passes(self, schedule: Schedule, factor: float) -> None:
        broken = claim(schedule)
        broken.makespan = schedule.makespan * factor
        assert places(verify(broken, schedule.system)) == {("", "makespan")}

    @given(schedules(systems(dyadic=True, with_apc=True)), st.sampled_from([1, -1, 1000]))
    def test_no_false_energy_passes(self, schedule: Schedule, joules: int) -> None:
        broken = claim(schedule)
        broken.energy_if_known = schedule.energy + joules
        assert places(verify(broken, schedule.system)) == {("", "energy")}

    @pytest.mark.parametrize(("share", "ok"), [(1e-13, True), (1e-11, False)])
    def test_rounding_of_idle_time_is_no_false_energy(self, share: float, ok: bool) -> None:
        system = System(
            (TaskType("T", 2),), (MachineType("M", 2, 1e12),), np.array([[3.0]]), np.array([[0.0]])
        )
        no_idle = claim(Schedule(system, np.array([0]), np.array([2]), np.array([[1]])))
        assert no_idle.energy_if_known == 0.0
        no_idle.energy_if_known = share * 2 * 3.0 * 1e12
        assert verify(no_idle, system).ok == ok

    @given(anything, st.data())
    def test_no_change_of_a_count_passes(self, schedule: Schedule, data: st.DataObject) -> None:
        broken = claim(schedule)
        g = data.draw(st.integers(0, len(broken.machines) - 1))
        i = data.draw(st.integers(0, len(schedule.system.task_types) - 1))
        broken.tasks[g, i] += data.draw(st.sampled_from([1, -1, 10**15]))
        assert not verify(broken, schedule.system).ok

    @pytest.mark.parametrize(
        "spoil",
        [
            lambda c: c.tasks.__setitem__((0, 0), -1),
            lambda c: c.machines.__setitem__(0, 0),
            lambda c: c.machines.__setitem__(0, 2**62),
            lambda c: c.machine_type.__setitem__(0, 2),
            lambda c: c.machine_type.__setitem__(0, -1),
            lambda c: setattr(c, "tasks", c.tasks[:, :1]),
            lambda c: setattr(c, "machines", c.machines[:2]),
            lambda c: keep(c, slice(0)),
        ],
    )
    def test_what_is_no_schedule_of_this_system_at_all_is_refused(
        self, spoil: Callable[[Claim], None]
    ) -> None:
        broken = claim(sample())
        spoil(broken)
        verdict = verify(broken, sample().system)
        (problem,) = verdict.problems
        assert "not made for this system" in problem.message
        assert verdict.tasks == 0

    def test_counts_that_are_right_only_in_64_bits_are_refused(self) -> None:
        system = System((TaskType("T", 4),), (MachineType("M", 4),), np.array([[1.0]]))
        one_each = Schedule(system, np.array([0]), np.array([4]), np.array([[1]]))
        broken = claim(one_each)
        broken.tasks[0, 0] = 2**62 + 1
        assert int((broken.machines[:, None] * broken.tasks).sum()) == 4
        assert ("T", "count") in places(verify(broken, system))

    def test_a_schedule_of_another_system_is_measured_by_this_one(self) -> None:
        schedule = sample()
        slower = replace(schedule.system, etc=schedule.system.etc * 2)
        assert ("", "makespan") in places(verify(schedule, slower))


# The rows of the sample as a file: A #1: 0, 1; A #2: 2, 3; A #3: 4; B #1: 5.
# Spoilt how; every place where something must be said, and what at the first of them.
Spoil = Callable[[Stated], Stated]
MISSTATED: dict[str, tuple[Spoil, list[tuple[str, str]], str]] = {
    "a row dropped": (
        lambda s: s.take([0, 1, 2, 3, 5]),
        [("T2", "count")],
        "2 of 6 tasks are missing",
    ),
    "all rows dropped": (
        lambda s: s.take(slice(0)),
        [("T1", "count"), ("T2", "count")],
        "6 of 6 tasks are missing",
    ),
    "a row twice": (
        lambda s: s.take([0, 1, 2, 3, 4, 4, 5]),
        [("A #3", "start"), ("T2", "count")],
        "starts before the block before it ends, 6 s",
    ),
    "a count of zero": (
        lambda s: s.set(5, count=0),
        [("B #1", "count"), ("T1", "count")],
        "block 6 has 0 tasks; give 1 or more",
    ),
    "a negative count": (
        lambda s: s.set(5, count=-4),
        [("B #1", "count"), ("T1", "count")],
        "block 6 has -4 tasks",
    ),
    "another count": (
        lambda s: s.set(5, count=3),
        [("B #1", "end"), ("T1", "count")],
        "should last 6 s for 3 tasks of type T1",
    ),
    "a count beyond all counts": (
        lambda s: s.set(5, count=2**63 - 1),
        [("T1", "count"), ("B #1", "end")],
        "9,223,372,036,854,775,809 tasks are there, but the system has 6",
    ),
    "a negative start": (
        lambda s: s.set(5, start=-1.0, end=7.0),
        [("B #1", "start")],
        "block 6 starts at -1 s; give a time from 0 on",
    ),
    "an unknown start": (lambda s: s.set(5, start=math.nan), [("B #1", "start")], "nan s"),
    "an unknown end": (lambda s: s.set(5, end=math.nan), [("B #1", "end")], "ends at nan s"),
    "an endless block": (lambda s: s.set(5, end=math.inf), [("B #1", "end")], "ends at inf s"),
    "an end before the start": (
        lambda s: s.set(1, end=5.0),
        [("A #1", "end")],
        "block 2 ends at 5 s; give a time after its start, 6 s",
    ),
    "too short a block": (
        lambda s: s.set(5, end=7.999999),
        [("B #1", "end")],
        "should last 8 s for 4 tasks of type T1",
    ),
    "too long a block": (lambda s: s.set(5, end=8.000001), [("B #1", "end")], "should last 8 s"),
    "a start shifted": (lambda s: s.set(5, start=1.0), [("B #1", "end")], "block 6, 1 to 8 s,"),
    "an overlap": (
        lambda s: s.set(1, start=5.5, end=6.5),
        [("A #1", "start")],
        "block 2, 5.5 to 6.5 s, starts before the block before it ends, 6 s",
    ),
    "an overlap from within": (
        lambda s: s.set(3, start=0.0, end=1.0),
        [("A #2", "start")],
        "starts before the block before it ends, ",
    ),
    "rows swapped": (
        lambda s: s.take([1, 0, 2, 3, 4, 5]),
        [("A #1", "start")],
        "block 2, 0 to 6 s, is listed after a later one; list blocks in the order run",
    ),
    "rows swapped far apart": (
        lambda s: s.take([1, 2, 3, 4, 5, 0]),
        [("A #1", "start")],
        "block 6, 0 to 6 s, is listed after a later one",
    ),
    "a pair that cannot run": (
        lambda s: s.set(4, machine_type=1, machine=2),
        [("B #2", "task_type")],
        "cannot run tasks of type T2; move these 2 to a machine that can",
    ),
    "a machine in use": (
        lambda s: s.set(4, machine=1),
        [("A #1", "start"), ("A #1", "start")],
        "block 5, 0 to 6 s, is listed after a later one",
    ),
    "a machine number too high": (
        lambda s: s.set(4, machine=4),
        [("A #4", "machine"), ("T2", "count")],
        "block 5 is on machine 4 of 1 to 3; correct the number",
    ),
    "a machine number of zero": (
        lambda s: s.set(4, machine=0),
        [("A #0", "machine"), ("T2", "count")],
        "block 5 is on machine 0 of 1 to 3",
    ),
    "no machine type": (
        lambda s: s.set(4, machine_type=2),
        [("", "machine_type"), ("T2", "count")],
        "block 5 is on machine type number 3, which is not there",
    ),
    "no machine type, counted from the end": (
        lambda s: s.set(4, machine_type=-1),
        [("", "machine_type"), ("T2", "count")],
        "block 5 is on machine type number 0",
    ),
    "no task type": (
        lambda s: s.set(4, task_type=-1),
        [("A #3", "task_type"), ("T2", "count")],
        "block 5 is of task type number 0, which is not there",
    ),
    "another task type": (
        lambda s: s.set(4, task_type=0),
        [("A #3", "end"), ("T1", "count"), ("T2", "count")],
        "should last 2 s for 2 tasks of type T1",
    ),
}


class TestMisstatedSchedules:
    @pytest.mark.parametrize("fault", MISSTATED)
    def test_are_refused_at_the_places_and_nowhere_else(self, fault: str) -> None:
        spoil, where, says = MISSTATED[fault]
        verdict = verify_stated(spoil(stated(sample())), sample().system)
        assert not verdict.ok
        assert sorted((p.row, p.column) for p in verdict.problems) == sorted(where)
        said = [p.message for p in verdict.problems if (p.row, p.column) == where[0]]
        assert any(says in message for message in said), said

    @given(exact, st.data())
    def test_no_row_can_be_dropped(self, schedule: Schedule, data: st.DataObject) -> None:
        rows = stated(schedule)
        lost = data.draw(st.integers(0, len(rows) - 1))
        verdict = verify_stated(rows.take(np.arange(len(rows)) != lost), schedule.system)
        task = schedule.system.task_types[rows.task_type[lost]].name
        assert (task, "count") in places(verdict)

    @given(exact, st.data())
    def test_no_block_can_be_moved_into_another(
        self, schedule: Schedule, data: st.DataObject
    ) -> None:
        rows = stated(schedule)
        later = np.flatnonzero(rows.start > 0)
        assume(len(later))
        row = int(data.draw(st.sampled_from(later.tolist())))
        by = data.draw(st.sampled_from([1e-6, 0.5, 1.0])) * rows.start[row]
        early = rows.set(row, start=rows.start[row] - by, end=rows.end[row] - by)
        assert not verify_stated(early, schedule.system).ok

    @given(
        schedules(systems(max_count=12)), st.data(), st.sampled_from([0.5, 1 + 1e-6, 2.0, math.nan])
    )
    def test_no_duration_can_be_changed(
        self, schedule: Schedule, data: st.DataObject, factor: float
    ) -> None:
        rows = stated(schedule)
        # Of a block that is a speck beside its start, rounding hides changes.
        seen = np.flatnonzero(rows.end - rows.start > 1e-5 * rows.end)
        row = int(data.draw(st.sampled_from(seen.tolist())))
        end = rows.start[row] + factor * (rows.end[row] - rows.start[row])
        verdict = verify_stated(rows.set(row, end=end), schedule.system)
        machine = schedule.system.machine_types[rows.machine_type[row]].name
        assert (f"{machine} #{rows.machine[row]}", "end") in places(verdict)

    def test_all_faults_are_found_at_once(self) -> None:
        rows = stated(sample()).set(0, count=0).set(2, start=-1.0).set(4, machine=9).set(5, end=9.0)
        found = places(verify_stated(rows, sample().system))
        assert found >= {("A #1", "count"), ("A #2", "start"), ("A #9", "machine"), ("B #1", "end")}

    @pytest.mark.parametrize("more", [0, 1, 1000])
    def test_of_many_faults_of_a_kind_the_first_are_listed_and_the_rest_counted(
        self, more: int
    ) -> None:
        n = LISTED_PER_CHECK + more
        system = System((TaskType("T", n),), (MachineType("M", n),), np.array([[1.0]]))
        ones = np.ones(n, np.int64)
        rows = Stated(ones - 1, np.arange(1, n + 1), ones - 1, ones, 0.0 * ones, 2.0 * ones)
        problems = verify_stated(rows, system).problems
        assert len(problems) == LISTED_PER_CHECK + (more > 0)
        assert [p.row for p in problems[:2]] == ["M #1", "M #2"]
        if more:
            assert problems[-1].message == f"and {more:,} more like the one above"
            assert problems[-1].column == "end"


@pytest.mark.parametrize("name", ["verify", "recount"])
def test_imports_nothing_that_schedules(name: str) -> None:
    tree = ast.parse(Path(inspect.getfile(importlib.import_module(f"core.{name}"))).read_text())
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    ours = {module for module in imported if module and module.split(".")[0] in {"core", "."}}
    assert ours <= {"core.problems", "core.recount", "core.schedule", "core.system"}
