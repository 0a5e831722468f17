"""The machines of each type: what one node has, and how many there are."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.files.numbers import parse_whole
from core.logs.pairs.shares import machines_per_node
from core.logs.reading.logs import Stopped
from core.logs.reading.store import RunStore
from core.logs.types.classifying import Classified
from core.logs.types.counting import RunsOnNodes
from core.logs.types.node_table import NodeTable
from core.logs.types.nodes import Nodes, blocks_with_nodes
from core.logs.types.rule_parts import RunBlock
from core.logs.types.settings import MachineUnit
from core.model.arrays import BoolArray, FloatArray, IntArray
from core.model.budget import never

Stop = Callable[[], bool]
MIB_OF_GIB: Final = 1024.0
_COLUMN: Final[Mapping[MachineUnit, str]] = {"core": "cores", "gpu": "gpus", "node": "nodes"}
_MOMENTS: Final = 1 << 22
"""Moments at which the machines of all types together are counted: those of one type 42,000 times
or more often. More would take more memory than a log may take.
"""


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
            most = _most_at_once(store, found, nodes, unit, should_stop)
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


def _most_at_once(
    store: RunStore,
    found: Classified,
    nodes: Nodes,
    unit: MachineUnit,
    should_stop: Callable[[], bool] = never,
) -> FloatArray:
    """The most machines that the runs of each type had at a moment. They are counted at moments at
    equal distances; where these are less than a second apart, a log of whole seconds is counted
    exactly. Raises `Stopped`.
    """
    types = len(found.machine_names)
    begin, end = np.inf, -np.inf
    for block, _ in _timed_runs(store, found, nodes, should_stop):
        begin = min(begin, float(block["start"].min(initial=np.inf)))
        end = max(end, float(block["end"].max(initial=-np.inf)))
    if not end > begin:
        return np.ones(types)
    moments = _MOMENTS // types
    changes = np.zeros((types, moments))
    for block, machine in _timed_runs(store, found, nodes, should_stop):
        taken = np.maximum(block[_COLUMN[unit]], 1) if unit != "job" else 1
        for times, change in ((block["start"], taken), (block["end"], -taken)):
            # A run is there at the first moment at or after its start, up to that at its end.
            at = np.ceil((times - begin) * ((moments - 1) / (end - begin))).astype(np.int64)
            np.add.at(changes, (machine, np.minimum(at, moments - 1)), change)
    most: FloatArray = np.cumsum(changes, axis=1).max(axis=1)
    return most


def _timed_runs(
    store: RunStore, found: Classified, nodes: Nodes, should_stop: Callable[[], bool]
) -> Iterator[tuple[RunBlock, IntArray]]:
    """The used runs whose start and end are known, many at a time, with their machine types."""
    first = 0
    for block in blocks_with_nodes(store, nodes, ("start", "end", "cores", "gpus")):
        if should_stop():
            raise Stopped
        _, machine, used = found.block(first, len(block["start"]))
        first += len(machine)
        used &= np.isfinite(block["start"]) & np.isfinite(block["end"])
        yield {name: values[used] for name, values in block.items()}, machine[used]
