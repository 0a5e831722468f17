"""Any system comes back from any format exactly, and formats are told by content alone."""

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.files import inspect_system, inspect_system_bytes, limits, read_system, write_system
from core.files.findings import Findings
from core.files.system_file import inspect_parts, inspect_parts_bytes, write_workbook
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.problems import InvalidInput, errors
from core.vocabulary.system import System


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["folder", "s.zip", "s.xlsx", "s.json"])
@given(system=systems(max_task_types=6, max_machine_types=6))
def test_what_was_written_is_read_back_exactly(tmp_path_factory, name, system):
    path = tmp_path_factory.mktemp("out") / name
    write_system(system, path)
    reading = inspect_system(path)
    assert errors(reading.problems) == []
    assert reading.require() == system
    assert reading.require().etc.tobytes() == system.etc.tobytes()


@pytest.mark.parametrize("name", ["s.zip", "s.xlsx", "s.json", "S.ZIP"])
def test_the_name_of_a_file_does_not_matter(tmp_path, name, two_by_two):
    write_system(two_by_two(), tmp_path / name)
    data = (tmp_path / name).read_bytes()
    assert inspect_system_bytes("upload.txt", data).require() == two_by_two()


def test_a_folder_may_have_a_dot_in_its_name(tmp_path, two_by_two):
    write_system(two_by_two(), tmp_path / "v1.2")
    assert (tmp_path / "v1.2" / "etc.csv").is_file()


@pytest.mark.parametrize("name", ["apc.csv", "TASKS.csv", "machines.csv", "estimated.csv"])
def test_another_table_alone_is_not(name):
    (problem,) = inspect_system_bytes(name, b"machine_type,count\nM,1\n").problems
    assert "give the folder" in problem.message


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"hello",
        b"<html></html>",
        b"%PDF-1.7 x",
        b"\x89PNG\r\n\x1a\n",
        b"[1]",
        b"PK\x03\x04",
    ],
)
def test_what_is_no_system_is_a_problem_of_the_file(data):
    reading = inspect_system_bytes("thing", data)
    assert reading.problems[0].file == "thing"
    with pytest.raises(InvalidInput, match="thing"):
        reading.require()


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes_are_a_system_or_a_problem(data):
    reading = inspect_system_bytes("f", data)
    assert reading.ok != bool(errors(reading.problems))


@given(st.text(",;\t\n\"' x1.-=T", max_size=80))
def test_any_table_is_a_system_or_a_problem(text):
    reading = inspect_system_bytes("etc.csv", text.encode())
    assert reading.ok != bool(errors(reading.problems))


@pytest.mark.parametrize("name", ["s.csv", "s.xls", "s.txt"])
def test_names_of_other_formats_are_refused(tmp_path, name, two_by_two):
    with pytest.raises(InvalidInput, match="name a folder"):
        write_system(two_by_two(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_file_too_large_to_upload(monkeypatch):
    monkeypatch.setattr("core.files.limits.FILE_BYTES", 10)
    assert not inspect_system_bytes("f", b"x,M\nT,1\n\n\n\n").ok


def test_who_asks_for_the_system_gets_it_or_all_that_is_wrong(tmp_path, two_by_two):
    good, bad = tmp_path / "good.json", tmp_path / "etc.csv"
    write_system(two_by_two(), str(good))
    assert read_system(str(good)) == read_system(good) == two_by_two()
    bad.write_text("x,M\nT,fast\nU,-1\n")
    with pytest.raises(InvalidInput) as refused:
        read_system(bad)
    assert refused.value.problems == inspect_system(bad).problems
    assert {(p.row, p.column) for p in refused.value.problems} == {("T", "M"), ("U", "M")}


def test_a_benchmark_without_its_sizes_is_read_with_them(tmp_path):
    path = tmp_path / "times.hcsp"
    path.write_text("1\n2\n3\n4\n5\n6\n")
    assert read_system(path, sizes=(3, 2)).etc.tolist() == [[1, 2], [3, 4], [5, 6]]


@pytest.mark.parametrize(("limit", "types"), [("WORKBOOK_ROWS", 3), ("WORKBOOK_COLUMNS", 2)])
def test_types_fit_with_their_heading_or_are_refused(monkeypatch, limit, types):
    assert (limits.WORKBOOK_ROWS, limits.WORKBOOK_COLUMNS) == (1_048_576, 16_384)
    system = System(
        tuple(TaskType(f"T{i}") for i in range(3)),
        (MachineType("M1"), MachineType("M2")),
        np.ones((3, 2)),
    )
    for most in (types + 2, types + 1):
        monkeypatch.setattr(limits, limit, most)
        write_workbook(system, io.BytesIO())
    monkeypatch.setattr(limits, limit, types)
    with pytest.raises(InvalidInput, match=r"too large for a workbook .* write \.zip or \.json"):
        write_workbook(system, io.BytesIO())


def test_a_folder_is_written_again(tmp_path, two_by_two):
    write_system(two_by_two(), tmp_path / "s")
    there = sorted((tmp_path / "s").iterdir())
    write_system(two_by_two(), tmp_path / "s")
    assert read_system(tmp_path / "s") == two_by_two()
    assert sorted((tmp_path / "s").iterdir()) == there


def test_parts_that_cannot_be_read_are_refused_by_the_name_of_the_file(tmp_path):
    findings = Findings()
    assert inspect_parts(tmp_path / "missing", "plan", findings) is None
    assert inspect_parts(Path("/dev/null"), "plan", findings) is None
    assert inspect_parts_bytes("n", b"a\0", "plan", findings) is None
    assert [p.file for p in findings.problems()] == ["missing", "null", "n"]
