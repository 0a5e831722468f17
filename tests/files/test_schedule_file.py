"""A schedule comes back from its file block by block; what a file states wrongly is located."""

import json
from contextlib import nullcontext

import books
import numpy as np
import openpyxl
import pytest
from examples import examples
from hypothesis import given
from strategies import schedules, systems

from core.files import inspect_schedule, inspect_schedule_bytes, limits, write_schedule
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.problems import InvalidInput
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

HEADER = "machine_type,machine,task_type,count,start (s),end (s)\n"
SUFFIXES = [".csv", ".json", ".xlsx"]
COLUMNS = ["machine_type", "machine", "task_type", "count", "start", "end"]


@pytest.fixture
def system():
    return System(
        (TaskType("T1", 6), TaskType("=T2", 3)),
        (MachineType("A", 3), MachineType("B", 1)),
        np.array([[0.1, 2.0], [3.0, 0.7]]),
    )


@pytest.fixture
def schedule(system):
    return Schedule(
        system, np.array([0, 0, 1]), np.array([2, 1, 1]), np.array([[2, 1], [1, 0], [1, 1]])
    )


def expanded(schedule):
    """The rows a file must have, one machine and one block after the other."""
    blocks = schedule.blocks()
    rows = [
        (blocks.machine_type[b], blocks.first_machine[b] + m, blocks.start[b], b)
        for b in range(len(blocks))
        for m in range(blocks.machines[b])
    ]
    return [
        (kind, machine, blocks.task_type[b], blocks.count[b], start, blocks.end[b])
        for kind, machine, start, b in sorted(rows)
    ]


def stated(blocks):
    return list(zip(*(getattr(blocks, column).tolist() for column in COLUMNS), strict=True))


@pytest.mark.parametrize("suffix", SUFFIXES)
@examples(5)
@given(schedule=schedules(systems(max_count=15)))
def test_what_was_written_is_read_back_exactly(tmp_path_factory, suffix, schedule):
    """A row for each block, machine by machine."""
    path = tmp_path_factory.mktemp("out") / f"s{suffix}"
    write_schedule(schedule, path)
    reading = inspect_schedule(path, schedule.system)
    assert reading.problems == ()
    assert stated(reading.require()) == expanded(schedule)


def test_csv_as_people_see_it(tmp_path, schedule):
    write_schedule(schedule, tmp_path / "s.csv")
    assert (tmp_path / "s.csv").read_text() == HEADER + (
        "A,1,'=T2,1,0.0,3.0\n"
        "A,1,T1,2,3.0,3.2\n"
        "A,2,'=T2,1,0.0,3.0\n"
        "A,2,T1,2,3.0,3.2\n"
        "A,3,T1,1,0.0,0.1\n"
        "B,1,T1,1,0.0,2.0\n"
        "B,1,'=T2,1,2.0,2.7\n"
    )


def test_json_as_programs_see_it(tmp_path, schedule):
    write_schedule(schedule, tmp_path / "s.json")
    document = json.loads((tmp_path / "s.json").read_text())
    assert (document["format"], document["version"]) == ("wattfront-schedule", 1)
    assert list(document["blocks"][0]) == COLUMNS
    assert list(document["blocks"][6].values()) == ["B", 1, "=T2", 1, 2.0, 2.7]


def test_excel_as_openpyxl_sees_it(tmp_path, schedule):
    write_schedule(schedule, tmp_path / "s.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "s.xlsx")["schedule"]
    rows = list(sheet.iter_rows(values_only=True))
    assert list(rows[0]) == HEADER.strip().split(",")
    assert rows[-1] == ("B", 1, "=T2", 1, 2, 2.7)
    assert sheet["C8"].data_type == "s"


def test_columns_may_come_in_any_order_and_number_of_chunks(system, monkeypatch):
    monkeypatch.setattr("core.files.columns._ROWS_AT_ONCE", 2)
    rows = (f"2;1;x;{count};T1;1;A" for count in (5, 3, 1, 4, 2))
    text = "\n".join(["end;start;note;count;task_type;machine;machine_type", *rows])
    reading = inspect_schedule_bytes("s.csv", text.encode(), system)
    blocks = reading.require()
    assert len(blocks) == 5
    assert blocks.count.tolist() == [5, 3, 1, 4, 2]
    assert stated(blocks)[0] == (0, 1, 0, 5, 1.0, 2.0)
    assert [p.severity for p in reading.problems] == ["warning"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("start,end", None),
        ("start (s),end (s)", None),
        ("Start [sec],END (seconds)", None),
        ("start (h),end (s)", "column start is in 'h'; give it in seconds"),
    ],
)
def test_times_are_in_seconds_whether_their_columns_say_so_or_not(system, names, said):
    text = f"machine_type,machine,task_type,count,{names}\nA,1,T1,1,0.5,2\n"
    reading = inspect_schedule_bytes("s.csv", text.encode(), system)
    if said is None:
        assert reading.problems == ()
        assert stated(reading.require()) == [(0, 1, 0, 1, 0.5, 2.0)]
    else:
        assert reading.value is None
        assert said in str(reading.problems[0])


