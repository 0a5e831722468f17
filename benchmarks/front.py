"""Case 6: every vertex of the front, compared with a sweep of weights and a general solver."""

import statistics
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import numpy as np

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import duration, percent, table, times
from benchmarks.timing import in_turns, timed
from core import System, load_sample
from core.engines.relaxed import Front, Objective, trace_front
from core.engines.relaxed.program import DivisibleProgram
from core.engines.relaxed.trace import dichotomy
from core.engines.rivals import weighted_sweep
from core.files.samples.generate import Generation, MachineLevels, RangeBased, generate

TENTH: Final = 10.0
NEAR: Final = 1e-7
OURS, GENERAL, SWEEP = "Wattfront", "Dichotomy, on HiGHS", "1,000 weights, on HiGHS"
NINE: Final = "nine, 10 % idle power"

# Task types, machine types, tasks, machines; and the target for the time of the front (s).
DRAWS: Final = {
    "100 x 30": (100, 30, 10_000, 300, 0.3),
    "512 x 16, single tasks": (512, 16, 512, 16, 1.0),
    "500 x 50": (500, 50, 100_000, 1_000, 2.0),
}


def systems(quick: bool) -> dict[str, System]:
    drawn = {NINE: nine()}
    for name, (tasks, machines, task_number, machine_number, _) in DRAWS.items():
        if quick:
            tasks, machines, task_number, machine_number = 40, 8, 400, 40
        drawn[name] = generate(
            Generation(
                etc=RangeBased(),
                apc=MachineLevels(),
                idle_fraction=0.1,
                task_types=tasks,
                machine_types=machines,
                tasks=task_number,
                machines=machine_number,
                spread="equal",
            )
        )
    return drawn


def nine() -> System:
    return load_sample("nine").with_idle_fraction(0.1)


def measure(trace: Callable[[System], Front], repetitions: int, quick: bool) -> dict[str, Any]:
    """The time from the system to the proven front (s), and its number of vertices."""
    calls = {name: partial(timed, partial(trace, s)) for name, s in systems(quick).items()}
    return {
        name: {
            "seconds": statistics.median(seconds for seconds, _ in runs),
            "vertices": len(runs[0][1]),
            "exact": bool(runs[0][1].exact),
        }
        for name, runs in in_turns(calls, repetitions).items()
    }


def measure_sweep(quick: bool) -> dict[str, Any]:
    """The times of the sweep and of HiGHS in it, and the vertices that the sweep misses."""
    system, weights = nine(), 50 if quick else 1000
    weighted_sweep(system, weights)
    seconds, sweep = timed(partial(weighted_sweep, system, weights))
    front = trace_front(system)
    program = DivisibleProgram(system)
    energy, makespan = np.abs(front.points[-1] - front.points[0])
    for alpha in np.linspace(0, 1, weights):
        program.minimise(Objective(alpha / energy, (1 - alpha) / makespan))
    extent = np.array([energy, makespan])
    nearest = (np.abs(sweep.points[:, None] - front.points[None]) / extent).max(axis=2).min(axis=1)
    below = max(
        (bound - point @ weight) / bound
        for point in sweep.points
        for weight, bound in zip(front.lines.weights, front.lines.value, strict=True)
    )
    return {
        "seconds": seconds,
        "solving": program.program.seconds,
        "found": len(sweep),
        "off": float(nearest.max()),
        "below": float(below),
    }


def tell(measured: Mapping[str, Any]) -> Section:
    ours, general, sweep = measured[OURS], measured[GENERAL], measured[SWEEP]
    targets = [
        Target(
            "1,000 weights' time / all vertices' time, nine",
            sweep["seconds"] / ours[NINE]["seconds"],
            TENTH,
            times,
            at_least=True,
        ),
        Target("furthest that a vertex of the sweep is from ours", sweep["off"], NEAR, percent),
        *(
            Target(f"front of {name}", ours[name]["seconds"], limit, duration)
            for name, (*_, limit) in DRAWS.items()
        ),
    ]
    rows = [
        [
            name,
            f"{ours[name]['vertices']:,}",
            duration(ours[name]["seconds"]),
            duration(general[name]["seconds"]),
            times(general[name]["seconds"] / ours[name]["seconds"]),
        ]
        for name in ours
    ]
    return Section(
        targets,
        "\n\n".join(
            [
                "Medians of warm calls, from the system to the front with every edge proven. The "
                "dichotomy asks HiGHS, warm-started, for the optimum below each chord, and gets "
                "the same proofs.",
                table(["System", "Vertices", OURS, GENERAL, "Ratio"], rows),
                f"The sweep of 1,000 weights on the nine environment took "
                f"{duration(sweep['seconds'])}, of which HiGHS itself solved for "
                f"{duration(sweep['solving'])}: {times(sweep['solving'] / ours[NINE]['seconds'])} "
                f"our time, even so. It found {sweep['found']} points; the front has "
                f"{ours[NINE]['vertices']} vertices.",
            ]
        ),
    )


CASE: Final = Case(
    "Every vertex of the front",
    {
        OURS: Part(partial(measure, trace_front, 9)),
        GENERAL: Part(partial(measure, dichotomy, 1), ours=False),
        SWEEP: Part(measure_sweep, ours=False),
    },
    tell,
)
