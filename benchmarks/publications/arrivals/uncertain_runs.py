"""Tables 6.2 to 6.4 as printed, runs of every method on every instance, and other readings of what
is not printed, on a few instances of each row.

Methods are in the order of `METHODS`, machines and errors rise. The readings say which of our
choices moves which numbers, and whether any of them comes nearer to the printed ones.
"""

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import cycle, product
from typing import Final, NamedTuple

import numpy as np

from benchmarks.publications.publication import silent
from core.capabilities.arrivals.uncertain.bags import (
    ERROR_LEVELS,
    HETEROGENEITIES,
    MACHINES,
    RATES,
    TASKS,
    ErrorLevel,
    UncertainSettings,
    draw_uncertain,
)
from core.capabilities.arrivals.uncertain.methods import (
    METHODS,
    WEIGHED,
    BagSettings,
    bag_bound,
    outcome_of,
    run_method,
)
from core.capabilities.arrivals.uncertain.running import no_runs
from core.engines.compute.executors import Engine, InThisThread
from core.engines.compute.many import run_many
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.workload import Switching, Truth, Workload
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.intervals import Interval

UncertainRow = tuple[int, ErrorLevel]
"""A number of machines and a level of errors."""

DEVIATION: Final[Mapping[UncertainRow, tuple[Sequence[float], Sequence[float]]]] = {
    (8, "low"): ((24.2, 16.8, 29.9), (33.7, 37.6, 26.8)),
    (8, "medium"): ((31.4, 22.2, 37.9), (42.0, 45.5, 35.9)),
    (8, "high"): ((38.4, 28.0, 46.6), (53.1, 54.8, 48.5)),
    (12, "low"): ((22.1, 13.1, 28.9), (30.6, 35.7, 15.5)),
    (12, "medium"): ((27.7, 16.7, 36.0), (38.1, 42.9, 26.5)),
    (12, "high"): ((34.0, 21.7, 45.0), (50.1, 52.5, 41.9)),
    (16, "low"): ((20.7, 11.7, 27.8), (28.5, 34.8, 11.3)),
    (16, "medium"): ((23.6, 13.1, 33.3), (37.0, 41.5, 20.0)),
    (16, "high"): ((29.2, 18.1, 42.0), (46.5, 50.5, 32.3)),
}
"""Table 6.2: by how many percent offline plans take less than they expected: makespan, energy."""

IMPROVEMENT: Final[Mapping[UncertainRow, tuple[Sequence[float], Sequence[float]]]] = {
    (8, "none"): (
        (34.7, 22.0, 0.7, 34.4, 34.0, 29.8, 27.4, 28.0),
        (13.4, 8.9, 0.6, 13.2, 13.1, 11.6, 10.8, 11.0),
    ),
    (8, "low"): (
        (23.1, 15.8, 2.4, 44.4, 44.2, 38.1, 22.7, 21.8),
        (10.7, 8.0, 1.9, 21.7, 22.1, 19.1, 10.8, 10.2),
    ),
    (8, "medium"): (
        (22.0, 16.2, 3.4, 47.2, 46.3, 40.6, 22.2, 19.9),
        (10.6, 8.8, 2.7, 24.4, 24.5, 21.4, 11.1, 9.7),
    ),
    (8, "high"): (
        (16.8, 15.0, 5.4, 49.1, 48.4, 43.2, 20.0, 19.3),
        (9.0, 9.2, 4.2, 27.5, 27.8, 24.9, 11.2, 10.6),
    ),
    (12, "none"): (
        (43.6, 29.1, 1.3, 42.7, 40.9, 36.3, 35.1, 35.4),
        (19.4, 13.9, 0.8, 19.0, 18.4, 16.5, 15.7, 15.9),
    ),
    (12, "low"): (
        (31.0, 23.3, 1.5, 48.3, 47.5, 42.1, 28.7, 28.0),
        (15.8, 13.1, 1.2, 25.8, 26.3, 23.3, 15.1, 14.6),
    ),
    (12, "medium"): (
        (26.8, 19.9, 2.1, 49.5, 47.8, 43.2, 26.4, 25.3),
        (14.4, 11.9, 1.9, 27.9, 27.8, 25.0, 14.5, 13.8),
    ),
    (12, "high"): (
        (21.7, 18.6, 3.5, 48.6, 47.9, 43.0, 24.1, 22.2),
        (12.2, 11.6, 2.8, 28.7, 29.2, 26.2, 14.5, 13.2),
    ),
    (16, "none"): (
        (48.4, 32.9, 1.7, 47.0, 43.3, 39.3, 39.1, 38.9),
        (23.6, 17.5, 1.1, 22.9, 21.6, 19.5, 19.5, 19.4),
    ),
    (16, "low"): (
        (33.2, 24.5, 1.2, 47.9, 46.0, 40.7, 28.9, 28.1),
        (17.4, 14.2, 1.0, 26.2, 26.1, 23.0, 15.5, 14.9),
    ),
    (16, "medium"): (
        (32.0, 25.5, 1.2, 50.2, 48.5, 43.4, 29.6, 29.1),
        (17.9, 15.7, 1.0, 29.4, 29.4, 26.1, 17.1, 16.8),
    ),
    (16, "high"): (
        (28.4, 22.7, 2.4, 49.6, 48.4, 44.5, 28.1, 27.0),
        (17.6, 15.3, 2.1, 31.6, 32.0, 29.0, 18.1, 17.3),
    ),
}
"""Table 6.3: by how many percent a method is below the worst of its instance: makespan, energy."""

