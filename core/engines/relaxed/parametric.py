"""A parametric simplex that follows the optimum while the price of a second of makespan rises.

    minimise    sum_ij x_ij c_ij + p z        for every p from 0 on
    subject to  sum_j x_ij = 1                        each task type is done
                sum_i x_ij a_ij + s_j = z             no machine type works beyond the makespan
                x, s >= 0

At p = 0 the optimum is known: every task runs where it costs least. Then p rises to the next value
at which the reduced cost of a column becomes 0, and that column enters the basis, until there is no
such column. The last optimum holds for all greater p, so it has the least makespan. The optima on
the way are all vertices.

Each task type has one key column in the basis (generalised upper bounding). So the matrix to invert
has one row for each machine type, and a step takes (task types + machine types) x machine types
operations.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from core.engines.compute.compiled import InPlaceKernel, Kernel, brief
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.tolerances import (
    DIFFERENCE_ROUNDING,
    LEAST_KEY_SHARE,
    PERTURBATION,
    SIMPLEX_ZERO,
)

ARRIVED: Final = 0
GOING_ON: Final = 1
STUCK: Final = 2

_SLACK = -1
_MAKESPAN = -2
_NONE = -3
_STEPS_BETWEEN_INVERSIONS = 64
# A step that multiplies rows of the inverse by more than this loses digits: the basis is inverted
# again.
_MOST_MULTIPLE = 1e6


class Stretch(NamedTuple):
    """Consecutive optima, row by row; optimum k is one for `begin[k] <= p <= end[k]`.

    Task type i is on machine type `key[k, i]`, except for the share `share[k, r]` of task type
    `task[k, r]` (negative: none) on machine type `machine[k, r]`. At p the prices of the machine
    types are `fixed[k] + p rising[k]`.
    """

    begin: FloatArray
    end: FloatArray
    key: IntArray
    task: IntArray
    machine: IntArray
    share: FloatArray
    fixed: FloatArray
    rising: FloatArray

    @classmethod
    def joined(cls, stretches: Sequence["Stretch"]) -> "Stretch":
        """Some stretches as one, in their order."""
        return cls._make(np.concatenate(parts) for parts in zip(*stretches, strict=True))


class _Basis(NamedTuple):
    """The columns in the basis. `key[i]` is the machine type of the key column of task type i. Each
    other column r is task type `task[r]` on machine type `machine[r]`, or the waiting time of that
    machine type (`_SLACK`), or the makespan (`_MAKESPAN`); `inverse` is the inverse of these
    columns.

    `basic[i, j]` and `waiting[j]` say whether the column of a pair, or of a waiting time, is in the
    basis.
    """

    key: IntArray
    task: IntArray
    machine: IntArray
    inverse: FloatArray
    basic: BoolArray
    waiting: BoolArray


class _Values(NamedTuple):
    """What follows from a basis. Its column r has the share `share[r]` of its task type, and the
    key column of task type i has `key_share[i]`; both are at least 0 but for rounding. The price of
    a second of machine type j is `-fixed[j] - p rising[j]`. For each unit of the entering column
    the shares fall by `rate` and `key_rate`. `room` has space for one number a machine type.
    """

    share: FloatArray
    key_share: FloatArray
    fixed: FloatArray
    rising: FloatArray
    rate: FloatArray
    key_rate: FloatArray
    room: FloatArray


class ParametricSimplex:
    """The walk along the optima; `walk` does the next steps.

    `loads[i, j]` (a) and `costs[i, j]` (c) are infinite where impossible; their rows' least values
    should sum to about 1.
    """

    def __init__(self, loads: FloatArray, costs: FloatArray) -> None:
        tasks, machines = loads.shape
        possible = np.isfinite(costs) & np.isfinite(loads)
        self.loads = np.where(possible, loads, 1.0)
        costs = np.where(possible, costs, np.inf)
        # Costs above 1 change as if they were 1: otherwise the change of the largest would hide
        # differences near the optimum.
        random = PERTURBATION * np.random.default_rng(0).random(loads.shape)
        self.costs = costs + random * np.clip(np.abs(costs), 1 / tasks, 1.0)
        key = self.costs.argmin(axis=1)
        cheapest = np.arange(tasks), key
        work = np.bincount(key, weights=self.loads[cheapest])
        last = int(work.argmax())
        self.basis = _Basis(
            key,
            np.full(machines, _SLACK),
            np.arange(machines),
            np.eye(machines),
            np.zeros((tasks, machines), np.bool_),
            np.ones(machines, np.bool_),
        )
        self.basis.task[last] = _MAKESPAN
        self.basis.inverse[:, last] = -1.0
        self.basis.basic[cheapest] = True
        self.basis.waiting[last] = False
        self.price = 0.0
        self.steps = 0
        self.state = GOING_ON

    def walk(self, steps: int) -> Stretch:
        """The optima of the next `steps` steps; afterwards `state` says whether there are more."""
        tasks, machines = self.loads.shape
        found = Stretch(
            np.empty(steps),
            np.empty(steps),
            np.empty((steps, tasks), np.int32),
            np.empty((steps, machines), np.int32),
            np.empty((steps, machines), np.int32),
            np.empty((steps, machines)),
            np.empty((steps, machines)),
            np.empty((steps, machines)),
        )
        with brief(steps * self.loads.size):
            self.state, self.price, taken, recorded = _walk(
                steps, self.price, self.loads, self.costs, self.basis, found
            )
        self.steps += taken
        return Stretch._make(values[:recorded] for values in found)


@Kernel
def _walk(steps, price, loads, costs, basis, found):
    """The state at the end, the price there, the steps done, and the optima recorded, which are at
    most as many as the steps.
    """
    tasks, machines = loads.shape
    values = _Values(
        np.zeros(machines),
        np.zeros(tasks),
        np.zeros(machines),
        np.zeros(machines),
        np.zeros(machines),
        np.zeros(tasks),
        np.zeros(machines),
    )
    recorded = 0
    lossy = False
    for step in range(steps):
        if lossy or step % _STEPS_BETWEEN_INVERSIONS == 0:
            _invert(loads, basis)
        _find_values(loads, costs, basis, values)
        best, task, machine = _next_entering(price, loads, costs, basis, values)
        if best > price * (1.0 + DIFFERENCE_ROUNDING):
            _record(recorded, price, best, basis, values, found)
            recorded += 1
        if task == _NONE:
            return ARRIVED, best, step, recorded
        price = best
        _find_rates(task, machine, loads, basis, values)
        row, key_task = _leaving(basis, values)
        if row < 0 and key_task < 0:
            return STUCK, price, step, recorded
        if key_task >= 0:
            row = _row_of(key_task, basis)
            if row < 0:
                _change_only_key(key_task, machine, basis)
                continue
            _change_key(row, basis)
            _find_rates(task, machine, loads, basis, values)
        lossy = _pivot(task, machine, row, basis, values) > _MOST_MULTIPLE
    return GOING_ON, price, steps, recorded


@Kernel
def _find_values(loads, costs, basis, values):
    """Find shares and prices. Keys with little share change places with another column first."""
    key, task, machine, inverse, _, _ = basis
    share, key_share, room = values.share, values.key_share, values.room
    _find_shares(loads, key, task, inverse, room, share, key_share)
    changed = False
    for r in range(len(task)):
        if task[r] >= 0 and key_share[task[r]] < LEAST_KEY_SHARE * share[r]:
            _change_key(r, basis)
            key_share[task[r]] = share[r]
            changed = True
    if changed:
        _find_shares(loads, key, task, inverse, room, share, key_share)
    for r in range(len(task)):
        room[r] = 0.0
        if task[r] >= 0:
            room[r] = costs[task[r], machine[r]] - costs[task[r], key[task[r]]]
        elif task[r] == _MAKESPAN:
            for j in range(len(task)):
                values.rising[j] = inverse[r, j]
    values.fixed[:] = room @ inverse


@InPlaceKernel
def _next_entering(price, loads, costs, basis, values):
    """The next price at which a column enters the basis, and its task type (`_NONE` if there is no
    such column, `_SLACK` for a waiting time) and machine type.
    """
    key, _, _, _, basic, waiting = basis
    fixed, rising = values.fixed, values.rising
    tasks, machines = loads.shape
    best, task, machine = np.inf, _NONE, -1
    for j in range(machines):
        if not waiting[j] and rising[j] > SIMPLEX_ZERO:
            at = max(-fixed[j] / rising[j], price)
            if at < best:
                best, task, machine = at, _SLACK, j
    for i in range(tasks):
        k = key[i]
        key_fixed = fixed[k] * loads[i, k] - costs[i, k]
        key_rising = rising[k] * loads[i, k]
        for j in range(machines):
            slope = key_rising - rising[j] * loads[i, j]
            if slope < -SIMPLEX_ZERO:
                now = costs[i, j] + key_fixed - fixed[j] * loads[i, j]
                if now < -best * slope and not basic[i, j]:
                    best, task, machine = max(-now / slope, price), i, j
    return best, task, machine


@InPlaceKernel
def _record(row, begin, end, basis, values, found):
    """Write the optimum for prices from `begin` to `end` into this row."""
    found.begin[row] = begin
    found.end[row] = end
    for i in range(len(basis.key)):
        found.key[row, i] = basis.key[i]
    for r in range(len(basis.task)):
        found.task[row, r] = basis.task[r]
        found.machine[row, r] = basis.machine[r]
        found.share[row, r] = values.share[r]
        found.fixed[row, r] = -values.fixed[r]
        found.rising[row, r] = -values.rising[r]


@Kernel
def _find_rates(task, machine, loads, basis, values):
    """Find by how much all shares fall for each unit of this column that enters."""
    rate, key_rate = values.rate, values.key_rate
    _column(loads, basis.key, task, machine, values.room)
    rate[:] = basis.inverse @ values.room
    key_rate[:] = 0.0
    if task >= 0:
        key_rate[task] = -1.0
    for r in range(len(rate)):
        if basis.task[r] >= 0:
            key_rate[basis.task[r]] += rate[r]


@InPlaceKernel
def _leaving(basis, values):
    """The row of the column that leaves, or else the task type whose key does; both are -1 if none
    does. The ratio test has two passes: first the longest step, then the largest pivot within it.
    Negative shares count as 0.
    """
    task, share, key_share = basis.task, values.share, values.key_share
    rate, key_rate = values.rate, values.key_rate
    most = np.inf
    for r in range(len(task)):
        if task[r] != _MAKESPAN and rate[r] > SIMPLEX_ZERO:
            most = min(most, (max(share[r], 0.0) + SIMPLEX_ZERO) / rate[r])
    for i in range(len(key_rate)):
        if key_rate[i] < -SIMPLEX_ZERO:
            most = min(most, (max(key_share[i], 0.0) + SIMPLEX_ZERO) / -key_rate[i])
    row, key_task, pivot = -1, -1, SIMPLEX_ZERO
    for r in range(len(task)):
        if task[r] != _MAKESPAN and rate[r] > pivot and share[r] <= most * rate[r]:
            row, pivot = r, rate[r]
    for i in range(len(key_rate)):
        if key_rate[i] < -pivot and key_share[i] <= -most * key_rate[i]:
            row, key_task, pivot = -1, i, -key_rate[i]
    return row, key_task


@InPlaceKernel
def _row_of(task, basis):
    """The last column in the basis of a task type, besides its key; -1 if there is none."""
    row = -1
    for r in range(len(basis.task)):
        if basis.task[r] == task:
            row = r
    return row


@InPlaceKernel
def _change_only_key(task, machine, basis):
    """Let the entering column be the key of a task type of which no other is in the basis."""
    basis.basic[task, basis.key[task]] = False
    basis.key[task] = machine
    basis.basic[task, machine] = True


@InPlaceKernel
def _pivot(enter_task, enter_machine, row, basis, values):
    """Let a column enter in place of the one in a row. Returns by how many times rows of the
    inverse were added to others at most.
    """
    _, task, machine, inverse, basic, waiting = basis
    rate = values.rate
    if task[row] == _SLACK:
        waiting[machine[row]] = False
    else:
        basic[task[row], machine[row]] = False
    if enter_task == _SLACK:
        waiting[enter_machine] = True
    else:
        basic[enter_task, enter_machine] = True
    task[row] = enter_task
    machine[row] = enter_machine
    largest = 0.0
    for q in range(len(task)):
        inverse[row, q] /= rate[row]
    for r in range(len(task)):
        largest = max(largest, abs(rate[r]))
        if r != row and rate[r] != 0.0:
            for q in range(len(task)):
                inverse[r, q] -= rate[r] * inverse[row, q]
    return largest


@Kernel
def _find_shares(loads, key, task, inverse, used, share, key_share):
    """The share of its task type that each column of the basis has; `used` is scratch space."""
    used[:] = 0.0
    for i in range(len(key)):
        used[key[i]] -= loads[i, key[i]]
        key_share[i] = 1.0
    share[:] = inverse @ used
    for r in range(len(task)):
        if task[r] >= 0:
            key_share[task[r]] -= share[r]


@InPlaceKernel
def _change_key(row, basis):
    """Exchange the column in this row with its task type's key."""
    key, task, machine, inverse, _, _ = basis
    for r in range(len(task)):
        if task[r] == task[row] and r != row:
            for q in range(len(task)):
                inverse[row, q] += inverse[r, q]
    for q in range(len(task)):
        inverse[row, q] *= -1.0
    key[task[row]], machine[row] = machine[row], key[task[row]]


