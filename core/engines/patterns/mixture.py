"""The cheapest mixture of patterns: a linear program that proposes prices for their bound.

A pattern is the tasks of each type that one machine runs. The mixture uses fractions of patterns,
for at most as many machines as there are, and tasks that no pattern runs have a high cost. Each
solve starts from the basis of the last one.
"""

from typing import Final

import numpy as np

from core.engines.lp.program import Program
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.system import System

# The units of work in a solve, roughly: a fixed part, and one for each row in each iteration.
_SOLVE_WORK: Final = 5e-4
_ROW_WORK: Final = 1.5e-7


class Mixture:
    """Joules are in `unit`; a task that no pattern runs first costs `dearest` units.

    `work` is the units of work of the last solve.
    """

    def __init__(self, system: System, unit: float, dearest: float) -> None:
        self.unit = unit
        self.costs = np.where(system.can_run, system.dynamic_energy, 0.0) / unit
        self.work = 0.0
        self.known: set[tuple[int, bytes]] = set()
        # Only columns are added, so the last optimum stays feasible, and primal simplex starts from
        # it.
        self.program = Program(simplex_strategy=4)
        # If a task reduces energy, machines must not run more of them than there are.
        gains = (self.costs < 0).any(axis=1)
        most = np.where(gains, system.task_counts, np.inf)
        self.done = self.program.add_rows(system.task_counts, most)
        self.running = self.program.add_rows(-np.inf, system.machine_counts)
        self.program.add_columns([(self.done, 1.0)], dearest)

    def add(self, machine: int, counts: IntArray) -> bool:
        """Add a pattern; False if the mixture has it already."""
        key = machine, counts.tobytes()
        if key in self.known:
            return False
        self.known.add(key)
        tasks = np.flatnonzero(counts)
        rows = np.append(self.done[tasks], self.running[machine])
        self.program.add_columns(
            [(rows[None, :], np.append(counts[tasks], 1.0))], float(self.costs[:, machine] @ counts)
        )
        return True

    def solve(self) -> tuple[float, FloatArray, FloatArray]:
        """The joules of the cheapest mixture, and the prices, in joules, of a task of each type and
        of a machine of each type.
        """
        solution = self.program.minimise(presolve=("off",))
        self.work = _SOLVE_WORK + _ROW_WORK * solution.iterations * self.program.rows
        duals = solution.duals * self.unit
        return solution.objective * self.unit, duals[self.done], -duals[self.running]
