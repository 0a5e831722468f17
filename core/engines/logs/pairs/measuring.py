"""What each pair of task type and machine type takes, from the runs of the pair."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.compute.compiled import Kernel
from core.engines.logs.pairs.machines import MachinesSeen, Stop
from core.engines.logs.pairs.statistics import NOTHING, Estimate, WeightedMeans, estimate
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.classifying import Classified
from core.engines.logs.types.nodes import Nodes
from core.engines.logs.types.rule_parts import RunBlock
from core.engines.logs.types.settings import Statistic
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.budget import never

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
    found: Classified,
    nodes: Nodes,
    machines: MachinesSeen,
    statistic: Statistic,
    should_stop: Stop = never,
) -> PairMeasurements:
    """The estimates of each pair with runs. Means of watts are weighted by time: so a pair keeps
    the energy of its runs. Raises `Stopped`.
    """
    types = len(found.machine_names)
    runs = ValuesOfRuns(store, found, nodes, machines)
    measured: list[dict[tuple[int, int], Estimate]] = []
    for values_of in (runs.seconds, runs.watts):
        means = WeightedMeans(len(found.task_names) * types)
        for block in values_of(should_stop):
            means.add(*block)
        groups = ValuesByPair(means.counts)
        if means.counts.any():
            for block in values_of(should_stop):
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
    and its weight in a mean. Runs whose value is unknown are left out. Raises `Stopped`.
    """

    store: RunStore
    found: Classified
    nodes: Nodes
    machines: MachinesSeen

    def seconds(self, should_stop: Stop) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
        for block, pair, machine in self._runs(("elapsed", "cores", "gpus"), should_stop):
            values = self.machines.seconds(block, machine)
            yield pair, values, np.ones(len(values))

    def watts(self, should_stop: Stop) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
        if "joules" not in self.store.known:
            return
        columns = ("elapsed", "cores", "gpus", "joules")
        for block, pair, machine in self._runs(columns, should_stop):
            values, time = (
                of(block, machine) for of in (self.machines.watts, self.machines.seconds)
            )
            known = ~np.isnan(values)
            yield pair[known], values[known], time[known]

    def _runs(
        self, columns: Sequence[str], should_stop: Stop
    ) -> Iterator[tuple[RunBlock, IntArray, IntArray]]:
        types = len(self.found.machine_names)
        for block, task, machine in self.found.used_runs(
            self.store, self.nodes, columns, should_stop
        ):
            yield block, task * types + machine, machine


def time_ratios(
    store: RunStore,
    found: Classified,
    machines: MachinesSeen,
    pairs: BoolArray,
    should_stop: Stop = never,
) -> FloatArray:
    """The time of each run as a share of the mean of its pair, the smallest first; of more than
    `RATIOS`, quantiles. Only runs of these `pairs` (task types x machine types) count.

    Raises `Stopped`.
    """
    runs = ValuesOfRuns(store, found, Nodes(store), machines)
    counts = np.zeros(pairs.size, np.int64)
    for pair, *_ in runs.seconds(should_stop):
        counts += np.bincount(pair, minlength=pairs.size)
    groups = ValuesByPair(counts)
    for pair, seconds, _ in runs.seconds(should_stop):
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
