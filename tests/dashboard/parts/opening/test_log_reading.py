"""Uploaded logs are read by a job that tells how far it is, and leave nothing behind."""

from pathlib import Path
from threading import Event

import pytest
from patience import PATIENCE

from core.engines.logs.reading.logs import LogProgress
from dashboard.parts.opening.log_folder import LogFolder
from dashboard.parts.opening.log_reading import read_uploads
from dashboard.server.background import Job
from dashboard.server.computing import NOBODY

pytestmark = pytest.mark.usefixtures("computed_here")


def finished(work):
    job = Job(work)
    job.wait(1, PATIENCE)
    return job


@pytest.mark.thorough
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
