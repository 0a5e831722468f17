"""Folders are written whole, nothing else is overwritten, and what is not read is named."""

import tomllib

import books
import numpy as np
import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st

from core.files import inspect_system, inspect_system_bytes, limits, read_system, write_system
from core.files.beside import Additions
from core.files.folder import those_of_one_system
from core.files.samples.named import load_sample
from core.files.system_file import system_tables
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.problems import InvalidInput
from core.vocabulary.system import System


def system(count, apc=None):
    return System((TaskType("T", count),), (MachineType("M"),), np.ones((1, 1)), apc)


def test_a_new_folder_holds_the_tables_and_nothing_else(tmp_path):
    folder = tmp_path / "mine"
    write_system(system(3, np.ones((1, 1))), folder)
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "etc.csv": "task_type,M\nT,1.0\n",
        "apc.csv": "task_type,M\nT,1.0\n",
        "tasks.csv": "task_type,count\nT,3\n",
        "machines.csv": "machine_type,count,idle_power\nM,1,0.0\n",
    }
    assert list(tmp_path.iterdir()) == [folder]


def test_an_empty_folder_is_filled(tmp_path):
    write_system(system(3), tmp_path)
    assert read_system(tmp_path) == system(3)


def test_a_folder_of_a_system_is_replaced_and_other_files_stay(tmp_path):
    folder = tmp_path / "mine"
    write_system(system(3, np.ones((1, 1))), folder)
    (folder / "etc.csv").rename(folder / "ETC.csv")
    (folder / "README.md").write_text("mine")
    write_system(system(4), folder)
    assert read_system(folder) == system(4)
    assert {path.name for path in folder.iterdir()} == {
        "etc.csv",
        "tasks.csv",
        "machines.csv",
        "README.md",
    }


def test_a_folder_of_other_things_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(InvalidInput, match=r"no etc\.csv"):
        write_system(system(3), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_in_the_way_is_left_alone(tmp_path):
    path = tmp_path / "mine"
    path.write_text("precious")
    with pytest.raises(InvalidInput, match="cannot be written"):
        write_system(system(3), path)
    assert path.read_text() == "precious"


def test_files_that_differ_in_case_only_are_ambiguous(tmp_path):
    for name in ("etc.csv", "Etc.csv"):
        (tmp_path / name).write_text("x,M\nT,1\n")
    assert "twice" in inspect_system(tmp_path).problems[0].message


def test_a_folder_with_nothing_in_it(tmp_path):
    (problem,) = inspect_system(tmp_path).problems
    assert problem.file == "etc.csv"


def test_a_folder_of_very_many_things_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "FOLDER_ENTRIES", 3)
    said = []
    for i in range(4):
        (tmp_path / str(i)).touch()
        said.append("more than 3 entries" in inspect_system(tmp_path).problems[0].message)
    assert said == [False, False, False, True]


def test_files_of_one_system_may_differ_in_encoding(tmp_path):
    (tmp_path / "etc.csv").write_bytes("x,M\nTé,1\n".encode())
    (tmp_path / "tasks.csv").write_bytes("task_type;count\nTé;2\n".encode("cp1252"))
    reading = inspect_system(tmp_path)
    assert reading.require().tasks == 2
    assert [(p.file, p.severity) for p in reading.problems] == [("tasks.csv", "warning")]


def test_what_is_no_table_in_a_folder_is_named(tmp_path):
    (tmp_path / "etc.csv").write_text("x,M\nT,1\n")
    for name in ("README.pdf", "jobs.xlsx", ".DS_Store", ".hidden.csv"):
        (tmp_path / name).touch()
    (tmp_path / "old").mkdir()
    reading = inspect_system(tmp_path)
    assert reading.ok
    assert reading.unread == ("README.pdf", "jobs.xlsx", "old")
    (tmp_path / "etc.csv").unlink()
    assert inspect_system(tmp_path).unread == reading.unread, "where there is no system, too"


def zipped(*names):
    return books.zipped(dict.fromkeys(names, "x,M\nT,1\n"))


@pytest.mark.parametrize(
    ("beside", "unread"),
    [
        (["mine/README.pdf", "mine/jobs.xlsx"], ("mine/README.pdf", "mine/jobs.xlsx")),
        (["notes.csv", "mine/sub/list.csv"], ("notes.csv", "mine/sub/list.csv")),
        (["__MACOSX/mine/._etc.csv", "mine/.DS_Store"], ()),
    ],
)
def test_what_is_no_table_in_an_archive_is_named(beside, unread):
    reading = inspect_system_bytes("mine.zip", zipped("mine/etc.csv", *beside))
    assert reading.ok
    assert reading.unread == unread
    assert reading.problems == ()


plain = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
)
settings = st.dictionaries(
    st.text(),
    st.recursive(
        plain,
        lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
        max_leaves=8,
    ),
)


@examples(5)
@given(settings)
@example({"two words": 1, "a.b": {"c.d": {"": 2.5}}, "q\"'\\": "\x7f\x00\n\u2028"})
@example({"empty": {}, "above": {"empty": {}}, "list": [[], [{}], [{"a b": [{"c": "\x7f"}]}, 1]]})
def test_what_is_written_as_toml_reads_back(settings: dict[str, object]) -> None:
    """Issue 33, point 23: keys with spaces or dots, DEL, and lists of tables, too."""
    beside = Additions({"plan": settings}, {}, {}, (1, 1))
    written = system_tables(load_sample("two-by-two"), beside).files()["plan.toml"]
    assert tomllib.loads("".join(written)) == settings


@pytest.mark.parametrize(
    ("names", "used"),
    [
        ("etc.csv apc.csv", "etc.csv apc.csv"),
        ("one.zip two.zip", "two.zip"),
        ("etc.csv apc.csv etc_min.csv", "apc.csv etc_min.csv"),
        ("etc.csv mine.xlsx", "mine.xlsx"),
        ("mine.json etc.csv", "etc.csv"),
        ("etc.csv b.csv", "etc.csv b.csv"),
        ("a.csv b.csv", "a.csv b.csv"),
        ("etc.csv etc.csv", "etc.csv"),
        ("my_times.csv tasks.csv cluster_power.csv", "my_times.csv tasks.csv cluster_power.csv"),
    ],
)
def test_a_later_file_takes_the_place_of_what_it_replaces(names, used):
    """Issue 33, point 6: files chosen one after the other are one system only if they can be."""
    assert [*those_of_one_system((name, b"") for name in names.split())] == used.split()


def test_the_sheets_of_a_workbook_are_the_tables_of_a_folder():
    data = books.book({"etc": [["x", "M"], ["T", 2]], "Tasks": [["task", "count"], ["T", 3]]})
    assert inspect_system_bytes("b.xlsx", data).require().task_counts.tolist() == [3]
