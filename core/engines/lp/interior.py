"""Linear programs over the steps of a day, with shares that may start at any of them, by an
interior point method that knows this.

Rows and columns couple neighbouring steps, but for a few rows about all of them. Beside them are
shares: columns in groups, of each of which the shares are 1 in sum, and which reach a few rows of
any step. So the equations of a step of the method are a band with a border (`bordered.py`), and
take milliseconds. Duals stay in the middle, and shares may join after any step.

The method is Mehrotra's, with the corrections of Gondzio. What it ends with is near the optimum;
whoever needs a proof takes the duals and proves anew.
"""

# Numba infers the types of the kernel that it compiles:
# mypy: allow-untyped-defs

from typing import Final, NamedTuple

import numpy as np
from scipy import sparse

from core.engines.compute.compiled import Kernel
from core.engines.lp.bordered import BorderedBand, Shares
from core.engines.lp.program import SolverFailed, SparseMatrix
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.tolerances import SAME

_INWARD: Final = 0.995
"""So far towards the nearest limit is a step."""
_CORRECTIONS: Final = 4
"""As many at most, found by trial with days of `benchmarks/centre_day.py`, as are the next two."""
_REACH: Final = 0.3
"""Corrections want steps that are longer by this."""
_NEAR: Final = 0.1
"""Products of pairs are kept between this share of what they should be and its inverse."""
_APART: Final = 0.1
"""So far from 0 duals are at first, in units of the largest cost."""
_BLENDS: Final = (1.0, 0.75, 0.5, 0.25, 0.1)
"""Parts of a correction that are tried."""
_DENSE: Final = 32
"""A column with more entries than this in rows of steps makes them rows of the border."""
_SHORTEST: Final = 1e-8


class BoundedColumns(NamedTuple):
    """Columns of a sparse matrix of scipy between two finite bounds, with what a unit costs."""

    matrix: SparseMatrix
    costs: FloatArray
    lower: FloatArray
    upper: FloatArray


class StagedRows(NamedTuple):
    """Rows between `lower` and `upper`, of which one is infinite or both are equal. Row r is about
    step `stage[r]`, or, if that is negative, about all; shares reach it with about `reach[r]` each,
    or not, if that is 0.
    """

    lower: FloatArray
    upper: FloatArray
    stage: IntArray
    reach: FloatArray


class _Change(NamedTuple):
    """What is added to amounts, duals of rows and duals of limits."""

    amounts: FloatArray
    rows: FloatArray
    limits: FloatArray


