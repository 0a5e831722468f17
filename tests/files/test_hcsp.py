"""HCSP benchmark files are read with or without their first line, and told from other text."""

import numpy as np
import pytest

from core.files import inspect_system_bytes, limits
from core.files.findings import Findings
from core.files.hcsp import _times
from core.files.text import TextLines


def read(text, sizes=None):
    return inspect_system_bytes("u_c_hihi.0", text.encode(), sizes=sizes)


@pytest.mark.parametrize(
    "first", ["3 2", "3 2 u_c_hihi.0", "3\t2\tanything, even commas", " 3  2 \r", "\n3 2"]
)
def test_times_go_task_by_task(first):
    system = read(f"{first}\n1\n2.5\n3e2\n4\n5\n6").require()
    assert system.etc.tolist() == [[1.0, 2.5], [300.0, 4.0], [5.0, 6.0]]
    assert [task.name for task in system.task_types] == ["T1", "T2", "T3"]
    assert [machine.name for machine in system.machine_types] == ["M1", "M2"]
    assert (system.tasks, system.machines, system.apc) == (3, 2, None)


def test_without_the_first_line_the_sizes_must_be_given():
    times = "1\n2\n3\n4\n5\n6\n"
    assert read(times, (2, 3)).require().etc.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert "give the sizes" in read(times).problems[0].message


def test_sizes_that_contradict_the_first_line_are_refused():
    assert read("2 1\n1\n2\n", (2, 1)).ok
    assert "correct one of them" in read("2 1\n1\n2\n", (1, 2)).problems[0].message


@pytest.mark.parametrize(
    ("times", "row"), [("1\n2\n3\n", "line 4"), ("1\n2\n3\n4\n5\n6\n", "line 6")]
)
def test_a_wrong_number_of_times(times, row):
    (problem,) = read(f"2 2\n{times}").problems
    assert problem.row == row
    assert "2 tasks on 2 machines take 4" in problem.message


def test_times_that_are_wrong_are_located():
    reading = read("2 2\n-1\n0\n3,5\nx\n")
    assert {(p.row, p.column) for p in reading.problems} == {
        ("T1", "M1"),
        ("T1", "M2"),
        ("T2", "M1"),
        ("T2", "M2"),
    }
    assert any("write 3.5 (line 4)" in p.message for p in reading.problems)


def test_several_values_on_a_line():
    (problem,) = read("2 2\n1\n2 3\n4\n").problems
    assert problem.row == "line 3"
    assert read("2 2\n1 2\n3\n4\n").problems[0].row == "line 2"


def test_blank_lines_are_a_warning():
    reading = read("2 1\n1\n\n2\n")
    assert reading.ok
    assert "(line 3)" in reading.problems[0].message


@pytest.mark.parametrize("first", ["0 5", "5 0", "999999999 2", "2 999999", "200000 20000"])
def test_absurd_sizes_are_refused(first):
    assert not read(f"{first}\n1\n").ok


@pytest.mark.parametrize(("limit", "at"), [("ROWS", 3), ("COLUMNS", 2), ("CELLS", 6)])
def test_sizes_may_be_as_large_as_the_limits_say(monkeypatch, limit, at):
    for most in (at + 1, at, at - 1):
        monkeypatch.setattr(limits, limit, most)
        assert read("3 2\n" + "1\n" * 6).ok == (most >= at)


def test_a_surplus_is_counted_not_kept(monkeypatch):
    (problem,) = read("1 1\n" + "1\n" * 5000).problems
    assert "there are 5,000 times" in problem.message
    assert problem.row == "line 3"


def test_a_hopeless_file_has_a_bounded_list_of_problems():
    problems = read("2000 1\n" + "x\n" * 2000).problems
    assert len(problems) == limits.ERRORS_LISTED + 1


@pytest.mark.parametrize("text", ["x,1\nT1,5\n", "1\t2\n3\t4\n", "1;2\n3;4\n"])
def test_tables_are_not_mistaken_for_benchmarks(text):
    tables = read(text).tables
    assert tables is not None
    assert [len(row.cells) for row in tables["etc"].rows] == [2, 2]


def test_the_largest_benchmarks_are_read(monkeypatch):
    times = np.arange(1.0, 1024 * 64 + 1)
    system = read("1024 64\n" + "\n".join(map(str, times))).require()
    assert (system.etc.ravel() == times).all()


def test_of_too_many_times_one_more_than_wanted_is_kept():
    for text, wanted in (("1 2 3 4 5\n6", 2), ("1\n2 3 4\n5 6", 2)):
        cells, lines, count = _times(TextLines(text), "f", wanted, Findings())
        assert (cells, count) == (["1", "2", "3"], 6)
        assert len(lines) == 3
