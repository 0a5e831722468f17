"""Verify objects to every row of a file that cannot be, naming the place and nothing else."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from claims import RECORDED, Stated, exact, places, said, sample, stated
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.engines.verify.judge import verify_stated
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

# The rows of the sample as a file: A #1: 0, 1; A #2: 2, 3; A #3: 4; B #1: 5.
# `said.toml` has what is said, which is nothing of machines that wait.
MISSTATED: dict[str, Callable[[Stated], Stated]] = {
    "a row dropped": lambda s: s.take([0, 1, 2, 3, 5]),
    "all rows dropped": lambda s: s.take(slice(0)),
    "a row twice": lambda s: s.take([0, 1, 2, 3, 4, 4, 5]),
    "a count of zero": lambda s: s.set(5, count=0),
    "a negative count": lambda s: s.set(5, count=-4),
    "another count": lambda s: s.set(5, count=3),
    "a large count": lambda s: s.set(5, count=2000),
    "a count beyond all counts": lambda s: s.set(5, count=2**63 - 1),
    "a negative start": lambda s: s.set(5, start=-1.0, end=7.0),
    "an unknown start": lambda s: s.set(5, start=math.nan),
    "an unknown end": lambda s: s.set(5, end=math.nan),
    "an endless block": lambda s: s.set(5, end=math.inf),
    "an end before the start": lambda s: s.set(1, end=5.0),
    "too short a block": lambda s: s.set(5, end=7.999999),
    "too long a block": lambda s: s.set(5, end=8.000001),
    "a start shifted": lambda s: s.set(5, start=1.0),
    "an overlap": lambda s: s.set(1, start=5.5, end=6.5),
    "an overlap from within": lambda s: s.set(3, start=0.0, end=1.0),
    "rows swapped": lambda s: s.take([1, 0, 2, 3, 4, 5]),
    "rows swapped far apart": lambda s: s.take([1, 2, 3, 4, 5, 0]),
    "a pair that cannot run": lambda s: s.set(4, machine_type=1, machine=2),
    "a pair that cannot run, in use": lambda s: s.set(4, machine_type=1, machine=1),
    "a machine in use": lambda s: s.set(4, machine=1),
    "a machine number too high": lambda s: s.set(4, machine=4),
    "a machine number too high for its type": lambda s: s.set(5, machine=3),
    "a machine number of zero": lambda s: s.set(4, machine=0),
    "no machine type": lambda s: s.set(4, machine_type=2),
    "no machine type, counted from the end": lambda s: s.set(4, machine_type=-1),
    "no task type": lambda s: s.set(4, task_type=2),
    "no task type, counted from the end": lambda s: s.set(4, task_type=-1),
    "another task type": lambda s: s.set(4, task_type=0),
    "a machine that waits not at all": lambda s: s.set(1, start=6.0, end=7.0),
    "a machine that waits": lambda s: s.set(1, start=9.0, end=10.0),
}


class TestMisstatedSchedules:
    @pytest.mark.parametrize("fault", MISSTATED)
    def test_are_refused_at_the_places_in_these_words_and_nowhere_else(self, fault: str) -> None:
        verdict = verify_stated(MISSTATED[fault](stated(sample())), sample().system)
        assert said(verdict) == RECORDED["rows"][fault]

    @given(exact, st.data())
    def test_no_row_can_be_dropped(self, schedule: Schedule, data: st.DataObject) -> None:
        rows = stated(schedule)
        lost = data.draw(st.integers(0, len(rows) - 1))
        verdict = verify_stated(rows.take(np.arange(len(rows)) != lost), schedule.system)
        task = schedule.system.task_types[rows.task_type[lost]].name
        assert (task, "count") in places(verdict)

    @pytest.mark.thorough
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