class SharesProgram:
    """Minimises the costs of columns and of shares, of which each group g
    has `counts[g]` in all.

    Inside, columns go from 0 to 1, rows have the sign and scale that make them at most something,
    and shares are those of a group. `_amounts` are what bounded columns are from their upper end,
    then all columns from their lower, slacks of rows, and shares; each has a dual in `_limits`.
    """

    def __init__(
        self, columns: BoundedColumns, rows: StagedRows, counts: FloatArray, dearest: float
    ) -> None:
        """`dearest` is about what a group of shares costs that costs most."""
        matrix, costs, lower, upper = columns
        self._lower, self._width, self._all_costs = lower.copy(), upper - lower, costs
        self._columns = matrix.tocsc()
        self._given = self._give(matrix, rows)
        self._free = np.flatnonzero(self._width > 0)
        has_entries = np.diff(matrix[:, self._free].tocsr().indptr) > 0
        has_sides = np.isfinite(rows.lower) | np.isfinite(rows.upper)
        kept = np.flatnonzero(has_sides & (has_entries | (rows.reach > 0)))
        self._rows, self._inner, always = _ordered(matrix[kept][:, self._free], kept, rows)
        self._place = np.full(len(rows.stage), -1)
        self._place[self._rows] = np.arange(len(self._rows))
        below = np.isfinite(rows.upper)
        part = matrix[self._rows][:, self._free] @ sparse.diags(self._width[self._free])
        size = np.maximum(abs(part).max(axis=1).toarray().ravel(), rows.reach[self._rows])
        self._scale = np.where(below, 1.0, -1.0)[self._rows] / np.maximum(size, SAME)
        side = np.where(below, rows.upper, rows.lower) - matrix @ self._lower
        self._counts, groups = counts, len(counts)
        self._side = np.append(side[self._rows] * self._scale, np.ones(groups))
        self._slack = np.flatnonzero((rows.lower != rows.upper)[self._rows])
        slacks = sparse.identity(len(self._rows), format="csc")[:, self._slack]
        scaled = sparse.hstack([sparse.diags(self._scale) @ part, slacks])
        self._matrix = scaled.tocsr()
        self._transposed = scaled.T.tocsr()
        self._normal = BorderedBand(scaled, self._inner, always)
        own = costs[self._free] * self._width[self._free]
        self._unit = max(float(np.abs(own).max(initial=0.0)), dearest, SAME)
        self._constant = float(costs @ self._lower)
        self._bounded, self._fixed = len(own), scaled.shape[1]
        self._costs = np.append(own, np.zeros(len(self._slack))) / self._unit
        self._amounts = self._limits = np.zeros(0)
        self._duals = np.zeros(0)
        self._take(np.zeros(0, np.int64), np.zeros((1, 0), np.int64), np.zeros((1, 0)))

    def _give(self, matrix: SparseMatrix, rows: StagedRows) -> list[tuple[int, int, float]]:
        """Columns with a value that a row gives alone, with the row and its entry there: without
        them, there would be nothing in the middle. They are taken as given, in this order.
        """
        lines, found = matrix.tocsr(), []
        left = lines.copy()
        left.data = (self._width > 0)[left.indices].astype(float)
        count = np.asarray(left.sum(axis=1)).ravel()
        alone = (rows.lower == rows.upper) & (rows.reach == 0)
        ahead = np.flatnonzero(alone & (count == 1)).tolist()
        while ahead:
            row = ahead.pop()
            there = slice(lines.indptr[row], lines.indptr[row + 1])
            columns, entries = lines.indices[there], lines.data[there]
            place = int(np.argmax(self._width[columns] > 0))
            column, entry = int(columns[place]), float(entries[place])
            if not self._width[column] > 0:
                continue
            rest = entries @ self._lower[columns] - entry * self._lower[column]
            self._lower[column] = (rows.lower[row] - rest) / entry
            self._width[column] = 0.0
            found.append((row, column, entry))
            touched = self._columns.indices[slice(*self._columns.indptr[column : column + 2])]
            count[touched] -= 1
            ahead += touched[alone[touched] & (count[touched] == 1)].tolist()
        return found

    def add(self, group: IntArray, rows: IntArray, values: FloatArray, costs: FloatArray) -> None:
        """Let shares join: of each a column of rows, of values for all of its group in these, and
        what all of its group costs.
        """
        place = self._place[rows]
        values = np.where(place < 0, 0.0, values * self._scale[place])
        place = np.where(place < 0, 0, place - self._inner)
        self._costs = np.append(self._costs, costs / self._unit)
        if len(self._duals):
            reduced = costs / self._unit - self._duals[len(self._rows) + group]
            reduced -= (values * self._duals[self._inner + place]).sum(axis=0)
            # Those that gain have a dual of the wrong sign: the next steps mend that.
            middle = self._apart
            limits = np.maximum(np.abs(reduced), _NEAR * np.sqrt(middle))
            self._limits = np.append(self._limits, limits)
            self._amounts = np.append(self._amounts, middle / limits)
        if len(self._shares.group):
            group = np.append(self._shares.group, group)
            place = np.concatenate([self._shares.rows, place], axis=1)
            values = np.concatenate([self._shares.values, values], axis=1)
        self._take(group, place, values)

    def _take(self, group: IntArray, rows: IntArray, values: FloatArray) -> None:
        order = np.argsort(group, kind="stable")
        first = np.searchsorted(group[order], np.arange(len(self._counts) + 1))
        self._shares = Shares(group, rows, values, order, first)

    def step(self) -> None:
        """Come nearer to the optimum. Raises `SolverFailed` if that goes no further."""
        with np.errstate(all="ignore"):
            if not len(self._duals):
                self._begin()
            self._step()

    def _step(self) -> None:
        amounts, limits, some = self._amounts, self._limits, self._bounded
        below = 1 - amounts[some : 2 * some] - amounts[:some]
        missing = self._side - self._times(amounts[some:])
        unpriced = self._costs - self._priced(self._duals) - limits[some:]
        unpriced[:some] += limits[:some]
        weights = limits[some:] / amounts[some:]
        weights[:some] += limits[:some] / amounts[:some]
        self._weights = 1 / weights
        share = self._weights[self._fixed :]
        self._sums = np.bincount(self._shares.group, share, len(self._counts))
        self._normal.factor(self._weights[: self._fixed], self._shares, share)
        middle = self._apart
        change = self._solved(missing, unpriced, below, -amounts * limits)
        after = self._product(change, *self._far(change)).mean()
        aim = middle * min(after / middle, 1.0) ** 2
        none = np.zeros(len(missing)), np.zeros(len(unpriced)), np.zeros(some)
        change, far = self._blended(
            change, self._solved(*none, aim - change.amounts * change.limits)
        )
        for _ in range(_CORRECTIONS):
            product = self._product(change, *(min(1.0, one + _REACH) for one in far))
            wrong = np.clip(product, _NEAR * aim, aim / _NEAR) - product
            fix = self._solved(*none, np.maximum(wrong, -aim / _NEAR))
            further, longer = self._blended(change, fix)
            if sum(longer) < sum(far) + _NEAR * _REACH:
                break
            change, far = further, longer
        if min(far) < _SHORTEST or not np.isfinite(change.rows).all():
            raise SolverFailed("an interior point method lost its way")
        first, second = (min(1.0, _INWARD * one) for one in far)
        self._amounts = amounts + first * change.amounts
        self._duals = self._duals + second * change.rows
        self._limits = limits + second * change.limits

    @property
    def objective(self) -> float:
        """What columns and shares cost."""
        return float(self._costs @ self._amounts[self._bounded :]) * self._unit + self._constant

    @property
    def off(self) -> float:
        """By how much the row that is kept worst is not: a share of what is in it."""
        missing = self._side - self._times(self._amounts[self._bounded :])
        return float(np.abs(missing).max(initial=0.0))

    @property
    def duals(self) -> FloatArray:
        """By how much the objective rises for each unit of a row's bound."""
        found = np.zeros(len(self._place))
        found[self._rows] = self._duals[: len(self._rows)] * self._scale * self._unit
        for row, column, entry in reversed(self._given):
            there = slice(*self._columns.indptr[column : column + 2])
            worth = found[self._columns.indices[there]] @ self._columns.data[there]
            found[row] = (self._all_costs[column] - worth) / entry
        return found

    @property
    def values(self) -> FloatArray:
        """The value of each column."""
        found = self._lower.copy()
        own = self._amounts[self._bounded : 2 * self._bounded]
        found[self._free] += own * self._width[self._free]
        return found

    @property
    def shares(self) -> FloatArray:
        """The amount of each share, as they were added."""
        own = self._amounts[self._bounded + self._fixed :]
        return np.asarray(own * self._counts[self._shares.group])

    def _begin(self) -> None:
        """In the middle, with duals that are all possible."""
        some, group = self._bounded, self._shares.group
        amounts = np.ones(self._fixed + len(group))
        amounts[:some] = 0.5
        amounts[self._fixed :] /= np.bincount(group, minlength=len(self._counts))[group]
        duals = np.zeros(len(self._side))
        duals[self._slack] = -_APART
        limits = self._costs - self._priced(duals)
        least = np.full(len(self._counts), np.inf)
        np.minimum.at(least, group, limits[self._fixed :])
        duals[len(self._rows) :] = least - _APART
        limits[self._fixed :] -= duals[len(self._rows) :][group]
        upper = np.maximum(-limits[:some], 0.0) + _APART
        limits[:some] = np.maximum(limits[:some], 0.0) + _APART
        self._amounts, self._limits = np.append(amounts[:some], amounts), np.append(upper, limits)
        self._duals = duals

    @property
    def _apart(self) -> float:
        """The mean product of an amount and its dual, which goes to 0."""
        return float((self._amounts * self._limits).mean())

    def _times(self, amounts: FloatArray) -> FloatArray:
        """What is in all rows, then in all groups."""
        shares = amounts[self._fixed :]
        rows = self._matrix @ amounts[: self._fixed]
        rows[self._inner :] += self._in_border(shares)
        return np.append(rows, np.bincount(self._shares.group, shares, len(self._counts)))

    def _priced(self, duals: FloatArray) -> FloatArray:
        """What the rows of all columns and shares are worth at duals."""
        rows = duals[: len(self._rows)]
        shares = self._of_shares(rows[self._inner :]) + duals[len(rows) :][self._shares.group]
        return np.append(self._transposed @ rows, shares)

    def _in_border(self, shares: FloatArray) -> FloatArray:
        """What shares are in the rows of the border."""
        _, rows, values, *_ = self._shares
        each = values * shares
        found = np.bincount(rows.ravel(), each.ravel(), len(self._rows) - self._inner)
        return np.asarray(found, float)

    def _of_shares(self, border: FloatArray) -> FloatArray:
        """What the rows of the border are worth for each share."""
        return np.asarray((self._shares.values * border[self._shares.rows]).sum(axis=0))

    def _far(self, change: _Change, fix: _Change | None = None, part: float = 0.0) -> list[float]:
        """How much of a change, and of a part of another, leaves amounts and limits positive."""
        other = fix or change
        return [
            _longest(self._amounts, change.amounts, part, other.amounts),
            _longest(self._limits, change.limits, part, other.limits),
        ]

    def _product(self, change: _Change, first: float, second: float) -> FloatArray:
        """The products of pairs after so much of a change."""
        amounts = self._amounts + first * change.amounts
        return np.asarray(amounts * (self._limits + second * change.limits))

    def _blended(self, change: _Change, fix: _Change) -> tuple[_Change, list[float]]:
        """A change with that part of a fix that leaves most of both, and how much that is."""
        tried = [self._far(change, fix, part) for part in _BLENDS]
        (first, of_amounts), (second, of_limits) = (
            max(zip(one, _BLENDS, strict=True)) for one in zip(*tried, strict=True)
        )
        return (
            _Change(
                change.amounts + of_amounts * fix.amounts,
                change.rows + of_limits * fix.rows,
                change.limits + of_limits * fix.limits,
            ),
            [first, second],
        )

    def _solved(
        self, missing: FloatArray, unpriced: FloatArray, below: FloatArray, product: FloatArray
    ) -> _Change:
        """The change that brings so much to rows, to costs and to what columns are below their
        upper end, and to the product of each pair.
        """
        some, rows, group = self._bounded, len(self._rows), self._shares.group
        part = product / self._amounts
        costs = unpriced - part[some:]
        costs[:some] += part[:some] - self._limits[:some] * below / self._amounts[:some]
        right = missing + self._times(self._weights * costs)
        share, of_groups = self._weights[self._fixed :], right[rows:] / self._sums
        right[self._inner : rows] -= self._in_border(share * of_groups[group])
        found = self._normal.solve(right[:rows])
        reached = share * self._of_shares(found[self._inner :])
        of_groups -= np.bincount(group, reached, len(self._counts)) / self._sums
        duals = np.append(found, of_groups)
        own = self._weights * (self._priced(duals) - costs)
        amounts = np.append(below - own[:some], own)
        return _Change(amounts, duals, part - self._limits / self._amounts * amounts)


