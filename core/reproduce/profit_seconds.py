"""What the text says of run time: the most profitable schedule of more and more tasks."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.generate import resample
from core.profit.program import most_profit
from core.relaxed import trace_front
from core.reproduce.claim import Claim, duration, growth, times
from core.reproduce.figure import Figure, Panel, Series
from core.reproduce.phases import generator
from core.reproduce.profit_answers import environment, published_phases, terms_at

EXPERIMENT: Final = 9
PUBLISHED: Final = {10_000: 3.6e-3, 100_000: 8.9e-3, 1_000_000: 74e-3}
"""Seconds by the number of tasks."""
MOST_TRIALS: Final = 20
RATIO: Final = 1.2


@dataclass(frozen=True, eq=False)
class RunTimes:
    """Seconds of program, rounding and assignment together: [size, trial]."""

    tasks: FloatArray
    seconds: FloatArray


def measure(trials: int, sizes: Sequence[int] = tuple(PUBLISHED)) -> RunTimes:
    """Sizes take turns, so that a computer that is busier for a while is so for all of them."""
    full = environment()
    trials = min(trials, MOST_TRIALS)
    seconds = np.empty((len(sizes), trials))
    for trial in range(-1, trials):  # the first compiles what is compiled on first use
        for point, tasks in enumerate(sizes):
            bag = resample(full, tasks, generator(EXPERIMENT, point, max(trial, 0)))
            terms = terms_at(trace_front(bag), RATIO)
            started = time.thread_time()
            published_phases(bag, most_profit(bag, terms))
            seconds[point, trial] = time.thread_time() - started
    return RunTimes(np.array(sizes, np.float64), seconds)


def figure(run_times: RunTimes) -> Figure:
    here = np.median(run_times.seconds, axis=1)
    published = np.array([PUBLISHED[int(tasks)] for tasks in run_times.tasks])
    powers = [round(growth(run_times.tasks, seconds), 2) + 0.0 for seconds in (published, here)]
    return Figure(
        "A",
        "Run time",
        "Numbers of the publication's text. Program, rounding and assignment on "
        f"{environment().machines} machines at price ratio {RATIO:g}, bags drawn anew: "
        f"{run_times.seconds.shape[1]} of each size. The publication does not say with how many "
        "machines; its computer was of 2009, ours has other work to do.",
        [
            Panel(
                "Run time",
                "tasks",
                "run time",
                "ms",
                [
                    Series("here", run_times.tasks, 1e3 * run_times.seconds),
                    Series("published", run_times.tasks, 1e3 * published[:, None]),
                ],
                "lines",
                log_x=True,
                log_y=True,
                robust=True,
            )
        ],
        [
            Claim(
                "A",
                f"{int(tasks):,} tasks take {duration(said)} (read: no more)",
                duration(said),
                f"{duration(took)} (median), {duration(best)} at best",
                bool(took <= said),
                f"{times(took / said)} the published time",
            )
            for tasks, said, took, best in zip(
                run_times.tasks, published, here, run_times.seconds.min(axis=1), strict=True
            )
        ],
        [
            f"The published times go with the tasks to the power {powers[0]:.2f}, ours to the "
            f"power {powers[1]:.2f}: we assign counts, never single tasks. Where the "
            "median is far above the best, the computer was busy with other work.",
        ],
    )
