"""What a single machine earns at most with whole tasks, within every makespan at once, compiled.

Durations are rounded down to a grid of time, so what is found to be the most is never too little,
whatever the grid. Each task type is offered in lots of 1, 2, 4, ... tasks, and it is the time of a
lot that is rounded: a machine that runs many tasks of a type loses no more than a few steps.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import math
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from core.engine.compiled import Kernel
from core.model.arrays import FloatArray, IntArray
from core.model.system import System
from core.model.tolerances import SUM_ROUNDING, ULP

# Work: the numbers that are offered for a unit, of which about 40 % are filled in.
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
        """For makespans of up to so many seconds. Durations rounded to the `nearest` cell, instead
        of down, give estimates that are closer to the truth and prove nothing.
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
        """The cell of a makespan, which may have been rounded."""
        return math.floor(makespan * (1 + SUM_ROUNDING) / self.step)

    def begins(self, cells: IntArray) -> FloatArray:
        """Seconds: no makespan of such a cell is below."""
        seconds: FloatArray = cells.astype(float) * self.step * (1 - 2 * SUM_ROUNDING)
        return seconds

    def room(self, last: int) -> FloatArray:
        """Room for all tables up to a cell."""
        return np.empty((len(self.task) + len(self.begin) - 1, last + 1))

    def work(self, last: int) -> float:
        """About how much work it is to fill all tables up to a cell, in units."""
        return len(self.task) * (last + 1) / _NUMBERS_A_UNIT

    def filled(self, prices: FloatArray, room: FloatArray) -> "Filled":
        """The best that machines can run within each cell there is room for, if a task of type i
        earns `prices[i]` joules less what it costs. The room is spoilt for others.
        """
        tables = []
        for machine, begin in enumerate(self.begin[:-1].tolist()):
            used, worth = self._worth(prices, machine, room.shape[1] - 1)
            rows = room[begin + machine : begin + machine + len(used) + 1]
            _fill(rows, self.cells[used], worth)
            tables.append((used, rows))
        return Filled(self, tables)

    def bound(self, prices: FloatArray, last: int) -> FloatArray:
        """For each cell up to the last, joules above idle power that no schedule of such a makespan
        gets below.

        All tasks earn their prices, wherever they run, and no machine earns more than with the best
        it can run. Any prices will do. Rounding errors are pushed downwards.
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
        """The lots that a machine of this type gains by, and joules that each gains, at least."""
        lots = np.arange(self.begin[machine], self.begin[machine + 1])
        price = prices[self.task[lots]]
        cost = self.system.dynamic_energy[self.task[lots], machine]
        gain = self.size[lots] * (price - cost + 4 * ULP * (np.abs(price) + np.abs(cost)))
        pays = (gain > 0) & (self.cells[lots] <= last)
        return lots[pays], gain[pays]


@dataclass(frozen=True, eq=False)
class Filled:
    """For each machine type the lots that count, and in row x of a table the most that the first x
    of them earn within each cell.
    """

    knapsacks: Knapsacks
    tables: list[tuple[IntArray, FloatArray]]

    def earned(self, machine: int, cell: int) -> float:
        """Joules that a machine of this type earns at most within a cell."""
        return float(self.tables[machine][1][-1, cell])

    def pattern(self, machine: int, cell: int) -> IntArray:
        """Tasks of each type that earn as much."""
        used, rows = self.tables[machine]
        sacks = self.knapsacks
        counts = np.zeros(len(sacks.system.task_types), np.int64)
        _unpack(rows, sacks.cells[used], sacks.size[used], sacks.task[used], cell, counts)
        return counts


def load_kernels() -> None:
    """See `core.kernels`."""
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
    """The last row alone."""
    rows[0] = 0.0
    for x in range(len(cells)):
        _take(rows[x % 2], rows[(x + 1) % 2], cells[x], worth[x])
    return rows[len(cells) % 2]


@Kernel
def _take(before, after, cells, worth):
    """The most within each cell, with or without a lot, which may take no cell, and takes no more
    than there are.
    """
    after[:cells] = before[:cells]
    for cell in range(cells, len(after)):
        after[cell] = max(before[cell], before[cell - cells] + worth)


@Kernel
def _unpack(rows, cells, size, task, cell, counts):
    """A lot that raised the most was taken, so its cells were there: `cell` stays 0 or above."""
    for x in range(len(cells) - 1, -1, -1):
        if rows[x + 1, cell] > rows[x, cell]:
            counts[task[x]] += size[x]
            cell -= cells[x]
