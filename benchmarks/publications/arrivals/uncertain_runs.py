"""Runs of every method on every instance with uncertain times, as tables 6.2 to 6.4 need them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle, product
from typing import Final, NamedTuple

import numpy as np

from benchmarks.publications.arrivals.uncertain_tables import UncertainRow
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
from core.capabilities.arrivals.uncertain.bound import bag_bound
from core.capabilities.arrivals.uncertain.methods import METHODS, WEIGHED, BagSettings, run_method
from core.engines.compute.executors import Engine, InThisThread
from core.engines.compute.many import run_many
from core.engines.replay.workload import Truth
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.intervals import Interval

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
