"""Measurements that explain growth with the types that is not as published: more types, ten times
the tasks, fewer tasks, and rounding alone.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from benchmarks.publications.claim import duration, growth, percent, power_said
from benchmarks.publications.phases import generator, one_task_at_a_time, published_method
from core.engines.recover import round_rows
from core.engines.relaxed import MAKESPAN
from core.engines.relaxed.program import DivisibleProgram
from core.vocabulary.arrays import FloatArray
from core.vocabulary.system import System

Types = Literal["task types", "machine types"]

EXPERIMENT: Final = 20
BEYOND: Final[Mapping[Types, Sequence[int]]] = {
    "task types": (100, 200, 400, 800),
    "machine types": (40, 80, 160, 320),
}
ROWS: Final[Mapping[Types, Sequence[tuple[int, int]]]] = {
    "task types": ((3200, 9), (12_800, 9), (51_200, 9)),
    "machine types": ((30, 400), (30, 1600), (30, 6400)),
}
"""Shapes in which the fixed costs of rounding do not matter."""
TIMES_THE_TASKS: Final = 10
FEW_TASKS: Final = 50_000
TRIALS: Final = 3


@dataclass(frozen=True, eq=False)
class ScalingTrials:
    """At larger numbers `x`: mean gap, median seconds of the linear program, and the steps of its
    simplex. With ten times the tasks, at numbers `within`: mean gap. Last, the powers by which run
    times grow: of rounding many rows, or long ones, and of assigning few tasks one at a time.
    """

    x: FloatArray
    gap: FloatArray
    bound_seconds: FloatArray
    steps: FloatArray
    within: FloatArray
    gap_with_more_tasks: FloatArray
    rounding_power: float
    few_tasks_power: float

    @property
    def range(self) -> str:
        return f"from {self.x[0]:,.0f} to {self.x[-1]:,.0f}"

    @property
    def larger_programs(self) -> str:
        """The cause for the run time of the linear program."""
        seconds, steps = growth(self.x, self.bound_seconds), growth(self.x, self.steps)
        return (
            f"With more types, {self.range}, the run time goes with {power_said(seconds)} (up to "
            f"{duration(float(self.bound_seconds[-1]))}), the steps of the simplex method with "
            f"{power_said(steps)}."
        )

    @property
    def larger_gap(self) -> str:
        """The cause for the increase of the makespan."""
        beyond, more = growth(self.x, self.gap), growth(self.within, self.gap_with_more_tasks)
        return (
            f"With more types, {self.range}, it goes with {power_said(beyond)}. With "
            f"{TIMES_THE_TASKS} times the tasks it goes with {power_said(more)}, and is at most "
            f"{percent(float(self.gap_with_more_tasks.max()))}."
        )

    @property
    def larger_rounding(self) -> str:
        """The cause for the run time of rounding."""
        return (
            "Fixed costs of array operations: with thousands of types it goes with "
            f"{power_said(self.rounding_power)}."
        )

    @property
    def fewer_tasks(self) -> str:
        """The cause for the run time of the local assignment one task at a time."""
        return (
            "There are many more tasks than types: by the publication's own formula sorting is a "
            f"thousandth of the work. With {FEW_TASKS:,} tasks the run time goes with "
            f"{power_said(self.few_tasks_power)}."
        )


Draw = Callable[[int, np.random.Generator], System]


def measure(
    size: Types,
    draw: Draw,
    draw_with_more_tasks: Draw,
    draw_with_few_tasks: Draw,
    beyond: Sequence[int],
    within: Sequence[int],
) -> ScalingTrials:
    """Measure all causes; each `draw` makes a system with so many types."""
    gap, seconds, steps = np.array([_program(draw, value) for value in beyond]).T
    more = [np.mean([_gap(one) for one in _systems(draw_with_more_tasks, n)]) for n in within]
    few = [
        np.median([one_task_at_a_time(one) for one in _systems(draw_with_few_tasks, n)])
        for n in within
    ]
    numbers = np.array(within, np.float64)
    return ScalingTrials(
        np.array(beyond, np.float64),
        gap,
        seconds,
        steps,
        numbers,
        np.array(more),
        _rounding_power(ROWS[size]),
        growth(numbers, np.array(few)),
    )


def _systems(draw: Draw, value: int) -> Iterator[System]:
    return (draw(value, generator(EXPERIMENT, value, trial)) for trial in range(TRIALS))


def _gap(system: System) -> float:
    run = published_method(system)
    return run.full / run.bound - 1


def _program(draw: Draw, value: int) -> tuple[float, float, float]:
    """The mean gap, the median seconds of the linear program, and its steps."""
    gaps, seconds, steps = [], [], []
    for system in _systems(draw, value):
        run = published_method(system)
        gaps.append(run.full / run.bound - 1)
        seconds.append(run.bound_seconds)
        program = DivisibleProgram(system)
        program.minimise(MAKESPAN)
        steps.append(program.solution.iterations)
    return float(np.mean(gaps)), float(np.median(seconds)), float(np.mean(steps))


def _rounding_power(shapes: Sequence[tuple[int, int]]) -> float:
    """The power by which the run time of rounding grows."""
    seconds = []
    for shape in shapes:
        placed = generator(EXPERIMENT).uniform(0.0, 9.0, shape)
        counts = placed.sum(axis=1).round().astype(np.int64)
        placed *= (counts / placed.sum(axis=1))[:, None]
        took = []
        for _ in range(TRIALS):
            started = time.thread_time()
            round_rows(placed, counts)
            took.append(time.thread_time() - started)
        seconds.append(np.median(took))
    return growth(np.array([rows * columns for rows, columns in shapes], float), np.array(seconds))
