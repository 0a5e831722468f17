"""What each pair of task type and machine type takes, from the runs of the pair."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from core.engines.compute.compiled import Kernel
from core.engines.logs.pairs.machines import MachinesSeen
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.classifying import Classified
from core.engines.logs.types.nodes import Nodes
from core.engines.logs.types.rule_parts import RunBlock
from core.engines.logs.types.settings import Statistic
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray

CONFIDENCE: Final = 0.95
TRIMMED: Final = 0.2
"""The share of the smallest values, and of the largest, that a trimmed mean leaves out."""
_FEWEST_TRIMMED: Final = 4
"""The fewest values of which the trimmed mean is taken with an interval; the mean of fewer has no
interval.
"""
_EXACT_UP_TO: Final = 400
_NORMAL: Final = 1.959963984540054
"""The standard normal quantile of `CONFIDENCE`, both sides together."""


class Estimate(NamedTuple):
    """A typical value of some measurements, and how sure it is.

    `low` and `high` are a confidence interval of 95 %, NaN where there are too few measurements for
    one. Half of the measurements lie from `quarter` to `three_quarters`, and four fifths from
    `tenth` to `nine_tenths`.
    """

    runs: int
    value: float
    low: float
    high: float
    tenth: float
    quarter: float
    three_quarters: float
    nine_tenths: float


NOTHING: Final = Estimate(0, *[math.nan] * 7)


class WeightedMeans:
    """The mean of each group, of values that come block by block with their weights: first all for
    the means (`add`), and then all again for the intervals (`add_spread`).
    """

    def __init__(self, groups: int) -> None:
        self.counts: IntArray = np.zeros(groups, np.int64)
        self._weights, self._sums, self._squares = np.zeros((3, groups))

    def add(self, groups: IntArray, values: FloatArray, weights: FloatArray) -> None:
        self.counts += np.bincount(groups, minlength=len(self.counts))
        self._weights += self._sum(groups, weights)
        self._sums += self._sum(groups, weights * values)

    def add_spread(self, groups: IntArray, values: FloatArray, weights: FloatArray) -> None:
        self._squares += self._sum(groups, np.square(weights * (values - self.values[groups])))

    def _sum(self, groups: IntArray, values: FloatArray) -> FloatArray:
        return np.bincount(groups, values, len(self.counts)).astype(np.float64)

    @property
    def values(self) -> FloatArray:
        """The means; NaN of groups without values."""
        nothing = np.full(len(self._sums), np.nan)
        there = self._weights > 0
        means: FloatArray = np.divide(self._sums, self._weights, where=there, out=nothing)
        return means

    def of(self, group: int) -> tuple[float, float, float]:
        """A mean and its interval, by Student's distribution; of one value it has none."""
        from scipy.special import stdtrit

        count, value = int(self.counts[group]), float(self.values[group])
        if count < 2:
            return value, math.nan, math.nan
        deviation = math.sqrt(float(self._squares[group]) * count / (count - 1))
        error = deviation / float(self._weights[group])
        reach = float(stdtrit(count - 1, 1 - (1 - CONFIDENCE) / 2)) * error
        return value, max(value - reach, 0.0), value + reach


def estimate(
    values: FloatArray, statistic: Statistic, mean: tuple[float, float, float] = (math.nan,) * 3
) -> Estimate:
    """The estimate from values that are sorted, the smallest first; a mean is that of
    `WeightedMeans`.
    """
    if len(values) == 0:
        return NOTHING
    spread = [_quantile(values, share) for share in (0.1, 0.25, 0.75, 0.9)]
    if statistic != "mean":
        mean = median(values) if statistic == "median" else trimmed_mean(values)
    return Estimate(len(values), *mean, *spread)


def _quantile(values: FloatArray, share: float) -> float:
    """Between the two values that are nearest, in proportion."""
    place = share * (len(values) - 1)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    low, high = float(values[below]), float(values[above])
    return low + (high - low) * (place - below)


