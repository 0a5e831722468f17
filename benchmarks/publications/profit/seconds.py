"""The claims about run time: the most profitable schedule for growing numbers of tasks."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.publications.claim import (
    LINEAR,
    Claim,
    duration,
    growth,
    growth_claim,
    power_said,
    times,
)
from benchmarks.publications.figure import Figure, Panel, Series
from benchmarks.publications.phases import generator, one_by_one
from benchmarks.publications.profit.answers import environment, published_phases, terms_at
from benchmarks.samples import resample
from core.capabilities.profit.program import most_profit
from core.engines.recover import round_rows
from core.engines.relaxed import trace_front
from core.vocabulary.arrays import FloatArray

EXPERIMENT: Final = 9
PUBLISHED: Final = {10_000: 3.6e-3, 100_000: 8.9e-3, 1_000_000: 74e-3}
"""Seconds by the number of tasks."""
MOST_TRIALS: Final = 20
RATIO: Final = 1.2


@dataclass(frozen=True, eq=False)
class RunTimes:
    """Seconds of program, rounding and assignment together: [size, trial]. In `one_by_one` tasks
    are assigned one at a time, as published; `program` is the time of the program alone.
    """

    tasks: FloatArray
    seconds: FloatArray
    one_by_one: FloatArray
    program: FloatArray


def measure(trials: int, sizes: Sequence[int] = tuple(PUBLISHED)) -> RunTimes:
    """Measure all sizes in turns, so that a busy phase of the computer affects all of them."""
    full = environment()
    trials = min(trials, MOST_TRIALS)
    seconds, alone, heap = np.empty((3, len(sizes), trials))
    for trial in range(-1, trials):  # the first trial compiles the kernels
        for point, tasks in enumerate(sizes):
            bag = resample(full, tasks, generator(EXPERIMENT, point, max(trial, 0)))
            terms = terms_at(trace_front(bag), RATIO)
            started = time.thread_time()
            bound = most_profit(bag, terms)
            alone[point, trial] = time.thread_time() - started
            published_phases(bag, bound)
            seconds[point, trial] = time.thread_time() - started
            placed = round_rows(bound.placed, bag.task_counts)
            heap[point, trial] = alone[point, trial] + one_by_one(bag, placed)[1]
    return RunTimes(np.array(sizes, np.float64), seconds, heap, alone)


def figure(run_times: RunTimes) -> Figure:
    here = np.median(run_times.seconds, axis=1)
    published = np.array([PUBLISHED[int(tasks)] for tasks in run_times.tasks])
    powers = [round(growth(run_times.tasks, seconds), 2) + 0.0 for seconds in (published, here)]
    return Figure(
        "A",
        "Run time",
        "Numbers of the publication's text. Program, rounding and assignment on "
        f"{environment().machines} machines at price ratio {RATIO:g}, bags drawn anew: "
        f"{run_times.seconds.shape[1]} of each size. The publication does not say how many "
        "machines there were; its computer was from 2009.",
        [
            Panel(
                "Run time",
                "tasks",
                "run time",
                "ms",
                [
                    Series("here", run_times.tasks, 1e3 * run_times.seconds),
                    Series("one task at a time", run_times.tasks, 1e3 * run_times.one_by_one),
                    Series("published", run_times.tasks, 1e3 * published[:, None]),
                ],
                "lines",
                log_x=True,
                log_y=True,
                robust=True,
            )
        ],
        _claims(run_times, published),
        [
            f"The published times go with the tasks to the power {powers[0]:.2f}, ours to the "
            f"power {powers[1]:.2f}: we assign counts, never single tasks.",
        ],
    )


def _claims(run_times: RunTimes, published: FloatArray) -> list[Claim]:
    here = np.median(run_times.seconds, axis=1)
    heap = np.median(run_times.one_by_one, axis=1)
    placing = np.median(run_times.one_by_one - run_times.program, axis=1)
    return [
        *(
            Claim(
                f"{int(tasks):,} tasks take {duration(said)} (read: no more)",
                duration(said),
                f"{duration(took)} (median), {duration(best)} at best",
                bool(took <= said),
                f"{times(took / said)} the published time",
                cause="The linear program takes this long, whatever the number of tasks: "
                f"{duration(float(np.median(run_times.program)))}; the rest takes "
                f"{duration(float(np.median(run_times.seconds - run_times.program)))}.",
            )
            for tasks, said, took, best in zip(
                run_times.tasks, published, here, run_times.seconds.min(axis=1), strict=True
            )
        ),
        growth_claim(
            "The run time is about linear in the number of tasks: one at a time, as published "
            "(read off the two largest sizes, where fixed costs count least)",
            "about linear",
            run_times.tasks[-2:],
            heap[-2:],
            LINEAR,
            "Fixed costs: without the program it goes with "
            f"{power_said(growth(run_times.tasks[-2:], placing[-2:]))}; the published times "
            f"go with {power_said(growth(run_times.tasks[-2:], published[-2:]))}.",
        ),
    ]
