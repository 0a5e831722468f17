"""Knapsacks: the most that one machine earns with whole tasks, for all makespans at once, in
compiled code.

Durations are rounded down to a grid of time, so the result is never too small, whatever the grid.
Each task type comes in lots of 1, 2, 4, ... tasks, and the time of a lot is rounded: so even for
many tasks of a type the error is only a few steps of the grid.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import math
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from core.engines.compute.compiled import Kernel
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.system import System
from core.vocabulary.tolerances import SUM_ROUNDING, ULP

# The numbers of a table in a unit of work; about 40 % of them are filled in.
_NUMBERS_A_UNIT: Final = 2e9


@dataclass(frozen=True, eq=False)
class Knapsacks:
    """The lots of tasks that a machine of each type may run, on a grid of time.

    Cell k of the grid holds the makespans from `step` x k to before `step` x (k + 1). Lot x is
    `size[x]` tasks of type `task[x]` that take `cells[x]`; machine type j has the lots from
    `begin[j]` to before `begin[j + 1]`.
    """

    system: System
    step: float
    begin: IntArray
    task: IntArray
    size: IntArray
    cells: IntArray

    @classmethod
    def within(cls, system: System, longest: float, step: float, *, nearest: bool = False) -> Self:
        """The knapsacks for makespans of up to `longest` seconds, with cells of `step` seconds.
        Durations that are rounded to the `nearest` cell, instead of down, give better estimates,
        but no proof.
        """
        shift = 0.5 if nearest else 0.0
        begin: list[int] = [0]
        lots: list[tuple[int, int, int]] = []
        for j in range(len(system.machine_types)):
            for i in np.flatnonzero(system.can_run[:, j]).tolist():
                seconds = float(system.etc[i, j])
                left = int(min(int(system.task_counts[i]), longest / seconds + 1))
                size = 1
                while left > 0:
                    size = min(size, left)
                    if size * seconds < 2 * longest:
                        lots.append((i, size, math.floor(size * seconds / step + shift)))
                    left, size = left - size, 2 * size
            begin.append(len(lots))
        task, many, cells = np.array(lots, np.int64).reshape(-1, 3).T.copy()
        return cls(system, step, np.array(begin), task, many, cells)

    def cell(self, makespan: float) -> int:
        """The cell of a makespan, which may have a rounding error."""
        return math.floor(makespan * (1 + SUM_ROUNDING) / self.step)

    def begins(self, cells: IntArray) -> FloatArray:
        """The least makespan of each of these cells, in seconds."""
        seconds: FloatArray = cells.astype(float) * self.step * (1 - 2 * SUM_ROUNDING)
        return seconds

    def room(self, last: int) -> FloatArray:
        """Scratch space for all tables up to a cell."""
        return np.empty((len(self.task) + len(self.begin) - 1, last + 1))

    def work(self, last: int) -> float:
        """The units of work to fill all tables up to a cell, roughly."""
        return len(self.task) * (last + 1) / _NUMBERS_A_UNIT

    def filled(self, prices: FloatArray, room: FloatArray) -> "Filled":
        """The best patterns of machines within each cell that `room` has space for, if a task of
        type i earns `prices[i]` joules less its energy. The result uses `room`, so the next call
        overwrites it.
        """
        tables = []
        for machine, begin in enumerate(self.begin[:-1].tolist()):
            used, worth = self._worth(prices, machine, room.shape[1] - 1)
            rows = room[begin + machine : begin + machine + len(used) + 1]
            _fill(rows, self.cells[used], worth)
            tables.append((used, rows))
        return Filled(self, tables)

    def bound(self, prices: FloatArray, last: int) -> FloatArray:
        """For each cell up to the last, a lower bound on the joules above idle power of schedules
        of such a makespan.

        All tasks earn their prices, wherever they run, and no machine earns more than with its best
        pattern. Any prices prove a bound. Rounding errors are counted against it.
        """
        with np.errstate(invalid="ignore", over="ignore"):
            machines, rows = np.zeros(last + 1), np.empty((2, last + 1))
            for j, count in enumerate(self.system.machine_counts.tolist()):
                used, worth = self._worth(prices, j, last)
                earned = _most(rows, self.cells[used], worth)
                machines += count * earned * (1 + 4 * ULP * (len(used) + 2))
            tasks = prices * self.system.task_counts
            terms = len(prices) + len(self.begin)
            error = 2 * ULP * terms * (np.abs(tasks).sum() + machines)
            bound = tasks.sum() - machines - error
        proven: FloatArray = np.where(np.isfinite(bound), bound, -np.inf)
        return proven

    def _worth(self, prices: FloatArray, machine: int, last: int) -> tuple[IntArray, FloatArray]:
        """The lots that earn something on a machine of this type, and the joules of each, rounded
        up.
        """
        lots = np.arange(self.begin[machine], self.begin[machine + 1])
        price = prices[self.task[lots]]
        cost = self.system.dynamic_energy[self.task[lots], machine]
        gain = self.size[lots] * (price - cost + 4 * ULP * (np.abs(price) + np.abs(cost)))
        pays = (gain > 0) & (self.cells[lots] <= last)
        return lots[pays], gain[pays]


@dataclass(frozen=True, eq=False)
class Filled:
    """For each machine type, the lots that earn something, and a table whose row x is the most that
    the first x of them earn within each cell.
    """

    knapsacks: Knapsacks
    tables: list[tuple[IntArray, FloatArray]]

    def earned(self, machine: int, cell: int) -> float:
        """The most joules that a machine of this type earns within a cell."""
        return float(self.tables[machine][1][-1, cell])

    def pattern(self, machine: int, cell: int) -> IntArray:
        """The tasks of each type in the best pattern."""
        used, rows = self.tables[machine]
        sacks = self.knapsacks
        counts = np.zeros(len(sacks.system.task_types), np.int64)
        _unpack(rows, sacks.cells[used], sacks.size[used], sacks.task[used], cell, counts)
        return counts


def load_kernels() -> None:
    """See `core.engines.kernels`."""
    rows, none, worth = np.zeros((2, 1)), np.zeros(0, np.int64), np.zeros(0)
    _fill(rows, none, worth)
    _most(rows, none, worth)
    _unpack(rows, none, none, none, 0, none)


@Kernel
def _fill(rows, cells, worth):
    rows[0] = 0.0
    for x in range(len(cells)):
        _take(rows[x], rows[x + 1], cells[x], worth[x])


@Kernel
def _most(rows, cells, worth):
    """Only the last row."""
    rows[0] = 0.0
    for x in range(len(cells)):
        _take(rows[x % 2], rows[(x + 1) % 2], cells[x], worth[x])
    return rows[len(cells) % 2]


@Kernel
def _take(before, after, cells, worth):
    """The most within each cell, with or without a lot, which takes no cells up to all of them."""
    after[:cells] = before[:cells]
    for cell in range(cells, len(after)):
        after[cell] = max(before[cell], before[cell - cells] + worth)


@Kernel
def _unpack(rows, cells, size, task, cell, counts):
    """A lot that raised the most was taken, so its cells fitted: `cell` never falls below 0."""
    for x in range(len(cells) - 1, -1, -1):
        if rows[x + 1, cell] > rows[x, cell]:
            counts[task[x]] += size[x]
            cell -= cells[x]