def _ordered(matrix: SparseMatrix, kept: IntArray, rows: StagedRows) -> tuple[IntArray, int, int]:
    """The rows that are kept, in order; how many of them are no border, and how many of the border
    are about all steps. Within a step, those that are coupled with earlier ones come last.
    """
    stage = rows.stage[kept]
    in_border = (rows.reach[kept] > 0) | (stage < 0)
    columns = matrix.tocsc()
    dense = np.flatnonzero(np.diff(columns[~in_border].tocsc().indptr) > _DENSE)
    in_border[columns[:, dense].indices] = True
    some = np.flatnonzero(np.diff(columns.indptr))
    first = np.zeros(columns.shape[1], np.int64)
    # Rows of the border are about any step.
    known = np.where(in_border, len(stage), stage)
    first[some] = np.minimum.reduceat(known[columns.indices], columns.indptr[some])
    lines = matrix.tocsr()
    earliest, some = stage.copy(), np.flatnonzero(np.diff(lines.indptr))
    earliest[some] = np.minimum.reduceat(first[lines.indices], lines.indptr[some])
    order = np.lexsort((earliest < stage, stage, in_border))
    inner = len(kept) - int(in_border.sum())
    return kept[order], inner, int((stage[order][inner:] < 0).sum())


@Kernel
def _longest(values, change, part, other):
    """How much of a change and a part of another leaves values positive, 1 at most."""
    least = 1.0
    for place in range(len(values)):
        by = change[place] + part * other[place]
        if by < 0.0:
            least = min(least, -values[place] / by)
    return least
