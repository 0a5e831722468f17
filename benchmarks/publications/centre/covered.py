"""Relative hypervolumes of fronts: what they dominate, over what all fronts of a day do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from scipy.stats import kruskal

from benchmarks.publications.centre.day_runs import (
    LATE,
    OBJECTIVES,
    READ_DAYS,
    READINGS,
    DayRuns,
    FrontFound,
    MadeName,
)
from core.capabilities.centre.made import MADE_GREENS, MADE_JOBS, MadeGreen, MadeSize
from core.capabilities.centre.rivals.evolving import EVOLVING_METHODS, EvolvingMethod
from core.engines.moea.dominance import front, hypervolume
from core.vocabulary.arrays import FloatArray

CELLS: Final = tuple((size, green) for size in MADE_JOBS for green in MADE_GREENS)
SURE: Final = 0.001
"""A difference is significant at this level, as published."""

Cell = tuple[MadeSize, MadeGreen]


class BothMethods(NamedTuple):
    """Relative hypervolumes of ev-MOGA and NSGA-II, a value each for a run or a day."""

    ev_moga: FloatArray
    nsga2: FloatArray

    @property
    def chance(self) -> float:
        """The level at which the Kruskal-Wallis test tells them apart; 1 if all are equal."""
        if len(np.unique(np.concatenate(self))) < 2:
            return 1.0
        return float(kruskal(*self).pvalue)


def together(fronts: Sequence[FloatArray]) -> FloatArray:
    """The objectives of what no other plan of some fronts dominates."""
    points = np.concatenate([one[:, :OBJECTIVES] for one in fronts])
    return np.asarray(points[front(points)])


class Covered:
    """Hypervolumes of one day, up to the worst values of all its plans, over that of all."""

    def __init__(self, fronts: Sequence[FloatArray]) -> None:
        points = np.concatenate([one[:, :OBJECTIVES] for one in fronts])
        self.least, most = points.min(axis=0), points.max(axis=0)
        self.extent = np.where(most > self.least, most - self.least, 1.0)
        self.best = self._volume(together(fronts))

    def __call__(self, found: FloatArray) -> float:
        return self._volume(together([found])) / self.best if self.best and len(found) else 0.0

    def _volume(self, points: FloatArray) -> float:
        return hypervolume((points - self.least) / self.extent, np.ones(OBJECTIVES))


@dataclass(frozen=True, eq=False)
class DayCovered:
    """The relative hypervolumes of a day: of each run, and of all runs of a method as one."""

    runs: BothMethods
    aggregated: tuple[float, float]


def covered_days(runs: DayRuns) -> dict[MadeName, DayCovered]:
    """What the fronts of both methods dominate, after annealing."""
    found = {}
    for day in runs.days:
        by_method = [
            [one.annealed for one in runs.of(day, method)] for method in ("ev-moga", "nsga2")
        ]
        share = Covered([one for fronts in by_method for one in fronts])
        each = BothMethods(*(np.array([share(one) for one in fronts]) for fronts in by_method))
        merged = [share(together(fronts)) for fronts in by_method]
        found[day] = DayCovered(each, (merged[0], merged[1]))
    return found


def of_cell(days: Mapping[MadeName, DayCovered], cell: Cell) -> BothMethods:
    """The runs of all days of a size and a profile of green power."""
    some = [one.runs for day, one in days.items() if (day.size, day.green) == cell]
    return BothMethods(*(np.concatenate(values) for values in zip(*some, strict=True)))


def aggregated_of_cell(days: Mapping[MadeName, DayCovered], cell: Cell) -> BothMethods:
    """The aggregated fronts of all days of a size and a profile of green power."""
    some = [one.aggregated for day, one in days.items() if (day.size, day.green) == cell]
    return BothMethods(*(np.array(values) for values in zip(*some, strict=True)))


def of_readings(runs: DayRuns) -> dict[str, tuple[float, float]]:
    """The mean relative hypervolume before annealing, and the mean least cost of plans that are
    late by at most `LATE` over that of NSGA-II: of both methods, and of other readings of ev-MOGA.
    """
    names = ["nsga2", "ev-moga", *READINGS]
    values: dict[str, list[float]] = {name: [] for name in names}
    costs: dict[str, list[float]] = {name: [] for name in names}
    for day in (day for day in READ_DAYS if day in runs.days):
        fronts = {
            name: [
                one.evolved
                for one in runs.of(
                    day, *((name,) if name in EVOLVING_METHODS else ("ev-moga", name))
                )
            ]
            for name in names
        }
        share = Covered([one for each in fronts.values() for one in each])
        usual = runs.days[day].usual
        for name, each in fronts.items():
            values[name] += [share(one) for one in each]
            late = LATE * day.drawn().jobs.execution_steps
            costs[name] += [cheapest_on_time(one, late, usual) for one in each]
    first = float(np.mean(costs["nsga2"]))
    return {
        name: (float(np.mean(values[name])), float(np.mean(costs[name])) / first) for name in names
    }


def cheapest_on_time(found: FloatArray, late: float, usual: float) -> float:
    """The least cost of plans that are late by at most so many steps; as usual if none is."""
    kept = found[found[:, 2] <= late]
    return float(kept[:, 1].min()) if len(kept) else usual


class OnTime(NamedTuple):
    """What the cheapest plan of a run saves of the cost as usual, if it is late by at most `LATE`,
    and its relative excess.
    """

    saved: float
    excess: float


def on_time(found: FrontFound, late: float, usual: float) -> OnTime:
    """NaN if all plans of a run are later."""
    kept = found.annealed[found.annealed[:, 2] <= late]
    if not len(kept):
        return OnTime(np.nan, np.nan)
    cheapest = kept[kept[:, 1].argmin()]
    return OnTime(1 - float(cheapest[1]) / usual, float(cheapest[3]))


@dataclass(frozen=True, eq=False)
class CellSavings:
    """What the cheapest plan on time of each run saves against as usual, and its relative excess
    (NaN for a run without one), on days of a size and a profile of green power; for each day what
    no plan can do better, and what ours does.
    """

    saved: Mapping[EvolvingMethod, FloatArray]
    excess: Mapping[EvolvingMethod, FloatArray]
    most: FloatArray
    ours: FloatArray
    least_excess: FloatArray
    our_excess: FloatArray
    gaps: FloatArray


def savings_of(runs: DayRuns, cell: Cell) -> CellSavings:
    days = {day: known for day, known in runs.days.items() if (day.size, day.green) == cell}
    found: dict[EvolvingMethod, list[OnTime]] = {method: [] for method in EVOLVING_METHODS}
    for day, known in days.items():
        late = LATE * day.drawn().jobs.execution_steps
        for method, each in found.items():
            each += [on_time(one, late, known.usual) for one in runs.of(day, method)]
    values = list(days.values())
    return CellSavings(
        {method: np.array([one.saved for one in each]) for method, each in found.items()},
        {method: np.array([one.excess for one in each]) for method, each in found.items()},
        np.array([1 - one.bound / one.usual for one in values]),
        np.array([1 - one.cost / one.usual for one in values]),
        np.array([one.least_excess for one in values]),
        np.array([one.excess for one in values]),
        np.array([(one.cost - one.bound) / one.usual for one in values]),
    )
