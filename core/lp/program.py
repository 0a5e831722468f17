"""Linear and integer programs, declared in blocks of rows and columns, minimised by HiGHS.

Rows come before the columns that have entries in them. As soon as possible, for example:

    program = Program()
    done = program.add_rows(counts, counts)
    busy = program.add_rows(-np.inf, np.zeros(machines))
    placed = program.add_columns([(done[task], 1.0), (busy[machine], load)])
    makespan = program.add_columns([(busy[None, :], -1.0)], costs=1.0)
    amounts = program.minimise().values[placed]

Costs and bounds may change between solves, and columns may be added: the next solve starts from the
basis of the last one.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Final

import highspy
import numpy as np
import numpy.typing as npt

from core.model.arrays import FloatArray, IntArray

Numbers = float | FloatArray | IntArray
"""One number for all rows or columns of a block, or an array of one for each."""

Entries = tuple[IntArray, Numbers]
"""Rows, and the values in them. The array has a row number for each column; or a line of them for
each column, which then has as many entries.
"""

_OPTIMAL: Final = highspy.HighsModelStatus.kOptimal
_INFEASIBLE: Final = highspy.HighsModelStatus.kInfeasible
_FOUND: Final = highspy.SolutionStatus.kSolutionStatusFeasible
_WHOLE: Final = highspy.HighsVarType.kInteger.value


class SolverFailed(RuntimeError):
    """The program has an optimum, yet the solver did not return one."""


class Infeasible(Exception):
    """No values of the columns keep all bounds."""


class ProgramSolution:
    """What a solve found, and in how many iterations of the simplex method.

    Its arrays are indexed by the numbers of rows or columns.
    """

    def __init__(self, highs: highspy.Highs) -> None:
        self._found = highs.getSolution()
        self.objective: float = highs.getInfo().objective_function_value
        self.iterations: int = highs.getInfo().simplex_iteration_count

    @cached_property
    def values(self) -> FloatArray:
        """The value of each column."""
        return np.array(self._found.col_value)

    @cached_property
    def reduced_costs(self) -> FloatArray:
        """How much more the objective would be for each unit of a column."""
        return np.array(self._found.col_dual)

    @cached_property
    def duals(self) -> FloatArray:
        """How much more the objective would be for each unit of a row's bound."""
        return np.array(self._found.row_dual)


class Program:
    """A program to be minimised. The options are HiGHS's own, by their names there."""

    def __init__(self, **options: float | str) -> None:
        self._highs = highspy.Highs()  # type: ignore[no-untyped-call]  # highspy leaves it untyped
        self.set_options(output_flag=False, **options)

    def set_options(self, **options: float | str) -> None:
        """As for a new program."""
        for name, value in options.items():
            _accepted(self._highs.setOptionValue(name, value))

    def add_rows(self, lower: Numbers, upper: Numbers) -> IntArray:
        """As many rows as there are bounds, at least one; returns their numbers."""
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

    def add_columns(
        self,
        entries: Sequence[Entries],
        costs: Numbers = 0.0,
        lower: Numbers = 0.0,
        upper: Numbers = np.inf,
        *,
        whole: bool = False,
    ) -> IntArray:
        """As many columns as the arrays of entries have rows or lines; returns their numbers.

        `whole` columns take whole numbers alone.
        """
        first, count = self._highs.getNumCol(), len(entries[0][0])
        rows = np.hstack([_lines(rows) for rows, _ in entries])
        values = np.hstack([_lines(np.broadcast_to(value, rows.shape)) for rows, value in entries])
        _accepted(
            self._highs.addCols(
                count,
                _each(costs, count),
                _each(lower, count),
                _each(upper, count),
                rows.size,
                np.arange(count, dtype=np.int32) * rows.shape[1],
                rows.ravel().astype(np.int32),
                values.ravel(),
            )
        )
        columns = np.arange(first, first + count)
        if whole:
            kinds = np.full(count, _WHOLE, np.uint8)
            _accepted(self._highs.changeColsIntegrality(count, columns.astype(np.int32), kinds))
        return columns

    def set_costs(self, columns: IntArray, costs: FloatArray) -> None:
        """What a unit of each of these columns costs from now on."""
        _accepted(self._highs.changeColsCost(len(columns), columns.astype(np.int32), costs))

    def set_column_bounds(self, columns: IntArray, lower: Numbers, upper: Numbers) -> None:
        """Between what each of these columns is from now on."""
        numbers, count = columns.astype(np.int32), len(columns)
        _accepted(
            self._highs.changeColsBounds(count, numbers, _each(lower, count), _each(upper, count))
        )

    def set_row_bounds(self, rows: IntArray, lower: float, upper: float) -> None:
        """Between what the sum of each of these rows is from now on."""
        for row in rows.tolist():
            _accepted(self._highs.changeRowBounds(row, lower, upper))

    def minimise(
        self, presolve: Sequence[str] = ("on",), *, feasible: bool = True
    ) -> ProgramSolution:
        """The optimum, from the basis of the last solve where there is one.

        It is tried with each setting of `presolve` ("on" or "off") in turn, from a cold start after
        the first. A program that is `feasible` is tried again where HiGHS says that it is not; of
        any other `Infeasible` is raised at once. Raises `SolverFailed` if no try returns an
        optimum.
        """
        for setting in presolve:
            self.set_options(presolve=setting)
            self._highs.run()
            status = self._highs.getModelStatus()
            if status == _OPTIMAL:
                return ProgramSolution(self._highs)
            if status == _INFEASIBLE and not feasible:
                raise Infeasible
            self._highs.clearSolver()
        raise SolverFailed(
            f"HiGHS ended with '{self._highs.modelStatusToString(status)}' on a program that has "
            "an optimum; the range of times, powers or counts may be too wide for it"
        )

    def search(self, should_stop: Callable[[], bool] | None = None) -> ProgramSolution | None:
        """The best in whole numbers that is found within HiGHS's limits, which are options; or
        until it is asked to stop. None where nothing was found that keeps all bounds.
        """

        def interrupt_if_asked(event: highspy.HighsCallbackEvent) -> None:
            if should_stop is not None and should_stop():
                event.interrupt()

        if should_stop is not None:
            self._highs.cbMipInterrupt.subscribe(interrupt_if_asked)
        self._highs.run()
        found = self._highs.getInfo().primal_solution_status == _FOUND
        return ProgramSolution(self._highs) if found else None

    @property
    def rows(self) -> int:
        """How many there are."""
        return int(self._highs.getNumRow())

    @property
    def status(self) -> str:
        """How the last solve ended, in HiGHS's words."""
        return str(self._highs.modelStatusToString(self._highs.getModelStatus()))

    @property
    def seconds(self) -> float:
        """What all solves took so far."""
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
