"""If a process that runs tests crashes or hangs, no test is forgotten and nobody waits for ever."""

import os
import subprocess
import sys
from pathlib import Path

import crashed
import pytest
from patience import PATIENCE

CONFTEST = "from crashed import pytest_configure, pytest_unconfigure"
OF_THREE_ONE_FAILS_ONCE = """
import os, threading, time
from pathlib import Path

def test_before(): pass

def test_that_fails_once():
    once = Path(__file__).with_name("once")
    if not once.exists():
        once.touch()
        HOW

def test_after(): pass
"""
HANGS = ("-o", "faulthandler_timeout=5", "-o", "faulthandler_exit_on_timeout=true")
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
        timeout=PATIENCE,
        check=False,
    )
    return run.stdout


@pytest.mark.parametrize("how", ["os._exit(1)", "time.sleep(600)"])
def test_what_a_crash_has_left_out_is_tried_again(tmp_path: Path, how: str) -> None:
    """Issue 33, tests that depend on the machine: what hangs is ended, whatever else runs."""
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    crashing = OF_THREE_ONE_FAILS_ONCE.replace("HOW", how)
    (tmp_path / "test_crashing.py").write_text(crashing, encoding="utf-8")
    (tmp_path / "test_elsewhere.py").write_text(ONE_AT_LEAST, encoding="utf-8")
    assert "1 failed, 2 passed" in _tried(tmp_path, *HANGS)
    assert "2 passed" in _tried(tmp_path, *HANGS, "--last-failed")


def test_a_process_that_hangs_at_its_end_is_ended(tmp_path: Path) -> None:
    """Issue 33, tests that depend on the machine."""
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    leaves_a_thread = "threading.Thread(target=time.sleep, args=(600,)).start()"
    alone = OF_THREE_ONE_FAILS_ONCE.replace("HOW", leaves_a_thread)
    (tmp_path / "test_leaving.py").write_text(alone, encoding="utf-8")
    assert "3 passed" in _tried(tmp_path, *HANGS)
