"""The bars of a Gantt chart, as one array for each attribute."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final, Self

import numpy as np

from core.vocabulary.arrays import BoolArray, FloatArray, IntArray

SEVERAL: Final = -1
"""In place of the task type, for a bar with tasks of several types."""


@dataclass(frozen=True, eq=False)
class Bars:
    """Bar b: in row `row[b]`, `count[b]` tasks of type `task_type[b]` from `start` to `end` (s).

    Sorted by row and start; bars of a row do not overlap.
    """

    row: IntArray
    task_type: IntArray
    count: IntArray
    start: FloatArray
    end: FloatArray

    @classmethod
    def concatenated(cls, parts: Sequence[Self]) -> Self:
        """The bars of all parts, one part after the other."""
        return cls(
            *(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(cls))
        )

    def __len__(self) -> int:
        return len(self.row)

    def chosen(self, mask: BoolArray) -> "Bars":
        """The bars for which the mask is true."""
        return Bars(
            self.row[mask],
            self.task_type[mask],
            self.count[mask],
            self.start[mask],
            self.end[mask],
        )

    def repeated(self, rows: IntArray) -> "Bars":
        """Row r becomes `rows[r]` equal rows."""
        offset = np.cumsum(rows) - rows
        times = rows[self.row]
        source = np.repeat(np.arange(len(self)), times)
        copy = np.arange(len(source)) - np.repeat(np.cumsum(times) - times, times)
        row = offset[self.row[source]] + copy
        order = source[by_row := np.lexsort((self.start[source], row))]
        return Bars(
            row[by_row],
            self.task_type[order],
            self.count[order],
            self.start[order],
            self.end[order],
        )

    def merged(self, shorter_than: float) -> "Bars":
        """The same bars, with each run of short neighbours as one bar. Short is less than
        `shorter_than` seconds; neighbours are less than that apart.

        A row of s seconds then has at most `2 s / shorter_than + 1` bars.
        """
        short = self.end - self.start < shorter_than
        near = self.start[1:] - self.end[:-1] < shorter_than
        joins = short[1:] & short[:-1] & near & (self.row[1:] == self.row[:-1])
        first = np.flatnonzero(np.concatenate([[True], ~joins]))
        last = np.append(first[1:], len(self)) - 1
        alike = np.minimum.reduceat(self.task_type, first) == np.maximum.reduceat(
            self.task_type, first
        )
        return Bars(
            self.row[first],
            np.where(alike, self.task_type[first], SEVERAL),
            np.add.reduceat(self.count, first),
            self.start[first],
            self.end[last],
        )
