"""Files are written whole or not at all, and only regular files are read."""

import os

import pytest

from core.files import inspect_system, limits
from core.files.disk import read_file, replacing
from core.files.findings import Unreadable
from core.vocabulary.problems import InvalidInput


def test_content_replaces_what_was_there(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"old")
    with replacing(path) as stream:
        stream.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


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


def test_files_are_written_with_ordinary_permissions(tmp_path):
    with replacing(tmp_path / "f"):
        pass
    (tmp_path / "g").touch()
    assert (tmp_path / "f").stat().st_mode == (tmp_path / "g").stat().st_mode


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
