"""Counts of many different numbers, block by block; and of the runs on each node."""

from functools import cached_property
from typing import Final

import numpy as np

from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.nodes import Nodes
from core.engines.logs.types.rule_parts import RunBlock
from core.vocabulary.arrays import IntArray

_AT_ONCE: Final = 1 << 18


class Tally:
    """Different numbers, the least first, and how often each came."""

    def __init__(self) -> None:
        self.numbers: IntArray = np.zeros(0, np.int64)
        self.counts: IntArray = np.zeros(0, np.int64)

    def add(self, numbers: IntArray, counts: IntArray | None = None) -> None:
        """Count these numbers: each once, or as often as `counts` says."""
        if counts is None:
            numbers, counts = np.unique(numbers, return_counts=True)
        else:
            numbers, place = np.unique(numbers, return_inverse=True)
            # Sums of whole numbers are exact in floating point up to 2^53.
            counts = np.bincount(place, counts, len(numbers)).astype(np.int64)
        every = np.union1d(self.numbers, numbers)
        total = np.zeros(len(every), np.int64)
        total[np.searchsorted(every, self.numbers)] = self.counts
        total[np.searchsorted(every, numbers)] += counts
        self.numbers, self.counts = every, total


class RunsOnNodes:
    """Counts the runs of each machine type on each node. Nodes of the same name in two clusters are
    two nodes.
    """

    def __init__(self, store: RunStore, nodes: Nodes, types: int) -> None:
        self._nodes = nodes
        self._types = types
        clusters = ("cluster",) if "cluster" in store.texts else ()
        self._clusters = len(store.values("cluster")) + 1 if clusters else 1
        self.columns: tuple[str, ...] = (nodes.column, *clusters) if nodes.column else ()
        """The columns that it looks at; none if the log names no nodes."""
        self._lists = Tally()

    def add(self, block: RunBlock, types: IntArray) -> None:
        """Count the runs of a block, whose machine types are `types`."""
        if self.columns:
            lists, *clusters = (block[column].astype(np.int64) for column in self.columns)
            keys = lists * self._clusters + (clusters[0] + 1 if clusters else 0)
            self._lists.add((keys * self._types + types)[lists >= 0])

    @cached_property
    def _on_nodes(self) -> tuple[IntArray, IntArray, IntArray]:
        """Nodes, machine types, and the runs of each pair; by node."""
        lists, types = np.divmod(self._lists.numbers, self._types)
        lists, clusters = np.divmod(lists, self._clusters)
        found = Tally()
        ends = np.cumsum(self._nodes.of_lists[lists])
        first = 0
        while first < len(lists):
            before = int(ends[first - 1]) if first else 0
            last = max(int(np.searchsorted(ends, before + _AT_ONCE, side="right")), first + 1)
            nodes, place = self._nodes.on(lists[first:last])
            place += first
            nodes = nodes * self._clusters + clusters[place]
            found.add(nodes * self._types + types[place], self._lists.counts[place])
            first = last
        nodes, of_type = np.divmod(found.numbers, self._types)
        return nodes, of_type, found.counts

    @property
    def nodes_of_types(self) -> IntArray:
        """How many nodes each type has; a node counts with the type of which it ran most runs."""
        nodes, types, runs = self._on_nodes
        order = np.lexsort((types, -runs, nodes))
        firsts = order[np.flatnonzero(np.diff(nodes[order], prepend=-1))]
        return np.bincount(types[firsts], minlength=self._types)

    @property
    def several(self) -> int:
        """How many nodes ran runs of several types."""
        _, times = np.unique(self._on_nodes[0], return_counts=True)
        return int((times > 1).sum())

    @property
    def share_of_several(self) -> float:
        """The share of the nodes that ran runs of several types; 0 without nodes."""
        nodes = len(np.unique(self._on_nodes[0]))
        return self.several / nodes if nodes else 0.0
