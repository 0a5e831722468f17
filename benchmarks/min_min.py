"""Case 2: the three published phases, compared with min-min on counts."""

import statistics
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import duration, percent, table, times, whole
from benchmarks.timing import in_turns, timed
from core import System, solve
from core.engines.rivals import RIVALS
from core.files.samples.generate import TIME_METHODS, Generation, generate

OURS, RIVAL = "Wattfront", "min-min"
FASTER: Final = 100


def systems(quick: bool) -> dict[str, System]:
    """A system of 15 x 10 types by each generator."""
    return {
        name: generate(
            Generation(
                etc=method(),
                task_types=15,
                machine_types=10,
                tasks=10**5 if quick else 10**7,
                machines=10**4,
            )
        )
        for name, method in TIME_METHODS.items()
    }


def measure_ours(quick: bool) -> dict[str, Any]:
    calls = {name: partial(solve, s, method="paper") for name, s in systems(quick).items()}
    return {
        name: {
            "seconds": statistics.median(sum(run.seconds.values()) for run in runs),
            "makespan": runs[0].schedule.makespan,
            "bound": runs[0].bound.value,
        }
        for name, runs in in_turns(calls, 3 if quick else 100).items()
    }


def measure_rival(quick: bool) -> dict[str, Any]:
    calls = {
        name: partial(timed, partial(RIVALS[RIVAL].solve, system))
        for name, system in systems(quick).items()
    }
    return {
        name: {
            "seconds": statistics.median(seconds for seconds, _ in runs),
            "makespan": runs[0][1].makespan,
        }
        for name, runs in in_turns(calls, 1 if quick else 3).items()
    }


def tell(measured: Mapping[str, Any]) -> Section:
    ours, rival = measured[OURS], measured[RIVAL]
    faster = {name: rival[name]["seconds"] / ours[name]["seconds"] for name in ours}
    shorter = sum(ours[name]["makespan"] < rival[name]["makespan"] for name in ours)
    rows = [
        [
            name,
            duration(ours[name]["seconds"]),
            duration(rival[name]["seconds"]),
            times(faster[name]),
            percent(ours[name]["makespan"] / ours[name]["bound"] - 1),
            percent(rival[name]["makespan"] / ours[name]["bound"] - 1),
        ]
        for name in ours
    ]
    return Section(
        [
            Target(
                "faster than min-min, worst generator",
                min(faster.values()),
                FASTER,
                times,
                at_least=True,
            ),
            Target(
                f"generators of {len(ours)} with a shorter makespan",
                shorter,
                len(ours),
                whole,
                at_least=True,
            ),
        ],
        "\n\n".join(
            [
                "15 x 10 types; medians of warm calls. Ours is the published three phases: bound, "
                "rounding, assignment.",
                table(
                    ["Generator", "Ours", "Min-min", "Faster", "Our gap", "Gap of min-min"], rows
                ),
                "Min-min here works on counts, with a heap of machines a machine type. It can be "
                "made faster: a prototype with queues in place of the heaps, not part of this "
                "run, needed about a quarter of the time, which leaves a quarter of the factors "
                "above.",
            ]
        ),
    )


CASE: Final = Case(
    "10^7 tasks on 10^4 machines, against min-min",
    {OURS: Part(measure_ours), RIVAL: Part(measure_rival, ours=False)},
    tell,
)
