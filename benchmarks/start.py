"""Case 11: the time of a whole command, compared with the import of other packages; and how soon a
process that traces small fronts again and again does so with compiled code.
"""

import statistics
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import duration, table, times
from benchmarks.timing import in_turns, timed
from core import load_sample
from core.engines.relaxed import trace_front

LIMIT: Final = 0.6
BOUND, HELP, SCIPY = "wattfront front nine --method bound", "wattfront --help", "SciPy's linprog"
AGAIN, FASTER, CALLS = "the same front, again and again", 5.0, 100
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


def measure_again(quick: bool) -> list[float]:
    """The times of calls (s), one after the other, of a process that has not imported numba."""
    nine = load_sample("nine").with_idle_fraction(0.1)
    return [timed(partial(trace_front, nine))[0] for _ in range(10 if quick else CALLS)]


def tell(measured: Mapping[str, Any]) -> Section:
    seconds, again = measured[BOUND], measured[AGAIN]
    first, last = again[0], statistics.median(again[len(again) // 2 :])
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
        [
            Target("whole process of a bound", medians[BOUND], LIMIT, duration),
            Target(AGAIN + ": first call / later ones", first / last, FASTER, times, at_least=True),
        ],
        "\n\n".join(
            [
                "Whole processes, in turns, Python's own start included.",
                table(["", "median", "longest"], rows),
                f"The exact front of 30 x 9 types is there in "
                f"{medians[BOUND] / medians[SCIPY]:.1f} times the time that it takes to import "
                "what one would state its program with.",
                f"A process that traces this front {len(again)} times interprets the first call, "
                f"in {duration(first)}; compiled code is loaded in one of the next, which takes "
                f"{duration(max(again))}; the later ones take {duration(last)}.",
            ]
        ),
    )


CASE: Final = Case(
    "A command from nothing to its answer", {BOUND: Part(measure), AGAIN: Part(measure_again)}, tell
)
