"""Which machine type each node is of, where runs of several types ran on it."""

from functools import cached_property
from typing import Final

import numpy as np

from core.model.arrays import IntArray
from core.runs.nodes import Nodes
from core.runs.tally import Tally

_AT_ONCE: Final = 1 << 20


class RunsOnNodes:
    """Counts the runs of each machine type on each node."""

    def __init__(self, nodes: Nodes, types: int) -> None:
        self._nodes = nodes
        self._types = max(types, 1)
        self._lists = Tally()

    def add(self, lists: IntArray, types: IntArray) -> None:
        """Count runs, by the number of their list of nodes and that of their machine type."""
        lists = lists.astype(np.int64)
        there = lists >= 0
        self._lists.add(lists[there] * self._types + types[there])

    @cached_property
    def _on_nodes(self) -> tuple[IntArray, IntArray, IntArray]:
        """Nodes, machine types, and the runs of each pair; by node."""
        lists, types = np.divmod(self._lists.numbers, self._types)
        found = Tally()
        ends = np.cumsum(self._nodes.of_lists[lists])
        first = 0
        while first < len(lists):
            before = int(ends[first - 1]) if first else 0
            last = max(int(np.searchsorted(ends, before + _AT_ONCE, side="right")), first + 1)
            nodes, place = self._nodes.on(lists[first:last])
            runs = self._lists.counts[first:last][place]
            found.add(nodes * self._types + types[first:last][place], runs)
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
