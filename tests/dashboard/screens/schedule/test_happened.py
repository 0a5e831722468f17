"""Planned and measured are drawn for the same machines, and every task is in a bar."""

from dataclasses import replace

import numpy as np
import pytest
from capabilities.compare_run.conftest import AS_PLANNED, Row, dump

from core.capabilities.compare_run.recorded import read_recorded
from core.engines.logs.reading.logs import read_logs
from core.engines.slurm.job_arrays import job_arrays_of
from core.files.findings import Unreadable
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from dashboard.parts.charts.gantt import gantt
from dashboard.screens.schedule import happened as happened_module
from dashboard.screens.schedule.happened import (
    MOST_LISTED,
    MOST_MACHINES,
    amiss_table,
    happened,
    machine_table,
    read_happened,
)


def bars(found):
    columns = (found.row, found.task_type, found.count, found.start, found.end)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.fixture(scope="module")
def schedule():
    """As in the tests of the comparison, where its job arrays and rows are."""
    system = System(
        (TaskType("x", 4), TaskType("y", 6)),
        (MachineType("A", 2), MachineType("B", 2)),
        np.array([[4.0, np.inf], [2.0, 1.0]]),
    )
    return Schedule(
        system,
        np.array([0, 0, 1, 1]),
        np.array([1, 1, 1, 1]),
        np.array([[3, 2], [1, 0], [0, 4], [0, 0]]),
    )


@pytest.fixture
def found(schedule, tmp_path):
    def make(rows, of=schedule):
        plan = job_arrays_of(of.blocks(), of.system)
        (tmp_path / "log").write_text(dump(plan, rows))
        return happened(read_recorded(plan, read_logs([tmp_path / "log"], folder=tmp_path)))

    return make


def test_what_was_planned_and_happened_has_the_same_bars(found):
    answer = found(AS_PLANNED)
    assert answer.planned.rows == answer.measured.rows
    assert [(row.machine_type, row.first) for row in answer.planned.rows] == [
        (0, 1),
        (0, 2),
        (1, 1),
    ]
    assert bars(answer.planned.bars) == bars(answer.measured.bars)
    assert bars(answer.measured.bars) == [
        *((0, 0, 3, 0, 12), (0, 1, 2, 12, 16)),
        (1, 0, 1, 0, 4),
        (2, 1, 4, 0, 4),
    ]
    assert not len(answer.failed)


def test_a_wait_that_can_be_seen_divides_a_bar(found):
    late = Row(3, 3, 9, 10, "FAILED")
    answer = found((*AS_PLANNED[:-1], late))
    assert bars(answer.measured.bars)[-2:] == [(2, 1, 3, 0, 3), (2, 1, 1, 9, 10)]
    assert bars(answer.failed) == [(2, 1, 1, 9, 10)]
    hidden = Row(2, 0, 0, 4_000)
    answer = found((*AS_PLANNED[:5], hidden, *AS_PLANNED[6:-1], late))
    assert bars(answer.measured.bars)[-1] == (2, 1, 4, 0, 10)
    assert answer.seconds == 4_000


def test_both_charts_have_one_axis(schedule, found):
    answer = found((*AS_PLANNED[:-1], Row(3, 3, 99, 100, "FAILED")))
    planned = gantt(schedule, answer.planned, 1.0, until=answer.seconds)
    measured = gantt(schedule, answer.measured, 1.0, until=answer.seconds, failed=answer.failed)
    assert planned.layout.xaxis.range == measured.layout.xaxis.range == (0, 101)
    assert planned.layout.yaxis.ticktext == measured.layout.yaxis.ticktext
    (crosses,) = (trace for trace in measured.data if trace.name == "failed")
    assert (list(crosses.x), list(crosses.y)) == ([100], [2])
    assert "failed" not in {trace.name for trace in planned.data}


@pytest.fixture(scope="module")
def many():
    """As many machines as the table has rows, and one more; each has two tasks."""
    machines = MOST_LISTED + 1
    system = System(
        (TaskType("x", 2 * machines),), (MachineType("A", machines),), np.array([[5.0]])
    )
    return Schedule(system, np.array([0]), np.array([machines]), np.array([[2]]))


def test_of_many_machines_those_that_deviate_most_are_shown(found, many):
    rows = [
        Row(k, task, 5 * task, 5 * task + 5 + (k if task else 0))
        for k in range(MOST_LISTED + 1)
        for task in range(2)
    ]
    answer = found(rows, many)
    shown = [row.first for row in answer.measured.rows]
    last = MOST_LISTED + 1
    assert shown == list(range(last + 1 - MOST_MACHINES, last + 1))
    assert answer.planned.bars.row.tolist() == list(range(MOST_MACHINES))
    table = machine_table(answer)
    assert len(table) == MOST_LISTED
    assert table["Machine"][0] == f"A #{last}"


def test_the_table_has_the_unit_of_the_charts(found):
    rows = [Row(2, 0, 0, 7_200), *AS_PLANNED[:3]]
    table = machine_table(found(rows)).set_index("Machine")
    assert list(table.columns[1:5]) == [
        f"{name} (h)" for name in ("Planned", "Measured", "Later", "Waited")
    ]
    assert table["Measured (h)"]["A #2"] == 2
    assert np.isnan(table["Measured (h)"]["B #1"])
    assert table["Remarks"]["B #1"] == "4 missing"


def test_tasks_that_failed_or_are_missing_are_listed(found, monkeypatch):
    monkeypatch.setattr(happened_module, "MOST_AMISS", 2)
    monkeypatch.setattr(happened_module, "MOST_IN_FILE", 3)
    rows = [replace(AS_PLANNED[0], state="TIMEOUT"), *AS_PLANNED[1:4], Row(2, 0, 3_600, 7_200)]
    answer = found(rows)
    assert [(task.index, task.outcome) for task in answer.amiss] == [(0, "failed"), (1, "missing")]
    assert answer.amiss_file.decode().splitlines()[1:] == [
        "A,1,x,0,failed,TIMEOUT,n0-1,0",
        "A,1,y,1,missing,,,",
        "B,1,y,2,missing,,,",
    ]
    table = amiss_table(answer)
    assert table.iloc[0].tolist() == ["A #1", "x", 0, "failed", "TIMEOUT", "n0-1", 0.0]


def test_starts_have_the_unit_of_the_charts(found):
    late = Row(3, 0, 7_200, 7_201, "FAILED")
    assert amiss_table(found([*AS_PLANNED[:6], late]))["Started (h)"][0] == 2


def test_what_cannot_be_read_is_a_located_problem(schedule, tmp_path):
    path = tmp_path / "jobs.txt"
    path.write_text("hello\nworld\n")
    with pytest.raises(Unreadable, match="a dump of sacct with its header"):
        read_happened(tmp_path, [path], schedule)
    path.write_text("JobID|JobName|Start|Elapsed\n1|a|5|00:00:01\n")
    (problem,) = read_happened(tmp_path, [path], schedule)
    assert problem.file == "jobs.txt"
    assert "has no job of this schedule" in problem.message