def median(values: FloatArray) -> tuple[float, float, float]:
    """The median of sorted values, and its interval between two of them: whatever the distribution,
    it contains the true median with at least 95 % probability.
    """
    count = len(values)
    value = (float(values[(count - 1) // 2]) + float(values[count // 2])) / 2
    below = values_left_out(count)
    if below < 0:
        return value, math.nan, math.nan
    return value, float(values[below]), float(values[count - 1 - below])


def values_left_out(count: int) -> int:
    """How many of the smallest of `count` values, and of the largest, lie outside the interval of
    the median; -1 where even the smallest and the largest are too close.
    """
    tail = (1 - CONFIDENCE) / 2
    if count > _EXACT_UP_TO:
        return math.floor((count - 1 - _NORMAL * math.sqrt(count)) / 2)
    sum_below, left_out = 0, -1
    for k in range(count // 2):
        sum_below += math.comb(count, k)
        if sum_below / 2**count > tail:
            break
        left_out = k
    return left_out


def trimmed_mean(values: FloatArray) -> tuple[float, float, float]:
    """The mean of sorted values without the smallest and the largest fifth, and its interval after
    Yuen: from the spread of the values that are left, with those left out moved to their ends.
    """
    from scipy.special import stdtrit

    count = len(values)
    cut = int(TRIMMED * count)
    kept = values[cut : count - cut]
    value = float(kept.mean())
    if count < _FEWEST_TRIMMED:
        return value, math.nan, math.nan
    # What is left out counts as the nearest value that is kept.
    ends = np.array([kept[0], kept[-1]])
    mean = (value * len(kept) + cut * float(ends.sum())) / count
    squares = float(np.square(kept - mean).sum() + cut * np.square(ends - mean).sum())
    deviation = math.sqrt(squares / (count - 1))
    error = deviation / ((1 - 2 * cut / count) * math.sqrt(count))
    reach = float(stdtrit(len(kept) - 1, 1 - (1 - CONFIDENCE) / 2)) * error
    return value, max(value - reach, 0.0), value + reach


RATIOS: Final = 1000
"""Ratios that are kept of more: quantiles at equal distances."""


@dataclass(frozen=True)
class PairMeasurements:
    """Estimates of seconds and of watts on one machine, for each pair that has runs with them."""

    seconds: Mapping[tuple[int, int], Estimate]
    watts: Mapping[tuple[int, int], Estimate]

    def only(self, tasks: BoolArray, machines: BoolArray) -> "PairMeasurements":
        """The measurements of pairs of some types."""
        at_task, at_machine = np.cumsum(tasks) - 1, np.cumsum(machines) - 1
        seconds, watts = (
            {
                (int(at_task[i]), int(at_machine[j])): found
                for (i, j), found in estimates.items()
                if tasks[i] and machines[j]
            }
            for estimates in (self.seconds, self.watts)
        )
        return PairMeasurements(seconds, watts)

    def of(self, task: int, machine: int) -> tuple[Estimate, Estimate]:
        pair = (task, machine)
        return self.seconds.get(pair, NOTHING), self.watts.get(pair, NOTHING)


def measure(
    store: RunStore,
    classified: Classified,
    nodes: Nodes,
    machines: MachinesSeen,
    statistic: Statistic,
) -> PairMeasurements:
    """The estimates of each pair with runs. Means of watts are weighted by time: so a pair keeps
    the energy of its runs.
    """
    types = len(classified.machine_names)
    runs = ValuesOfRuns(store, classified, nodes, machines)
    measured: list[dict[tuple[int, int], Estimate]] = []
    for values_of in (runs.seconds, runs.watts):
        means = WeightedMeans(len(classified.task_names) * types)
        for block in values_of():
            means.add(*block)
        groups = ValuesByPair(means.counts)
        if means.counts.any():
            for block in values_of():
                groups.add(*block[:2])
                means.add_spread(*block)
        of_pairs: dict[tuple[int, int], Estimate] = {}
        for number in np.flatnonzero(means.counts).tolist():
            values = groups.sorted_values(number)
            of_pairs[divmod(number, types)] = estimate(values, statistic, means.of(number))
        measured.append(of_pairs)
    return PairMeasurements(*measured)


@dataclass(frozen=True)
class ValuesOfRuns:
    """The values of the used runs, many runs at a time: the number of each run's pair, its value,
    and its weight in a mean. Runs whose value is unknown are left out.
    """

    store: RunStore
    classified: Classified
    nodes: Nodes
    machines: MachinesSeen

    def seconds(self) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
        for block, pair, machine in self._runs(("elapsed", "cores", "gpus")):
            values = self.machines.seconds(block, machine)
            yield pair, values, np.ones(len(values))

    def watts(self) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
        if "joules" not in self.store.known:
            return
        columns = ("elapsed", "cores", "gpus", "joules")
        for block, pair, machine in self._runs(columns):
            values, time = (
                of(block, machine) for of in (self.machines.watts, self.machines.seconds)
            )
            known = ~np.isnan(values)
            yield pair[known], values[known], time[known]

    def _runs(self, columns: Sequence[str]) -> Iterator[tuple[RunBlock, IntArray, IntArray]]:
        types = len(self.classified.machine_names)
        for block, task, machine in self.classified.used_runs(self.store, self.nodes, columns):
            yield block, task * types + machine, machine


def time_ratios(
    store: RunStore, classified: Classified, machines: MachinesSeen, pairs: BoolArray
) -> FloatArray:
    """The time of each run as a share of the mean of its pair, the smallest first; of more than
    `RATIOS`, quantiles. Only runs of these `pairs` (task types x machine types) count.
    """
    runs = ValuesOfRuns(store, classified, Nodes(store), machines)
    counts = np.zeros(pairs.size, np.int64)
    for pair, *_ in runs.seconds():
        counts += np.bincount(pair, minlength=pairs.size)
    groups = ValuesByPair(counts)
    for pair, seconds, _ in runs.seconds():
        groups.add(pair, seconds)
    of_pairs = [groups.sorted_values(int(k)) for k in np.flatnonzero(pairs.ravel() * counts)]
    ratios = np.sort(np.concatenate([values / values.mean() for values in of_pairs]))
    if len(ratios) <= RATIOS:
        return ratios
    at = (np.arange(RATIOS) + 0.5) / RATIOS * len(ratios)
    return np.asarray(ratios[at.astype(np.int64)])


@Kernel
def _place(groups: IntArray, values: FloatArray, next_place: IntArray, into: FloatArray) -> None:
    """Put each value to its group's next place."""
    for k in range(len(groups)):
        into[next_place[groups[k]]] = values[k]
        next_place[groups[k]] += 1


class ValuesByPair:
    """Values of pairs, which come block by block and are sorted within each pair at the end."""

    def __init__(self, counts: IntArray) -> None:
        self.begins = np.concatenate([[0], np.cumsum(counts)])
        self._next = self.begins[:-1].copy()
        self._values = np.empty(int(self.begins[-1]))

    def add(self, groups: IntArray, values: FloatArray) -> None:
        """Add values to groups."""
        _place(groups, values, self._next, self._values)

    def sorted_values(self, group: int) -> FloatArray:
        """The values of a group, the smallest first."""
        values = self._values[self.begins[group] : self._next[group]]
        values.sort()
        return values
