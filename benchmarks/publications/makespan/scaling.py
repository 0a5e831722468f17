"""The measurements of figures 8 to A.15: the nine environment scaled up, one size varied."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from benchmarks.publications.makespan import scaling_causes
from benchmarks.publications.makespan.scaling_causes import (
    BEYOND,
    FEW_TASKS,
    TIMES_THE_TASKS,
    ScalingTrials,
    Types,
)
from benchmarks.publications.phases import (
    Runs,
    generator,
    observe,
    one_task_at_a_time,
    published_method,
)
from benchmarks.publications.stand_ins import stand_in
from core.vocabulary.arrays import FloatArray
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

Size = Literal["tasks", "machines", "task types", "machine types"]

TASKS: Final = 1_100_000
MACHINES: Final = 36_000
GRID: Final[dict[Size, Sequence[int]]] = {
    "tasks": range(250_000, 4_000_001, 50_000),
    "machines": range(3_600, 72_001, 1_800),
    "task types": range(5, 201, 5),
    "machine types": range(2, 41),
}
HEAP_GRID: Final[dict[Size, Sequence[int]]] = {
    "tasks": (250_000, 500_000, 1_000_000, 2_000_000, 4_000_000),
    "machines": (3_600, 9_000, 18_000, 36_000, 72_000),
    "task types": (5, 25, 50, 100, 200),
    "machine types": (2, 5, 10, 20, 40),
}
MOST_TRIALS: Final = 50
MOST_HEAP_TRIALS: Final = 5

HUNDRED_MILLION: Final = 10**8


@dataclass(frozen=True, eq=False)
class SizeSweep:
    """The measurements at each value `x` of the size that varies, in each trial.

    `heap_seconds[point, trial]` are the run times of the local assignment one task at a time, at
    the fewer values `heap_x`. `tried` are further measurements for numbers of types, which explain
    differences in growth.
    """

    x: FloatArray
    runs: Runs
    heap_x: FloatArray
    heap_seconds: FloatArray
    tried: ScalingTrials | None = None

    @property
    def rounding(self) -> FloatArray:
        """The mean share that rounding adds to the bound."""
        return np.asarray((self.runs.integer / self.runs.bound - 1).mean(axis=1))

    @property
    def assignment(self) -> FloatArray:
        """The mean share that local assignment adds to the rounded solution."""
        return np.asarray((self.runs.full / self.runs.integer - 1).mean(axis=1))

    @property
    def total(self) -> FloatArray:
        return np.asarray(self.runs.gap.mean(axis=1))


@dataclass(frozen=True, eq=False)
class MakespanScaling:
    """A sweep of each size, and the seconds that 10^8 tasks took in each trial."""

    sweeps: dict[Size, SizeSweep]
    hundred_million_seconds: FloatArray


def setting(size: Size, sweep: SizeSweep) -> str:
    """The setting of the measurements, in a sentence."""
    return (
        f"The nine environment scaled up to {TASKS:,} tasks on {MACHINES:,} machines, with another "
        f"number of {size}: {len(sweep.x)} values, {sweep.runs.full.shape[1]} random systems each."
    )


def measure(
    trials: int,
    say: Callable[[str], None],
    grid: dict[Size, Sequence[int]] = GRID,
    heap_grid: dict[Size, Sequence[int]] = HEAP_GRID,
    beyond: Mapping[Types, Sequence[int]] = BEYOND,
) -> MakespanScaling:
    trials = min(trials, MOST_TRIALS)
    draw = RandomSystems()
    sweeps: dict[Size, SizeSweep] = {}
    for experiment, size in enumerate(grid, start=3):
        say(f"  {size}: {len(grid[size])} values, {trials} systems each")
        varied = draw.varying(size)
        heap = [
            [
                one_task_at_a_time(varied(value, generator(experiment, value, trial)))
                for trial in range(min(trials, MOST_HEAP_TRIALS))
            ]
            for value in heap_grid[size]
        ]
        sweeps[size] = SizeSweep(
            np.array(grid[size], np.float64),
            observe(grid[size], trials, experiment, varied),
            np.array(heap_grid[size], np.float64),
            np.array(heap),
            _tried(size, draw, beyond),
        )
    largest = [
        published_method(draw(generator(2, trial), tasks=HUNDRED_MILLION))
        for trial in range(trials)
    ]
    return MakespanScaling(
        sweeps,
        np.array([run.bound_seconds + run.round_seconds + run.assign_seconds for run in largest]),
    )


def _tried(
    size: Size, draw: "RandomSystems", beyond: Mapping[Types, Sequence[int]]
) -> ScalingTrials | None:
    if size == "tasks" or size == "machines":
        return None
    return scaling_causes.measure(
        size,
        draw.varying(size),
        draw.varying(size, TIMES_THE_TASKS * TASKS),
        draw.varying(size, FEW_TASKS),
        beyond[size],
        HEAP_GRID[size],
    )


class RandomSystems:
    """Random systems like the scaled-up nine environment.

    If a number of types is given, they are drawn from its types with replacement. The tasks are
    drawn from the mix of these types. The machines are equally many of each type, or, if their
    number is given, drawn so that types are equally likely and each has at least one.
    """

    def __init__(self) -> None:
        self.nine = replace(stand_in("nine"), apc=None)

    def varying(
        self, size: Size, tasks: int = TASKS
    ) -> Callable[[int, np.random.Generator], System]:
        """Draws systems whose `size` varies, with so many tasks unless these vary."""
        name = size.replace(" ", "_")
        return lambda value, rng: self(rng, **({"tasks": tasks} | {name: value}))

    def __call__(
        self,
        rng: np.random.Generator,
        *,
        tasks: int = TASKS,
        machines: int | None = None,
        task_types: int | None = None,
        machine_types: int | None = None,
    ) -> System:
        nine = self.nine
        rows, columns = (np.arange(length) for length in nine.etc.shape)
        if task_types is not None:
            rows = rng.choice(rows, task_types)
        if machine_types is not None:
            columns = rng.choice(columns, machine_types)
        likely = nine.task_counts[rows] / nine.task_counts[rows].sum()
        if machines is None and machine_types is None:
            counts = np.full(len(columns), MACHINES // len(columns))
        else:
            equally = np.full(len(columns), 1 / len(columns))
            counts = 1 + rng.multinomial((machines or MACHINES) - len(columns), equally)
        return System(
            tuple(
                TaskType(f"T{i}", count)
                for i, count in enumerate(rng.multinomial(tasks, likely).tolist(), 1)
            ),
            tuple(MachineType(f"M{j}", count) for j, count in enumerate(counts.tolist(), 1)),
            nine.etc[np.ix_(rows, columns)],
        )