@InPlaceKernel
def _column(loads, key, task, machine, column):
    """A column of the basis: what one unit of it adds to the rows of the machine types."""
    column[:] = 0.0
    if task == _MAKESPAN:
        column[:] = -1.0
    elif task == _SLACK:
        column[machine] = 1.0
    else:
        column[machine] += loads[task, machine]
        column[key[task]] -= loads[task, key[task]]


@Kernel
def _invert(loads, basis):
    """Compute the inverse again, by Gauss-Jordan elimination.

    For `np.linalg.inv` numpy and numba call different routines of LAPACK, which round differently:
    where joules nearly cancel, a compiled front differed by percents from an interpreted one.
    """
    machines = len(basis.task)
    inverse = basis.inverse
    columns = np.zeros((machines, machines))
    for r in range(machines):
        _column(loads, basis.key, basis.task[r], basis.machine[r], columns[:, r])
    inverse[:] = np.eye(machines)
    for r in range(machines):
        pivot = r + np.abs(columns[r:, r]).argmax()
        for matrix in (columns, inverse):
            row = matrix[r].copy()
            matrix[r] = matrix[pivot]
            matrix[pivot] = row
        inverse[r] /= columns[r, r]
        columns[r] /= columns[r, r]
        for other in range(machines):
            factor = columns[other, r]
            if other != r and factor != 0.0:
                columns[other] -= factor * columns[r]
                inverse[other] -= factor * inverse[r]