@pytest.mark.parametrize(
    ("row", "columns"),
    [
        ("C,1,T1,1,0,1", {"machine_type"}),
        ("A,4,T1,1,0,1", {"machine"}),
        ("A,0,T1,1,0,1", {"machine"}),
        ("A,1e9,T1,1,0,1", {"machine"}),
        ("A,-1,T1,1,0,1", {"machine"}),
        ("A,1.5,T1,1,0,1", {"machine"}),
        ("A,1,t1,1,0,1", {"task_type"}),
        ("A,1,T1,0,0,1", {"count"}),
        ("A,1,T1,2e12,0,1", {"count"}),
        ("A,1,T1,,0,1", {"count"}),
        ("A,1,T1,1,,1", {"start"}),
        ("A,1,T1,1,0,inf", {"end"}),
        ('A,1,T1,1,"0,5",1e400', {"start", "end"}),
        ("C,9,x,x,x,x", {"machine_type", "task_type", "count", "start", "end"}),
        ("A,1,T1,1,0", {""}),
    ],
)
def test_wrong_cells_are_located_and_the_rest_is_read(system, row, columns):
    text = f"{HEADER}A,1,T1,1,0,1\n{row}\nA,x,T1,1,0,1\n"
    reading = inspect_schedule_bytes("s.csv", text.encode(), system)
    second = "A" if columns == {""} else "line 3"
    expected = [("s.csv", second, c) for c in columns] + [("s.csv", "line 4", "machine")]
    assert sorted((p.file, p.row, p.column) for p in reading.problems) == sorted(expected)
    with pytest.raises(InvalidInput):
        reading.require()


def test_what_only_the_judge_can_tell_is_read(system):
    text = f"{HEADER}A,1,T1,1,5,1\nA,1,T1,1,-5,1\n"
    assert len(inspect_schedule_bytes("s.csv", text.encode(), system).require()) == 2


BLOCK = dict(zip(COLUMNS, ["A", 1, "T1", 1, 0, 1.5], strict=True))


@pytest.mark.parametrize(
    ("wrong", "column"),
    [
        (BLOCK | {"machine_type": 3}, "machine_type"),
        (BLOCK | {"machine": True}, "machine"),
        (BLOCK | {"machine": "1"}, "machine"),
        (BLOCK | {"task_type": None}, "task_type"),
        (BLOCK | {"count": [1]}, "count"),
        (BLOCK | {"start": float("nan")}, "start"),
        (BLOCK | {"end": 10**4000}, "end"),
        (3, "machine_type"),
    ],
)
def test_json_values_of_the_wrong_kind_are_located(system, wrong, column):
    document = {"format": "wattfront-schedule", "version": 1, "blocks": [BLOCK, wrong]}
    (problem,) = inspect_schedule_bytes("s.json", json.dumps(document).encode(), system).problems
    assert (problem.row, problem.column, problem.severity) == ("block 2", column, "error")
    assert ("it is not an object" in problem.message) == (wrong == 3)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        HEADER,
        "machine_type,machine\nA,1\n",
        "{}",
        '{"format": "wattfront-system", "version": 1}',
        '{"format": "wattfront-schedule", "version": 1, "blocks": {}}',
        '{"format": "wattfront-schedule", "version": 1, "blocks": []}',
        '{"format": "wattfront-schedule", "version": 1, "blocks": [3]}',
    ],
)
def test_what_is_no_schedule_is_a_problem(system, text):
    reading = inspect_schedule_bytes("s", text.encode(), system)
    assert not reading.ok
    assert reading.problems


def test_a_missing_file_is_a_problem(tmp_path, system):
    assert "does not exist" in inspect_schedule(tmp_path / "s.csv", system).problems[0].message


def test_a_workbook_needs_a_sheet_of_that_name(tmp_path, system):
    (tmp_path / "s.xlsx").write_bytes(books.book({"one": [], "two": []}))
    (problem,) = inspect_schedule(tmp_path / "s.xlsx", system).problems
    assert "no sheet 'schedule'" in problem.message


def test_a_hopeless_file_has_a_bounded_list_of_problems(system):
    text = HEADER + "C,x,D,x,x,x\n" * 2000
    problems = inspect_schedule_bytes("s", text.encode(), system).problems
    assert len(problems) == limits.ERRORS_LISTED + 1


def test_other_suffixes_are_refused(tmp_path, schedule):
    with pytest.raises(InvalidInput, match=r"name a \.csv"):
        write_schedule(schedule, tmp_path / "s.txt")


@pytest.mark.parametrize(("rows", "fits"), [(3, True), (4, False), (5, False)])
def test_a_workbook_is_full_with_one_row_less_than_it_has(tmp_path, monkeypatch, rows, fits):
    """The first row is the heading. Nothing is written of what does not fit."""
    assert limits.WORKBOOK_ROWS == 1_048_576
    monkeypatch.setattr(limits, "WORKBOOK_ROWS", 4)
    system = System((TaskType("T", rows),), (MachineType("A", rows),), np.ones((1, 1)))
    schedule = Schedule(system, np.array([0]), np.array([rows]), np.array([[1]]))
    said = rf"{rows} blocks, but a workbook holds 3; write \.csv"
    with nullcontext() if fits else pytest.raises(InvalidInput, match=said):
        write_schedule(schedule, tmp_path / "s.xlsx")
    assert [*tmp_path.iterdir()] == ([tmp_path / "s.xlsx"] if fits else [])
