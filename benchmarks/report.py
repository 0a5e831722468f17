"""Writes RESULTS.md from the measurements."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from benchmarks.case import Case, Target

MOST_MEMORY: Final = 500e6
MET: Final = "met"
MISSED: Final = "**missed**"


def markdown(cases: Mapping[str, Case], outcomes: Mapping[str, Mapping[str, Any]]) -> str:
    """RESULTS.md: a table of targets, then a chapter for each case with results."""
    told = [
        (number, case, outcomes[name])
        for number, (name, case) in enumerate(cases.items(), 1)
        if name in outcomes
    ]
    machines = list(dict.fromkeys(outcome["machine"] for _, _, outcome in told))
    verdicts: list[list[str]] = []
    chapters: list[str] = []
    for number, case, outcome in told:
        parts = outcome["parts"]
        # A new part has results once its case is measured again.
        there = {name: part for name, part in case.parts.items() if name in parts}
        section = case.tell({name: parts[name]["measured"] for name in there})
        memory = {name: parts[name]["peak_memory"] for name in there}
        ours = [memory[name] for name, part in there.items() if part.ours]
        within = [
            Target("memory of the whole process", peak, MOST_MEMORY, megabytes)
            for peak in sorted(ours)[-1:]
        ]
        verdicts += [[f"{number}. {case.title}", *_row(t)] for t in (*section.targets, *within)]
        machine = machines.index(outcome["machine"]) + 1
        chapters += [
            f"## {number}. {case.title}",
            f"Measured on {outcome['date']} by `{outcome['command']}` on machine {machine}.",
            section.body,
            table(
                ["Process", "Peak memory"],
                [[name, megabytes(peak)] for name, peak in memory.items()],
            ),
        ]
    met = sum(row[-1] == MET for row in verdicts)
    return (
        "\n\n".join(
            [
                "# What is reached, and against whom",
                "Written by `make bench`; do not edit. Each case is measured beside its rivals in "
                "the same run, every part in a fresh process. A gap is makespan / proven lower "
                "bound - 1.",
                f"{met} of {len(verdicts)} targets are met.",
                table(["Case", "Target", "Wanted", "Measured", "Verdict"], verdicts),
                *chapters,
                "## Machines",
                "\n".join(f"{number}. {machine}" for number, machine in enumerate(machines, 1)),
            ]
        )
        + "\n"
    )


def _row(target: Target) -> list[str]:
    return [
        target.what,
        f"at {'least' if target.at_least else 'most'} {target.show(target.limit)}",
        target.show(target.value),
        MET if target.met else MISSED,
    ]


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; the first column to the left, the others to the right."""
    lines = [header, [":--", *["--:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def duration(seconds: float) -> str:
    """A duration in a suitable unit."""
    units = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
    size, name = next((unit for unit in units if seconds >= unit[0]), units[-1])
    value = seconds / size
    return f"{value:,.0f} {name}" if value >= 100 else f"{value:.3g} {name}"


def percent(value: float) -> str:
    return "∞" if value == math.inf else f"{value * 100:.3f} %"


def times(value: float) -> str:
    return f"{value:,.0f} times" if value >= 10 else f"{value:.3f} times"


def megabytes(value: float) -> str:
    return f"{value / 1e6:,.0f} MB"


def whole(value: float) -> str:
    return f"{value:,.0f}"
