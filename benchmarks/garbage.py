"""Case 14: the settings of Python's garbage collector, with and without them.

Each figure is measured in its own process: `python -m benchmarks.garbage collection with` prints
one.
"""

import gc
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import duration, megabytes, table
from benchmarks.timing import in_turns

COLLECTIONS: Final = 10
LONGEST: Final = 1e-3
"""The limit for a full collection, which stops all sessions, once pages are loaded (s)."""
WITH, WITHOUT = "with", "without"


def start(told: bool) -> float:
    """Processor time of the collector while the first page is loaded (s)."""
    moments = list[float]()
    gc.callbacks.append(lambda _phase, _about: moments.append(time.process_time()))
    if told:
        gc.disable()
    _load()
    return sum(moments[1::2]) - sum(moments[::2])


def collection(told: bool) -> float:
    """Processor time of a full collection, if loaded objects are frozen (s)."""
    _load()
    gc.collect()
    if told:
        gc.freeze()
    begun = time.process_time()
    for _ in range(COLLECTIONS):
        gc.collect()
    return (time.process_time() - begun) / COLLECTIONS


def worker(told: bool) -> float:
    """Memory that a forked worker does not share after a collection, if its parent froze it
    (bytes).
    """
    from dashboard.server.processes import prepare

    prepare()
    if told:
        gc.freeze()
    reading, writing = os.pipe()
    if os.fork() == 0:
        gc.collect()
        own = Path("/proc/self/smaps_rollup").read_text().partition("Private_Dirty:")[2]
        os.write(writing, own.split()[0].encode())
        os._exit(0)
    os.wait()
    return 1024.0 * int(os.read(reading, 100))


def _load() -> None:
    import streamlit.web.cli  # noqa: F401  # what the server imports before the first page

    from dashboard.loading import load

    load()


FIGURES: Final[Mapping[str, Callable[[bool], float]]] = {
    "start": start,
    "collection": collection,
    "worker": worker,
}


def measure(quick: bool) -> dict[str, list[float]]:
    """Each figure with and without, in turns."""
    calls = {
        f"{figure} {how}": partial(figure_of, figure, how)
        for figure in FIGURES
        for how in (WITH, WITHOUT)
    }
    return in_turns(calls, 1 if quick else 5)


def figure_of(figure: str, how: str) -> float:
    """The result of a measurement in its own process."""
    command = [sys.executable, "-m", "benchmarks.garbage", figure, how]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return float(said.splitlines()[-1])


def tell(measured: Mapping[str, Any]) -> Section:
    medians = {name: statistics.median(runs) for name, runs in measured["Collector"].items()}

    def row(what: str, figure: str, show: Callable[[float], str]) -> list[str]:
        return [what, *(show(medians[f"{figure} {how}"]) for how in (WITH, WITHOUT))]

    rows = [
        row("a full collection, once pages are loaded", "collection", duration),
        row("all collections during the start", "start", duration),
        row("memory of its own of a worker", "worker", megabytes),
    ]
    held = medians[f"collection {WITH}"]
    return Section(
        [Target("a full collection, once pages are loaded", held, LONGEST, duration)],
        "\n\n".join(
            [
                "With what the collector is told to leave alone, and without; processor time.",
                table(["", "with", "without"], rows),
            ]
        ),
    )


CASE: Final = Case("The garbage collector", {"Collector": Part(measure)}, tell)

if __name__ == "__main__":
    print(FIGURES[sys.argv[1]](sys.argv[2] == WITH))
