"""Two ways to solve the program of a day with the starts that are known."""

from contextlib import suppress
from typing import Final, NamedTuple, Protocol

import numpy as np

from core.capabilities.centre.starts import StartColumns
from core.engines.lp.interior import BoundedColumns, SharesProgram, StagedRows
from core.engines.lp.program import Program, ProgramSolution, SolverFailed, SparseMatrix
from core.vocabulary.arrays import FloatArray, IntArray

_FIRST: Final = 4
"""After so many steps, prices are worth a look."""
_STEPS: Final = 80
"""It seldom takes more than 30; with so many, it gets nowhere."""
_KEPT: Final = 1e-5
"""Rows that are off by less than this share of what is in them are kept well enough."""
MOST_BEGINS: Final = 400
"""With more rows in which starts begin and end, general solvers are faster."""


class DayMatrix(NamedTuple):
    """The program of a day for weights and caps, without its starts; a step that a job is late
    costs `late`, and a job of a group may be left undone if it `forgives`, which costs 1.
    """

    matrix: SparseMatrix
    costs: FloatArray
    columns: tuple[FloatArray, FloatArray]
    rows: tuple[FloatArray, FloatArray]
    stages: IntArray
    late: float
    counts: FloatArray
    starts: StartColumns
    forgives: bool


class FoundStarts(NamedTuple):
    """What a solve found: `amounts` of starts in the order in which they joined, and of jobs of
    each group that are left `undone`; whether rows are kept to within rounding.
    """

    objective: float
    duals: FloatArray
    values: FloatArray
    amounts: FloatArray
    undone: FloatArray
    is_kept: bool


class DaySolver(Protocol):
    """Solves the program with the starts that are known, and more of them again.

    `ends`: whether it has the optimum each time, so that nothing new comes without new starts.
    """

    ends: bool

    def add(self, group: IntArray, start: IntArray) -> None:
        """Let starts join."""

    def solved(self) -> FoundStarts:
        """Something better than the last time. Raises `SolverFailed` and `Infeasible`."""


class GeneralSolver:
    """By HiGHS, to the optimum."""

    ends = True

    def __init__(self, of: DayMatrix) -> None:
        self._of = of
        self._program = Program(solver="ipm", run_crossover="off")
        self._program.add_rows(*of.rows)
        self._program.add_matrix(of.matrix, of.costs, *of.columns)
        if len(of.counts):
            assigned = self._program.add_rows(of.counts, of.counts)
            undone = of.counts * of.forgives
            self._program.add_columns([(assigned, 1.0)], float(of.forgives), 0.0, undone)

    def add(self, group: IntArray, start: IntArray) -> None:
        """Let starts join."""
        of = self._of
        if len(group):
            entries = [*of.starts.entries(group, start), (len(of.rows[0]) + group, 1.0)]
            costs = of.late * of.starts.lateness(group, start)
            self._program.add_columns(entries, costs, 0.0, of.counts[group])

    def solved(self) -> FoundStarts:
        """The optimum."""
        of, found = self._of, self._optimum()
        fixed, groups = of.matrix.shape[1], len(of.counts)
        return FoundStarts(
            found.objective,
            found.duals[: len(of.rows[0])],
            found.values[:fixed],
            found.values[fixed + groups :],
            found.values[fixed : fixed + groups],
            is_kept=True,
        )

    def _optimum(self) -> ProgramSolution:
        with suppress(SolverFailed):
            found = self._program.approach()
            if self._program.is_optimal:
                return found
        self._program.set_options(solver="simplex")
        try:
            return self._program.minimise(("on", "off"), feasible=self._of.forgives)
        finally:
            self._program.set_options(solver="ipm")


class NearingSolver:
    """By steps of an interior point method that knows days, with new starts after any of them."""

    ends = False

    def __init__(self, of: DayMatrix) -> None:
        self._of, self._taken = of, 0
        reach = of.starts.reach
        rows = StagedRows(
            *of.rows, of.stages, np.append(reach, np.zeros(len(of.stages) - len(reach)))
        )
        dearest = of.late * float((of.starts.latest * of.counts).max(initial=0.0))
        columns = BoundedColumns(of.matrix, of.costs, *of.columns)
        self._program = SharesProgram(columns, rows, of.counts, dearest)

    def add(self, group: IntArray, start: IntArray) -> None:
        """Let starts join."""
        of = self._of
        if len(group):
            count = of.counts[group]
            entries = of.starts.entries(group, start)
            rows = np.stack([row for row, _ in entries])
            values = np.stack([value * count for _, value in entries])
            costs = of.late * of.starts.lateness(group, start) * count
            self._program.add(group, rows, values, costs)

    def solved(self) -> FoundStarts:
        """What is there after a step, or at first after a few."""
        for _ in range(1 if self._taken else _FIRST):
            self._program.step()
            self._taken += 1
        if self._taken > _STEPS:
            raise SolverFailed("an interior point method took too many steps")
        one = self._program
        none = np.zeros(len(self._of.counts))
        is_kept = one.off <= _KEPT
        return FoundStarts(one.objective, one.duals, one.values, one.shares, none, is_kept)


def day_solver(of: DayMatrix) -> DaySolver:
    """The faster one of those that can solve it."""
    if of.forgives or of.starts.begins > MOST_BEGINS:
        return GeneralSolver(of)
    return NearingSolver(of)