WINS: Final[Mapping[UncertainRow, tuple[Sequence[int], Sequence[int]]]] = {
    (8, "none"): ((153, 2, 0, 32, 13, 0, 0, 0), (47, 13, 2, 69, 58, 11, 0, 0)),
    (8, "low"): ((1, 0, 0, 108, 89, 4, 0, 0), (0, 0, 0, 73, 117, 10, 0, 0)),
    (8, "medium"): ((2, 0, 0, 125, 70, 5, 0, 0), (0, 2, 1, 91, 100, 6, 0, 0)),
    (8, "high"): ((1, 0, 0, 102, 82, 16, 0, 0), (0, 0, 0, 77, 103, 20, 0, 0)),
    (12, "none"): ((151, 1, 0, 24, 23, 1, 0, 0), (80, 10, 0, 53, 53, 4, 0, 0)),
    (12, "low"): ((7, 0, 0, 115, 74, 4, 0, 0), (5, 0, 0, 66, 119, 10, 0, 0)),
    (12, "medium"): ((7, 2, 0, 122, 61, 12, 0, 0), (2, 2, 0, 85, 94, 16, 0, 1)),
    (12, "high"): ((4, 0, 0, 91, 89, 16, 0, 1), (1, 0, 0, 63, 108, 26, 1, 1)),
    (16, "none"): ((170, 1, 0, 20, 9, 0, 0, 0), (93, 22, 3, 33, 46, 3, 0, 0)),
    (16, "low"): ((18, 0, 0, 111, 69, 2, 0, 0), (10, 3, 0, 76, 101, 10, 0, 0)),
    (16, "medium"): ((11, 0, 0, 101, 85, 7, 0, 0), (4, 0, 0, 70, 114, 11, 1, 0)),
    (16, "high"): ((14, 1, 0, 96, 78, 13, 0, 0), (7, 4, 0, 62, 107, 19, 0, 1)),
}
"""Table 6.4: on how many of 200 instances each method is the best: makespan, energy."""


INSTANCES: Final = 200
"""As published, for each number of machines and level of errors."""
OFFLINE: Final = tuple(name for name, method in METHODS.items() if method.when == "offline")
WAITING: Final = "batch-maxmin that waits"
RUN: Final = (*METHODS, WEIGHED.name, WAITING)
MEASURES: Final = ("makespan", "energy")
REFERENCE: Final = "batch-maxmin"
"""The method whose mean is 1 in ratios of means."""


class UncertainRun(NamedTuple):
    """Rows (s, J): those of all methods in `RUN`, what the `OFFLINE` plans expected, the bound."""

    actual: Sequence[Sequence[float]]
    expected: Sequence[Sequence[float]]
    bound: Sequence[float]


