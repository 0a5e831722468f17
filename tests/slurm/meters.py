"""Meters of energy for nodes that have none.

Slurm reads the meters of HPE Cray nodes as files below /sys. A node that sees a /sys of its own
finds there what is written here.
"""

import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from slurm.configuration import NODES, Node

AT_SYS: Final = "/sys/cray"
EVERY_SECONDS: Final = 0.1
UNSHARE: Final = ("unshare", "--mount", "sh", "-e", "-c")
FIRST_JOULES: Final = 1000.0
"""Slurm takes a meter at 0 for one that does not work."""


def can_be_read() -> bool:
    """Whether a process here may have a /sys of its own: a container can forbid it."""
    tried = [*UNSHARE, "mount -t tmpfs none /sys"]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


def beside_meter(folder: Path, node: Node, *words: str) -> list[str]:
    """The command line that runs these words where the node's meter is in /sys."""
    script = f'mount -t tmpfs none /sys; mkdir {AT_SYS}; ln -s "$0" {AT_SYS}/pm_counters; exec "$@"'
    return [*UNSHARE, script, str(folder / "meters" / node.name), *words]


@contextmanager
def running(folder: Path) -> Iterator[None]:
    """The meters of all nodes count joules until the block ends."""
    for node in NODES:
        (folder / "meters" / node.name).mkdir(parents=True)
    stop = threading.Event()
    start = time.monotonic()

    def count() -> None:
        while True:
            _write(folder, time.monotonic() - start)
            if stop.wait(EVERY_SECONDS):
                return

    thread = threading.Thread(target=count, daemon=True)
    _write(folder, 0.0)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _write(folder: Path, seconds: float) -> None:
    for node in NODES:
        meter = folder / "meters" / node.name
        read = {
            "energy": f"{FIRST_JOULES + node.watts * seconds:.0f} J",
            "power": f"{node.watts} W",
        }
        for name, text in read.items():
            (meter / "next").write_text(f"{text}\n", encoding="utf-8")
            (meter / "next").replace(meter / name)
