"""When nodes of each machine type were busy, as a log shows it."""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np

from core.vocabulary.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class BusyChanges:
    """How the number of busy nodes of a machine type changes: at `times` (s, rising) by so many
    nodes; at equal times, nodes become free first. Each job that begins is one change of 0 or more,
    the nodes that become busy with it. `running` nodes are busy before the first change.
    """

    times: FloatArray
    by: IntArray
    running: int = 0

    @cached_property
    def busy(self) -> IntArray:
        """How many nodes are busy after each change."""
        return np.asarray(self.running + np.cumsum(self.by), np.int64)

    @property
    def most(self) -> int:
        """The most nodes that are busy at once."""
        return max(int(self.busy.max(initial=0)), self.running)

    @property
    def jobs(self) -> int:
        """How many jobs begin."""
        return int(np.count_nonzero(self.by >= 0))

    def within(self, begin: float, end: float) -> "BusyChanges":
        """The changes from one moment to before another."""
        first, last = np.searchsorted(self.times, [begin, end])
        running = int(self.busy[first - 1]) if first else self.running
        return BusyChanges(self.times[first:last], self.by[first:last], running)


@dataclass(frozen=True, eq=False)
class NodeUse:
    """When nodes were busy, from `begin` to `end` (s since 1970, by the cluster's clock).

    For each machine type, by its name: its `nodes`, the `machines` of the system that one node is,
    and the `changes`. If the log names nodes: `node_names`, the machine types that they are of by
    their places in `names`, and how long each was busy (s). Otherwise these are empty, and as few
    nodes are busy as the cores and GPUs in use could fill.
    """

    names: tuple[str, ...]
    nodes: IntArray
    machines: FloatArray
    begin: float
    end: float
    changes: tuple[BusyChanges, ...]
    node_names: tuple[str, ...]
    node_types: IntArray
    node_busy: FloatArray

    @property
    def seconds(self) -> float:
        return self.end - self.begin

    @cached_property
    def fingerprint(self) -> str:
        """Equal uses, and only they, have equal fingerprints."""
        digest = sha256(repr((self.names, self.begin, self.end, self.node_names)).encode())
        for array in (self.nodes, self.machines, self.node_types, self.node_busy):
            digest.update(array.tobytes())
        for one in self.changes:
            digest.update(repr(one.running).encode() + one.times.tobytes() + one.by.tobytes())
        return digest.hexdigest()