@dataclass(frozen=True, eq=False)
class UncertainCell:
    """The instances of a number of machines and a level of errors.

    `actual[instance, method, measure]` for the methods in `RUN`, `expected[...]` for `OFFLINE`, and
    `bound[instance, measure]`.
    """

    actual: FloatArray
    expected: FloatArray
    bound: FloatArray

    @classmethod
    def of(cls, runs: Sequence[UncertainRun]) -> "UncertainCell":
        return cls(
            np.array([run.actual for run in runs]),
            np.array([run.expected for run in runs]),
            np.array([run.bound for run in runs]),
        )

    @cached_property
    def published(self) -> FloatArray:
        """The results of the published methods."""
        return self.actual[:, : len(METHODS)]

    @cached_property
    def deviation(self) -> FloatArray:
        """By how much less offline methods take than they expected, as a share of that."""
        return np.asarray(1 - self.actual[:, : len(OFFLINE)] / self.expected)

    @cached_property
    def improvement(self) -> FloatArray:
        """By how much less each published method takes than the worst of them on that instance."""
        return np.asarray(1 - self.published / self.published.max(axis=1, keepdims=True))

    @cached_property
    def wins(self) -> IntArray:
        """By measure and published method: on how many instances it is the best, alone or with
        others.
        """
        best = self.published == self.published.min(axis=1, keepdims=True)
        return np.asarray(best.sum(axis=0).T)

    @cached_property
    def ratios(self) -> FloatArray:
        """By published method and measure: how many times the mean of batch MaxMin it takes."""
        means = self.published.mean(axis=0)
        return np.asarray(means / means[RUN.index(REFERENCE)])

    def mean(self, method: str) -> FloatArray:
        """Mean makespan (s) and energy (J) of a method."""
        return np.asarray(self.actual[:, RUN.index(method)].mean(axis=0))

    def less(self, method: str, than: str, measure: int) -> Interval:
        """By how much less a method takes than another: pairs, as shares of the mean of the other.

        This is the interval of the mean difference.
        """
        one, other = (self.actual[:, RUN.index(name), measure] for name in (method, than))
        return Interval.of((other - one) / other.mean())

    def above(self, method: str, measure: int) -> Interval:
        """How far a method is above the bound, as a share of it."""
        return Interval.of(self.actual[:, RUN.index(method), measure] / self.bound[:, measure] - 1)


UncertainCells = Mapping[UncertainRow, UncertainCell]


def run_instance(settings: UncertainSettings) -> UncertainRun:
    """All methods on one instance."""
    workload, truth = draw_uncertain(settings)
    outcomes = [run_method(workload, truth, METHODS[name]) for name in METHODS]
    outcomes.append(run_method(workload, truth, WEIGHED))
    waiting = BagSettings(waits=True)
    outcomes.append(run_method(workload, truth, METHODS["batch-maxmin"], waiting))
    known = Truth.as_estimated(len(truth.time))
    expected = [run_method(workload, known, METHODS[name]) for name in OFFLINE]
    bound = bag_bound(workload, truth)
    return UncertainRun(
        [(one.makespan, one.joules) for one in outcomes],
        [(one.makespan, one.joules) for one in expected],
        (bound.makespan, bound.joules),
    )


