"""Linear and integer programs, declared in blocks of rows and columns, minimised by HiGHS.

Rows are added before the columns that have entries in them. The shortest makespan, for example:

    program = Program()
    done = program.add_rows(counts, counts)
    busy = program.add_rows(-np.inf, np.zeros(machines))
    placed = program.add_columns([(done[task], 1.0), (busy[machine], load)])
    makespan = program.add_columns([(busy[None, :], -1.0)], costs=1.0)
    amounts = program.minimise().values[placed]

Costs and bounds may change between solves, and columns may be added: the next solve starts from the
basis of the last one.
"""

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Final

import highspy
import numpy as np
import numpy.typing as npt

from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.tolerances import WHOLE

Numbers = float | FloatArray | IntArray
"""One number for all rows or columns of a block, or an array of one for each."""

SparseMatrix = Any
"""A sparse matrix of scipy."""
Entries = tuple[IntArray, Numbers]
"""Row numbers, and the values in these rows. The array holds one row number for each column, or one
line of row numbers for each column, which then has an entry in each of them.
"""

_OPTIMAL: Final = highspy.HighsModelStatus.kOptimal
_INFEASIBLE: Final = highspy.HighsModelStatus.kInfeasible
_UNKNOWN: Final = highspy.HighsModelStatus.kUnknown
_OUT_OF_TIME: Final = highspy.HighsModelStatus.kTimeLimit
_FOUND: Final = highspy.SolutionStatus.kSolutionStatusFeasible
_WHOLE: Final = highspy.HighsVarType.kInteger.value
_DUAL: Final = 1
PRIMAL: Final = 4
"""Values of HiGHS' option `simplex_strategy`."""
_FIRST_SLICE: Final = 0.25
_LONGEST_SLICE: Final = 4.0
"""Seconds between two looks whether to stop."""


class SolverFailed(RuntimeError):
    """The program has an optimum, yet the solver did not return one."""


class Infeasible(Exception):
    """The program is infeasible."""


class Interrupted(Exception):
    """A solve ended before it had an optimum, because it was asked to."""


class ProgramSolution:
    """What a solve found, and in how many iterations of the simplex method. No values of whole
    columns have an objective below `bound`.

    Its arrays are indexed by the numbers of rows or columns.
    """

    def __init__(self, highs: highspy.Highs) -> None:
        self._found = highs.getSolution()
        self.objective: float = highs.getInfo().objective_function_value
        bound: float = highs.getInfo().mip_dual_bound
        # Of a program without whole columns, HiGHS names no bound.
        self.bound = (
            min(bound, self.objective) if highs.getInfo().mip_node_count >= 0 else self.objective
        )
        self.iterations: int = highs.getInfo().simplex_iteration_count

    @cached_property
    def values(self) -> FloatArray:
        """The value of each column."""
        return np.array(self._found.col_value)

    @cached_property
    def reduced_costs(self) -> FloatArray:
        """By how much the objective rises for each unit of a column."""
        return np.array(self._found.col_dual)

    @cached_property
    def duals(self) -> FloatArray:
        """By how much the objective rises for each unit of a row's bound."""
        return np.array(self._found.row_dual)


