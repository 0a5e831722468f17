"""Bags whose run times are uncertain: what each method expects, and what then happens."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

import numpy as np

from core.arrivals.uncertain import ErrorLevel, UncertainCase, UncertainSettings, draw_uncertain
from core.arrivals.uncertain_methods import METHODS, WEIGHED, run_method
from core.engine.task import Task
from core.model.arrays import FloatArray
from core.model.intervals import Interval
from core.replay.workload import Truth
from core.say.words import counted
from dashboard.arrivals.settings import ArrivalsSettings
from dashboard.shell.background import Job

BAG_METHODS: Final = {one.name: one for one in (*METHODS.values(), WEIGHED)}
"""The published methods, and ours."""


@dataclass(frozen=True, slots=True)
class ExpectedAndActual:
    """The makespan (s) and energy (J) of a bag if all estimates held, and as they really are."""

    expected_seconds: float
    seconds: float
    expected_joules: float
    joules: float


@dataclass(frozen=True, eq=False, slots=True)
class RobustFound:
    """What is known so far, by method and bag."""

    settings: ArrivalsSettings
    runs: Mapping[tuple[str, int], ExpectedAndActual] = field(default_factory=dict)

    @property
    def all_runs(self) -> int:
        return self.settings.days * len(BAG_METHODS)

    @property
    def methods(self) -> list[str]:
        """The methods with a run, in the order of the published tables."""
        there = {method for method, _ in self.runs}
        return [method for method in BAG_METHODS if method in there]

    def of(self, method: str, figure: str) -> FloatArray:
        """A figure of `ExpectedAndActual` of each bag."""
        return np.array(
            [getattr(run, figure) for (name, _), run in self.runs.items() if name == method], float
        )

    def mean(self, method: str, figure: str) -> Interval:
        return Interval.of(self.of(method, figure))

    @property
    def best(self) -> str:
        """The method whose bags really end first on average."""
        return min(self.methods, key=lambda method: self.mean(method, "seconds").mean)


def trying_bags(
    settings: ArrivalsSettings, before: RobustFound | None = None
) -> Callable[[Job[RobustFound]], None]:
    """The work of a job that runs each method on each bag."""

    def work(job: Job[RobustFound]) -> None:
        found = before or RobustFound(settings)
        began = time.monotonic()
        steps = [
            (bag, method)
            for bag in range(settings.days)
            for method in BAG_METHODS
            if (method, bag) not in found.runs
        ]
        job.begin("Drawing the first bag")
        for done, (bag, method) in enumerate(steps, 1):
            with job.turn() as turn:
                run = turn.compute(Task(tried, (settings, bag, method)))
            found = replace(found, runs={**found.runs, (method, bag): run})
            spent = time.monotonic() - began
            said = f"{len(found.runs):,} of {counted(found.all_runs, 'run')}"
            job.begin(said, spent + spent / done * (len(steps) - done), spent)
            if done % len(BAG_METHODS) == 0 or done == len(steps):
                job.show(found)

    return work


def tried(settings: ArrivalsSettings, bag: int, method: str) -> ExpectedAndActual:
    """A method on a bag: with estimates that hold, and with what really happens."""
    case = _drawn(settings.errors, settings.seed + bag)
    workload, chosen = case.workload, BAG_METHODS[method]
    expected = run_method(workload, Truth.as_estimated(len(workload.jobs)), chosen)
    actual = run_method(workload, case.truth, chosen)
    return ExpectedAndActual(expected.makespan, actual.makespan, expected.joules, actual.joules)


@lru_cache(maxsize=2)
def _drawn(errors: ErrorLevel, seed: int) -> UncertainCase:
    return draw_uncertain(UncertainSettings(errors=errors, seed=seed))
