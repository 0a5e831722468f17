"""The machines of each type: what one node has, how many there are, what share of one a run took.

A run on 8 of the 32 cores of a node for an hour takes a quarter of an hour of the node. Where a run
takes cores and GPUs, the larger share counts: nobody else could use the rest. A run on 4 whole
nodes for an hour takes 4 hours of one node: as a task, its work is taken to be divisible that way.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.logs.reading.limits import NODE_WATTS, NODE_WATTS_LEAST
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.classifying import Classified, RunsOnNodes
from core.engines.logs.types.node_table import NodeTable
from core.engines.logs.types.nodes import Nodes
from core.engines.logs.types.rule_parts import RunBlock
from core.engines.logs.types.settings import MachineUnit
from core.files.numbers import parse_whole
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray

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

    @property
    def per_node(self) -> FloatArray:
        """How many machines one node of each type has."""
        return _per_node(self.unit, self.cores, self.gpus)

    def seconds(self, block: RunBlock, types: IntArray) -> FloatArray:
        """The seconds that each run would take on one machine of its type. `block` has the nodes of
        each run, at least 1. A run without cores or GPUs, if that is what counts as a machine, is
        not used (`accepting`).
        """
        elapsed, nodes = block["elapsed"], block["nodes"]
        if self.unit == "job":
            return elapsed
        if self.unit != "node":
            return elapsed * block[_COLUMN[self.unit]]
        share = np.maximum(
            block["cores"] / np.maximum(self.cores, 1)[types],
            block["gpus"] / np.maximum(self.gpus, 1)[types],
        )
        return elapsed * np.where(share > 0, np.minimum(share, nodes), nodes)

    def watts(self, block: RunBlock, types: IntArray) -> FloatArray:
        """The watts of one of the machines of each run, on average; NaN where its energy is unknown
        or cannot be true. Slurm measures whole nodes: their idle power, and what else ran on them,
        is part of it. A machine that is whatever a job got has all its nodes.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            watts = block["joules"] / (block["elapsed"] * block["nodes"])
            sound = (watts >= NODE_WATTS_LEAST) & (watts <= NODE_WATTS)
        of_machine = np.where(sound, watts, np.nan) / self.per_node[types]
        return of_machine * block["nodes"] if self.unit == "job" else of_machine

    def only(self, types: BoolArray) -> "MachinesSeen":
        """What was seen of machines of some types."""
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
    store: RunStore, classified: Classified, nodes: Nodes, table: NodeTable, unit: MachineUnit
) -> MachinesSeen:
    """The machines of each type: as the table says, else what the runs show."""
    types = len(classified.machine_names)
    cores, gpus, memory = np.zeros((3, types))
    on_nodes = RunsOnNodes(store, nodes, types)
    columns = ("cores", "gpus", "memory", *on_nodes.columns)
    for block, _, machine in classified.used_runs(store, nodes, columns):
        on_nodes.add(block, machine)
        np.maximum.at(cores, machine, np.ceil(block["cores"] / block["nodes"]))
        np.maximum.at(gpus, machine, np.ceil(block["gpus"] / block["nodes"]))
        np.maximum.at(memory, machine, np.nan_to_num(block["memory"] / block["nodes"]))
    declared = [table.of(name) for name in classified.machine_names]
    cores = _declared([machine.cores for machine in declared], cores)
    gpus = _declared([machine.gpus for machine in declared], gpus)
    declared_memory = [machine.memory_gib for machine in declared]
    memory = _declared([gib and gib * MIB_OF_GIB for gib in declared_memory], memory)
    seen = on_nodes.nodes_of_types.astype(np.float64)
    if nodes.column == "machine" and len(nodes.names) == types:
        seen[:] = 0  # the machines of the table are types, and not single machines
    there = _declared([machine.nodes for machine in declared], seen).astype(np.int64)
    each = _per_node(unit, cores, gpus)
    count = there * each
    unknown = (there <= 0) | (unit == "job")
    if unknown.any():
        most = np.full(types, _of_header(store, unit) if types == 1 else 0)
        if not most.any():
            most = _most_at_once(store, classified, nodes, unit)
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
    store: RunStore, classified: Classified, nodes: Nodes, unit: MachineUnit
) -> FloatArray:
    """The most machines that the runs of each type had at a moment. They are counted at moments at
    equal distances; where these are less than a second apart, a log of whole seconds is counted
    exactly.
    """
    types = len(classified.machine_names)
    begin, end = np.inf, -np.inf
    for block, _ in _timed_runs(store, classified, nodes):
        begin = min(begin, float(block["start"].min(initial=np.inf)))
        end = max(end, float(block["end"].max(initial=-np.inf)))
    if not end > begin:
        return np.ones(types)
    moments = _MOMENTS // types
    changes = np.zeros((types, moments))
    for block, machine in _timed_runs(store, classified, nodes):
        taken = np.maximum(block[_COLUMN[unit]], 1) if unit != "job" else 1
        for times, change in ((block["start"], taken), (block["end"], -taken)):
            # A run is there at the first moment at or after its start, up to that at its end.
            at = np.ceil((times - begin) * ((moments - 1) / (end - begin))).astype(np.int64)
            np.add.at(changes, (machine, np.minimum(at, moments - 1)), change)
    most: FloatArray = np.cumsum(changes, axis=1).max(axis=1)
    return most


def _timed_runs(
    store: RunStore, classified: Classified, nodes: Nodes
) -> Iterator[tuple[RunBlock, IntArray]]:
    """The used runs whose start and end are known, many at a time, with their machine types."""
    columns = ("start", "end", "cores", "gpus")
    for block, _, machine in classified.used_runs(store, nodes, columns):
        timed = np.isfinite(block["start"]) & np.isfinite(block["end"])
        yield {name: values[timed] for name, values in block.items()}, machine[timed]


def _per_node(unit: MachineUnit, cores: FloatArray, gpus: FloatArray) -> FloatArray:
    if unit == "core":
        return np.maximum(cores, 1)
    if unit == "gpu":
        return np.maximum(gpus, 1)
    return np.ones(len(cores))
