"""The cheapest mixture of patterns: a linear program that proposes prices for their bound.

A pattern is the tasks of each type that one machine runs. It takes part with fractions of it, as
many as there are machines at most, and tasks that no pattern runs are paid for dearly. The program
is kept between solves, which begin where the last one ended.
"""

from typing import Final

import numpy as np

from core.lp.program import Program
from core.model.arrays import FloatArray, IntArray
from core.model.system import System

# Units of work that a solve is, roughly: always, and for each row in each iteration.
_SOLVE_WORK: Final = 5e-4
_ROW_WORK: Final = 1.5e-7


class Mixture:
    """Joules are counted in `unit`; a task that is left costs `dearest` of it, to begin with.

    `work` is how much the last solve was, in units of work.
    """

    def __init__(self, system: System, unit: float, dearest: float) -> None:
        self.unit = unit
        self.costs = np.where(system.can_run, system.dynamic_energy, 0.0) / unit
        self.work = 0.0
        self.known: set[tuple[int, bytes]] = set()
        # Columns are added, so what was optimal remains feasible, and primal simplex starts there.
        self.program = Program(simplex_strategy=4)
        # Where a task gains energy a machine must not run more of them than there are.
        gains = (self.costs < 0).any(axis=1)
        most = np.where(gains, system.task_counts, np.inf)
        self.done = self.program.add_rows(system.task_counts, most)
        self.running = self.program.add_rows(-np.inf, system.machine_counts)
        self.program.add_columns([(self.done, 1.0)], dearest)

    def add(self, machine: int, counts: IntArray) -> bool:
        """Take a pattern in; False if it is known."""
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
        """Joules of the cheapest mixture, and the prices of a task of each type, and of a machine
        of each type, in joules.
        """
        solution = self.program.minimise(presolve=("off",))
        self.work = _SOLVE_WORK + _ROW_WORK * solution.iterations * self.program.rows
        duals = solution.duals * self.unit
        return solution.objective * self.unit, duals[self.done], -duals[self.running]
