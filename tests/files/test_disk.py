"""Files are written whole or not at all, and only regular files are read."""

import os
from pathlib import Path

import pytest

from core.files import inspect_system, limits
from core.files.disk import file_faults, is_named_as_file, located, read_file, replacing
from core.files.findings import Findings, Unreadable, shown, shown_list
from core.vocabulary.problems import InvalidInput, Problem


def test_content_replaces_what_was_there(tmp_path):
    path, ordinary = tmp_path / "f", tmp_path / "g"
    path.write_bytes(b"old")
    with replacing(path) as stream:
        stream.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]
    ordinary.touch()
    assert path.stat().st_mode == ordinary.stat().st_mode


def test_a_failure_leaves_what_was_there(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"old")

    def fail():
        with replacing(path) as stream:
            stream.write(b"new")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["missing/f", "."])
def test_what_the_disk_refuses_is_invalid_input(tmp_path, name):
    with pytest.raises(InvalidInput, match="cannot be written"), replacing(tmp_path / name):
        pass


@pytest.mark.parametrize(("name", "file"), [("a.CSV", True), ("a.v2", False), ("csv", False)])
def test_a_suffix_says_whether_a_file_is_meant(name, file):
    assert is_named_as_file(Path(name)) is file


def test_an_input_is_a_path_or_a_sample(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def sample(name):
        if name != "six":
            raise ValueError("no sample of that name")
        return tmp_path / "samples" / name

    assert located("six", sample) == tmp_path / "samples" / "six"
    assert located("a/six", sample) == Path("a/six")
    with pytest.raises(InvalidInput, match="no such file or folder, and no sample of that name"):
        located("seven", sample)
    Path("six").symlink_to("nowhere")
    assert located("six", sample) == Path("six")


def test_what_cannot_be_written_is_known_before_it_is_computed(tmp_path):
    assert [*file_faults(None, [".csv"])] == [*file_faults(tmp_path / "a.CSV", [".csv"])] == []
    assert [*file_faults(tmp_path / "a.txt", [".csv", ".json"])] == [
        f"{tmp_path}/a.txt cannot be written: name a .csv, .json file"
    ]
    assert [*file_faults(tmp_path / "b" / "a.csv", [".csv"])] == [
        f"{tmp_path}/b/a.csv cannot be written: there is no such folder; make it first"
    ]


def test_special_files_are_refused_unread(tmp_path):
    os.mkfifo(tmp_path / "etc.csv")
    assert "not a regular file" in inspect_system(tmp_path).problems[0].message
    assert "not a regular file" in inspect_system(tmp_path / "etc.csv").problems[0].message


def test_large_files_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "FILE_BYTES", limits.MIB)
    for length in (limits.MIB - 1, limits.MIB):
        (tmp_path / "f").write_bytes(b"x" * length)
        assert len(read_file(tmp_path / "f")) == length
    (tmp_path / "f").write_bytes(b"x" * (limits.MIB + 1))
    with pytest.raises(Unreadable, match="larger than 1 MiB"):
        read_file(tmp_path / "f")


@pytest.mark.parametrize("name", ["missing", "a\0b", "x" * 5000])
def test_what_is_not_there_is_a_problem(tmp_path, name):
    reading = inspect_system(tmp_path / name)
    assert not reading.ok
    assert reading.problems[0].severity == "error"


def test_errors_come_before_warnings():
    findings = Findings()
    findings.warning("a", "", "", "w")
    assert not findings.failed
    findings.error("a", "", "", "e")
    assert [p.severity for p in findings.problems()] == ["error", "warning"]
    assert findings.failed


def test_problems_can_be_printed_anywhere():
    findings = Findings()
    findings.error("f", "row\x1b[31m", "\ud800", "x" * 10 + "\n")
    (problem,) = findings.problems()
    assert str(problem).encode() == str(problem).encode("utf-8")
    assert str(problem).isprintable()


def test_long_texts_and_lists_are_shortened():
    assert shown("x" * 100) == "x" * 40 + "…"
    assert shown_list(range(7)) == "0, 1, 2, 3, 4 and 2 more"
    assert shown_list(range(5)) == "0, 1, 2, 3, 4"


@pytest.mark.parametrize(("errors", "full", "listed"), [(999, False, 999), (1000, True, 1000)])
def test_a_thousand_errors_are_listed_and_more_are_counted(errors, full, listed):
    findings = Findings()
    findings.extend(Problem("a", str(i), "", "e") for i in range(errors))
    assert (findings.full, len(findings.problems())) == (full, listed)
    assert len(list(findings.listed(range(1_234)))) == (0 if full else 1_234)
    findings.error("a", "", "", "e")
    assert len(findings.problems()) == (1_001 if full else 1_000)
    assert ("1,235 more errors" in findings.problems()[-1].message) is full


@pytest.mark.parametrize(("letters", "kept"), [(199, 199), (200, 200), (201, 200)])
def test_places_have_two_hundred_characters_at_most_and_messages_a_thousand(letters, kept):
    findings = Findings()
    findings.error(*["x" * letters] * 3, "y" * (800 + letters))
    (problem,) = findings.problems()
    end = "" if letters == kept else "…"
    assert (problem.file, problem.row, problem.column) == ("x" * kept + end,) * 3
    assert problem.message == "y" * (800 + kept) + end
