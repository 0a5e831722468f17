"""The published method with the run time of each phase: bound, rounding, local assignment."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import heapq
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Final, Self

import numpy as np

from core.engines.compute.compiled import Kernel
from core.engines.kernels import load_kernels
from core.engines.recover import assign, round_rows
from core.engines.relaxed import MAKESPAN, lower_bound
from core.engines.rivals import RIVALS
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.system import System

SEED: Final = 2015
PHASES: Final = ("lower bound", "rounding", "local assignment")


@dataclass(frozen=True, slots=True)
class Run:
    """One run: the makespan after each phase (s), and the seconds of each phase."""

    bound: float
    integer: float
    full: float
    bound_seconds: float
    round_seconds: float
    assign_seconds: float


@dataclass(frozen=True, eq=False)
class Runs:
    """Many runs: the same quantities, each an array [point, trial]."""

    bound: FloatArray
    integer: FloatArray
    full: FloatArray
    bound_seconds: FloatArray
    round_seconds: FloatArray
    assign_seconds: FloatArray

    @classmethod
    def of(cls, runs: Sequence[Sequence[Run]]) -> Self:
        return cls(
            *(
                np.array([[getattr(run, field.name) for run in row] for row in runs], np.float64)
                for field in fields(cls)
            )
        )

    @property
    def gap(self) -> FloatArray:
        """How far the schedule is above the bound, as a share of it."""
        return self.full / self.bound - 1

    @property
    def seconds(self) -> FloatArray:
        """Seconds of all phases together."""
        return self.bound_seconds + self.round_seconds + self.assign_seconds

    @property
    def phase_seconds(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The seconds of each of `PHASES`."""
        return self.bound_seconds, self.round_seconds, self.assign_seconds


def published_method(system: System) -> Run:
    """The three published phases, without polish."""
    started = time.thread_time()
    bound = lower_bound(system, MAKESPAN)
    bounded = time.thread_time()
    placed = round_rows(bound.placed, system.task_counts)
    rounded = time.thread_time()
    schedule = assign(system, placed)
    assigned = time.thread_time()
    work = np.einsum("ij,ij->j", placed, np.where(placed > 0, system.etc, 0.0))
    return Run(
        bound.value,
        float((work / system.machine_counts).max()),
        schedule.makespan,
        bounded - started,
        rounded - bounded,
        assigned - rounded,
    )


def rival_run(name: str, system: System) -> tuple[float, float]:
    """The makespan of a rival's schedule, and the seconds to compute it."""
    started = time.thread_time()
    schedule = RIVALS[name].solve(system)
    return schedule.makespan, time.thread_time() - started


def rounded(system: System) -> IntArray:
    """Whole tasks by machine type, from the bound on the makespan."""
    return round_rows(lower_bound(system, MAKESPAN).placed, system.task_counts)


def one_by_one(system: System, placed: IntArray) -> tuple[float, float]:
    """Makespan and seconds of the local assignment as published: a heap, one task at a time.

    `core.engines.recover.assign` makes the same schedule from counts; this is here for its run
    time.
    """
    columns = [
        (int(machines), *_longest_first(system.etc[:, kind], placed[:, kind]))
        for kind, machines in enumerate(system.machine_counts)
    ]
    started = time.thread_time()
    makespan = max(_last_ready(*column) for column in columns)
    return float(makespan), time.thread_time() - started


def one_task_at_a_time(system: System) -> float:
    """Seconds of `one_by_one` from the bound on the makespan."""
    return one_by_one(system, rounded(system))[1]


def warm_up(system: System) -> None:
    """Compile all kernels, so that no timing includes it."""
    published_method(system)
    one_task_at_a_time(system)
    for name in ("min-min", "max-min"):
        rival_run(name, system)
    load_kernels()


def observe(
    points: Sequence[int],
    trials: int,
    experiment: int,
    draw: Callable[[int, np.random.Generator], System],
) -> Runs:
    """The published method on random systems, `trials` of them at every point.

    All points take turns, so that a busy phase of the computer affects all of them.
    """
    runs: list[list[Run]] = [[] for _ in points]
    for trial in range(trials):
        for point, value in enumerate(points):
            system = draw(value, generator(experiment, point, trial))
            runs[point].append(published_method(system))
    return Runs.of(runs)


def generator(*place: int) -> np.random.Generator:
    """The random stream of one draw, which does not depend on other draws."""
    return np.random.default_rng([SEED, *place])


def _longest_first(seconds: FloatArray, counts: IntArray) -> tuple[FloatArray, IntArray]:
    order = np.argsort(-seconds, kind="stable")
    order = order[counts[order] > 0]
    return np.ascontiguousarray(seconds[order]), np.ascontiguousarray(counts[order])


@Kernel
def _last_ready(machines, seconds, counts):
    ready = [0.0] * machines
    last = 0.0
    for kind in range(len(counts)):
        for _ in range(counts[kind]):
            end = ready[0] + seconds[kind]
            heapq.heapreplace(ready, end)
            last = max(last, end)
    return last
