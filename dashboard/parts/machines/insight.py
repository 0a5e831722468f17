"""What the data of a system say: which machine types are fast, and which thrifty."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from core import System
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.say.phrases import estimates_in_a_sentence
from core.vocabulary.say.words import Sense, counted, rounded
from dashboard.parts.charts.heat_map import energies

NAMES_LISTED: Final = 6
_LARGEST_EXPONENT: Final = 700.0


@dataclass(frozen=True, eq=False, slots=True)
class Ranking:
    """Which machine types have the least cost (time or energy) for each task type; ties are all
    best.

    `excess[j]` is how far machine type j is above the best, as a share: the geometric mean over the
    task types that it can run. 0 means that it is always best; NaN that it can run none.
    """

    best: BoolArray
    excess: FloatArray

    @property
    def wins(self) -> IntArray:
        """The number of task types for which each machine type is best."""
        wins: IntArray = self.best.sum(axis=0)
        return wins


@dataclass(frozen=True, eq=False, slots=True)
class Insight:
    """Findings about a system, from the pairs that can run on existing machines.

    `machine_variation` is how much the time of a task type varies between machine types: standard
    deviation over mean, averaged over task types. `task_variation` is the same between task types,
    averaged over machine types. None if there is nothing to compare.
    """

    speed: Ranking
    thrift: Ranking | None
    machine_variation: float | None
    task_variation: float | None
    homes: IntArray
    """The number of machine types that can run each task type."""

    @property
    def one_home(self) -> IntArray:
        """Task types that only one machine type can run."""
        return np.flatnonzero(self.homes == 1)

    @property
    def never_best(self) -> IntArray:
        """Machine types that can run tasks, but are never fastest nor thriftiest."""
        wins = self.speed.wins + (0 if self.thrift is None else self.thrift.wins)
        return np.flatnonzero((wins == 0) & ~self._useless)

    @property
    def useless(self) -> IntArray:
        """Machine types that run nothing: without machines, or no task type can run on them."""
        return np.flatnonzero(self._useless)

    @property
    def _useless(self) -> BoolArray:
        return np.isnan(self.speed.excess)


def insight(system: System) -> Insight:
    times = np.where(system.can_run, system.etc, np.nan)
    thrift = None
    if system.apc is not None:
        thrift = _ranking(np.where(system.can_run, energies(system), np.nan))
    return Insight(
        _ranking(times),
        thrift,
        _variation(times, axis=1),
        _variation(times, axis=0),
        system.can_run.sum(axis=1),
    )


def best_somewhere(system: System, found: Insight) -> str:
    """How many machine types are good for something, without a name."""
    there = counted(len(system.machine_types), "machine type")
    best = len(system.machine_types) - len(found.never_best) - len(found.useless)
    how = "the fastest" if found.thrift is None else "the fastest or the thriftiest"
    return f"{best:,} of {there} {'is' if best == 1 else 'are'} {how} for some task type."


def trade_off(system: System, found: Insight) -> str:
    """For how many task types time is at odds with energy, or how many have a choice."""
    there = len(system.task_types)
    kinds = counted(there, "task type")
    if found.thrift is None:
        several = int((found.homes > 1).sum())
        return f"{several:,} of {kinds} can run on several machine types."
    agreed = int((found.speed.best & found.thrift.best).any(axis=1).sum())
    if agreed == there:
        return (
            "The fastest machine type is always the thriftiest, too: for a single task, saving "
            "energy costs no time."
        )
    return (
        f"For {there - agreed:,} of {kinds} the fastest machine type is not the thriftiest: there, "
        "saving time costs energy."
    )


def of_machines(system: System, found: Insight) -> Iterator[str]:
    """What the data say of machine types by name, the most useful first."""
    machines, kinds = system.machine_names, counted(len(system.task_types), "task type")
    sentence = (
        f"{_leaders(machines, found.speed)} fastest for {found.speed.wins.max():,} of {kinds}"
    )
    if found.thrift is None:
        yield f"{sentence}."
    else:
        yield (
            f"{sentence}; {_leaders(machines, found.thrift)} thriftiest for "
            f"{found.thrift.wins.max():,} of them."
        )
    if len(found.never_best):
        what = "never fastest" if found.thrift is None else "neither fastest nor thriftiest"
        yield f"{_listed(machines, found.never_best)}: {what} for any task type."
    if len(found.useless):
        yield f"{_listed(machines, found.useless)}: no machines, or no task type can run on them."


def of_tasks(system: System, found: Insight) -> Iterator[str]:
    """What the data say of task types by name, and which values are estimates."""
    if estimates := estimates_in_a_sentence(system):
        yield estimates
    if len(found.one_home):
        yield f"{_listed(system.task_names, found.one_home)} can run on one machine type only."


def best_table(system: System, found: Insight) -> pd.DataFrame:
    """For each task type, the fastest and the thriftiest machine type, and how many can run it."""
    names = np.array(system.machine_names, dtype=object)
    rows = np.arange(len(system.task_types))
    fastest = found.speed.best.argmax(axis=1)
    table = pd.DataFrame(
        {
            "Task type": system.task_names,
            "Tasks": system.task_counts,
            "Fastest on": names[fastest],
            "Time (s)": _rounded(system.etc[rows, fastest]),
        }
    )
    if found.thrift is not None:
        thriftiest = found.thrift.best.argmax(axis=1)
        table["Thriftiest on"] = names[thriftiest]
        table["Energy (kJ)"] = _rounded(energies(system)[rows, thriftiest])
    if system.estimated is not None:
        table["Estimated"] = _estimated(system.estimated, found)
    table["Runs on"] = found.homes
    # A task type without machines has no tasks either; it has no best machine type.
    homeless = found.homes == 0
    if homeless.any():
        table.loc[homeless, table.columns[2:-1]] = None
    return table


def _estimated(estimated: BoolArray, found: Insight) -> list[str]:
    """Which of the values of each task type in the table are estimates."""
    rows = np.arange(len(estimated))
    times = estimated[rows, found.speed.best.argmax(axis=1)].tolist()
    energies = [False] * len(times)
    if found.thrift is not None:
        energies = estimated[rows, found.thrift.best.argmax(axis=1)].tolist()
    words = {(True, True): "time, energy", (True, False): "time", (False, True): "energy"}
    return [words.get(each, "") for each in zip(times, energies, strict=True)]


def _rounded(values: FloatArray) -> list[float]:
    return [rounded(value, Sense.PLAIN) for value in values.tolist()]


def _ranking(costs: FloatArray) -> Ranking:
    # A task type that cannot run has no least cost. An excess above a cost of 0 is not defined.
    least = np.fmin.reduce(costs, axis=1, keepdims=True)
    best = costs == least
    above = np.where(best, 0.0, _logarithms(costs) - _logarithms(least))
    known = np.isfinite(above)
    runs = known.sum(axis=0)
    total = np.where(known, above, 0.0).sum(axis=0)
    mean = np.divide(total, runs, out=np.full(runs.shape, np.nan), where=runs > 0)
    return Ranking(best, np.expm1(np.minimum(mean, _LARGEST_EXPONENT)))


def _logarithms(costs: FloatArray) -> FloatArray:
    logarithms: FloatArray = np.log(costs, out=np.full(costs.shape, np.nan), where=costs > 0)
    return logarithms


def _variation(times: FloatArray, axis: int) -> float | None:
    """Standard deviation over mean along an axis, averaged over lines with at least two values."""
    known = np.isfinite(times)
    count = known.sum(axis=axis, keepdims=True)
    mean = np.where(known, times, 0.0).sum(axis=axis, keepdims=True) / np.maximum(count, 1)
    squares = np.where(known, times - mean, 0.0) ** 2
    deviation = np.sqrt(squares.sum(axis=axis, keepdims=True) / np.maximum(count, 1))
    lines = count >= 2
    return float((deviation[lines] / mean[lines]).mean()) if lines.any() else None


def _leaders(names: Sequence[str], ranking: Ranking) -> str:
    """The machine types that are best most often, as the beginning of a sentence."""
    leaders = np.flatnonzero(ranking.wins == ranking.wins.max())
    return f"{_listed(names, leaders)} {'is' if len(leaders) == 1 else 'are each'}"


def _listed(names: Sequence[str], which: IntArray) -> str:
    shown = [names[k] for k in which[:NAMES_LISTED].tolist()]
    rest = len(which) - len(shown)
    return ", ".join(shown) + (f" and {rest:,} more" if rest else "")
