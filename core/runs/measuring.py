"""What each pair of task type and machine type takes, from the runs of the pair."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.logs.store import RunStore
from core.model.arrays import BoolArray, FloatArray, IntArray
from core.runs.classifying import Classified
from core.runs.grouping import ValuesByPair
from core.runs.machine_rules import Nodes
from core.runs.node_table import NodeTable
from core.runs.settings import MachineUnit, Statistic
from core.runs.shares import machine_seconds, machines_per_node, node_watts, nodes_of
from core.runs.statistics import NOTHING, Estimate, estimate

Stop = Callable[[], bool]


@dataclass(frozen=True)
class MachinesSeen:
    """What the log and the table of nodes say of the machines of each type.

    `unit` is what counts as one machine; `cores` and `gpus` are those of one node, 0 if unknown;
    `nodes` is how many nodes there are, and `count` how many machines.
    """

    unit: MachineUnit
    cores: FloatArray
    gpus: FloatArray
    nodes: IntArray
    count: IntArray

    def only(self, types: BoolArray) -> "MachinesSeen":
        """Those of some types."""
        return MachinesSeen(
            self.unit, self.cores[types], self.gpus[types], self.nodes[types], self.count[types]
        )


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


def usual_unit(store: RunStore, nodes: Nodes) -> MachineUnit:
    """What counts as one machine if nobody has said."""
    if nodes.known or "nodes" in store.known:
        return "node"
    return "core" if "cores" in store.known else "job"


def find_machines(
    store: RunStore, found: Classified, nodes: Nodes, table: NodeTable, unit: MachineUnit
) -> MachinesSeen:
    """The machines of each type: as the table says, else what the runs show."""
    types = len(found.machine_names)
    cores, gpus = np.zeros(types), np.zeros(types)
    lists: list[set[int]] = [set() for _ in range(types)]
    columns = ["nodes", "cores", "gpus"] + (["nodelist"] if nodes.known else [])
    first = 0
    for block in store.blocks(columns):
        _, machine, used = found.block(first, len(block["nodes"]))
        first += len(machine)
        of_node = nodes_of(block)[used]
        np.maximum.at(cores, machine[used], np.ceil(block["cores"][used] / of_node))
        np.maximum.at(gpus, machine[used], np.ceil(block["gpus"][used] / of_node))
        if nodes.known:
            for j in range(types):
                lists[j].update(np.unique(block["nodelist"][used & (machine == j)]).tolist())
    seen = np.array([len({n for k in of_type for n in nodes.of(k)}) for of_type in lists], np.int64)
    declared = [table.of(name) for name in found.machine_names]
    cores = _declared([machine.cores for machine in declared], cores)
    gpus = _declared([machine.gpus for machine in declared], gpus)
    there = _declared([machine.nodes for machine in declared], seen.astype(float)).astype(np.int64)
    if unit == "job" or not there.all():
        most = _most_at_once(store, found, unit)
        if unit != "job":
            most = np.ceil(most / machines_per_node(unit, cores, gpus))
        there = np.where((there > 0) & (unit != "job"), there, most.astype(np.int64))
    there = np.maximum(there, 1)
    count = there if unit == "job" else there * machines_per_node(unit, cores, gpus)
    return MachinesSeen(unit, cores, gpus, there, count.astype(np.int64))


def _declared(values: list[int | None], seen: FloatArray) -> FloatArray:
    """What a person has declared, else what was seen."""
    return np.array(
        [found if value is None else value for value, found in zip(values, seen, strict=True)],
        np.float64,
    )


def _most_at_once(store: RunStore, found: Classified, unit: MachineUnit) -> FloatArray:
    """How many machines of each type worked at the same moment at most."""
    start, end = store.column("start"), store.column("end")
    column = {"core": "cores", "gpu": "gpus", "node": "nodes", "job": "nodes"}[unit]
    amounts = np.maximum(store.column(column), 1) if unit != "job" else np.ones(len(start))
    most = np.zeros(len(found.machine_names))
    _, machine, used = found.block(0, len(start))
    sound = used & np.isfinite(start) & np.isfinite(end)
    for j in range(len(most)):
        chosen = np.flatnonzero(sound & (machine == j))
        moments = np.concatenate([start[chosen], end[chosen]])
        changes = np.concatenate([amounts[chosen], -amounts[chosen]])
        order = np.lexsort((changes, moments))  # what ends at a moment makes room for what begins
        most[j] = np.cumsum(changes[order]).max(initial=0)
    return most


def measure(
    store: RunStore,
    found: Classified,
    machines: MachinesSeen,
    statistic: Statistic,
    should_stop: Stop = lambda: False,
) -> PairMeasurements:
    """The estimates of each pair with runs."""
    types = len(found.machine_names)
    runs = _Runs(store, found, machines)
    measured: list[dict[tuple[int, int], Estimate]] = []
    for values_of in (runs.seconds, runs.watts):
        counts = np.zeros(len(found.task_names) * types, np.int64)
        for pair, _ in values_of(should_stop):
            counts += np.bincount(pair[pair >= 0], minlength=len(counts))
        groups = ValuesByPair(counts)
        if counts.any():
            for pair, values in values_of(should_stop):
                groups.add(pair, values)
        of_pairs: dict[tuple[int, int], Estimate] = {}
        for number in np.flatnonzero(counts).tolist():
            of_pairs[divmod(number, types)] = estimate(groups.sorted_values(number), statistic)
        measured.append(of_pairs)
    return PairMeasurements(*measured)


@dataclass(frozen=True)
class _Runs:
    """The values of runs, block by block: the number of each run's pair, and its value. The pair is
    -1 where a run is not used, or its value is unknown.
    """

    store: RunStore
    found: Classified
    machines: MachinesSeen

    def seconds(self, should_stop: Stop) -> Iterator[tuple[IntArray, FloatArray]]:
        machines = self.machines
        for block, pair, machine in self._blocks(
            ("elapsed", "nodes", "cores", "gpus"), should_stop
        ):
            values = machine_seconds(block, machine, machines.unit, machines.cores, machines.gpus)
            yield np.where(np.isnan(values), -1, pair), values

    def watts(self, should_stop: Stop) -> Iterator[tuple[IntArray, FloatArray]]:
        if "joules" not in self.store.known:
            return
        machines = self.machines
        each = machines_per_node(machines.unit, machines.cores, machines.gpus)
        for block, pair, machine in self._blocks(("elapsed", "nodes", "joules"), should_stop):
            values = node_watts(block) / each[machine]
            if machines.unit == "job":
                values *= nodes_of(block)
            yield np.where(np.isnan(values), -1, pair), values

    def _blocks(
        self, columns: Sequence[str], should_stop: Stop
    ) -> Iterator[tuple[dict[str, np.ndarray[Any, Any]], IntArray, IntArray]]:
        types = len(self.found.machine_names)
        first = 0
        for block in self.store.blocks(columns):
            if should_stop():
                return
            task, machine, used = self.found.block(first, len(block["elapsed"]))
            first += len(task)
            yield block, np.where(used, task * types + machine, -1), machine
