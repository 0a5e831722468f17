"""Daemons that are started for tests end with them, whatever happened."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from patience import PATIENCE
from slurm.daemons import Daemons, NotStarted, left_behind

DETACHED = "setsid sleep 1000 & echo started; wait"


@pytest.fixture
def conf(tmp_path: Path) -> str:
    return str(tmp_path / "slurm.conf")


@pytest.fixture
def daemons(tmp_path: Path, conf: str) -> Iterator[Daemons]:
    daemons = Daemons(tmp_path, os.environ | {"SLURM_CONF": conf})
    yield daemons
    daemons.stop()


def test_they_and_what_they_started_end(tmp_path: Path, daemons: Daemons, conf: str) -> None:
    daemons.start("one", "sh", "-c", DETACHED)
    daemons.start("other", "sleep", "1000")
    daemons.wait_for("one", lambda: "started" in (tmp_path / "one.out").read_text())
    assert len(left_behind(conf)) >= 2
    daemons.stop()
    assert gone(conf)


def test_one_that_ends_early_is_named_with_what_it_wrote(daemons: Daemons, conf: str) -> None:
    daemons.start("good", "sleep", "1000")
    daemons.start("bad", "sh", "-c", "echo no such node >&2; exit 1")
    with pytest.raises(NotStarted, match=r"(?s)nodes did not start: bad ended.*no such node"):
        daemons.wait_for("nodes", lambda: False)
    daemons.stop()
    assert gone(conf)


def test_they_end_with_a_process_that_is_killed(tmp_path: Path, conf: str) -> None:
    tests = [
        "from pathlib import Path; from slurm.daemons import Daemons; import os, time",
        f"daemons = Daemons(Path({str(tmp_path)!r}), os.environ | {{'SLURM_CONF': {conf!r}}})",
        "daemons.start('one', 'sleep', '1000'); time.sleep(1000)",
    ]
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    killed = subprocess.Popen([sys.executable, "-c", "\n".join(tests)], env=os.environ | path)
    # Until setpriv has become the daemon.
    eventually(lambda: any(_program(one) == "sleep" for one in left_behind(conf)))
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert gone(conf)


def _program(process: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{process}/comm").read_text(encoding="utf-8").strip()
    return ""


def gone(conf: str) -> bool:
    return eventually(lambda: not left_behind(conf))


def eventually(holds: Callable[[], bool]) -> bool:
    """A process that has been killed is still there for a moment."""
    give_up = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < give_up:
        time.sleep(0.01)
    return holds()
