"""Verify objects to every row of a file that cannot be, naming the place and nothing else."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from claims import Stated, exact, places, sample, stated
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.engines.verify.judge import verify_stated
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

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
        n = 10 + more
        system = System((TaskType("T", n),), (MachineType("M", n),), np.array([[1.0]]))
        ones = np.ones(n, np.int64)
        rows = Stated(ones - 1, np.arange(1, n + 1), ones - 1, ones, 0.0 * ones, 2.0 * ones)
        problems = verify_stated(rows, system).problems
        assert len(problems) == 10 + (more > 0)
        assert [p.row for p in problems[:2]] == ["M #1", "M #2"]
        if more:
            assert problems[-1].message == f"and {more:,} more like the one above"
            assert problems[-1].column == "end"
