"""Processes that are started for the tests, each known by its id until it has ended."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from patience import PATIENCE

STOP_SECONDS: Final = 10
DIES_WITH_US: Final = ("setpriv", "--pdeathsig", "TERM")
"""Also where the tests are killed before they can stop anything."""


class NotStarted(Exception):
    """Says which daemon, and the end of what each daemon wrote."""


class Daemons:
    """What they write is in `NAME.out` in the folder."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._folder = folder
        self._environment = environment
        self._started: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, *words: str) -> None:
        with (self._folder / f"{name}.out").open("wb") as out:
            self._started[name] = subprocess.Popen(
                [*DIES_WITH_US, *words],
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )

    def wait_for(self, what: str, ready: Callable[[], bool]) -> None:
        """Until it is ready; `NotStarted` if a daemon ends before, or after a minute."""
        give_up = time.monotonic() + PATIENCE
        while not ready():
            ended = [name for name, one in self._started.items() if one.poll() is not None]
            if ended or time.monotonic() > give_up:
                why = f"{', '.join(ended)} ended" if ended else "it took too long"
                raise NotStarted(f"{what} did not start: {why}\n{self._written()}")
            time.sleep(0.05)

    def _written(self) -> str:
        ends = []
        for name in self._started:
            text = (self._folder / f"{name}.out").read_text(encoding="utf-8", errors="replace")
            ends.append(f"--- {name}\n{text[-1500:]}")
        return "\n".join(ends)

    def stop(self) -> None:
        """Ends all of them, last started first, and then what they have left behind."""
        while self._started:
            _, daemon = self._started.popitem()
            daemon.terminate()
            try:
                daemon.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        for process in left_behind(self._environment["SLURM_CONF"]):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def left_behind(conf: str) -> list[int]:
    """The ids of processes that belong to the cluster with this configuration file."""
    mark = f"SLURM_CONF={conf}".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark in (process / "environ").read_bytes().split(b"\0"):
                found.append(int(process.name))
    return [one for one in found if one != os.getpid()]
