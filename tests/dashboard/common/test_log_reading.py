"""Uploaded logs are read by a job that tells how far it is, and leave nothing behind."""

import gc
from pathlib import Path
from threading import Event

import pytest

from core.logs.reading import LogProgress
from dashboard.common import log_reading
from dashboard.common.log_reading import LogFolder, read_uploads
from dashboard.shell.background import Job
from dashboard.shell.computing import NOBODY

pytestmark = pytest.mark.usefixtures("computed_here")


def finished(work):
    job = Job(work)
    job.wait(1, 60)
    return job


def test_files_keep_their_names_without_odd_characters():
    folder = LogFolder()
    paths = folder.keep([("../a b;c.txt", b"1"), ("x" * 100, b"2"), ("", b"3")])
    assert [path.name for path in paths] == [".._a_b_c.txt", "x" * 80, "log"]
    assert [path.read_bytes() for path in paths] == [b"1", b"2", b"3"]
    assert {path.parent.parent for path in paths} == {folder.path}


def test_a_folder_goes_with_its_last_reference():
    folder = LogFolder()
    path = folder.path
    folder.keep([("log", b"1")])
    del folder
    gc.collect()
    assert not path.exists()


def test_folders_of_processes_that_are_no_more_go(monkeypatch, tmp_path):
    monkeypatch.setattr(log_reading.tempfile, "tempdir", str(tmp_path))
    for name in ("wattfront-log-999999999-a", "wattfront-log-1-b", "wattfront-log-c", "other"):
        (tmp_path / name).mkdir()
    log_reading._remove_stale.__wrapped__()
    assert {path.name for path in tmp_path.iterdir()} == {
        "wattfront-log-1-b",
        "wattfront-log-c",
        "other",
    }


def test_the_reader_gets_the_folder_the_paths_and_the_rest():
    folder, seen = LogFolder(), []

    def reader(where: Path, paths: list[Path], more: str, report) -> str:
        seen.extend([where, [path.read_bytes() for path in paths], more])
        return "read"

    job = finished(
        lambda job: job.show(read_uploads(job, folder, [("a", b"1"), ("b", b"2")], reader, "more"))
    )
    assert job.latest == "read"
    assert seen == [folder.path, [b"1", b"2"], "more"]
    assert not [path for path in folder.path.rglob("*") if path.is_file()]


class _Told:
    """A job whose phase began three seconds ago, and what it has told."""

    spent = 3.0

    def __init__(self) -> None:
        self.told: list[tuple[str, float, float]] = []

    def begin(self, doing: str, allowed: float = 0.0, spent: float = 0.0) -> None:
        self.told.append((doing, allowed, spent))

    turn = Job.turn
    _asker = NOBODY
    _stop = Event()


@pytest.mark.parametrize(("fraction", "allowed"), [(0.02, 0.0), (0.03, 100.0), (1.0, 3.0)])
def test_it_tells_the_time_left_once_some_is_read(fraction, allowed):
    def reader(where: Path, paths: list[Path], report) -> None:
        report(LogProgress(fraction, 1_234))

    job = _Told()
    read_uploads(job, LogFolder(), [("a", b"1")], reader)
    assert job.told == [
        ("Reading the log", 0.0, 0.0),
        ("Reading the log: 1,234 rows", pytest.approx(allowed), 3.0),
    ]
