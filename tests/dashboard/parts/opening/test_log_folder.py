"""What is kept of uploaded logs goes with the session, or when the next server begins."""

import gc
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from dashboard.parts.opening.log_folder import LogFolder, remove_own, remove_stale


@pytest.fixture(autouse=True)
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_it_goes_when_nobody_refers_to_it() -> None:
    folder = LogFolder()
    path = folder.path
    assert path.is_dir()
    del folder
    gc.collect()
    assert not path.exists()


def test_those_of_servers_that_are_no_more_go_and_others_stay(somewhere: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    names = {
        f"wattfront-log-{ended.pid}-a": False,
        f"wattfront-log-{os.getpid()}-a": False,
        f"wattfront-log-{os.getppid()}-a": True,
        "wattfront-log-a": True,
        f"another-{ended.pid}-a": True,
    }
    for name in names:
        (somewhere / name / "runs").mkdir(parents=True)
    remove_stale()
    assert {name: (somewhere / name).exists() for name in names} == names


def test_all_go_with_the_server_and_those_of_others_stay(somewhere: Path) -> None:
    mine = [LogFolder(), LogFolder()]
    other = somewhere / f"wattfront-log-{os.getppid()}-a"
    other.mkdir()
    remove_own()
    assert [folder.path.exists() for folder in mine] == [False, False]
    assert other.exists()


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("my log (1).txt", "my log (1).txt"),
        ("<b>$(id)</b>.txt", "<b>$(id)<_b>.txt"),
        ("a\nb\0.txt", "a_b_.txt"),
        ("..", "log"),
        ("../.bashrc", "_.bashrc"),
        ("", "log"),
        ("ü" * 100, "ü" * 60),
        ("\ud800.txt", "?.txt"),
        ("\U0001f600" * 60, "\U0001f600" * 60),
    ],
)
def test_names_stay_as_far_as_a_disk_allows(name: str, kept: str) -> None:
    folder = LogFolder()
    [path] = folder.keep([(name, b"row")])
    assert path.name == kept
    assert path.read_bytes() == b"row"
    assert path.is_relative_to(folder.path)


def test_files_of_one_name_stay_apart() -> None:
    folder = LogFolder()
    paths = folder.keep([("a", b"1"), ("a", memoryview(b"2"))])
    assert [path.read_bytes() for path in paths] == [b"1", b"2"]
