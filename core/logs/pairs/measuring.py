"""What each pair of task type and machine type takes, from the runs of the pair."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core.files.numbers import parse_whole
from core.logs.pairs.busiest import most_at_once
from core.logs.pairs.grouping import ValuesByPair
from core.logs.pairs.shares import machine_seconds, machine_watts, machines_per_node
from core.logs.pairs.statistics import NOTHING, Estimate, WeightedMeans, estimate
from core.logs.reading.logs import Stopped
from core.logs.reading.store import RunStore
from core.logs.types.classifying import Classified
from core.logs.types.node_table import NodeTable
from core.logs.types.nodes import Nodes, blocks_with_nodes
from core.logs.types.runs_on_nodes import RunsOnNodes
from core.logs.types.settings import MachineUnit, Statistic
from core.model.arrays import BoolArray, FloatArray, IntArray
from core.model.budget import never

Stop = Callable[[], bool]
MIB_OF_GIB: Final = 1024.0


@dataclass(frozen=True)
class MachinesSeen:
    """What the log and the table of nodes say of the machines of each type.

    `unit` is what counts as one machine; `cores`, `gpus` and `memory` (MiB) are those of one node,
    0 if unknown; `nodes` is how many nodes there are, and `count` how many machines. `shared` nodes
    ran runs of several machine types; each counts with the type of most of its runs.
    """

    unit: MachineUnit
    cores: FloatArray
    gpus: FloatArray
    memory: FloatArray
    nodes: IntArray
    count: IntArray
    shared: int

    def only(self, types: BoolArray) -> "MachinesSeen":
        """Those of some types."""
        return MachinesSeen(
            self.unit,
            self.cores[types],
            self.gpus[types],
            self.memory[types],
            self.nodes[types],
            self.count[types],
            self.shared,
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
    store: RunStore,
    found: Classified,
    nodes: Nodes,
    table: NodeTable,
    unit: MachineUnit,
    should_stop: Stop = never,
) -> MachinesSeen:
    """The machines of each type: as the table says, else what the runs show. Raises `Stopped`."""
    types = len(found.machine_names)
    cores, gpus, memory = np.zeros((3, types))
    on_nodes = RunsOnNodes(store, nodes, types)
    first = 0
    for block in blocks_with_nodes(store, nodes, ("cores", "gpus", "memory", *on_nodes.columns)):
        if should_stop():
            raise Stopped
        _, machine, used = found.block(first, len(block["nodes"]))
        first += len(machine)
        on_nodes.add(block, machine, used)
        machine, of_node = machine[used], block["nodes"][used]
        np.maximum.at(cores, machine, np.ceil(block["cores"][used] / of_node))
        np.maximum.at(gpus, machine, np.ceil(block["gpus"][used] / of_node))
        np.maximum.at(memory, machine, np.nan_to_num(block["memory"][used] / of_node))
    declared = [table.of(name) for name in found.machine_names]
    cores = _declared([machine.cores for machine in declared], cores)
    gpus = _declared([machine.gpus for machine in declared], gpus)
    declared_memory = [machine.memory_gib for machine in declared]
    memory = _declared([gib and gib * MIB_OF_GIB for gib in declared_memory], memory)
    seen = on_nodes.nodes_of_types.astype(np.float64)
    if nodes.column == "machine" and len(nodes.names) == types:
        seen[:] = 0  # the machines of the table are types, and not single machines
    there = _declared([machine.nodes for machine in declared], seen).astype(np.int64)
    each = machines_per_node(unit, cores, gpus)
    count = there * each
    unknown = (there <= 0) | (unit == "job")
    if unknown.any():
        most = np.full(types, _of_header(store, unit) if types == 1 else 0)
        if not most.any():
            most = most_at_once(store, found, nodes, unit, should_stop)
        count = np.where(unknown, np.maximum(most, 1), count)
        there = np.where(unknown, np.ceil(count / each), there)
    return MachinesSeen(
        unit, cores, gpus, memory, there.astype(np.int64), count.astype(np.int64), on_nodes.several
    )


def _of_header(store: RunStore, unit: MachineUnit) -> int:
    """The machines that the header of an SWF log says; 0 if it does not."""
    word = {"core": "MaxProcs", "node": "MaxNodes"}.get(unit)
    if word is None or len(store.logs) != 1:
        return 0
    said = parse_whole(store.logs[0].facts.get(word, "").partition(" ")[0])
    return max(said or 0, 0)


def _declared(values: Sequence[float | None], seen: FloatArray) -> FloatArray:
    """What a person has declared, else what was seen."""
    return np.array(
        [found if value is None else value for value, found in zip(values, seen, strict=True)],
        np.float64,
    )


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
