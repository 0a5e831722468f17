"""Figure 7: a million tasks on a thousand machines, in systems drawn by three methods."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.publications.claim import Claim, duration, times
from benchmarks.publications.figure import Figure, Panel, Series
from benchmarks.publications.phases import SEED, Runs, published_method, rival_run
from benchmarks.publications.remembering import remembered
from core.files.samples.generate import (
    CoefficientOfVariation,
    Generation,
    RangeBased,
    TimeMethod,
    Uniform,
    generate,
)
from core.vocabulary.arrays import FloatArray

METHODS: Final[dict[str, TimeMethod]] = {
    "random": Uniform(1.0, 10.0),
    "range": RangeBased(100.0, 10.0),
    "CoV": CoefficientOfVariation(10.0, 0.6, 0.6),
}
TASKS: Final = 10**6
MACHINES: Final = 1000
ENLARGED: Final = 10
REPETITIONS: Final = 5

PUBLISHED_SECONDS: Final = 0.064
PUBLISHED_SPEED: Final = 20
PUBLISHED_ENLARGED: Final = (0.87, 476.0)


@dataclass(frozen=True, eq=False)
class Systems:
    """The measurements for each method (rows, as in `METHODS`) and system, all in seconds.

    `enlarged` has one row for each method, for one system ten times as large: makespan of the
    published method, its run time (median of `REPETITIONS`), makespan of min-min, its run time.
    `printed_times` is how many times as long min-min as printed takes, by method, on a system with
    a tenth of the tasks.
    """

    lp: Runs
    min_min: FloatArray
    max_min: FloatArray
    min_min_seconds: FloatArray
    max_min_seconds: FloatArray
    enlarged: FloatArray
    printed_times: FloatArray


def measure(
    trials: int, say: Callable[[str], None], tasks: int = TASKS, machines: int = MACHINES
) -> Systems:
    """`trials` systems of 15 task types and 10 machine types by each method."""
    runs, others, enlarged, printed = [], [], [], []
    for name, method in METHODS.items():
        say(f"  {trials} systems by the method '{name}'")
        row, rivals = [], []
        for trial in range(trials):
            system = generate(
                Generation(etc=method, tasks=tasks, machines=machines, seed=SEED + trial)
            )
            row.append(published_method(system))
            rivals.append((*rival_run("min-min", system), *rival_run("max-min", system)))
        runs.append(row)
        others.append(rivals)
        fewer = generate(
            Generation(etc=method, tasks=tasks // ENLARGED, machines=machines, seed=SEED)
        )
        ours = np.median([rival_run("min-min", fewer)[1] for _ in range(REPETITIONS)])
        printed.append(remembered(fewer, "min-min").seconds / ours)
        large = generate(
            Generation(etc=method, tasks=ENLARGED * tasks, machines=ENLARGED * machines, seed=SEED)
        )
        repeated = Runs.of([[published_method(large) for _ in range(REPETITIONS)]])
        seconds = float(np.median(repeated.seconds))
        enlarged.append((float(repeated.full[0, 0]), seconds, *rival_run("min-min", large)))
    min_min, min_min_seconds, max_min, max_min_seconds = np.moveaxis(np.array(others), 2, 0)
    return Systems(
        Runs.of(runs),
        min_min,
        max_min,
        min_min_seconds,
        max_min_seconds,
        np.array(enlarged),
        np.array(printed),
    )


def figure(systems: Systems) -> Figure:
    lp, rows = systems.lp, np.arange(len(METHODS), dtype=np.float64)
    makespans = {"min-min": systems.min_min / lp.full, "max-min": systems.max_min / lp.full}
    run_times = {
        "min-min": systems.min_min_seconds / lp.seconds,
        "max-min": systems.max_min_seconds / lp.seconds,
    }
    return Figure(
        "7",
        "Min-min and max-min relative to the published method, on random systems",
        f"{lp.full.shape[1]} systems by each of three methods: 15 task types, 10 machine types, "
        f"{TASKS:,} tasks, {MACHINES:,} machines, types equally likely. Range-based with ranges "
        "100 and 10; coefficients of variation (CoV) 0.6 with mean 10 s.",
        [
            Panel(
                title,
                "method that drew the times",
                label,
                "",
                [Series(name, rows, values) for name, values in measured.items()],
                "violins",
                log_y=log_y,
                robust=log_y,
                categories=list(METHODS),
            )
            for title, label, measured, log_y in (
                ("(a) Makespan", "relative makespan", makespans, False),
                ("(b) Run time", "relative run time", run_times, True),
            )
        ],
        _claims(systems, makespans, run_times),
        [
            "Min-min and max-min run here as compiled loops over counts with a heap for each "
            "machine type; at the enlarged size they are hundreds of times faster than the "
            "published ones."
        ],
    )


def _claims(
    systems: Systems, makespans: dict[str, FloatArray], run_times: dict[str, FloatArray]
) -> list[Claim]:
    ratios = np.concatenate(list(makespans.values()))
    shorter = int((ratios > 1).sum())
    speed = min(float(np.median(ratio, axis=1).min()) for ratio in run_times.values())
    slowest = min(float(ratio.min()) for ratio in run_times.values())
    median = float(np.median(systems.lp.seconds))
    return [
        Claim(
            "The published method makes the shorter schedule in every case",
            "every case",
            f"{shorter:,} of {ratios.size:,} comparisons; the closest rival is "
            f"{100 * (ratios.min() - 1):.1f} % longer",
            shorter == ratios.size,
            f"exceptions: {ratios.size - shorter}",
        ),
        Claim(
            "It is more than 20 times faster than min-min and max-min (median of each method)",
            f"over {PUBLISHED_SPEED} times",
            f"at least {times(speed)}; in the single worst case {times(slowest)}",
            speed > PUBLISHED_SPEED,
            f"{speed / PUBLISHED_SPEED:.1f} times the published factor",
        ),
        Claim(
            f"It takes {1e3 * PUBLISHED_SECONDS:g} ms for a million tasks on a thousand machines",
            duration(PUBLISHED_SECONDS),
            f"{duration(median)} (median)",
            median <= PUBLISHED_SECONDS,
            f"{times(PUBLISHED_SECONDS / median)} faster, on another machine",
        ),
        *_enlarged_claims(systems),
    ]


def _enlarged_claims(systems: Systems) -> list[Claim]:
    full, seconds, min_min, min_min_seconds = systems.enlarged.T
    enlarged_speed = float((min_min_seconds / seconds).min())
    published_speed = PUBLISHED_ENLARGED[1] / PUBLISHED_ENLARGED[0]
    return [
        Claim(
            "With ten times the tasks and machines min-min makes a longer schedule (one system of "
            "each method)",
            "longer",
            "longer by " + ", ".join(f"{100 * (r - 1):.1f} %" for r in min_min / full),
            bool((min_min > full).all()),
        ),
        Claim(
            f"... and takes {times(published_speed)} as long (read: at least)",
            f"{PUBLISHED_ENLARGED[1]:g} s against {PUBLISHED_ENLARGED[0]:g} s",
            f"{duration(float(min_min_seconds.min()))} to {duration(float(min_min_seconds.max()))} "
            f"against {duration(float(seconds.max()))} at most",
            enlarged_speed >= published_speed,
            f"at least {times(enlarged_speed)} against {times(published_speed)}",
            cause="Min-min uses heaps here. As printed, it looks through all machines and takes "
            f"{times(float(systems.printed_times.min()))} to "
            f"{times(float(systems.printed_times.max()))} as long, on {MACHINES:,} machines with "
            f"{TASKS // ENLARGED:,} tasks.",
        ),
    ]
