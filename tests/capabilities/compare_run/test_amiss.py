"""Each task that failed or is missing is listed once, with what its last start says."""

import csv
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from capabilities.compare_run.conftest import AS_PLANNED, dump
from capabilities.compare_run.test_comparison import RUNNING, histories
from examples import examples
from hypothesis import given

from core.capabilities.compare_run.amiss import TaskAmiss, amiss_lines, tasks_amiss
from core.capabilities.compare_run.comparison import compare_run
from core.capabilities.compare_run.recorded import RECORD, RecordParts, read_recorded
from core.engines.logs.reading.logs import read_logs
from core.engines.logs.reading.store import Stopped
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


@pytest.fixture
def recorded(plan, tmp_path):
    """What a log of these rows has recorded."""

    def make(*rows, of=plan, text="", **named):
        path = tmp_path / "jobs.txt"
        path.write_text(text or dump(of, rows), encoding="utf-8")
        return read_recorded(of, read_logs([path], "sacct", folder=tmp_path), **named)

    return make


def test_nothing_is_amiss_of_what_was_planned(recorded):
    assert list(tasks_amiss(recorded(*AS_PLANNED))) == []


def test_a_task_has_its_place_and_what_its_last_start_says(recorded):
    rows = list(AS_PLANNED)
    rows[1] = replace(rows[1], state="CANCELLED by 7", node="z")
    rows[8] = replace(rows[8], state="NODE_FAIL")
    again = replace(rows[8], start=20, end=21, state="OUT_OF_ME+", node="q")
    rows[9] = replace(rows[9], state="RUNNING")
    del rows[3]
    # Of type y the tasks 0 and 1 are those of A 1; the first start was at 0.
    assert list(tasks_amiss(recorded(*rows, again))) == [
        TaskAmiss(0, 1, 0, 1, True, "CANCELLED", "z", 4.0),
        TaskAmiss(0, 1, 1, 0, False, "", "", None),
        TaskAmiss(1, 1, 1, 4, True, "OUT_OF_MEMORY", "q", 20.0),
        TaskAmiss(1, 1, 1, 5, False, "RUNNING", "n1-1", 3.0),
    ]


def test_moments_count_from_the_first_start_where_nothing_has_ended(recorded):
    rows = [replace(row, start=row.start + 50, state="RUNNING") for row in AS_PLANNED[1:3]]
    found = list(tasks_amiss(recorded(*rows)))
    assert [(task.index, task.started) for task in found[:3]] == [(0, None), (1, 0.0), (2, 4.0)]
    assert {task.outcome for task in found} == {"missing"}


def test_without_columns_of_states_and_nodes_they_are_blank(recorded, plan):
    cells = [line.split("|") for line in dump(plan, AS_PLANNED[:5]).splitlines()]
    text = "".join("|".join((*one[:2], *one[3:5])) + "\n" for one in cells)
    found = recorded(text=text)
    assert [task.machine_type for task in tasks_amiss(found)] == [0, 1, 1, 1, 1]
    assert {(task.state, task.nodes, task.started) for task in tasks_amiss(found)} == {
        ("", "", None)
    }
    machines = compare_run(found).machines
    assert machines.nodes == ((), (), ())
    assert machines.ran.tolist() == [5, 0, 0]


def test_the_file_has_every_task_and_no_formula(plan, recorded):
    rows = [replace(AS_PLANNED[5], state="FAILED", node="=n", start=3), *AS_PLANNED[:5]]
    system = System(
        (TaskType("=x", 4), TaskType("y", 6)),
        (MachineType("A,1", 2), MachineType("B", 2)),
        plan.system.etc,
    )
    lines = list(amiss_lines(tasks_amiss(recorded(*rows)), system))
    assert lines[0] == "machine_type,machine,task_type,index,outcome,state,nodes,started (s)\n"
    assert lines[1] == "\"A,1\",2,'=x,3,failed,FAILED,'=n,3\n"
    assert lines[2:] == [f"B,1,y,{k},missing,,,\n" for k in range(2, 6)]


def test_the_command_writes_the_file(wattfront, files, plan):
    (files / "log").write_text(dump(plan, AS_PLANNED[:-1]))
    words = ("compare-run", "system.json", "schedule.csv", "log")
    assert "  written to  tasks.csv\n" in wattfront(*words, "--amiss", "tasks.csv").out
    (row,) = csv.DictReader((files / "tasks.csv").open())
    assert (row["machine_type"], row["task_type"], row["index"]) == ("B", "y", "5")
    outcome = wattfront(*words, "--amiss", "tasks.txt")
    assert "tasks.txt cannot be written: name a .csv file" in outcome.err


