"""Starts a dashboard to measure, and a Streamlit page to compare it with."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

START_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Server:
    """A running server: its address, its process, and its output."""

    address: str
    process: subprocess.Popen[bytes]
    log: IO[bytes]

    @property
    def memory(self) -> int:
        """Its memory (bytes)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(status.split("VmRSS:")[1].split()[0]) * 1024

    @property
    def said(self) -> str:
        """Its output so far."""
        file = self.log.fileno()
        return os.pread(file, os.fstat(file).st_size, 0).decode()

    @property
    def work(self) -> float:
        """The processor time of its processes and computations so far (s)."""
        ticks = sum(_ticks(process) for process in _family(self.process.pid))
        return ticks / os.sysconf("SC_CLK_TCK")


def dashboard() -> AbstractContextManager[Server]:
    """Starts `wattfront dashboard`, and waits until it answers."""
    return _begun([str(Path(sys.executable).with_name("wattfront")), "dashboard", "--port"])


def one_chart() -> AbstractContextManager[Server]:
    """Starts Streamlit with a page that has only a chart with one line."""
    page = Path(__file__).with_name("one_chart.py")
    settings = ("--server.headless=true", "--browser.gatherUsageStats=false")
    run = [sys.executable, "-m", "streamlit", "run", str(page), *settings]
    return _begun([*run, "--server.port"])


@contextmanager
def _begun(command: list[str]) -> Iterator[Server]:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([*command, str(port)], stdout=said, stderr=subprocess.STDOUT)
        server = Server(f"http://localhost:{port}", process, said)
        try:
            _wait_until_healthy(server)
            yield server
        finally:
            process.terminate()
            process.wait()


def _wait_until_healthy(server: Server) -> None:
    give_up = time.monotonic() + START_SECONDS
    while time.monotonic() < give_up and server.process.poll() is None:
        try:
            with urllib.request.urlopen(f"{server.address}/_stcore/health", timeout=2):  # noqa: S310
                return
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.02)
    raise RuntimeError("the dashboard did not start")


def _family(first: int) -> list[int]:
    """A process and all its descendants."""
    parents: dict[int, list[int]] = {}
    for each in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parents.setdefault(_fields(int(each.name), 1), []).append(int(each.name))
    found = [first]
    for process in found:
        found += parents.get(process, [])
    return found


def _ticks(process: int) -> int:
    """The processor time of a process (s); 0 if it has ended."""
    with suppress(OSError):
        return _fields(process, 11) + _fields(process, 12)
    return 0


def _fields(process: int, place: int) -> int:
    """A field of `/proc/PID/stat`, counted from the state of the process."""
    stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    return int(stat.rpartition(")")[2].split()[place])