def instances_of(
    machines: int, errors: ErrorLevel, count: int, tasks: int = TASKS
) -> list[UncertainSettings]:
    """As many of each heterogeneity and rate, as near as can be."""
    kinds = list(product(HETEROGENEITIES, RATES))
    return [
        UncertainSettings(machines, kind, errors, rate, tasks, seed=k // len(kinds))
        for k, (kind, rate) in zip(range(count), cycle(kinds), strict=False)
    ]


def measure(
    count: int = INSTANCES,
    say: Callable[[str], None] = silent,
    engine: Engine | None = None,
    tasks: int = TASKS,
) -> UncertainCells:
    """Runs `count` instances of each number of machines and level of errors; None: in this thread.

    The result is the same on every engine.
    """
    cells: dict[UncertainRow, UncertainCell] = {}
    for machines, errors in product(MACHINES, ERROR_LEVELS):
        say(f"uncertain times: {machines} machines, {errors} errors, {count} instances")
        asked = instances_of(machines, errors, count, tasks)
        chunks = run_many(run_instance, asked, engine or InThisThread())
        found = dict(pair for chunk in chunks for pair in chunk)
        cells[machines, errors] = UncertainCell.of([found[one] for one in asked])
    return cells


READ_INSTANCES: Final = 8
"""Instances of each number of machines and level of errors: two of each heterogeneity and rate."""
AS_HERE: Final = "as here"
SHARED: Final = "queue of a machine"


@dataclass(frozen=True)
class OtherReading:
    """What is read otherwise: settings of offline methods, and of others; whether offline plans
    have one queue a machine, from which a core that becomes free takes the next task; the power to
    which all speeds are raised (0: equal speeds); and when machines draw idle power.
    """

    sentence: str
    offline: BagSettings = field(default_factory=BagSettings)
    online: BagSettings = field(default_factory=BagSettings)
    shared: bool = False
    spread: float = 1.0
    switching: Switching = "always on"


_ALONE: Final = BagSettings(criterion="task")
READINGS: Final[Mapping[str, OtherReading]] = {
    AS_HERE: OtherReading("As in the tables."),
    SHARED: OtherReading(
        "Offline plans have a queue for each machine, not for each core.", shared=True
    ),
    "task energy": OtherReading(
        "MIN is the energy of the task alone, without that of machines that stay on longer for it.",
        _ALONE,
        _ALONE,
    ),
    "task energy offline": OtherReading("The same, of offline methods only.", _ALONE),
    "machine energy offline": OtherReading(
        "MIN of offline methods is the energy of the task, and that of its machine if it stays on "
        "longer.",
        BagSettings(criterion="machine"),
    ),
    "both offline": OtherReading(
        "Offline, a queue for each machine and the energy of the task alone.", _ALONE, shared=True
    ),
    "slow batches": OtherReading("Batches are an hour apart.", online=BagSettings(every=3600.0)),
    "equal speeds": OtherReading("All cores have the same speed.", spread=0.0),
    "speeds far apart": OtherReading("Speeds are the third powers of ours.", spread=3.0),
    "off at the end": OtherReading(
        "A machine is off after its last task, and does not draw idle power until the makespan.",
        switching="until last job",
    ),
}

ReadCells = Mapping[str, UncertainCells]
"""The rows of the tables under each of `READINGS`."""


def read_instance(reading: OtherReading, settings: UncertainSettings) -> UncertainRun:
    """The published methods on one instance as it is read; there is no bound."""
    workload, truth = draw_uncertain(settings)
    workload = replace(with_speeds(workload, reading.spread), switching=reading.switching)
    known = Truth.as_estimated(len(truth.time))
    plans = {name: run_method(workload, known, METHODS[name], reading.offline) for name in OFFLINE}
    outcomes = []
    for name, method in METHODS.items():
        if reading.shared and name in plans:
            outcomes.append(run_shared(plans[name], truth))
        else:
            chosen = reading.offline if name in plans else reading.online
            outcomes.append(run_method(workload, truth, method, chosen))
    return UncertainRun(
        [(one.makespan, one.joules) for one in outcomes],
        [(one.makespan, one.joules) for one in plans.values()],
        (),
    )


def run_shared(plan: ReplayOutcome, truth: Truth) -> ReplayOutcome:
    """What comes of a plan if the tasks of a machine are one queue in the planned order, and the
    core that is free first takes the next.
    """
    workload = plan.workload
    options, arrival = workload.options, workload.jobs.arrival
    machine = options.pool[plan.option]
    free = [[0.0] * int(units) for units in workload.pools.units]
    runs = no_runs(len(arrival), int(workload.pools.units.sum()))
    runs.machine[:] = machine
    for task in np.argsort(plan.start, kind="stable").tolist():
        queue = free[machine[task]]
        runs.start[task] = max(heapq.heappop(queue), arrival[task])
        taken = options.seconds[plan.option[task]] * truth.time[task]
        runs.end[task] = runs.start[task] + taken
        heapq.heappush(queue, float(runs.end[task]))
    return outcome_of(workload, truth, plan.policy, runs, np.zeros(1))


def with_speeds(workload: Workload, power: float) -> Workload:
    """The workload with speeds of machines to a power; their geometric mean stays."""
    options = workload.options
    first = options.seconds[options.job == 0]
    faster = np.exp(np.log(first).mean()) / first
    seconds = options.seconds * faster[options.pool] ** (1 - power)
    return replace(workload, options=replace(options, seconds=seconds))


def measure_readings(
    count: int = READ_INSTANCES,
    say: Callable[[str], None] = silent,
    engine: Engine | None = None,
    tasks: int = TASKS,
) -> ReadCells:
    """Runs `count` instances of each row under each reading; None: in this thread.

    The result is the same on every engine.
    """
    return {
        name: _cells(name, reading, count, say, engine or InThisThread(), tasks)
        for name, reading in READINGS.items()
    }


def _cells(
    name: str,
    reading: OtherReading,
    count: int,
    say: Callable[[str], None],
    engine: Engine,
    tasks: int,
) -> UncertainCells:
    say(f"uncertain times, reading: {name}, {count} instances of each kind")
    rows = {row: instances_of(*row, count, tasks) for row in product(MACHINES, ERROR_LEVELS)}
    asked = [one for instances in rows.values() for one in instances]
    chunks = run_many(partial(read_instance, reading), asked, engine)
    found = dict(pair for chunk in chunks for pair in chunk)
    return {
        row: UncertainCell.of([found[one] for one in instances]) for row, instances in rows.items()
    }
