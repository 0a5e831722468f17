"""Bags whose run times are uncertain: what each method expects, and what then happens."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from core.arrivals.asked import ArrivalsSettings
from core.arrivals.uncertain_bound import BagBound, bag_bound
from core.arrivals.uncertain_methods import BAG_METHODS, BagSettings, run_method
from core.engine.compiled import compile_from_now_on
from core.model.arrays import FloatArray
from core.model.intervals import Interval
from core.replay.workload import Truth
from core.say.units import Unit, energy_unit, time_unit


@dataclass(frozen=True, slots=True)
class ExpectedAndActual:
    """The makespan (s) and energy (J) of a bag if all estimates held, and as they really are."""

    expected_seconds: float
    seconds: float
    expected_joules: float
    joules: float


@dataclass(frozen=True, eq=False, slots=True)
class BagTrials:
    """What is known so far, by method and bag."""

    settings: ArrivalsSettings
    runs: Mapping[tuple[str, int], ExpectedAndActual] = field(default_factory=dict)
    bounds: Mapping[int, BagBound] = field(default_factory=dict)
    """What no method could have beaten, by bag, as far as it is proven yet."""

    @property
    def left(self) -> list[tuple[int, str]]:
        """The runs that are still to be done: bags, and methods for each."""
        return [
            (bag, method)
            for bag in range(self.settings.days)
            for method in self.settings.methods
            if (method, bag) not in self.runs
        ]

    @property
    def all_runs(self) -> int:
        return self.settings.days * len(self.settings.methods)

    def with_run(self, method: str, bag: int, run: ExpectedAndActual) -> "BagTrials":
        return replace(self, runs={**self.runs, (method, bag): run})

    @property
    def unproven(self) -> list[int]:
        """The bags of which there is no bound yet."""
        return [bag for bag in range(self.settings.days) if bag not in self.bounds]

    def with_bound(self, bag: int, bound: BagBound) -> "BagTrials":
        return replace(self, bounds={**self.bounds, bag: bound})

    def bound(self, figure: str) -> float | None:
        """The mean bound of "seconds" or "joules" over all bags; None until all are there."""
        if not self.bounds or self.unproven:
            return None
        return float(np.mean([_proven(one, figure) for one in self.bounds.values()]))

    def above_bound(self, method: str, figure: str) -> Interval | None:
        """How far a method is above the bound, bag by bag, as a share of it; None until there are
        all bounds.
        """
        if not self.bounds or self.unproven:
            return None
        return Interval.of(
            np.array(
                [
                    getattr(run, figure) / _proven(self.bounds[bag], figure) - 1
                    for (name, bag), run in self.runs.items()
                    if name == method
                ]
            )
        )

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

    def unit(self, figure: str) -> Unit:
        """The unit in which a figure, expected or actual, is a few to a few hundred."""
        kind = "seconds" if figure.endswith("seconds") else "joules"
        means = [
            self.mean(one, name).mean for one in self.methods for name in (kind, f"expected_{kind}")
        ]
        return time_unit(min(means)) if kind == "seconds" else energy_unit(min(means))

    @property
    def best(self) -> str:
        """The method whose bags really end first on average."""
        return min(self.methods, key=lambda method: self.mean(method, "seconds").mean)


def _proven(bound: BagBound, figure: str) -> float:
    return bound.makespan if figure == "seconds" else bound.joules


def proven(settings: ArrivalsSettings, bag: int) -> BagBound:
    """What no method could have beaten on a bag, had it known how long each task takes."""
    case = settings.question(None).file(bag)
    return bag_bound(case.workload, case.truth)


def tried(settings: ArrivalsSettings, bag: int, method: str) -> ExpectedAndActual:
    """A method on a bag: with estimates that hold, and with what really happens."""
    compile_from_now_on()
    case = settings.question(None).file(bag)
    workload, chosen = case.workload, BAG_METHODS[method]
    weighing = BagSettings(exchange=settings.exchange)
    expected = run_method(workload, Truth.as_estimated(len(workload.jobs)), chosen, weighing)
    actual = run_method(workload, case.truth, chosen, weighing)
    return ExpectedAndActual(expected.makespan, actual.makespan, expected.joules, actual.joules)