def fates(rows):
    """Other code: for each task by job array and number, what is amiss and the last start."""
    of = {}
    for row in rows:
        of.setdefault((row.array, row.task), []).append(row)
    for array, count in enumerate((3, 2, 1, 4)):
        for task in range(count):
            starts = of.get((array, task), [])
            if not any(row.state == "COMPLETED" for row in starts):
                failed = any(row.state not in RUNNING for row in starts)
                yield array, task, failed, max((row.start for row in starts), default=None)


@examples(4)
@given(rows=histories())
def test_a_list_task_by_task_has_the_same_in_parts_of_any_size(plan, rows):
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        path = Path(folder, "log")
        path.write_text(dump(plan, rows))
        store = read_logs([path], "sacct", folder=Path(folder))
        whole = read_recorded(plan, store)
        patched.setattr("core.capabilities.compare_run.recorded.PART_SIZE", 1)
        found = read_recorded(plan, store)
        assert (len(whole.stored), len(found.stored)) == (1, 3)
        tasks = list(tasks_amiss(found))
        assert tasks == list(tasks_amiss(whole))
    first = [(0, 0), (0, 1), (3, 0), (2, 1)]  # of each job array: the first index, and the type
    ended = [row.start for row in rows if row.state not in RUNNING]
    begin = min(ended or [row.start for row in rows])
    assert [(task.task_type, task.index, task.failed, task.started) for task in tasks] == [
        (first[array][1], first[array][0] + task, failed, None if at is None else at - begin)
        for array, task, failed, at in fates(rows)
    ]


class TestParts:
    def test_machines_that_follow_each_other_are_in_a_part(self, tmp_path, monkeypatch):
        monkeypatch.setattr("core.capabilities.compare_run.recorded.PART_SIZE", 10)
        # A part ends with the machine that fills it.
        for sizes, first in (
            ([4, 5, 1, 3], [0, 3, 4]),
            ([4, 5, 2, 3], [0, 3, 4]),
            ([100, 1, 1], [0, 1, 3]),
            ([3], [0, 1]),
        ):
            assert RecordParts(tmp_path, np.array(sizes)).first.tolist() == first

    def test_records_come_back_in_their_order(self, tmp_path, monkeypatch):
        monkeypatch.setattr("core.capabilities.compare_run.recorded.PART_SIZE", 2)
        parts = RecordParts(tmp_path, np.array([2, 2, 2]))
        records = np.zeros(4, RECORD)
        records["task"] = [10, 11, 12, 13]
        parts.add(np.array([2, 0, 2, 0]), records)
        parts.add(np.array([0]), records[:1])
        assert [parts.read(k)["task"].tolist() for k in range(3)] == [[11, 13, 10], [], [10, 12]]


def test_parts_can_be_asked_for_by_their_machines(recorded, monkeypatch):
    monkeypatch.setattr("core.capabilities.compare_run.recorded.PART_SIZE", 1)
    found = recorded(*AS_PLANNED)
    for machines, firsts in (([0], [0]), ([1], [1]), ([2], [2]), ([0, 2], [0, 2]), ([], [])):
        parts = [*found.parts(np.array(machines, np.int64))]
        assert [part.first for part in parts] == firsts
        assert [part.end - part.first for part in parts] == [1] * len(firsts)
    assert [part.records.machine.tolist() for part in found.parts()] == [[0] * 5, [0], [0] * 4]
    assert [len(part.ended) for part in found.parts()] == [5, 1, 4]


@pytest.mark.parametrize("looks", range(6))
def test_it_can_be_stopped_at_any_time(recorded, looks):
    """Reading looks once for each of two passes, and each walk once for each part."""
    left = looks

    def should_stop():
        nonlocal left
        left -= 1
        return left < 0

    def all_of_it():
        run = recorded(*AS_PLANNED, should_stop=should_stop)
        compare_run(run, should_stop)
        return list(tasks_amiss(run, should_stop))

    if looks < 4:
        with pytest.raises(Stopped):
            all_of_it()
    else:
        assert all_of_it() == []
