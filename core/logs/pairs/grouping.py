"""Brings the values of each pair together; a kernel."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import numpy as np

from core.engine.compiled import Kernel
from core.model.arrays import FloatArray, IntArray


@Kernel
def place(groups, values, next_place, into):
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
        place(groups, values, self._next, self._values)

    def sorted_values(self, group: int) -> FloatArray:
        """The values of a group, the smallest first."""
        values = self._values[self.begins[group] : self._next[group]]
        values.sort()
        return values
