"""Where a process that runs tests crashes, no test is forgotten, and nobody waits for ever."""

import os
import subprocess
import sys
from pathlib import Path

import crashed

CONFTEST = "from crashed import pytest_configure"
OF_THREE_ONE_CRASHES_ONCE = """
import os
from pathlib import Path

def test_before(): pass

def test_that_crashes():
    once = Path(__file__).with_name("once")
    if not once.exists():
        once.touch()
        os._exit(1)

def test_after(): pass
"""
ONE_AT_LEAST = "def test_elsewhere(): pass"


def _tried(folder: Path, *words: str) -> str:
    path = {"PYTHONPATH": str(Path(crashed.__file__).parent)}
    run = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "--numprocesses", "2"),
            *("--dist", "loadfile", "--max-worker-restart", "0", *words, str(folder)),
        ],
        cwd=folder,
        env=os.environ | path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return run.stdout


def test_what_a_crash_has_left_out_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (tmp_path / "test_crashing.py").write_text(OF_THREE_ONE_CRASHES_ONCE, encoding="utf-8")
    (tmp_path / "test_elsewhere.py").write_text(ONE_AT_LEAST, encoding="utf-8")
    assert "1 failed, 2 passed" in _tried(tmp_path)
    assert "2 passed" in _tried(tmp_path, "--last-failed")
