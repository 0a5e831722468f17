"""How many machines of each type worked at the same time, where a log does not name its nodes."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import numpy as np

from core.logs.reading.logs import Stopped
from core.logs.reading.store import RunStore
from core.logs.types.classifying import Classified
from core.logs.types.nodes import Nodes, blocks_with_nodes
from core.logs.types.rule_parts import RunBlock
from core.logs.types.settings import MachineUnit
from core.model.arrays import FloatArray, IntArray
from core.model.budget import never

_COLUMN: Final[Mapping[MachineUnit, str]] = {"core": "cores", "gpu": "gpus", "node": "nodes"}
_MOMENTS: Final = 1 << 22
"""Moments at which the machines of all types together are counted: those of one type 42,000 times
or more often. More would take more memory than a log may take.
"""


def most_at_once(
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
