"""The measurements of figures 8 to A.15: the nine environment scaled up, one size varied."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from benchmarks.publications.claim import (
    CUBIC,
    FALLING,
    FLAT,
    LINEAR,
    RISING_SLOWLY,
    SUPER_LINEAR,
    Claim,
    duration,
    growth_claim,
    times,
)
from benchmarks.publications.figure import Figure, Panel, Series
from benchmarks.publications.makespan import scaling_causes
from benchmarks.publications.makespan.scaling_causes import (
    BEYOND,
    FEW_TASKS,
    TIMES_THE_TASKS,
    ScalingTrials,
    Types,
)
from benchmarks.publications.phases import (
    PHASES,
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


PUBLISHED_HUNDRED_MILLION: Final = 8.4

_FIXED_COSTS: Final = (
    "Linear and steeper growth is measured on the upper half of the values, where fixed costs "
    "(building the program, calls from Python into compiled code) matter least; they still matter."
)


def run_time_in_tasks(sweep: SizeSweep, hundred_million_seconds: FloatArray) -> Figure:
    seconds = float(np.median(hundred_million_seconds))
    return _run_time(
        "9",
        "tasks",
        sweep,
        [
            _phase_claim(sweep, 0, "is independent of the tasks", "independent", FLAT),
            _phase_claim(sweep, 1, "is independent of the tasks", "independent", FLAT),
            *_assignment_claims(sweep, "is linear in the tasks", "linear", LINEAR),
            Claim(
                "10^8 tasks take 8.4 s in all",
                duration(PUBLISHED_HUNDRED_MILLION),
                f"{duration(seconds)} (median)",
                seconds <= PUBLISHED_HUNDRED_MILLION,
                f"{times(PUBLISHED_HUNDRED_MILLION / seconds)} faster, on another machine",
            ),
        ],
        [
            "Our assignment works on counts and never looks at single tasks. So its run time does "
            "not grow, while that of the published form grows linearly. It is intended that the "
            "claim does not hold for it."
        ],
    )


def run_time_in_machines(sweep: SizeSweep) -> Figure:
    slowly = "is about logarithmic in the machines"
    return _run_time(
        "11",
        "machines",
        sweep,
        [
            _phase_claim(sweep, 0, "is independent of the machines", "independent", FLAT),
            _phase_claim(sweep, 1, "is independent of the machines", "independent", FLAT),
            *_assignment_claims(sweep, slowly, "logarithmic", RISING_SLOWLY),
        ],
    )


def run_time_in_task_types(sweep: SizeSweep) -> Figure:
    words = "is linear in the task types"
    return _run_time(
        "A.13",
        "task types",
        sweep,
        [
            _phase_claim(
                sweep, 0, "grows faster than the task types", "super-linear", SUPER_LINEAR
            ),
            _phase_claim(sweep, 1, words, "linear", LINEAR),
            *_assignment_claims(sweep, words, "linear", LINEAR),
        ],
        [
            _FIXED_COSTS,
            "If tasks are assigned one at a time, sorting the task types takes almost no time "
            "beside a million tasks. Only on counts does the run time depend on the types.",
        ],
    )


def run_time_in_machine_types(sweep: SizeSweep) -> Figure:
    falls = "falls as machine types are added"
    return _run_time(
        "A.15",
        "machine types",
        sweep,
        [
            _phase_claim(sweep, 0, "is about cubic in the machine types", "cubic", CUBIC),
            _phase_claim(sweep, 1, "is about linear in the machine types", "linear", LINEAR),
            *_assignment_claims(sweep, falls, "like minus the logarithm", FALLING),
        ],
        [_FIXED_COSTS],
    )


def _phase_claim(
    sweep: SizeSweep,
    phase: int,
    words: str,
    published: str,
    allowed: tuple[float, float],
) -> Claim:
    """A claim about the run time of a phase; `_FIXED_COSTS` says where growth is measured."""
    part = slice(None) if allowed in (FLAT, RISING_SLOWLY) else slice(len(sweep.x) // 2, None)
    median = np.median(sweep.runs.phase_seconds[phase], axis=1)
    claim = f"The run time of the {PHASES[phase]} {words}"
    tried = sweep.tried
    cause = (tried.larger_programs, tried.larger_rounding, "")[phase] if tried else ""
    return growth_claim(claim, published, sweep.x[part], median[part], allowed, cause)


def _assignment_claims(
    sweep: SizeSweep, words: str, published: str, allowed: tuple[float, float]
) -> list[Claim]:
    """The same claim for the local assignment: as published, one task at a time, and as here, on
    counts.
    """
    one_at_a_time = growth_claim(
        f"The run time of the local assignment {words}: one task at a time, as published",
        published,
        sweep.heap_x,
        np.median(sweep.heap_seconds, axis=1),
        allowed,
        sweep.tried.fewer_tasks if sweep.tried else "",
    )
    on_counts = _phase_claim(sweep, 2, f"{words}: on counts, as here", published, allowed)
    cause = "Intended: on counts only types are looked at, no single tasks."
    return [one_at_a_time, replace(on_counts, ours=True, cause=cause)]


def _run_time(
    number: str,
    size: Size,
    sweep: SizeSweep,
    claims: Sequence[Claim],
    notes: Sequence[str] = (),
) -> Figure:
    panels = []
    for letter, name, seconds in zip("abc", PHASES, sweep.runs.phase_seconds, strict=True):
        on_counts = name == PHASES[-1]
        series = [Series("on counts" if on_counts else name, sweep.x, 1e3 * seconds)]
        if on_counts:
            series.append(Series("one task at a time", sweep.heap_x, 1e3 * sweep.heap_seconds))
        title = f"({letter}) {name.capitalize()}"
        panels.append(
            Panel(title, size, "run time", "ms", series, "lines", log_y=on_counts, robust=True)
        )
    return Figure(
        number,
        f"Run time of each phase, by number of {size}",
        setting(size, sweep),
        panels,
        claims,
        notes,
    )
