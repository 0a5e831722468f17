"""The measurements of figures 2 to 6: bags of growing size on the nine environment."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.publications.phases import (
    Run,
    Runs,
    generator,
    one_task_at_a_time,
    published_method,
    rival_run,
)
from benchmarks.publications.remembering import remembered
from benchmarks.publications.stand_ins import CANDIDATES, drawn, stand_in
from benchmarks.samples import resample
from core.capabilities.makespan.solve import solve
from core.engines.relaxed import MAKESPAN, lower_bound, met_bound
from core.engines.relaxed.program import DivisibleProgram
from core.files.samples.generate import RangeBased
from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.budget import Effort
from core.vocabulary.system import System
from core.vocabulary.tolerances import SUM_ROUNDING

EXPERIMENT: Final = 1
AVERAGES: Final = 10
SIZES: Final = (100, 250, 500, 1000, 1500, 2000, 2500, 5000, 10_000, 25_000, 100_000)
GAP_SIZE: Final = 2500
LARGEST_QUALITY: Final = 5000
"""Quality is shown up to this many tasks, run times up to the largest size."""

POLISH_SECONDS: Final = 0.3
MOST_POLISHED: Final = 20
MOST_PRINTED: Final = 20
"""The rivals as printed schedule at most this many bags of each size."""
MOST_ELSEWHERE: Final = 10
INDEPENDENT: Final = RangeBased(100.0, 10.0)
REPETITIONS: Final = 5

RULES: Final = ("min-min", "max-min")


@dataclass(frozen=True, eq=False)
class Bags:
    """The measurements at each bag size (tasks) and trial; makespans and run times are in seconds.

    `polished` is the gap after polish, at fewer sizes and trials. `printed_seconds` are those of
    the rivals as printed (`RULES`), `asked` is how often they need a task type's best machine, and
    `remembered` the share of these in which it is still known: [rule, size, trial].
    `solver_seconds` are those of the solver alone, for the same bags, and `heap_seconds` those of
    the local assignment one task at a time. `alone` says whether one task takes as long as the
    published method's schedule.

    `elsewhere` has the `averages` and, by rule, the shares remembered for every candidate for the
    nine environment: they show whether a difference comes from the random draw. `independent` has
    these shares for systems in which a task type's times on the machine types are independent, by
    rule.
    """

    sizes: FloatArray
    lp: Runs
    met: FloatArray
    min_min: FloatArray
    max_min: FloatArray
    min_min_seconds: FloatArray
    polished: FloatArray
    printed_seconds: FloatArray
    remembered: FloatArray
    asked: FloatArray
    solver_seconds: FloatArray
    heap_seconds: FloatArray
    alone: BoolArray
    elsewhere: FloatArray
    independent: FloatArray

    @property
    def shown(self) -> int:
        """The number of sizes in the figures on quality."""
        return int((self.sizes <= LARGEST_QUALITY).sum())


def measure(trials: int, sizes: Sequence[int] = SIZES, polish: float = POLISH_SECONDS) -> Bags:
    """Every method on the same `trials` bags of each size, drawn from the nine environment's mix.

    The first bags of each size are also polished for `polish` seconds each. Sizes ascend. All sizes
    take turns, so that a busy phase of the computer affects all of them.
    """
    nine = stand_in("nine")
    _as_printed(nine)  # compiles the kernels, which must not be timed
    runs: list[list[Run]] = [[] for _ in sizes]
    others: list[list[tuple[float, ...]]] = [[] for _ in sizes]
    alone: list[list[bool]] = [[] for _ in sizes]
    printed = np.empty((5, len(RULES), len(sizes), min(trials, MOST_PRINTED)))
    for trial in range(trials):
        for point, size in enumerate(sizes):
            system = resample(nine, size, generator(EXPERIMENT, point, trial))
            run = published_method(system)
            runs[point].append(run)
            alone[point].append(bool(np.isclose(system.etc, run.full, rtol=SUM_ROUNDING).any()))
            others[point].append(
                (
                    met_bound(system),
                    *rival_run("min-min", system),
                    rival_run("max-min", system)[0],
                )
            )
            if trial < MOST_PRINTED:
                printed[:, :, point, trial] = _as_printed(system)
    met, min_min, min_min_seconds, max_min = np.moveaxis(np.array(others), 2, 0)
    printed_seconds, share, asked, solver, heap = printed
    return Bags(
        np.array(sizes, np.float64),
        Runs.of(runs),
        met,
        min_min,
        max_min,
        min_min_seconds,
        # After the timed part, because it keeps the computer busy.
        polished=_gaps_of_polished(nine, sizes, min(trials, MOST_POLISHED), polish),
        printed_seconds=printed_seconds,
        remembered=share,
        asked=asked,
        solver_seconds=solver[0],
        heap_seconds=heap[0],
        alone=np.array(alone),
        elsewhere=np.array([_elsewhere(k, min(trials, MOST_ELSEWHERE)) for k in CANDIDATES]),
        independent=_independent(nine),
    )


def _gaps_of_polished(nine: System, sizes: Sequence[int], trials: int, polish: float) -> FloatArray:
    return np.array(
        [
            [
                _gap_to_divisible(resample(nine, size, generator(EXPERIMENT, point, trial)), polish)
                for trial in range(trials)
            ]
            for point, size in enumerate(sizes)
            if size <= LARGEST_QUALITY
        ]
    )


def averages(nine: System, trials: int) -> list[float]:
    """The mean gap of the published method, and by which share each of `RULES` is longer, at the
    sizes that the publication names.
    """
    gaps, excesses = [], []
    for trial in range(trials):
        run = published_method(resample(nine, GAP_SIZE, generator(AVERAGES, 0, trial)))
        gaps.append(run.full / run.bound - 1)
        bag = resample(nine, LARGEST_QUALITY, generator(AVERAGES, 1, trial))
        full = published_method(bag).full
        excesses.append([rival_run(rule, bag)[0] / full - 1 for rule in RULES])
    return [float(np.mean(gaps)), *np.mean(excesses, axis=0).tolist()]


def _elsewhere(candidate: int, trials: int) -> list[float]:
    nine = drawn("nine", candidate)
    bag = resample(nine, GAP_SIZE, generator(AVERAGES, 0, 0))
    return averages(nine, trials) + [remembered(bag, rule).share for rule in RULES]


def _independent(nine: System) -> FloatArray:
    shares, (task_types, kinds) = [], nine.etc.shape
    for trial in range(REPETITIONS):
        rng = generator(EXPERIMENT, GAP_SIZE, trial)
        etc = INDEPENDENT.draw(task_types, kinds, rng)
        other = System(nine.task_types, nine.machine_types, etc)
        bag = resample(other, GAP_SIZE, rng)
        shares.append([remembered(bag, rule).share for rule in RULES])
    return np.asarray(np.mean(shares, axis=0))


def _as_printed(system: System) -> FloatArray:
    """Rows: seconds, share remembered, number asked, seconds of the solver alone, seconds of the
    assignment one task at a time; one column for each rule.
    """
    program = DivisibleProgram(system)
    started = time.thread_time()
    program.minimise(MAKESPAN)
    solver = time.thread_time() - started
    heap = one_task_at_a_time(system)
    runs = [remembered(system, rule) for rule in RULES]
    return np.array([[run.seconds, run.share, run.asked, solver, heap] for run in runs]).T


def _gap_to_divisible(system: System, seconds: float) -> float:
    """The gap to the divisible bound, as published, without the better bounds for whole tasks."""
    makespan = solve(system, effort=Effort(seconds)).schedule.makespan
    return makespan / lower_bound(system, MAKESPAN).value - 1
