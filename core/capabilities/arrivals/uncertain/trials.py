"""Bags whose run times are uncertain: what each method expects, and what then happens."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from core.capabilities.arrivals.asked import ArrivalsSettings
from core.capabilities.arrivals.uncertain.bound import BagBound, bag_bound
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS, BagSettings, run_method
from core.engines.compute.compiled import compile_from_now_on
from core.engines.replay.judge import judge_outcome
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.workload import Truth
from core.vocabulary.arrays import FloatArray
from core.vocabulary.intervals import Interval
from core.vocabulary.say.units import Unit, energy_unit, time_unit

BagFigure = Literal["seconds", "joules"]
"""The makespan or the energy of a bag."""


@dataclass(frozen=True, slots=True)
class ExpectedAndActual:
    """The makespan (s) and energy (J) of a bag if all estimates held, and as they really are."""

    expected_seconds: float
    seconds: float
    expected_joules: float
    joules: float


class TriedBag(NamedTuple):
    """What came of a method on a bag; of the first bag also what became of each task. `verified`
    says what the judge says.
    """

    replay: ExpectedAndActual
    outcome: ReplayOutcome | None
    verified: bool


@dataclass(frozen=True, eq=False)
class BagTrials:
    """What is known so far, by method and bag."""

    settings: ArrivalsSettings
    replays: Mapping[tuple[str, int], ExpectedAndActual] = field(default_factory=dict)
    bounds: Mapping[int, BagBound] = field(default_factory=dict)
    """What no method could have beaten, by bag, as far as it is proven yet."""
    records: Mapping[str, ReplayOutcome] = field(default_factory=dict)
    """What became of each task of the first bag, by method."""
    faults: frozenset[tuple[str, int]] = frozenset()
    """The methods and bags whose outcome the judge refuses."""

    @property
    def left(self) -> list[tuple[int, str]]:
        """The replays that are still to be done: bags, and methods for each."""
        return [
            (bag, method)
            for bag in range(self.settings.days)
            for method in self.settings.methods
            if (method, bag) not in self.replays
        ]

    @property
    def all_replays(self) -> int:
        return self.settings.days * len(self.settings.methods)

    def with_replay(self, method: str, bag: int, tried: TriedBag) -> "BagTrials":
        kept = {} if tried.outcome is None else {method: tried.outcome}
        return replace(
            self,
            replays={**self.replays, (method, bag): tried.replay},
            records={**self.records, **kept},
            faults=self.faults | (set() if tried.verified else {(method, bag)}),
        )

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
                    getattr(one, figure) / _proven(self.bounds[bag], figure) - 1
                    for (name, bag), one in self.replays.items()
                    if name == method
                ]
            )
        )

    @property
    def methods(self) -> list[str]:
        """The methods with a replay, in the order of the published tables."""
        there = {method for method, _ in self.replays}
        return [method for method in BAG_METHODS if method in there]

    def of(self, method: str, figure: str) -> FloatArray:
        """A figure of `ExpectedAndActual` of each bag."""
        return np.array(
            [getattr(one, figure) for (name, _), one in self.replays.items() if name == method],
            float,
        )

    def mean(self, method: str, figure: str) -> Interval:
        return Interval.of(self.of(method, figure))

    @cached_property
    def common(self) -> list[int]:
        """The bags on which all methods were replayed."""
        methods = self.methods
        bags = range(self.settings.days)
        return [bag for bag in bags if all((method, bag) in self.replays for method in methods)]

    def _beside(self, figure: BagFigure) -> FloatArray:
        """A figure of the common bags (rows) and `methods` (columns)."""
        return np.array(
            [
                [getattr(self.replays[method, bag], figure) for method in self.methods]
                for bag in self.common
            ]
        )

    def below_worst(self, method: str, figure: BagFigure) -> Interval:
        """How much less a method takes than the worst method of each bag, as a share of that."""
        taken = self._beside(figure)
        return Interval.of(1 - taken[:, self.methods.index(method)] / taken.max(axis=1))

    def above_best(self, method: str, figure: BagFigure) -> Interval:
        """How much more a method takes than that which takes `least`: the mean of the differences
        on the same bags, as a share of that least mean.
        """
        taken = self._beside(figure)
        least = taken[:, self.methods.index(self.least(figure))]
        return Interval.of((taken[:, self.methods.index(method)] - least) / least.mean())

    def least(self, figure: BagFigure) -> str:
        """The method that takes least on average over the common bags."""
        return self.methods[int(self._beside(figure).mean(axis=0).argmin())]

    def wins(self, method: str, figure: BagFigure) -> int:
        """On how many common bags a method takes least, alone or with others."""
        taken = self._beside(figure)
        return int((taken[:, self.methods.index(method)] == taken.min(axis=1)).sum())

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


def tried(settings: ArrivalsSettings, bag: int, method: str) -> TriedBag:
    """A method on a bag: with estimates that hold, and with what really happens."""
    compile_from_now_on()
    case = settings.question(None).file(bag)
    workload, chosen = case.workload, BAG_METHODS[method]
    weighing = BagSettings(exchange=settings.exchange)
    expected = run_method(workload, Truth.as_estimated(len(workload.jobs)), chosen, weighing)
    actual = run_method(workload, case.truth, chosen, weighing)
    replay = ExpectedAndActual(expected.makespan, actual.makespan, expected.joules, actual.joules)
    return TriedBag(replay, None if bag else actual, judge_outcome(actual).ok)
