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

from core.engines.compute.compiled import Kernel
from core.engines.lp.program import SolverFailed
from core.engines.lp.simplex import (
    INFEASIBLE,
    LOST,
    OPTIMAL,
    STUCK,
    UNBOUNDED,
    OneProgram,
    Shape,
    let_nothing_gain,
    settle,
    solve,
    take,
)
from core.vocabulary.arrays import FloatArray

_WHY: Final = {STUCK: "came to no end", INFEASIBLE: "is infeasible", UNBOUNDED: "is unbounded"}
_AT_ONCE: Final = 256
"""Programs that a thread solves before it takes others."""


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
        # Arrays of one layout: for others, everything would be compiled again.
        self.coefficients = np.ascontiguousarray(coefficients)
        self.worth = np.ascontiguousarray(worth)
        slacks = shape.columns + np.arange(shape.rows, dtype=np.int32)
        self.bases: npt.NDArray[np.int32] = np.tile(slacks, (len(worth), 1))

    def maximise(
        self, right: FloatArray, *, then: FloatArray | None = None, threads: int | None = None
    ) -> Maxima:
        """The optima for these right-hand sides, a line a program. Raises `SolverFailed`.

        Of x that earn the same, any may come back. With `then` (programs x criteria x columns), it
        is the one that earns most by the first further criterion; of those, by the next, and so on.
        """
        count, right = len(self.worth), np.ascontiguousarray(right)
        if then is None:
            then = np.empty((count, 0, self.shape.columns))
        then = np.ascontiguousarray(then)
        optima = Maxima(
            np.empty(count),
            np.empty((count, self.shape.rows)),
            np.empty((count, self.shape.columns)),
            0,
        )

        def solve_from(first: int) -> tuple[int, int]:
            part = slice(first, first + _AT_ONCE)
            steps, state = _solve_each(
                self.shape,
                (self.coefficients[part], self.worth[part], right[part], then[part]),
                self.bases[part],
                (optima.values[part], optima.prices[part], optima.x[part]),
            )
            return int(steps), int(state)

        firsts = range(0, count, _AT_ONCE)
        threads = min(threads or os.cpu_count() or 1, len(firsts))
        if threads <= 1:
            told = list(map(solve_from, firsts))
        else:
            with ThreadPoolExecutor(threads) as pool:
                told = list(pool.map(solve_from, firsts))
        for _, state in told:
            if state != OPTIMAL:
                raise SolverFailed(f"a small program {_WHY[state]}")
        return optima._replace(steps=sum(steps for steps, _ in told))


@Kernel
def _solve_each(shape, given, bases, found):
    """Solve all programs that are `given`; returns (steps, state of the first that fails)."""
    coefficients, worth, right, then = given
    values, prices, x = found
    rows, columns = right.shape[1], worth.shape[1]
    nothing = np.zeros(columns)
    inverse = np.empty((rows, rows))
    amounts = np.empty(rows)
    place = np.empty(columns + rows, np.int64)
    basis = np.empty(rows, bases.dtype)
    steps = 0
    for k in range(len(worth)):
        program = OneProgram(shape, coefficients[k], worth[k], right[k])
        for turn in range(2):
            if turn == 1:
                # Rounding may have led the last basis astray: begin anew.
                for r in range(rows):
                    bases[k, r] = columns + r
            some, state = solve(program, bases[k], inverse, amounts, place, prices[k])
            steps += some
            if state == LOST:
                # Any x that fits, by prices of 0, and from there the best.
                start = OneProgram(shape, coefficients[k], nothing, right[k])
                some, state = solve(start, bases[k], inverse, amounts, place, prices[k])
                steps += some
                if state == OPTIMAL:
                    some, state = solve(program, bases[k], inverse, amounts, place, prices[k])
                    steps += some
            if state == OPTIMAL:
                break
        if state != OPTIMAL:
            return steps, state
        values[k] = take(bases[k], amounts, worth[k], x[k])
        if then.shape[1]:
            basis[:] = bases[k]
            found_at = (basis, inverse, amounts, place)
            steps += settle(program, then[k], found_at, prices[k], x[k])
        let_nothing_gain(program, prices[k])
    return steps, OPTIMAL
