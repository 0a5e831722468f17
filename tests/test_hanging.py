"""If a process that runs tests crashes or hangs, the run fails and nobody waits for ever."""

import os
import subprocess
import sys
from pathlib import Path

import hanging
import pytest
from patience import PATIENCE

TESTS = """
import os, threading, time

def test_before(): pass

def test_it():
    HOW

def test_after(): pass
"""


def _tried(folder: Path, how: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text("from hanging import pytest_unconfigure", encoding="utf-8")
    (folder / "test_it.py").write_text(TESTS.replace("HOW", how), encoding="utf-8")
    path = {"PYTHONPATH": str(Path(hanging.__file__).parent)}
    return subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "--numprocesses", "1"),
            *("--dist", "loadfile", "--max-worker-restart", "0"),
            *("-o", "faulthandler_timeout=3", "-o", "faulthandler_exit_on_timeout=true"),
            str(folder),
        ],
        cwd=folder,
        env=os.environ | path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["os._exit(1)", "time.sleep(600)"])
def test_a_process_that_crashes_or_hangs_fails_the_run(tmp_path: Path, how: str) -> None:
    """Issue 33, tests that depend on the machine: what hangs is ended, whatever else runs."""
    ran = _tried(tmp_path, how)
    assert ran.returncode == 1
    assert "1 failed" in ran.stdout


@pytest.mark.thorough
def test_a_process_that_hangs_at_its_end_is_ended(tmp_path: Path) -> None:
    """Issue 33, tests that depend on the machine."""
    ran = _tried(tmp_path, "threading.Thread(target=time.sleep, args=(600,)).start()")
    assert "3 passed" in ran.stdout
