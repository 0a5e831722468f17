"""The simplex method for small programs, from their last optimal basis.

maximise    worth x
subject to  A x <= right,  x >= 0
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final, NamedTuple

import numpy as np

from core.engines.compute.compiled import Kernel
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.tolerances import SIMPLEX_ZERO, SOLVED_ZERO

OPTIMAL: Final = 0
STUCK: Final = 1
INFEASIBLE: Final = 2
UNBOUNDED: Final = 3
LOST: Final = 4
"""A basis that neither fits nor proves anything."""

_STEPS_BETWEEN_INVERSIONS = 50
_NONE = -1
_OUT = -2
"""The place of a column that must stay out of the basis."""


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


class OneProgram(NamedTuple):
    """One of the programs."""

    shape: Shape
    coefficients: FloatArray
    worth: FloatArray
    right: FloatArray


@Kernel
def take(basis, amounts, worth, x):
    """Write the amounts of a basis to x; returns what they earn."""
    x[:] = 0.0
    total = 0.0
    for r in range(len(basis)):
        if basis[r] < len(x) and amounts[r] > 0.0:
            x[basis[r]] = amounts[r]
            total += worth[basis[r]] * amounts[r]
    return total


@Kernel
def settle(program, then, state, prices, x):
    """Go to that of all optima that earns most by one further criterion after the other; returns
    the steps.

    A column outside the basis that would lose stays out: then nothing that follows earns less.
    """
    basis, inverse, amounts, place = state
    gains = np.empty(len(place))
    prices = prices.copy()
    steps = 0
    for criterion in range(len(then)):
        _find_gains(program, place, prices, gains)
        for c in range(len(place)):
            if place[c] == _NONE and gains[c] < -SOLVED_ZERO:
                place[c] = _OUT
        program = OneProgram(program.shape, program.coefficients, then[criterion], program.right)
        some, state = _go_on(program, basis, inverse, amounts, place, prices)
        steps += some
        if state != OPTIMAL:
            break  # what was there is an optimum, too
        take(basis, amounts, program.worth, x)
    return steps


@Kernel
def solve(program, basis, inverse, amounts, place, prices):
    """Go from a basis to an optimal one where any column may enter; returns (steps, state). `place`
    is filled: the row of each column of the basis.
    """
    place[:] = _NONE
    for r in range(len(basis)):
        place[basis[r]] = r
    return _go_on(program, basis, inverse, amounts, place, prices)


@Kernel
def _go_on(program, basis, inverse, amounts, place, prices):
    """Go from a basis to an optimal one; returns (steps, state). `place` has the row of each column
    of the basis; others may enter where it is `_NONE`.

    While prices prove a bound, the dual simplex removes negative amounts. Otherwise the primal
    simplex removes columns that would gain.
    """
    worth = program.worth
    rows, columns = len(basis), len(worth)
    gains = np.empty(columns + rows)
    column = np.empty(rows)
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
    return steps, OPTIMAL


@Kernel
def let_nothing_gain(program, prices):
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
