"""Case 11: the time of a whole command, compared with the import of other packages."""

import statistics
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import duration, table
from benchmarks.timing import in_turns, timed

LIMIT: Final = 0.6
BOUND, HELP, SCIPY = "wattfront front nine --method bound", "wattfront --help", "SciPy's linprog"
WATTFRONT: Final = str(Path(sys.executable).with_name("wattfront"))
COMMANDS: Final = {
    BOUND: [WATTFRONT, *BOUND.split()[1:]],
    HELP: [WATTFRONT, "--help"],
    SCIPY: [sys.executable, "-c", "from scipy.optimize import linprog"],
}


def measure(quick: bool) -> dict[str, list[float]]:
    """The times of whole processes (s), which take turns."""
    calls = {name: partial(timed, partial(_run, command)) for name, command in COMMANDS.items()}
    turns = in_turns(calls, 2 if quick else 15)
    return {name: [seconds for seconds, _ in runs] for name, runs in turns.items()}


def _run(command: list[str]) -> None:
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def tell(measured: Mapping[str, Any]) -> Section:
    seconds = measured[BOUND]
    medians = {name: statistics.median(runs) for name, runs in seconds.items()}
    rows = [
        [
            f"`{name}`" if name != SCIPY else f"{name}, only imported",
            duration(medians[name]),
            duration(max(runs)),
        ]
        for name, runs in seconds.items()
    ]
    return Section(
        [Target("whole process of a bound", medians[BOUND], LIMIT, duration)],
        "\n\n".join(
            [
                "Whole processes, in turns, Python's own start included.",
                table(["", "median", "longest"], rows),
                f"The exact front of 30 x 9 types is there in "
                f"{medians[BOUND] / medians[SCIPY]:.1f} times the time that it takes to import "
                "what one would state its program with.",
            ]
        ),
    )


CASE: Final = Case("A command from nothing to its answer", {BOUND: Part(measure)}, tell)
