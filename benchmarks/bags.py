"""Case 3: many batches of the nine environment, one second each."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import duration, percent, table, whole
from benchmarks.samples import resample
from core import Effort, System, load_sample, solve
from core.capabilities.makespan.solve import Solution

SEED: Final = 2500
TASKS: Final = 2500
LIMIT: Final = 0.003

ONE, TWO, PAPER = "polished, 1 thread", "polished, 2 threads", "published three phases"
COMPILING = "polished, first call after installation"


def bags(wanted: int) -> list[System]:
    nine, rng = load_sample("nine"), np.random.default_rng(SEED)
    return [resample(nine, TASKS, rng) for _ in range(wanted)]


def measure(quick: bool, *, method: str = "lp", threads: int = 1) -> dict[str, list[float]]:
    """The gap of each batch, and the time of all phases (s)."""
    run = partial(
        solve, method=method, effort=Effort(threads=threads, seconds=0.1 if quick else 1.0)
    )
    systems = bags(3 if quick else 100)
    run(systems[0])  # loads the kernels
    return _told([run(system) for system in systems])


def measure_first_call(quick: bool) -> dict[str, list[float]]:
    return _told([solve(bags(1)[0], effort=Effort(0.1 if quick else 1.0))])


def _told(solutions: Sequence[Solution]) -> dict[str, list[float]]:
    return {
        "gaps": [solution.gap for solution in solutions],
        "seconds": [sum(solution.seconds.values()) for solution in solutions],
    }


def tell(measured: Mapping[str, Any]) -> Section:
    rows = [
        [
            name,
            whole(len(runs["gaps"])),
            percent(np.mean(runs["gaps"])),
            percent(np.median(runs["gaps"])),
            percent(np.max(runs["gaps"])),
            duration(np.mean(runs["seconds"])),
            duration(np.max(runs["seconds"])),
        ]
        for name, runs in measured.items()
    ]
    return Section(
        [
            Target(f"mean gap, {name}", float(np.mean(measured[name]["gaps"])), LIMIT, percent)
            for name in (ONE, TWO)
        ],
        "\n\n".join(
            [
                f"Bags of {TASKS:,} tasks, drawn from the mix of the nine environment (36 "
                "machines). Times are those of all phases; the polish is given one second.",
                table(["", "Bags", "Mean gap", "Median", "Largest", "Mean time", "Longest"], rows),
                "The publication reports 1.8 % for its three phases on its own environment of "
                "the same size.",
            ]
        ),
    )


CASE: Final = Case(
    f"{TASKS:,} tasks of the nine environment, 1 s each",
    {
        COMPILING: Part(measure_first_call, compile_afresh=True),
        ONE: Part(measure),
        TWO: Part(partial(measure, threads=2)),
        PAPER: Part(partial(measure, method="paper"), ours=False),
    },
    tell,
)
