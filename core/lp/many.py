"""Many small programs of one shape, each solved by a simplex from its last optimal basis.

    maximise    worth x
    subject to  A x <= right,  x >= 0

The programs differ in their numbers only. If right-hand sides change, the last basis of a program
still has prices that prove a bound, and a few steps of the dual simplex lead to the next optimum.
That takes some microseconds, where a solver for programs of any kind takes a millisecond.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from core.engine.compiled import Kernel
from core.lp.program import SolverFailed
from core.model.arrays import FloatArray, IntArray
from core.model.tolerances import SIMPLEX_ZERO

OPTIMAL: Final = 0
STUCK: Final = 1
INFEASIBLE: Final = 2
UNBOUNDED: Final = 3
LOST: Final = 4
"""A basis that neither fits nor proves anything."""
_WHY: Final = {STUCK: "came to no end", INFEASIBLE: "is infeasible", UNBOUNDED: "is unbounded"}

_STEPS_BETWEEN_INVERSIONS = 50
_NONE = -1
_AT_ONCE: Final = 256
"""Programs that a thread solves before it takes others."""


class Shape(NamedTuple):
    """Where programs have coefficients: column c in the rows `row[starts[c]:starts[c + 1]]`.

    The first `keyed` columns have a coefficient above 0 in their first row, and none in that row is
    below: raising its price proves what rounding has left unproven.
    """

    rows: int
    starts: IntArray
    row: IntArray
    keyed: int

    @property
    def columns(self) -> int:
        return len(self.starts) - 1


class _One(NamedTuple):
    """One of the programs."""

    shape: Shape
    coefficients: FloatArray
    worth: FloatArray
    right: FloatArray


class Maxima(NamedTuple):
    """The optimum of each program, and what one unit more of each right-hand side is worth.

    Prices are at least 0, and no keyed column gains at them. So if all are keyed, whatever the
    right-hand sides are, no x earns more than prices times right-hand sides.
    """

    values: FloatArray
    prices: FloatArray
    x: FloatArray
    steps: int


class ManyPrograms:
    """Programs with coefficients and worths line by line; each keeps the basis of its optimum."""

    def __init__(self, shape: Shape, coefficients: FloatArray, worth: FloatArray) -> None:
        self.shape = shape
        self.coefficients = coefficients
        self.worth = worth
        slacks = shape.columns + np.arange(shape.rows, dtype=np.int32)
        self.bases: npt.NDArray[np.int32] = np.tile(slacks, (len(worth), 1))

    def maximise(self, right: FloatArray, *, threads: int | None = None) -> Maxima:
        """The optima for these right-hand sides, a line a program. Raises `SolverFailed`."""
        count = len(self.worth)
        optima = Maxima(
            np.empty(count),
            np.empty((count, self.shape.rows)),
            np.empty((count, self.shape.columns)),
            0,
        )

        def solve(first: int) -> tuple[int, int]:
            part = slice(first, first + _AT_ONCE)
            steps, state = _solve_each(
                self.shape,
                (self.coefficients[part], self.worth[part], right[part]),
                self.bases[part],
                (optima.values[part], optima.prices[part], optima.x[part]),
            )
            return int(steps), int(state)

        firsts = range(0, count, _AT_ONCE)
        threads = min(threads or os.cpu_count() or 1, len(firsts))
        if threads <= 1:
            told = list(map(solve, firsts))
        else:
            with ThreadPoolExecutor(threads) as pool:
                told = list(pool.map(solve, firsts))
        for _, state in told:
            if state != OPTIMAL:
                raise SolverFailed(f"a small program {_WHY[state]}")
        return optima._replace(steps=sum(steps for steps, _ in told))


@Kernel
def _solve_each(shape, given, bases, found):
    """Solve all programs that are `given`; returns (steps, state of the first that fails)."""
    coefficients, worth, right = given
    values, prices, x = found
    rows, columns = right.shape[1], worth.shape[1]
    nothing = np.zeros(columns)
    inverse = np.empty((rows, rows))
    amounts = np.empty(rows)
    place = np.empty(columns + rows, np.int64)
    steps = 0
    for k in range(len(worth)):
        program = _One(shape, coefficients[k], worth[k], right[k])
        for turn in range(2):
            if turn == 1:
                # Rounding may have led the last basis astray: begin anew.
                for r in range(rows):
                    bases[k, r] = columns + r
            some, state = _solve(program, bases[k], inverse, amounts, place, prices[k])
            steps += some
            if state == LOST:
                # Any x that fits, by prices of 0, and from there the best.
                start = _One(shape, coefficients[k], nothing, right[k])
                some, state = _solve(start, bases[k], inverse, amounts, place, prices[k])
                steps += some
                if state == OPTIMAL:
                    some, state = _solve(program, bases[k], inverse, amounts, place, prices[k])
                    steps += some
            if state == OPTIMAL:
                break
        if state != OPTIMAL:
            return steps, state
        x[k] = 0.0
        total = 0.0
        for r in range(rows):
            if bases[k, r] < columns and amounts[r] > 0.0:
                x[k, bases[k, r]] = amounts[r]
                total += worth[k, bases[k, r]] * amounts[r]
        values[k] = total
    return steps, OPTIMAL


@Kernel
def _solve(program, basis, inverse, amounts, place, prices):
    """Go from a basis to an optimal one; returns (steps, state).

    While prices prove a bound, the dual simplex removes negative amounts. Otherwise the primal
    simplex removes columns that would gain.
    """
    worth = program.worth
    rows, columns = len(basis), len(worth)
    gains = np.empty(columns + rows)
    column = np.empty(rows)
    place[:] = _NONE
    for r in range(rows):
        place[basis[r]] = r
    steps, since = 0, _STEPS_BETWEEN_INVERSIONS
    is_dual = True
    while True:
        if since >= _STEPS_BETWEEN_INVERSIONS:
            if not _invert(program, basis, place, inverse, amounts, prices, column):
                return steps, STUCK
            since = 0
        enter = _find_gains(program, place, prices, gains)
        leave = amounts.argmin()
        if amounts[leave] >= -SIMPLEX_ZERO:
            leave = _NONE
        if leave == _NONE and enter == _NONE:
            if since == 0 or steps == 0:
                break
            since = _STEPS_BETWEEN_INVERSIONS  # look again with fresh numbers
            steps += 1
            if steps > 60 * (rows + columns):
                return steps, STUCK
            continue
        if steps == 0 and enter != _NONE:
            if leave != _NONE:
                return steps, LOST
            is_dual = False
        if leave != _NONE and (is_dual or enter == _NONE):
            enter = _entering(program, place, inverse[leave], gains)
            if enter == _NONE:
                return steps, INFEASIBLE
            _direction(program, enter, inverse, column)
        elif enter != _NONE:
            _direction(program, enter, inverse, column)
            leave = _leaving(column, amounts)
            if leave == _NONE:
                return steps, UNBOUNDED
        _step(basis, place, amounts, column, leave, enter)
        _pivot(inverse, column, leave)
        for q in range(rows):
            prices[q] += gains[enter] * inverse[leave, q]
        steps += 1
        since += 1
        if steps > 60 * (rows + columns):
            return steps, STUCK
    _let_nothing_gain(program, prices)
    return steps, OPTIMAL


@Kernel
def _let_nothing_gain(program, prices):
    """Raise prices as far as rounding has left columns with gains."""
    coefficients, worth = program.coefficients, program.worth
    starts, row = program.shape.starts, program.shape.row
    for r in range(len(prices)):
        prices[r] = max(prices[r], 0.0)
    for c in range(program.shape.keyed):
        gain = worth[c]
        for e in range(starts[c], starts[c + 1]):
            gain -= prices[row[e]] * coefficients[e]
        if gain > 0.0:
            prices[row[starts[c]]] += gain / coefficients[starts[c]]


@Kernel
def _find_gains(program, place, prices, gains):
    """What each column outside the basis gains for each unit; returns the one that gains most, if
    any does.
    """
    coefficients, worth = program.coefficients, program.worth
    starts, row = program.shape.starts, program.shape.row
    columns = len(worth)
    most, best = SIMPLEX_ZERO, _NONE
    for c in range(columns):
        if place[c] == _NONE:
            gain = worth[c]
            for e in range(starts[c], starts[c + 1]):
                gain -= prices[row[e]] * coefficients[e]
            gains[c] = gain
            if gain > most:
                most, best = gain, c
    for q in range(len(prices)):
        if place[columns + q] == _NONE:
            gains[columns + q] = -prices[q]
            if -prices[q] > most:
                most, best = -prices[q], columns + q
    return best


@Kernel
def _entering(program, place, line, gains):
    """The column that enters in place of a negative amount: the first whose gain becomes 0."""
    coefficients, worth = program.coefficients, program.worth
    starts, row = program.shape.starts, program.shape.row
    columns = len(worth)
    most = np.inf
    for turn in range(2):
        # First the longest step, then the largest pivot within it.
        best, size = _NONE, SIMPLEX_ZERO
        for c in range(columns + len(line)):
            if place[c] == _NONE:
                if c >= columns:
                    pivot = -line[c - columns]
                else:
                    pivot = 0.0
                    for e in range(starts[c], starts[c + 1]):
                        pivot -= line[row[e]] * coefficients[e]
                if pivot > SIMPLEX_ZERO:
                    loss = max(-gains[c], 0.0)
                    if turn == 0:
                        most = min(most, (loss + SIMPLEX_ZERO) / pivot)
                    elif pivot > size and loss <= most * pivot:
                        best, size = c, pivot
    return best


@Kernel
def _leaving(column, amounts):
    """The row whose amount becomes 0 first as a column enters."""
    most = np.inf
    for r in range(len(column)):
        if column[r] > SIMPLEX_ZERO:
            most = min(most, (max(amounts[r], 0.0) + SIMPLEX_ZERO) / column[r])
    best, size = _NONE, SIMPLEX_ZERO
    for r in range(len(column)):
        if column[r] > size and max(amounts[r], 0.0) <= most * column[r]:
            best, size = r, column[r]
    return best


@Kernel
def _step(basis, place, amounts, column, leave, enter):
    """Exchange a column of the basis."""
    step = amounts[leave] / column[leave]
    for r in range(len(basis)):
        amounts[r] -= step * column[r]
    amounts[leave] = step
    place[basis[leave]] = _NONE
    place[enter] = leave
    basis[leave] = enter


@Kernel
def _direction(program, c, inverse, column):
    """By how much the amounts of the basis fall for each unit of a column."""
    coefficients, worth = program.coefficients, program.worth
    starts, row = program.shape.starts, program.shape.row
    if c >= len(worth):
        for r in range(len(column)):
            column[r] = inverse[r, c - len(worth)]
    else:
        for r in range(len(column)):
            total = 0.0
            for e in range(starts[c], starts[c + 1]):
                total += coefficients[e] * inverse[r, row[e]]
            column[r] = total


@Kernel
def _pivot(inverse, column, leave):
    """Let a column with this direction take the place of another in the inverse."""
    rows = len(column)
    for q in range(rows):
        inverse[leave, q] /= column[leave]
    for r in range(rows):
        if r != leave and column[r] != 0.0:
            for q in range(rows):
                inverse[r, q] -= column[r] * inverse[leave, q]


@Kernel
def _invert(program, basis, place, inverse, amounts, prices, column):
    """Compute inverse, amounts and prices of a basis again; the order of its columns may change.

    Returns whether it has an inverse. Columns come in one after the other, each in the free row
    where its pivot is largest; that is quick since most columns have few coefficients.
    """
    worth, right = program.worth, program.right
    rows, columns = len(basis), len(worth)
    inverse[:] = 0.0
    free = np.ones(rows, np.bool_)
    chosen = basis.copy()
    for r in range(rows):
        inverse[r, r] = 1.0
        if chosen[r] >= columns:
            slack = chosen[r] - columns
            free[slack] = False
            basis[slack] = chosen[r]
            place[chosen[r]] = slack
    for k in range(rows):
        c = chosen[k]
        if c < columns:
            _direction(program, c, inverse, column)
            at, size = _NONE, SIMPLEX_ZERO
            for r in range(rows):
                if free[r] and abs(column[r]) > size:
                    at, size = r, abs(column[r])
            if at == _NONE:
                return False
            _pivot(inverse, column, at)
            free[at] = False
            basis[at] = c
            place[c] = at
    prices[:] = 0.0
    for r in range(rows):
        total = 0.0
        for q in range(rows):
            total += inverse[r, q] * right[q]
        amounts[r] = total
        if basis[r] < columns:
            for q in range(rows):
                prices[q] += worth[basis[r]] * inverse[r, q]
    return True
