"""The front of a day in three aims, as slices: what excess and lateness would save.

A slice has plans that are late by at most a share of the time that all jobs run. In each, the least
of an aim falls with the excess that is allowed, and is convex: between the points that are proven,
the lines through them with the slopes that the prices of excess say are below every plan.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from core.capabilities.centre.bound import DaySearch, NoSuchPlan
from core.capabilities.centre.cooling import TooHot
from core.capabilities.centre.moves import NoRoom
from core.capabilities.centre.objectives import DayAim, DayCaps, DayWeights
from core.capabilities.centre.recover import FoundPlan, Recovery
from core.capabilities.centre.settings import DaySettings
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import never
from core.vocabulary.tolerances import SAME, SOLVED_NOTHING

LATE_SHARES: Final = (0.0, 0.02, 0.05, 0.1, 0.2)
_SHARES: Final = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
"""Points of a slice: shares of the way from the least excess to that of the least cost."""


_NOTICED: Final = 1e-3
"""A smaller share of the aim is not worth a point."""


@dataclass(frozen=True, eq=False)
class SlicePoint:
    """No plan that exceeds the target by at most `excess` kWh has less than `least` of the aim, and
    a kWh more would save `price`; `found` is a plan that keeps this, if one was found.
    """

    excess: float
    least: float
    price: float
    found: FoundPlan | None


@dataclass(frozen=True, eq=False)
class DaySlice:
    """The points of plans that are late by at most a share of the time that all jobs run. No such
    plan has less than `least_excess` kWh.
    """

    late: float
    least_excess: float
    points: tuple[SlicePoint, ...]

    def least(self, excess: FloatArray) -> FloatArray:
        """What no plan of so much excess is below; infinity where no plan has so little."""
        lines = [one.least - one.price * (excess - one.excess) for one in self.points]
        found = np.max(lines, axis=0) if lines else np.full(len(excess), np.inf)
        return np.where(excess < self.least_excess, np.inf, found)

    def corners(self, most: float) -> FloatArray:
        """Its least excess, `most`, and all in between at which `least` may bend: between two of
        them it is a straight line.
        """
        lines = [(one.least + one.price * one.excess, one.price) for one in self.points]
        crossings = [
            (high - low) / (steep - flat)
            for (high, steep), (low, flat) in combinations(lines, 2)
            if steep != flat
        ]
        inside = [one for one in crossings if self.least_excess < one < most]
        return np.unique([self.least_excess, *inside, most])


def sliced_aim(asked: DaySettings) -> DayAim:
    """What slices have beside lateness and excess."""
    return "cost" if asked.minimise in ("excess", "lateness") else asked.minimise


def front_slices(
    search: DaySearch,
    asked: DaySettings,
    caps: DayCaps,
    should_stop: Callable[[], bool] = never,
) -> Iterator[DaySlice]:
    """A slice for each of `LATE_SHARES` that some plan keeps, each when it is there. Plans of a
    point are looked for a tenth of the seconds of one plan.
    """
    execution = search.day.jobs.execution_steps
    for late in LATE_SHARES:
        within = replace(caps, lateness=late * execution, excess=np.inf)
        try:
            least = search.bound(DayWeights.only("excess"), within, should_stop)
            points = tuple(_points(search, max(least.found, 0.0), within, asked, should_stop))
        except NoSuchPlan:
            continue
        if points:
            yield DaySlice(late, max(least.value, 0.0), points)


def _points(
    search: DaySearch,
    least: float,
    caps: DayCaps,
    asked: DaySettings,
    should_stop: Callable[[], bool],
) -> Iterator[SlicePoint]:
    weights = DayWeights.only(sliced_aim(asked))
    most = search.bound(weights, caps, should_stop).aims["excess"]
    levels = least + np.array(_SHARES) * max(most - least, 0.0)
    # The program keeps its rows to within rounding, so a plan may need a little more.
    levels = np.unique(np.append(levels[1:], least * (1 + SOLVED_NOTHING) + SOLVED_NOTHING))
    for level in levels.tolist():
        capped = replace(caps, excess=level)
        try:
            bound = search.bound(weights, capped, should_stop)
        except NoSuchPlan:
            continue
        price = max(bound.of_caps.excess, 0.0)
        found = None
        with suppress(NoRoom, TooHot):
            recovery = Recovery(search.day, bound, weights, capped, asked.seed)
            found = recovery.search(asked.seconds / 10, should_stop=should_stop)
        yield SlicePoint(level, bound.value, price, found)
        # More excess than that saves nothing.
        if price * (most - level) <= _NOTICED * max(abs(bound.value), SAME):
            break
