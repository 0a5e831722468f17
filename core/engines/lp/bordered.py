"""Matrices that are a band with a border, and their factors.

Rows in order of time are coupled with few neighbours, all but the last ones, the border, which any
row may reach. Such a matrix is the sum over columns of an outer product of each, times its weight.
Factors keep the band a band; what the border gets from it is a triangle for rows that are coupled
with all before them, and next to nothing for others.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final, NamedTuple

import numpy as np

from core.engines.compute.compiled import Kernel
from core.engines.lp.program import SparseMatrix
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.tolerances import DIFFERENCE_ROUNDING

_NOWHERE: Final = 1e60
"""A pivot of this size leaves a row that follows from others alone."""


class Shares(NamedTuple):
    """Columns in groups: share i is one of group `group[i]` and has `values[:, i]` in the rows
    `rows[:, i]` of the border; those of group g are `order[first[g]:first[g + 1]]`.
    """

    group: IntArray
    rows: IntArray
    values: FloatArray
    order: IntArray
    first: IntArray


class BorderedBand:
    """Sums of outer products of weighted columns, less for each group of shares the product of
    their weighted sum, divided by the sum of their weights; factored for solving.

    The border is all rows from `inner` on; its first `always` rows are coupled with any others.
    """

    def __init__(self, columns: SparseMatrix, inner: int, always: int) -> None:
        columns = columns.tocsc()
        columns.sort_indices()
        self._columns = columns.indptr, columns.indices, columns.data
        self._inner, self._always = inner, always
        within = columns[:inner].tocsc()
        within.sort_indices()
        some = np.flatnonzero(np.diff(within.indptr))
        first, last = (
            within.indices[within.indptr[some]],
            within.indices[within.indptr[some + 1] - 1],
        )
        width, border = int((last - first).max(initial=0)), columns.shape[0] - inner
        self._band, self._beside = np.empty((inner, width + 1)), np.empty((inner, border))
        self._corner = np.empty((border, border))
        self._range = np.empty((2, inner), np.int64)

    def factor(self, weights: FloatArray, shares: Shares, of_shares: FloatArray) -> None:
        """Make the factors for these weights of the columns, and of the shares."""
        for each in (self._band, self._beside, self._corner):
            each.fill(0.0)
        _put(self._columns, weights, self._inner, self._band, self._beside, self._corner)
        _put_shares(*shares[1:], of_shares, self._corner)
        _eliminate(self._band, self._beside, self._always, self._range, self._corner)

    def solve(self, right: FloatArray) -> FloatArray:
        """What the matrix, times it, is `right`."""
        found = right.copy()
        _solve(self._band, self._beside, self._always, self._range, self._corner, found)
        return found


@Kernel
def _put(columns, weights, inner, band, beside, corner):
    """Add the product of each column; its rows ascend. Of the corner, the upper triangle."""
    begins, rows, values = columns
    width = band.shape[1] - 1
    for column in range(len(begins) - 1):
        for a in range(begins[column], begins[column + 1]):
            high, weighted = rows[a], weights[column] * values[a]
            for b in range(begins[column], a + 1):
                low, value = rows[b], weighted * values[b]
                if high < inner:
                    band[high, width - (high - low)] += value
                elif low < inner:
                    beside[low, high - inner] += value
                else:
                    corner[low - inner, high - inner] += value


@Kernel
def _put_shares(rows, values, order, first, weights, corner):
    """Add the product of each share to the upper triangle, and subtract that of each group."""
    line, touched = np.zeros(len(corner)), np.zeros(len(corner), np.int64)
    is_touched = np.zeros(len(corner), np.bool_)
    for group in range(len(first) - 1):
        many, total = 0, 0.0
        for place in range(first[group], first[group + 1]):
            share = order[place]
            total += weights[share]
            for a in range(len(rows)):
                row, weighted = rows[a, share], weights[share] * values[a, share]
                if weighted == 0.0:
                    continue
                if not is_touched[row]:
                    is_touched[row] = True
                    touched[many] = row
                    many += 1
                line[row] += weighted
                for b in range(len(rows)):
                    if rows[b, share] >= row:
                        corner[row, rows[b, share]] += weighted * values[b, share]
        some = np.sort(touched[:many])
        for a in range(many):
            part = line[some[a]] / total
            for b in range(a, many):
                corner[some[a], some[b]] -= part * line[some[b]]
        for row in some:
            line[row] = 0.0
            is_touched[row] = False


@Kernel
def _eliminate(band, beside, always, ranges, corner):
    """The factor of Cholesky of the whole, in place; of the corner, transposed. Outside the first
    `always` columns, a row of the border part is 0 but in a range.
    """
    width, size = band.shape[1] - 1, len(corner)
    begins, ends = ranges
    wholes = np.diag(corner).copy()
    for row in range(len(band)):
        begin, end, low = size, always, max(0, row - width)
        for k in range(always, size):
            if beside[row, k] != 0.0:
                begin, end = min(begin, k), k + 1
        for column in range(low, row + 1):
            value = band[row, width - row + column]
            for k in range(max(low, column - width), column):
                value -= band[row, width - row + k] * band[column, width - column + k]
            if column == row:
                whole = band[row, width]
                value = np.sqrt(value) if value > DIFFERENCE_ROUNDING * whole else _NOWHERE
            elif value != 0.0:
                value /= band[column, width]
                for k in range(always):
                    beside[row, k] -= value * beside[column, k]
                for k in range(begins[column], ends[column]):
                    beside[row, k] -= value * beside[column, k]
                begin, end = min(begin, begins[column]), max(end, ends[column])
            band[row, width - row + column] = value
        begins[row], ends[row] = begin, end
        beside[row, :always] /= value
        beside[row, begin:end] /= value
        for a in range(always):
            value = beside[row, a]
            for b in range(a, always):
                corner[a, b] -= value * beside[row, b]
            for b in range(begin, end):
                corner[a, b] -= value * beside[row, b]
        for a in range(begin, end):
            value = beside[row, a]
            for b in range(a, end):
                corner[a, b] -= value * beside[row, b]
    for row in range(size):
        value = corner[row, row]
        value = np.sqrt(value) if value > DIFFERENCE_ROUNDING * wholes[row] else _NOWHERE
        corner[row, row] = value
        for k in range(row + 1, size):
            corner[row, k] /= value
        for a in range(row + 1, size):
            value = corner[row, a]
            if value != 0.0:
                for b in range(a, size):
                    corner[a, b] -= value * corner[row, b]


@Kernel
def _solve(band, beside, always, ranges, corner, right):
    """Solve with the factor, in place."""
    width, inner, size = band.shape[1] - 1, len(band), len(corner)
    border = right[inner:]
    begins, ends = ranges
    for row in range(inner):
        value = right[row]
        for column in range(max(0, row - width), row):
            value -= band[row, width - row + column] * right[column]
        value /= band[row, width]
        right[row] = value
        for k in range(always):
            border[k] -= beside[row, k] * value
        for k in range(begins[row], ends[row]):
            border[k] -= beside[row, k] * value
    for row in range(size):
        value = border[row] / corner[row, row]
        border[row] = value
        for k in range(row + 1, size):
            border[k] -= corner[row, k] * value
    for row in range(size - 1, -1, -1):
        value = border[row]
        for k in range(row + 1, size):
            value -= corner[row, k] * border[k]
        border[row] = value / corner[row, row]
    for row in range(inner - 1, -1, -1):
        value = right[row]
        for k in range(always):
            value -= beside[row, k] * border[k]
        for k in range(begins[row], ends[row]):
            value -= beside[row, k] * border[k]
        value /= band[row, width]
        right[row] = value
        for column in range(max(0, row - width), row):
            right[column] -= band[row, width - row + column] * value
