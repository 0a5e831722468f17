"""The cheapest mixture of patterns: a linear program that proposes prices for their bound.

A pattern is the tasks of each type that one machine runs. It takes part with fractions of it, as
many as there are machines at most, and tasks that no pattern runs are paid for dearly. The program
is kept between solves, which begin where the last one ended.
"""

from typing import Final

import highspy
import numpy as np

from core.lp.highs import silent_highs
from core.model.arrays import FloatArray, IntArray
from core.model.system import System

# Units of work that a solve is, roughly: always, and for each row in each iteration.
_SOLVE_WORK: Final = 5e-4
_ROW_WORK: Final = 1.5e-7


class Mixture:
    """Joules are counted in `unit`; a task that is left costs `dearest` of it, to begin with."""

    def __init__(self, system: System, unit: float, dearest: float) -> None:
        self.unit = unit
        tasks, machines = system.etc.shape
        self.costs = np.where(system.can_run, system.dynamic_energy, 0.0) / unit
        self.known: set[tuple[int, bytes]] = set()
        self.highs = silent_highs()
        # Columns are added, so what was optimal remains feasible.
        self.highs.setOptionValue("simplex_strategy", 4)
        self.highs.setOptionValue("presolve", "off")
        lp = highspy.HighsLp()
        lp.num_col_ = tasks
        lp.num_row_ = tasks + machines
        lp.col_cost_ = np.full(tasks, dearest)
        lp.col_lower_ = np.zeros(tasks)
        lp.col_upper_ = np.full(tasks, np.inf)
        # Where a task gains energy a machine must not run more of them than there are.
        gains = (self.costs < 0).any(axis=1)
        most = np.where(gains, system.task_counts, np.inf)
        lp.row_lower_ = np.append(system.task_counts, np.full(machines, -np.inf))
        lp.row_upper_ = np.append(most, system.machine_counts)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_ = np.arange(tasks + 1)
        lp.a_matrix_.index_ = np.arange(tasks)
        lp.a_matrix_.value_ = np.ones(tasks)
        self.highs.passModel(lp)

    def add(self, machine: int, counts: IntArray) -> bool:
        """Take a pattern in; False if it is known."""
        key = machine, counts.tobytes()
        if key in self.known:
            return False
        self.known.add(key)
        tasks = np.flatnonzero(counts)
        self.highs.addCol(
            float(self.costs[:, machine] @ counts),
            0.0,
            np.inf,
            len(tasks) + 1,
            np.append(tasks, len(counts) + machine).astype(np.int32),
            np.append(counts[tasks], 1.0),
        )
        return True

    @property
    def work(self) -> float:
        """How much work the last solve was, in units."""
        iterations = int(self.highs.getInfo().simplex_iteration_count)
        return _SOLVE_WORK + _ROW_WORK * iterations * int(self.highs.getNumRow())

    def solve(self) -> tuple[float, FloatArray, FloatArray]:
        """Joules of the cheapest mixture, and the prices of a task of each type, and of a machine
        of each type, in joules.
        """
        self.highs.run()
        duals = np.array(self.highs.getSolution().row_dual) * self.unit
        tasks = len(self.costs)
        return (
            self.highs.getInfo().objective_function_value * self.unit,
            duals[:tasks],
            -duals[tasks:],
        )
