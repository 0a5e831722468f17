"""What each pair of task type and machine type takes, from the runs of the pair."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core.engine.compiled import Kernel
from core.logs.pairs.machines import MachinesSeen, Stop
from core.logs.pairs.shares import machine_seconds, machine_watts, machines_per_node
from core.logs.pairs.statistics import NOTHING, Estimate, WeightedMeans, estimate
from core.logs.reading.logs import Stopped
from core.logs.reading.store import RunStore
from core.logs.types.classifying import Classified
from core.logs.types.nodes import Nodes, blocks_with_nodes
from core.logs.types.settings import Statistic
from core.model.arrays import BoolArray, FloatArray, IntArray
from core.model.budget import never

RATIOS: Final = 1000
"""Ratios that are kept of more: quantiles at equal distances."""


@dataclass(frozen=True)
class PairMeasurements:
    """Estimates of seconds and of watts on one machine, for each pair that has runs with them."""

    seconds: Mapping[tuple[int, int], Estimate]
    watts: Mapping[tuple[int, int], Estimate]

    def only(self, tasks: BoolArray, machines: BoolArray) -> "PairMeasurements":
        """Those of some types."""
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
    """The values of runs, block by block: the number of each run's pair, its value, and its weight
    in a mean. The pair is -1 where a run is not used, or its value is unknown.
    """

    store: RunStore
    found: Classified
    nodes: Nodes
    machines: MachinesSeen

    def seconds(self, should_stop: Stop) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
        machines = self.machines
        for block, pair, machine in self._blocks(("elapsed", "cores", "gpus"), should_stop):
            values = machine_seconds(block, machine, machines.unit, machines.cores, machines.gpus)
            yield pair, values, np.ones(len(values))

    def watts(self, should_stop: Stop) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
        if "joules" not in self.store.known:
            return
        machines = self.machines
        each = machines_per_node(machines.unit, machines.cores, machines.gpus)
        columns = ("elapsed", "cores", "gpus", "joules")
        for block, pair, machine in self._blocks(columns, should_stop):
            values = machine_watts(block, machine, machines.unit, each)
            time = machine_seconds(block, machine, machines.unit, machines.cores, machines.gpus)
            yield np.where(np.isnan(values), -1, pair), values, time

    def _blocks(
        self, columns: Sequence[str], should_stop: Stop
    ) -> Iterator[tuple[dict[str, np.ndarray[Any, Any]], IntArray, IntArray]]:
        types = len(self.found.machine_names)
        first = 0
        for block in blocks_with_nodes(self.store, self.nodes, columns):
            if should_stop():
                raise Stopped
            task, machine, used = self.found.block(first, len(block["elapsed"]))
            first += len(task)
            yield block, np.where(used, task * types + machine, -1), machine


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
        counts += np.bincount(pair[pair >= 0], minlength=pairs.size)
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
    """Put each value to its group's next place; a group of -1 has none."""
    for k in range(len(groups)):
        group = groups[k]
        if group >= 0:
            into[next_place[group]] = values[k]
            next_place[group] += 1


class ValuesByPair:
    """Values of pairs, which come block by block and are sorted within each pair at the end."""

    def __init__(self, counts: IntArray) -> None:
        self.begins = np.concatenate([[0], np.cumsum(counts)])
        self._next = self.begins[:-1].copy()
        self._values = np.empty(int(self.begins[-1]))

    def add(self, groups: IntArray, values: FloatArray) -> None:
        """Add values to groups; those of group -1 are left out."""
        _place(groups, values, self._next, self._values)

    def sorted_values(self, group: int) -> FloatArray:
        """The values of a group, the smallest first."""
        values = self._values[self.begins[group] : self._next[group]]
        values.sort()
        return values