class Program:
    """A program to minimise. `options` are those of HiGHS, by their names there."""

    def __init__(self, **options: float | str) -> None:
        self._highs = highspy.Highs()  # type: ignore[no-untyped-call]  # highspy leaves it untyped
        self.set_options(output_flag=False, **options)
        self._should_stop: Callable[[], bool] | None = None
        self._whole = np.empty(0, bool)

    def set_options(self, **options: float | str) -> None:
        """Set options of HiGHS, by their names there."""
        for name, value in options.items():
            _accepted(self._highs.setOptionValue(name, value))

    def stop_when(self, should_stop: Callable[[], bool]) -> None:
        """Let `minimise` raise `Interrupted` within seconds after `should_stop` says so."""
        self._should_stop = should_stop

    def add_rows(self, lower: Numbers, upper: Numbers) -> IntArray:
        """Add as many rows as there are bounds, at least one; returns their numbers."""
        count = max(np.size(lower), np.size(upper))
        first = self.rows
        none = np.empty(0, np.int32)
        starts = np.zeros(count, np.int32)
        _accepted(
            self._highs.addRows(
                count, _each(lower, count), _each(upper, count), 0, starts, none, np.empty(0)
            )
        )
        return np.arange(first, first + count)

    def add_cuts(self, columns: IntArray, values: FloatArray, upper: FloatArray) -> IntArray:
        """Add a row for each line of `columns`: values times columns is at most `upper`."""
        first, count = self.rows, len(columns)
        _accepted(
            self._highs.addRows(
                count,
                np.full(count, -np.inf),
                upper,
                columns.size,
                np.arange(count, dtype=np.int32) * columns.shape[1],
                columns.ravel().astype(np.int32),
                values.ravel(),
            )
        )
        return np.arange(first, first + count)

    def add_columns(
        self,
        entries: Sequence[Entries],
        costs: Numbers = 0.0,
        lower: Numbers = 0.0,
        upper: Numbers = np.inf,
        *,
        whole: bool | BoolArray = False,
    ) -> IntArray:
        """Add as many columns as the arrays of entries have numbers or lines; returns their
        numbers.

        `whole` columns take only whole numbers. Name all that do, also those that only follow from
        others: where HiGHS before 1.16 finds that out by itself, its presolve may lose the optimum
        (ERGO-Code/HiGHS#3274).
        """
        first, count = self._highs.getNumCol(), len(entries[0][0])
        columns = np.arange(first, first + count)
        self._whole = np.append(self._whole, np.broadcast_to(whole, count))
        lower, upper = self._bounds(columns, lower, upper)
        rows = np.hstack([_lines(rows) for rows, _ in entries])
        values = np.hstack([_lines(np.broadcast_to(value, rows.shape)) for rows, value in entries])
        _accepted(
            self._highs.addCols(
                count,
                _each(costs, count),
                lower,
                upper,
                rows.size,
                np.arange(count, dtype=np.int32) * rows.shape[1],
                rows.ravel().astype(np.int32),
                values.ravel(),
            )
        )
        if np.any(whole):
            those = columns[self._whole[columns]].astype(np.int32)
            kinds = np.full(len(those), _WHOLE, np.uint8)
            _accepted(self._highs.changeColsIntegrality(len(those), those, kinds))
        return columns

    def add_matrix(
        self, matrix: SparseMatrix, costs: Numbers, lower: Numbers, upper: Numbers
    ) -> None:
        """Add the columns of a sparse matrix of scipy, which has a line for each row."""
        columns, count = matrix.tocsc(), matrix.shape[1]
        self._whole = np.append(self._whole, np.zeros(count, bool))
        bounds = _each(lower, count), _each(upper, count)
        _accepted(
            self._highs.addCols(
                count,
                _each(costs, count),
                *bounds,
                columns.nnz,
                columns.indptr[:-1].astype(np.int32),
                columns.indices.astype(np.int32),
                columns.data,
            )
        )

    def set_costs(self, columns: IntArray, costs: FloatArray) -> None:
        """Set the cost of a unit of each of these columns."""
        _accepted(self._highs.changeColsCost(len(columns), columns.astype(np.int32), costs))

    def set_column_bounds(self, columns: IntArray, lower: Numbers, upper: Numbers) -> None:
        """Set the bounds of each of these columns."""
        lower, upper = self._bounds(columns, lower, upper)
        _accepted(
            self._highs.changeColsBounds(len(columns), columns.astype(np.int32), lower, upper)
        )

    def _bounds(
        self, columns: IntArray, lower: Numbers, upper: Numbers
    ) -> tuple[FloatArray, FloatArray]:
        """A lower and an upper bound of each column, rounded inwards for whole columns: with
        fractions there, presolve of HiGHS before 1.16 may lose the optimum.
        """
        whole = self._whole[columns]
        lowest, highest = _each(lower, len(columns)), _each(upper, len(columns))
        return (
            np.where(whole, np.ceil(lowest - WHOLE), lowest),
            np.where(whole, np.floor(highest + WHOLE), highest),
        )

    def set_row_bounds(self, rows: IntArray, lower: Numbers, upper: Numbers) -> None:
        """Set the bounds of each of these rows."""
        count = len(rows)
        bounds = zip(_each(lower, count).tolist(), _each(upper, count).tolist(), strict=True)
        for row, (low, high) in zip(rows.tolist(), bounds, strict=True):
            _accepted(self._highs.changeRowBounds(row, low, high))

    def set_coefficients(self, rows: IntArray, column: int, values: FloatArray) -> None:
        """Set the value of a column in each of these rows."""
        for row, value in zip(rows.tolist(), values.tolist(), strict=True):
            _accepted(self._highs.changeCoeff(row, column, value))

    def minimise(
        self, presolve: Sequence[str] = ("on",), *, feasible: bool = True
    ) -> ProgramSolution:
        """The optimum, found from the basis of the last solve where there is one.

        Each setting of `presolve` ("on" or "off") is tried in turn, from a cold start after the
        first; where HiGHS loses its way, once more by the other simplex method. Where HiGHS says
        that the program is infeasible, the next setting is tried if the caller knows that it is
        `feasible`; else `Infeasible` is raised at once. Raises `Interrupted` if it was asked to
        stop, `SolverFailed` if no try returns an optimum.
        """
        for setting in presolve:
            self._run(setting)
            status = self._highs.getModelStatus()
            if status == _OPTIMAL:
                return ProgramSolution(self._highs)
            if status == _INFEASIBLE and not feasible:
                raise Infeasible
            self._highs.clearSolver()
        if status == _UNKNOWN:
            _, usual = self._highs.getOptionValue("simplex_strategy")
            self.set_options(simplex_strategy=_DUAL if usual == PRIMAL else PRIMAL)
            self._run(setting)
            status = self._highs.getModelStatus()
            self.set_options(simplex_strategy=usual)
            if status == _OPTIMAL:
                return ProgramSolution(self._highs)
        raise SolverFailed(
            f"HiGHS ended with '{self._highs.modelStatusToString(status)}' on a program that has "
            "an optimum; the range of times, powers or counts may be too wide for it"
        )

    def approach(self) -> ProgramSolution:
        """What the solver of a program without whole columns ends with, optimal or not: an interior
        point method without crossover is fast, and its duals lie in the middle of those that tie.
        Only for what proves anew whatever it takes from here. Raises `SolverFailed` if there is
        nothing.
        """
        self._run("on")
        found = ProgramSolution(self._highs)
        if not (len(found.duals) == self.rows and np.isfinite(found.duals).all()):
            raise SolverFailed(f"HiGHS ended with '{self.status}', and without duals")
        return found

    def search(self, should_stop: Callable[[], bool] | None = None) -> ProgramSolution | None:
        """The best solution in whole numbers that is found within the limits set as options, or
        until `should_stop`. None where no solution was found that keeps all bounds.
        """

        def interrupt_if_asked(event: highspy.HighsCallbackEvent) -> None:
            if should_stop is not None and should_stop():
                event.interrupt()

        if should_stop is not None:
            self._highs.cbMipInterrupt.subscribe(interrupt_if_asked)
        self._highs.run()
        found = self._highs.getInfo().primal_solution_status == _FOUND
        return ProgramSolution(self._highs) if found else None

    def _run(self, presolve: str) -> None:
        """Run HiGHS, and ask now and then whether to stop. It is run in slices of time, since
        callbacks of highspy take memory that is never freed (seen with 1.15). A slice begins with
        the basis of the last one; with presolve it would not. Slices in which nothing happened are
        followed by longer ones.
        """
        self.set_options(presolve=presolve)
        if self._should_stop is None or presolve != "off":
            self._highs.run()
            return
        seconds = _FIRST_SLICE
        while True:
            self.set_options(time_limit=self.seconds + seconds)
            self._highs.run()
            if self._highs.getModelStatus() != _OUT_OF_TIME:
                break
            if self._should_stop():
                self.set_options(time_limit=math.inf)
                raise Interrupted
            stands_still = self._highs.getInfo().simplex_iteration_count == 0
            seconds *= 2 if stands_still or seconds < _LONGEST_SLICE else 1
        self.set_options(time_limit=math.inf)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self._highs.getNumRow())

    @property
    def is_optimal(self) -> bool:
        """Whether the last solve ended with an optimum."""
        return bool(self._highs.getModelStatus() == _OPTIMAL)

    @property
    def status(self) -> str:
        """How the last solve ended, in HiGHS's words."""
        return str(self._highs.modelStatusToString(self._highs.getModelStatus()))

    @property
    def seconds(self) -> float:
        """Seconds that all solves took so far."""
        return float(self._highs.getRunTime())


def end_threads() -> None:
    """End the threads that all programs of this process share; the next solve starts new ones."""
    highspy.Highs.resetGlobalScheduler(True)


def _each(numbers: Numbers, count: int) -> FloatArray:
    return np.broadcast_to(np.asarray(numbers, float), count)


def _lines(entries: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A line for each column."""
    return entries[:, None] if entries.ndim == 1 else entries


def _accepted(status: highspy.HighsStatus) -> None:
    if status == highspy.HighsStatus.kError:
        raise SolverFailed("HiGHS refused the program")
